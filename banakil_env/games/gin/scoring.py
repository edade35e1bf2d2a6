"""What is a round worth (G8), and what a match (G9)?"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.games.gin.rules import TIE_IS_NOTHING
from banakil_env.games.gin.state import BIG_GIN, GIN, HAND_SIZE, KNOCKED, MAX_SEATS, UNDERCUT, cards_in_melds
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.rounds import leader


@compiled
def score_knock(state: Any, knocker: int) -> int:
    """Write the points of a round that ends with a knock; returns how it ended (G8)."""
    defender = 1 - knocker
    own, other = points_in(state.hands[knocker, 0]), points_in(state.hands[defender, 0])
    factor = 2 if state.doubled else 1
    state.points[knocker] = state.points[defender] = 0
    if own == 0:
        big = is_big_gin(state, knocker)
        bonus = state.rules.big_gin if big else state.rules.gin_bonus
        state.points[knocker] = factor * (other + bonus)
        return BIG_GIN if big else GIN
    if own < other:
        state.points[knocker] = factor * (other - own)
        return KNOCKED
    if own == other and state.rules.tie == TIE_IS_NOTHING:
        return T.EXHAUSTED
    state.points[defender] = factor * (own - other + state.rules.undercut_bonus)
    return UNDERCUT


@compiled
def is_big_gin(state: Any, knocker: int) -> bool:
    """G5.6: a knocker without deadwood has or had eleven cards in its hand; on such a hand nobody lays off."""
    return popcount(cards_in_melds(state, knocker)) + popcount(state.hands[knocker, 0]) == HAND_SIZE + 1


@compiled
def add_bonuses(state: Any) -> None:
    """The end of a match: game bonus, line bonuses, and the winner after them (G9.3 to G9.5)."""
    first = state.winner
    bonus = state.rules.game_bonus
    if state.rules.shutout and state.scores[1 - first] == 0:
        bonus *= 2
    state.scores[first] += bonus
    for seat in range(MAX_SEATS):
        state.scores[seat] += state.rules.line_bonus * state.boxes[seat]
    best = leader(state)
    if best != T.NO_SEAT:
        state.winner = best
