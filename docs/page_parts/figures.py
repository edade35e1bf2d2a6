"""The measured leads of players, from `docs/ladders.json` and from the cards of the zoo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from page_parts import DOCS, ROOT

ZOO = ROOT / "agents" / "zoo"

if TYPE_CHECKING:
    from train.ladder import Figure

    Measured = dict[tuple[str, str, str], Figure]  # by table, player and opponent


def ladder_figures() -> list[Figure]:
    """The figures of `docs/ladders.json`, and those of the zoo's cards for pairs that it lacks."""
    sys.path.insert(0, str(ROOT))  # since train/ is not installed
    from train.ladder import of_cards, read, shown

    return shown((*of_cards(), *read(DOCS / "ladders.json")))


def by_pair() -> Measured:
    """The figures of `ladder_figures` by table, player and opponent."""
    return {(figure.table, figure.player, figure.against): figure for figure in ladder_figures()}


def lead_of_agent(measured: Measured, at: str, against: str, rung: str = "agent") -> tuple[float, float] | None:
    """The lead of a table's agent, as in the ladders, with its half width at 95 %; None if there is no such agent.

    Args:
        measured: the figures.
        at: the table.
        against: the opponent.
        rung: the kind of agent: the newest one with an adviser, or one of the kinds without.
    """
    figure = measured.get((at, rung, against))
    return (figure.ahead, figure.within_95) if figure else None


def lead_text(figure: Figure) -> str:
    """A lead with its half widths at 95 % and 99 %, as text."""
    return f"{figure.ahead:+z.2f} ± {figure.within_95:.2f}, ± {figure.within_99:.2f}"
