"""The points of a round: stakes that seats pay each other (T9), by the counts of the hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.rules import COUNT_UNMATCHED
from banakil_env.games.tonk.state import MAX_SEATS
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import above, run_starts
from banakil_env.kit.melds.runs_and_sets import set_ranks
from banakil_env.kit.pack52 import ACES, bit_of, cards_of
from banakil_env.kit.score_lines import Line, lines_of, sum_of

PARTS = (
    "running out",
    "tonking out, twice the stake",
    "a dealt tonk, twice the stake",
    "dropping with the lowest count",
    "the lowest count when the stock was empty",
    "caught in a drop by an equal or lower count",
    "the lowest count",
)
NUM_PARTS = len(PARTS)
RAN_OUT, TONKED, DEALT, DROPPED, LOWEST, CAUGHT, LOWEST_AT_DROP = range(NUM_PARTS)


@compiled
def count_of(rules: Any, hand: int) -> int:
    """Return the count of a hand of at most five cards, in points (T9.2)."""
    return points_in(hand) - (most_in_spread(hand) if rules.count == COUNT_UNMATCHED else 0)


@compiled
def most_in_spread(hand: int) -> int:
    """Return the most points of a hand that one spread uses. Five cards have no two spreads without a common card."""
    most, ranks, starts = 0, set_ranks(hand), run_starts(hand)
    while ranks:
        most = max(most, points_in(hand & cards_of(ranks & -ranks)))
        ranks &= ranks - 1
    while starts:
        card = bit_of(lowest(starts))
        starts &= starts - 1
        run = card
        while True:  # up to an Ace, which ends a run unless it begins the run
            card = above(card) & hand
            run |= card
            if card == 0 or card & ACES:
                break
        most = max(most, points_in(run))
    return most


# The payments (T9) ---------------------------------------------------------------------------------------------------


@compiled
def write_counts(state: Any, counts: Any) -> None:
    """Write the count of the hand of each seat into `counts`."""
    for seat in range(state.num_players):
        counts[seat] = count_of(state.rules, state.hands[seat, 0])


@compiled
def lowest_seats(state: Any, counts: Any, left_out: int) -> int:
    """Return the seats with the lowest count, as a mask. The seat `left_out` is ignored; NO_SEAT ignores none."""
    least, seats = 1000, 0
    for seat in range(state.num_players):
        if seat == left_out:
            continue
        if counts[seat] < least:
            least, seats = counts[seat], 0
        seats |= int(counts[seat] == least) << seat
    return seats


@compiled
def lowest_seat(state: Any) -> int:
    """Return the seat with the lowest count; NO_SEAT on a tie (T9.3)."""
    counts = scratch(MAX_SEATS)
    write_counts(state, counts)
    seats = lowest_seats(state, counts, T.NO_SEAT)
    return T.NO_SEAT if seats & (seats - 1) else lowest(seats)


@compiled
def ending_of_drop(state: Any, dropper: int) -> int:
    """Return the ending DROP, or CAUGHT if another seat has an equal or lower count (T9.4, T9.5)."""
    counts = scratch(MAX_SEATS)
    write_counts(state, counts)
    return S.DROP if lowest_seats(state, counts, T.NO_SEAT) == 1 << dropper else S.CAUGHT


@compiled
def write_parts(state: Any, seat: int, ending: int, winner: int, counts: Any, parts: Any) -> None:
    """Write the payments of a seat into `parts`, one number for each of PARTS; negative if it pays (T2.4, T9).

    Args:
        seat: the seat.
        ending: how the round ended.
        winner: the winner of the round, or the seat that dropped; NO_SEAT: no seat.
        counts: the counts of the hands; read only if `ending` is CAUGHT.
        parts: int64, written.
    """
    stake = state.rules.stake
    paid = stake * (state.num_players - 1 if seat == winner else -1)  # a stake from every other seat
    parts[RAN_OUT] = paid if ending == T.OUT else 0
    parts[TONKED] = 2 * paid if ending == S.TONKED else 0
    parts[DEALT] = 2 * paid if ending == S.TONK else 0
    parts[DROPPED] = paid if ending == S.DROP else 0
    parts[LOWEST] = paid if ending == S.LOWEST else 0
    parts[CAUGHT] = parts[LOWEST_AT_DROP] = 0
    if ending == S.CAUGHT:
        parts[CAUGHT] = stake * paid_by_dropper(state, seat, winner, counts)
        seats = lowest_seats(state, counts, winner)
        parts[LOWEST_AT_DROP] = stake * (state.num_players * (seats >> seat & 1) - popcount(seats))


@compiled
def paid_by_dropper(state: Any, seat: int, dropper: int, counts: Any) -> int:
    """Return the stakes that a caught dropper pays to a seat; negative for the dropper.

    The dropper pays one stake to each seat with a count as low as its count or lower (T9.5).
    """
    if seat != dropper:
        return int(counts[seat] <= counts[dropper])
    stakes = 0
    for other in range(state.num_players):
        stakes -= other != dropper and counts[other] <= counts[dropper]
    return stakes


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the payments of a round with this ending; `winner` is explained in `write_parts`."""
    counts, parts = scratch(MAX_SEATS), scratch(NUM_PARTS)
    if ending == S.CAUGHT:
        write_counts(state, counts)
    for seat in range(state.num_players):
        write_parts(state, seat, ending, winner, counts, parts)
        state.points[seat] = sum_of(parts)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the payments of a seat, negative if it pays."""
    counts = np.zeros(MAX_SEATS, np.int64)
    interpreted(write_counts)(state, counts)
    return lines_of(PARTS, write_parts, state, seat, state.ending, state.winner, counts)
