"""Refuses requests of other sites before they are read, and locks a folder for one server.

A page of another site can send requests to a server on this machine. It cannot read the responses, since no response
allows that, and it must not be able to change anything. Therefore a request that changes something must be JSON
(browsers check with the server before a page of another site can send JSON), and its `Origin`, if present, must be this
server. A foreign name that DNS resolves to this machine is refused by its `Host`: only localhost, plain addresses and
names that were allowed at the start are served.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from filelock import FileLock, Timeout
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from banakil_env.web.limits import MAX_PORT

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

# Matches a `Host`: a name or an address, and a port. Other parts of an address, such as a user before `@`, do not
# match.
_HOST = re.compile(
    r"(?:(?P<name>[A-Za-z0-9._-]{1,253})|\[(?P<address>[0-9A-Fa-f:.]{2,45})\])(?::(?P<port>[0-9]{1,5}))?"
)


class Guard:
    """Refuses forbidden requests, and adds headers to all responses.

    Args:
        app: the application behind it.
        names: hosts that are served in addition to localhost and addresses.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app, self._names = app, {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        if why := self._fault(scope["method"], headers):
            await JSONResponse({"error": why}, 403)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _fault(self, method: str, headers: Headers) -> str:
        """The reason why a request is refused; "" if it is allowed."""
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._is_ours(host):
            return f"this server is not called {host!r:.80}: start it with --allow-host to serve that name"
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return "requests from a page of another site are refused"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not (
            method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        ):
            return "requests from a page of another site are refused"
        if method not in ("GET", "HEAD") and headers.get("content-type", "").split(";")[0] != "application/json":
            return "requests that change something are JSON: Content-Type: application/json"
        return ""

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        if found is None or int(found["port"] or 0) > MAX_PORT:
            return False
        name = (found["name"] or found["address"]).lower()
        return name in self._names or _is_address(name, 6 if found["name"] is None else 4)


def _is_address(name: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(name).version == version
    except ValueError:
        return False


def _netloc(origin: str) -> str | None:
    """The host and port of an origin; None if the origin is not an address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def only_server(folder: Path) -> FileLock:
    """Lock a folder; the system releases the lock when the process ends.

    Raises OSError if another server has locked the folder.
    """
    lock = FileLock(folder / "server.lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise OSError("another server uses it: stop that server, or name another folder with --folder") from None
    return lock
