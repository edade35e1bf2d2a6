"""The command `banakil solve`: shows the best way to lay down a hand, for each of three aims."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from banakil_env.core.game import PositionError
from banakil_env.core.terminal import complain
from banakil_env.games.banakil.solver import AIMS, Layout, solve
from banakil_env.kit.switches import RulesError


def solve_command(
    hand: Annotated[list[str], typer.Argument(help="the cards: 3c 4c 5c 2h JK")],
    melds: Annotated[str, typer.Option(help="the seat's melds on the table: '7h 8h 9h | 3c 3d 3s'")] = "",
    partner: Annotated[str, typer.Option(help="the partner's melds")] = "",
    rules: Annotated[str, typer.Option(help="a preset, then switches: 'pagat wilds=fixed'")] = "pagat",
    by: Annotated[str | None, typer.Option(help="the aim: value, cards or points; by default all three")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Show the best way to lay down a hand of Banakil: the most value, the fewest cards left, the most points."""
    try:
        found = {aim: solve(" ".join(hand), melds, partner, rules, aim) for aim in ([by] if by else AIMS)}
    except (PositionError, RulesError, ValueError) as error:
        complain(f"banakil solve: {error}")
        raise typer.Exit(2) from error
    if as_json:
        print(json.dumps({aim: dataclasses.asdict(layout) for aim, layout in found.items()}))
        return
    table = Table("by", "play", "left", "value", "points", "away from going out")
    for aim, layout in found.items():
        table.add_row(aim, *_cells(layout))
    Console().print(table)


def _cells(layout: Layout) -> list[str]:
    """Return a layout as the cells of a table row."""
    return [
        "; ".join(layout.actions) or "nothing",
        " ".join(layout.left) or "nothing",
        f"{layout.value:g}",
        f"{layout.points:g}",
        f"{layout.away} cards" if layout.away else "goes out",
    ]
