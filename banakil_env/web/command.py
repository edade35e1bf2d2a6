"""The command `banakil serve`: serves the page on this machine until the command is stopped."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from banakil_env.core.install import install_line
from banakil_env.core.terminal import leave
from banakil_env.web.limits import MAX_PORT, MAX_TABLES, MOST_TABLES

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve(
    port: Annotated[int, typer.Option(help="the port; 0: a free one", min=0, max=MAX_PORT)] = 8000,
    host: Annotated[str, typer.Option(help="the address; other machines reach it only if this is not loopback")] = (
        "127.0.0.1"
    ),
    folder: Annotated[Path | None, typer.Option(help="folder for tables and studies")] = None,
    records: Annotated[Path | None, typer.Option(help="a folder of game records to study, such as the arena's")] = None,
    player: Annotated[
        list[str] | None, typer.Option(help="a further player that pages can name, such as net:PATH; can be repeated")
    ] = None,
    allow_host: Annotated[list[str] | None, typer.Option(help="a further host name of this server")] = None,
    tables: Annotated[int, typer.Option(help="largest number of tables", min=1, max=MOST_TABLES)] = MAX_TABLES,
) -> None:
    """Play, watch and study games in the browser."""
    try:
        import uvicorn

        from banakil_env.web.connections import Protocol, Telling, descriptors
        from banakil_env.web.server import Settings, make_app
    except ImportError as error:
        leave(f"banakil serve needs {error.name}: {install_line('web')}")
    if records is not None and not records.is_dir():
        leave(f"banakil serve: there is no folder {records}")
    place = folder or default_folder()
    descriptors()  # raises the limit of open files, so it runs before any file is opened
    try:
        app = make_app(Settings(place, records, tuple(player or ()), tuple(allow_host or ()), tables))
    except OSError as error:
        leave(f"banakil serve: {place} cannot be used: {error}")
    except ValueError as error:
        leave(f"banakil serve: {error}")

    def tell(port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{port}/"
        print(f"{address}   (tables are kept in {place}; Ctrl-C stops the server, games go on later)", flush=True)
        if host not in LOOPBACK:
            print("Everybody who can reach this address can create tables and see the offered records.", flush=True)

    # Pages follow their tables through responses that never end; these are cut off when the server stops.
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Protocol,
        ws="none",
        log_level="error",  # a line for every invalid request could fill the disk
        timeout_graceful_shutdown=1,
        timeout_keep_alive=60,
        server_header=False,
    )
    server = Telling(config, tell)
    with contextlib.suppress(KeyboardInterrupt):  # the user stopped the server with Ctrl-C
        server.run()
    if not server.started:
        sys.exit(1)  # uvicorn has printed the reason


def default_folder() -> Path:
    """The folder for data that must be kept after the program ends."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "state") / "banakil"
