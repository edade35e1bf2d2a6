"""The points of a round (G8) and of a match (G9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.gin.rules import TIE_IS_NOTHING
from banakil_env.games.gin.state import BIG_GIN, GIN, HAND_SIZE, KNOCKED, MAX_SEATS, UNDERCUT, cards_in_melds
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.rounds import leader
from banakil_env.kit.score_lines import Line, lines_of, sum_of, times

PARTS = ("deadwood of the other hand", "deadwood of this hand", "gin", "big gin", "undercut")
NUM_PARTS = len(PARTS)
OTHER_HAND, OWN_HAND, FOR_GIN, FOR_BIG_GIN, FOR_UNDERCUT = range(NUM_PARTS)


@compiled
def ending_of(state: Any, knocker: int) -> int:
    """Return the ending of a round in which a seat has knocked (G8)."""
    own, other = points_in(state.hands[knocker, 0]), points_in(state.hands[1 - knocker, 0])
    if own == 0:
        return BIG_GIN if is_big_gin(state, knocker) else GIN
    if own < other:
        return KNOCKED
    return T.EXHAUSTED if own == other and state.rules.tie == TIE_IS_NOTHING else UNDERCUT


@compiled
def write_parts(state: Any, seat: int, ending: int, parts: Any) -> None:
    """Write the points of `seat`, the seat that scores, into `parts`: one number for each of PARTS (G8)."""
    parts[OTHER_HAND] = points_in(state.hands[1 - seat, 0])
    parts[OWN_HAND] = -points_in(state.hands[seat, 0])
    parts[FOR_GIN] = state.rules.gin_bonus if ending == GIN else 0
    parts[FOR_BIG_GIN] = state.rules.big_gin if ending == BIG_GIN else 0
    parts[FOR_UNDERCUT] = state.rules.undercut_bonus if ending == UNDERCUT else 0


@compiled
def factor_of(state: Any) -> int:
    """Return the factor of the points of a round: 2 if points are doubled, else 1 (G5.2)."""
    return 2 if state.doubled else 1


@compiled
def score_knock(state: Any, knocker: int) -> int:
    """Write the points of a round that ends with a knock, and return its ending (G8)."""
    ending = ending_of(state, knocker)
    state.points[knocker] = state.points[1 - knocker] = 0
    if ending != T.EXHAUSTED:
        seat, parts = 1 - knocker if ending == UNDERCUT else knocker, scratch(NUM_PARTS)
        write_parts(state, seat, ending, parts)
        state.points[seat] = factor_of(state) * sum_of(parts)
    return ending


@compiled
def is_big_gin(state: Any, knocker: int) -> bool:
    """Return whether the knocker went big gin: its melds and its hand together have eleven cards (G5.6).

    The result is right only for a knocker without deadwood. Nobody lays off on such a hand, so its cards stay eleven.
    """
    return popcount(cards_in_melds(state, knocker)) + popcount(state.hands[knocker, 0]) == HAND_SIZE + 1


@compiled
def add_bonuses(state: Any) -> None:
    """Add the game bonus and the line bonuses at the end of a match, and write the winner after them (G9.3 to G9.5)."""
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


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet of a seat: deadwood of the other seat less its deadwood, and the bonus.

    The bonus is for gin, big gin or an undercut. A seat without points has no lines.
    """
    if not state.points[seat]:
        return []
    return times(int(interpreted(factor_of)(state)), lines_of(PARTS, write_parts, state, seat, state.ending))
