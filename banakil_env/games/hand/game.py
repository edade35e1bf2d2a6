"""Builds the `Game` of Hand."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Option, Table
from banakil_env.games.hand import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.partners import plays_partners
from banakil_env.kit.setup import tables_for


def seat_partners(blank: Any, partners: bool | None = None) -> None:
    """Write whether four players play as partners. RulesError: another number of players."""
    blank.partners = plays_partners(int(blank.num_players), partners, default=False)


GAME = assemble(
    "hand",
    "Hand",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("hand", greedy)),
    (
        *tables_for("hand", 2, 3),
        Table("hand-4p", "4 players, individuals", {"num_players": 4}),
        Table("hand-4p-partners", "4 players, partners", {"num_players": 4, "partners": True}),
    ),
    version=0,
    marks=texts.MARKS,
    side_of=state.side_of,
    low_wins=True,
    own_options=(Option("partners", None, "whether four players play as partners; None: no"),),
    prepare=seat_partners,
)
