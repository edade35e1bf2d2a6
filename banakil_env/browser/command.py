"""The command `banakil page`: writes the page without a server, one HTML file in which people play the games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from banakil_env.browser.network import network_file
from banakil_env.core.install import install_line
from banakil_env.core.terminal import leave, say
from banakil_env.games import GAMES, find


def page(
    game: Annotated[list[str] | None, typer.Option(help="a game of the page; can be repeated; all by default")] = None,
    out: Annotated[Path, typer.Option(help="the file")] = Path("play.html"),
    network: Annotated[
        bool, typer.Option("--network/--without-network", help="bring the network of all games, if it is here")
    ] = True,
) -> None:
    """Write a page in one file on which people play games in a browser, without a server."""
    try:
        from banakil_env.browser.page import offline_page

        games = [find(name) for name in game or GAMES]
        text = offline_page(games, network_file() if network else None)
        out.write_text(text, encoding="utf-8")
    except ModuleNotFoundError as error:
        leave(f"banakil page needs {error.name}: {install_line('web', 'compile')}")
    except (ValueError, OSError) as error:
        leave(f"banakil page: {error}")
    say(f"{out}: {len(games)} games, {len(text.encode()) / 1000:.0f} kB")
