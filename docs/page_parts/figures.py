"""The measured leads of players: of `docs/ladders.json` and of the cards of the zoo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from page_parts import DOCS, ROOT

ZOO = ROOT / "agents" / "zoo"

if TYPE_CHECKING:
    from train.ladder import Figure

    Measured = dict[tuple[str, str, str], Figure]  # by table, player, and the player that it met


def ladder_figures() -> list[Figure]:
    """The figures of `docs/ladders.json`, and those of the zoo's cards for pairs that it lacks."""
    sys.path.insert(0, str(ROOT))  # train/ is not installed
    from train.ladder import of_cards, read, shown

    return shown((*of_cards(), *read(DOCS / "ladders.json")))


def by_pair() -> Measured:
    """The same by pair."""
    return {(figure.table, figure.player, figure.against): figure for figure in ladder_figures()}


def lead_of_agent(measured: Measured, at: str, against: str, rung: str = "agent") -> tuple[float, float] | None:
    """The lead of an agent of a table, as in the ladders, with its half width at 95 %; None: there is no such agent.

    Args:
        rung: of which kind: the newest advised one, or one that learned or stands alone.
    """
    figure = measured.get((at, rung, against))
    return (figure.ahead, figure.within_95) if figure else None


def lead_text(figure: Figure) -> str:
    """A lead with its half widths at 95 % and 99 %."""
    return f"{figure.ahead:+z.2f} ± {figure.within_95:.2f}, ± {figure.within_99:.2f}"
