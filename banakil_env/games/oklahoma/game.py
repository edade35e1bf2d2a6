"""Builds the `Game` of Oklahoma Rummy."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.oklahoma import check, greedy, hidden, looks, moves, observation, rules, texts
from banakil_env.games.oklahoma import state as S
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for
from banakil_env.kit.switches import RulesError


def are_enough(state: Any) -> None:
    """Check that there are enough cards for the hands of this number of players (O11.1). RulesError: there are
    too few.
    """
    players = int(state.num_players)
    dealt = int(interpreted(S.cards_dealt)(players, int(state.rules.hand_cards)))
    if players * dealt + S.LEFT > S.PACK_SIZE:
        raise RulesError(
            f"hand_cards={dealt}: there are too few cards for {players} players, one card turned up and a stock"
        )


GAME = assemble(
    "oklahoma",
    "Oklahoma Rummy",
    Modules(rules, S, moves, check, observation, hidden, texts, looks, *by_numbers("oklahoma", greedy)),
    tables_for("oklahoma", 2, 4, 6),
    version=0,
    prepare=are_enough,
)
