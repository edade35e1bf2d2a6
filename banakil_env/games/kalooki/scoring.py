"""What is a round worth? The cards left in every hand, twice if the table was bent; the lowest total wins (K8, K9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount, wide
from banakil_env.core.jit import compiled
from banakil_env.games.kalooki.rules import CONTRACTS
from banakil_env.games.kalooki.state import BENT, POINTS, deal
from banakil_env.kit import contract_rounds
from banakil_env.kit import contract_table as K
from banakil_env.kit import table_state as T
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, total_of

reward = contract_rounds.reward
_BLACK_ACES = 1 | 1 << 3 * NUM_RANKS
_MORE = int(POINTS[0]) - 1  # a black Ace than a red one


@compiled
def points_in(state: Any, seat: int) -> int:
    """What the cards in a hand count (K8.1)."""
    aces = popcount(K.held(state, seat) & _BLACK_ACES) + popcount(K.held_twice(state, seat) & _BLACK_ACES)
    return total_of(state.hands[seat]) + _MORE * aces + POINTS[JOKER] * K.jokers_held(state, seat)


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """The round is over: score it if a seat is out, and deal the next one of a match that goes on (K8, K9)."""
    times = wide(ending == T.OUT) + 2 * wide(ending == BENT)
    for seat in range(wide(state.num_players)):
        state.points[seat] = times * points_in(state, wide(seat))
    if contract_rounds.book_round(state, ending, winner, times > 0, wide(CONTRACTS)):
        deal(state)
