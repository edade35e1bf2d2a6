"""The points of a round (M6), and the payment at the end of a match (M7.4)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.mille.cards import NUM_KINDS, NUM_RANKS, RANK_OF, THE_TWO, VALUES, held_of, value_of_row
from banakil_env.games.mille.rules import ANYONE, MATCH_SCORE
from banakil_env.games.mille.state import NUM_SEATS
from banakil_env.kit.books.kinds import TWO, size_of
from banakil_env.kit.score_lines import Line, lines_of, sum_of
from banakil_env.kit.table_state import TURNS

PARTS = ("melds", "naturals of eight, doubled", "clean naturals, doubled", "cards left in the hand")
NUM_PARTS = len(PARTS)
MELDS, EIGHTS, CLEAN, LEFT = range(NUM_PARTS)


@compiled
def wild_twos(state: Any, seat: int) -> int:
    """Return the number of Twos that a seat has melded with other ranks."""
    count = 0
    for rank in range(TWO):
        count += size_of(state.wild[seat, rank])
    return count


@inlined
def is_eight(state: Any, seat: int, rank: int) -> bool:
    """Return whether a meld is a natural of eight (M6.2)."""
    return size_of(state.melds[seat, rank]) == 8 and (rank == TWO or state.wild[seat, rank] == 0)


@compiled
def has_melds(state: Any, seat: int) -> bool:
    """Return whether a seat has a meld."""
    for rank in range(NUM_RANKS):
        if state.melds[seat, rank]:
            return True
    return False


@compiled
def is_clean(state: Any, seat: int, winner: int) -> bool:
    """Return whether a seat has a clean natural (M6.3); `winner` is the seat that is out, or NO_SEAT."""
    if state.rules.clean != ANYONE and seat != winner:
        return False
    return has_melds(state, seat) and wild_twos(state, seat) == 0


@compiled
def write_parts(state: Any, seat: int, winner: int, parts: Any) -> None:
    """Write the points of a seat into `parts`, one number for each of PARTS (M6.1 to M6.4).

    `winner` is the seat that is out, or NO_SEAT.
    """
    parts[MELDS], parts[EIGHTS] = VALUES[THE_TWO] * wild_twos(state, seat), 0
    for kind in range(NUM_KINDS):
        value = VALUES[kind] * held_of(state.melds[seat], kind)
        parts[MELDS] += value
        if is_eight(state, seat, RANK_OF[kind]):
            parts[EIGHTS] += value
    parts[CLEAN] = parts[MELDS] + parts[EIGHTS] if is_clean(state, seat, winner) else 0
    parts[LEFT] = -value_of_row(state.hands[seat])


@compiled
def round_naturals(state: Any, seat: int, winner: int) -> int:
    """Return the number of naturals that a seat marks for this round (M6.5)."""
    count = int(is_clean(state, seat, winner))
    for rank in range(NUM_RANKS):
        count += is_eight(state, seat, rank)
    return count


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write points and marks of a round with this ending; `winner` is the seat that is out, or NO_SEAT."""
    parts = scratch(NUM_PARTS)
    for seat in range(NUM_SEATS):
        points = 0
        if ending != TURNS:
            write_parts(state, seat, winner, parts)
            points = sum_of(parts)
            state.naturals[seat] += round_naturals(state, seat, winner)
            state.chapeaux[seat] += points < 0
        state.points[seat] = points


@inlined
def _hundreds(score: int) -> int:
    """Return a score in hundreds; 50 is rounded up."""
    return (score + 50) // 100


@compiled
def what_is_paid(state: Any, winner: int) -> int:
    """Return the payment of the loser of a match, in units of the smaller stake (M7.4).

    The field `points` must have the points of the last round of the match.
    """
    loser = 1 - winner
    score = state.scores[loser]
    units = 3 + 3 * state.naturals[winner] + 3 * state.chapeaux[loser]
    units += _hundreds(state.scores[winner]) - _hundreds(score)
    if (score if state.rules.double_skunk == MATCH_SCORE else state.points[loser]) < 0:
        return 3 * units
    return 2 * units if score < state.rules.skunk else units


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: melds, doubled naturals of eight, a doubled clean natural, and the
    cards left.
    """
    return lines_of(PARTS, write_parts, state, seat, state.winner)
