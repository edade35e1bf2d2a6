"""What is a round worth? The cards left in every hand; the lowest total wins (N8.2, N9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount, wide
from banakil_env.core.jit import compiled
from banakil_env.games.contract.rules import CONTRACTS
from banakil_env.games.contract.state import POINTS, deal
from banakil_env.kit import contract_rounds
from banakil_env.kit import contract_table as K
from banakil_env.kit import table_state as T
from banakil_env.kit.pack52 import ACES
from banakil_env.kit.pack54 import JOKER, total_of

reward = contract_rounds.reward
_ACE_MORE = int(POINTS[0]) - 1  # than an Ace's usual value


@compiled
def points_in(state: Any, seat: int) -> int:
    """What the cards in a hand count (N8.2)."""
    aces = popcount(K.held(state, seat) & ACES) + popcount(K.held_twice(state, seat) & ACES)
    return total_of(state.hands[seat]) + _ACE_MORE * aces + POINTS[JOKER] * K.jokers_held(state, seat)


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """The round is over: score it unless turns ran out, and deal the next one of a match that goes on (N8, N9)."""
    scored = ending != T.TURNS
    for seat in range(wide(state.num_players)):
        state.points[seat] = points_in(state, wide(seat)) if scored else wide(0)
    if contract_rounds.book_round(state, ending, winner, scored, wide(CONTRACTS)):
        deal(state)
