"""The commands `banakil games` and `banakil players`: lists made from the games."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from banakil_env.core.game import Game
from banakil_env.core.terminal import leave
from banakil_env.games import DEFAULT_GAME, GAMES, find


def games() -> None:
    """List the games."""
    table = Table(box=None, pad_edge=False)
    for title in ("name", "title", "players", "actions"):
        table.add_column(title, no_wrap=True)
    table.add_column("presets", overflow="fold")
    for name in GAMES:
        game = find(name)
        table.add_row(name, game.title, _seats(game), f"{game.num_actions:,}", " ".join(game.rules.presets))
    Console().print(table)


def players(game: Annotated[str, typer.Option(help="which game; `banakil games` lists them")] = DEFAULT_GAME) -> None:
    """List who can play a game."""
    try:
        found = find(game)
    except ValueError as error:
        leave(f"banakil players: {error}")
    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True)
    table.add_column("the player", overflow="fold")
    Console().print(f"Players of {found.title}; --game NAME lists those of another game.\n", highlight=False)
    for name in found.players:
        table.add_row(name, "rule-based, compiled")
    for name, who in _KINDS.items():
        if name != "search:BUDGET" or found.search is not None:
            table.add_row(name, who)
    Console().print(table)


# Kinds of players other than rule-based ones (`banakil_env.agents.KINDS`).
_KINDS = {
    "search:BUDGET": "plays positions out before it moves: search:500, search:1s",
    "net:PATH": "a trained network from its file, such as net:agents/zoo/NAME",
    "zoo:NAME": "an agent of the zoo, such as zoo:gin-2p",
    "unadvised:NAME": "one of these without its adviser, such as unadvised:zoo:gin-2p",
    "hub:FOLDER": "the same in the Hugging Face Hub's layout",
    "onnx:FILE": "a trained network as ONNX",
    "sb3:FILE": "a model that Stable-Baselines3 has saved: MaskablePPO, PPO, A2C",
    "llm:MODEL": "a language model behind a server that speaks the OpenAI chat protocol",
    "text:MODULE:NAME": "a function of your own from a conversation to a reply",
    "human": "a person at this terminal",
    "MODULE:NAME": "a function or class of your own; FILE.py:NAME too",
}


def _seats(game: Game) -> str:
    whole = list(range(game.seats[0], game.seats[-1] + 1)) == list(game.seats) and len(game.seats) > 2
    return f"{game.seats[0]} to {game.seats[-1]}" if whole else " or ".join(map(str, game.seats))
