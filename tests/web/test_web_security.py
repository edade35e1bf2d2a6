"""Which names of this server does the guard believe? Every other `Host` is refused before the request is read."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message

from banakil_env.web.security import Guard

NAMES = ("games.example",)


def answered(*hosts: str, **others: str) -> bool:
    """Whether a request with these `Host` lines reaches the application."""
    reached: list[bool] = []

    async def application(*_: Any) -> None:
        reached.append(True)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        pass

    lines = [(b"host", host.encode("latin-1")) for host in hosts]
    lines += [(name.encode(), value.encode()) for name, value in others.items()]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": lines}
    asyncio.run(Guard(application, NAMES)(scope, receive, send))
    return bool(reached)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:8000", "192.168.1.7:80", "[::1]", "[::1]:8000"),
        *("[2001:db8::7]:443", "games.example", "Games.Example:8443", "localhost:65535"),
    ],
)
def test_localhost_addresses_and_allowed_names_are_served(host: str) -> None:
    assert answered(host)
    assert answered(host, origin=f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [
        *("evil.com@localhost", "evil.com:80@localhost", "@localhost", "localhost@", "evil.com@127.0.0.1:8000"),
        *(
            "localhost@evil.com",
            "user:password@games.example",
            "evil.com",
            "localhost.evil.com",
            "evil.com.games.example",
        ),
        *("localhost/evil.com", "evil.com/localhost", "localhost?evil", "evil.com?@localhost", "localhost#evil.com"),
        *(
            "evil.com#@localhost",
            "localhost\\evil.com",
            "evil.com\\@localhost",
            "localhost evil.com",
            "localhost,evil.com",
        ),
        *(" localhost", "localhost ", "\tlocalhost", "localhost\t", "localhost:", "localhost:99999", "localhost:-1"),
        *("localhost:80:80", "localhost:evil", "localhost:8000evil", "[::1", "::1", "[localhost]", "[127.0.0.1]"),
        *(
            "[::1]evil.com",
            "[::1]@evil.com",
            "[fe80::1%25evil.com]",
            "[v1.evil]",
            "127.0.0.1.evil.com",
            "127.1",
            "0x7f.1",
        ),
        *("2130706433", "localhost%00", "local%68ost", "\u00aalocalhost", "localhost\xad", "", ":80", "."),
    ],
)
def test_every_other_host_is_refused(host: str) -> None:
    assert not answered(host)
    assert not answered(host, origin="http://localhost")


def test_one_host_is_needed_and_more_are_refused() -> None:
    assert not answered()
    assert not answered("localhost", "evil.com")
    assert not answered("evil.com", "localhost")
    assert not answered("localhost", "localhost")


@pytest.mark.parametrize(
    "origin", ["http://evil.com", "http://evil.com@localhost", "http://localhost@evil.com", "null"]
)
def test_an_origin_of_another_site_is_refused(origin: str) -> None:
    assert not answered("localhost", origin=origin)
