"""Limits the number of open connections: those that are being answered stay open; waiting ones are limited.

An open connection without a request costs the sender nothing and the server a file descriptor. Therefore the head of a
request has a time limit. If too many connections wait, the one that has waited longest is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from banakil_env.web.limits import REQUEST_SECONDS

WISHED, UNKNOWN = 8192, 1024  # file descriptors: requested; assumed if the system does not report its limit


@functools.cache
def descriptors() -> int:
    """Raise this process's limit of open files to at most WISHED. Returns the limit; UNKNOWN on Windows."""
    try:
        import resource
    except ImportError:  # Windows
        return UNKNOWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WISHED if hard == resource.RLIM_INFINITY else min(hard, WISHED)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return WISHED if soft == resource.RLIM_INFINITY else min(soft, WISHED)


def most_streams() -> int:
    """The largest number of pages that can follow tables of this server at the same time."""
    return descriptors() // 2


def most_waiting() -> int:
    """The largest number of connections that can wait for their first or next request."""
    return descriptors() // 4


class Telling(uvicorn.Server):
    """uvicorn's server, extended: it reports its port as soon as it accepts requests.

    Args:
        config: the configuration of uvicorn; port 0 lets the system choose a free port.
        tell: called with the port.
    """

    def __init__(self, config: uvicorn.Config, tell: Callable[[int], None]) -> None:
        super().__init__(config)
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See `uvicorn.Server`."""
        await super().startup(sockets)
        if self.started:
            self._tell(self.servers[0].sockets[0].getsockname()[1])


class Protocol(H11Protocol):
    """uvicorn's HTTP protocol, with a time limit for the head of a request and a limit on waiting connections."""

    _waiting: dict[Protocol, None] = {}  # noqa: RUF012 - of all connections, the one that has waited longest first
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """A connection was opened: it waits, and the time limit for the head of its request begins."""
        super().connection_made(transport)
        self._wait()
        self._set_clock()

    def data_received(self, data: bytes) -> None:
        """A part of a request arrived."""
        super().data_received(data)
        if self._is_answered():
            self._waiting.pop(self, None)
            self._stop_clock()
        elif self._late is None:
            self._set_clock()

    def on_response_complete(self) -> None:
        """A response was sent: the connection waits again."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection ended."""
        self._waiting.pop(self, None)
        self._stop_clock()
        super().connection_lost(exc)

    def _is_answered(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait(self) -> None:
        self._waiting[self] = None
        if len(self._waiting) > most_waiting():
            first = next(iter(self._waiting))
            del self._waiting[first]
            first.transport.close()

    def _set_clock(self) -> None:
        self._late = self.loop.call_later(REQUEST_SECONDS, self._end)

    def _stop_clock(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _end(self) -> None:
        self._late = None
        if not self._is_answered():
            self.transport.close()
