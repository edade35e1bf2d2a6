"""Builds the `Game` of 500 Rummy."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.rummy500 import check, greedy, hidden, looks, moves, observation, rules, texts
from banakil_env.games.rummy500 import state as S
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for
from banakil_env.kit.switches import RulesError


def are_enough(state: Any) -> None:
    """Check that there are enough cards for the hands of this number of players (F11.1). RulesError: there are
    too few.
    """
    players, switches = int(state.num_players), state.rules
    if not interpreted(S.can_be_dealt)(players, int(switches.hand_cards), int(switches.jokers)):
        raise RulesError(
            f"hand_cards={switches.hand_cards} and jokers={switches.jokers}: there are too few cards for "
            f"{players} players, one card turned up and a stock"
        )


GAME = assemble(
    "rummy500",
    "500 Rummy",
    Modules(rules, S, moves, check, observation, hidden, texts, looks, *by_numbers("rummy500", greedy)),
    tables_for("rummy500", 2, 4, 6),
    version=0,
    prepare=are_enough,
)
