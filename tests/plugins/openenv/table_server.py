"""The environment's server in this process, for tests."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import uvicorn

from banakil_openenv.server.app import application


@contextlib.contextmanager
def table_server(**variables: str) -> Iterator[str]:
    """The address of a server while it runs, with variables of its environment (`game="rummy"` is BANAKIL_GAME)."""
    given = {f"BANAKIL_{name.upper()}": value for name, value in variables.items()}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        started = threading.Event()
        made: Any = uvicorn.Server(
            uvicorn.Config(application(given), log_level="critical", timeout_graceful_shutdown=1)
        )
        begin = made.startup

        async def startup(*arguments: Any, **options: Any) -> None:
            await begin(*arguments, **options)
            started.set()

        made.startup = startup
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        assert started.wait(120)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            made.should_exit = True
            thread.join()
