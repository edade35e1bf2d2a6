"""What is a round worth? Stakes that go from seat to seat (T9), by the counts of the hands."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.rules import COUNT_UNMATCHED
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import above, run_starts
from banakil_env.kit.melds.runs_and_sets import set_ranks
from banakil_env.kit.pack52 import ACES, bit_of, cards_of
from banakil_env.kit.rounds import no_points


@compiled
def count_of(rules: Any, hand: int) -> int:
    """The count of a hand of five cards at the most (T9.2)."""
    return points_in(hand) - (most_in_spread(hand) if rules.count == COUNT_UNMATCHED else 0)


@compiled
def most_in_spread(hand: int) -> int:
    """The most points that one spread takes out of a hand. Five cards have no two spreads without a common card."""
    most, ranks, starts = 0, set_ranks(hand), run_starts(hand)
    while ranks:
        most = max(most, points_in(hand & cards_of(ranks & -ranks)))
        ranks &= ranks - 1
    while starts:
        card = bit_of(lowest(starts))
        starts &= starts - 1
        run = card
        while True:  # up to the Ace, which ends a run unless it begins one
            card = above(card) & hand
            run |= card
            if card == 0 or card & ACES:
                break
        most = max(most, points_in(run))
    return most


@compiled
def _pay(state: Any, payer: int, winner: int, stakes: int) -> None:
    state.points[payer] -= stakes * state.rules.stake
    state.points[winner] += stakes * state.rules.stake


@compiled
def _all_pay(state: Any, winner: int, stakes: int) -> None:
    for seat in range(state.num_players):
        _pay(state, seat, winner, stakes)


@compiled
def score_win(state: Any, winner: int, stakes: int) -> None:
    """Every other seat pays `stakes` stakes (T2.4, T9.1)."""
    no_points(state)
    _all_pay(state, winner, stakes)


@compiled
def lowest_count(state: Any, left_out: int) -> tuple[int, int]:
    """The lowest count of all seats but one (NO_SEAT: of all), and the seats that have it, a mask."""
    least, seats = 1000, 0
    for seat in range(state.num_players):
        if seat == left_out:
            continue
        count = count_of(state.rules, state.hands[seat, 0])
        if count < least:
            least, seats = count, 0
        seats |= int(count == least) << seat
    return least, seats


@compiled
def score_exhausted(state: Any) -> int:
    """The stock is empty: the seat with the lowest count is paid; NO_SEAT on a tie (T9.3)."""
    no_points(state)
    _, seats = lowest_count(state, T.NO_SEAT)
    if seats & (seats - 1):
        return T.NO_SEAT
    winner = lowest(seats)
    _all_pay(state, winner, 1)
    return winner


@compiled
def score_drop(state: Any, dropper: int) -> int:
    """The payments after a drop; returns how the round ended (T9.4, T9.5)."""
    no_points(state)
    own = count_of(state.rules, state.hands[dropper, 0])
    least, seats = lowest_count(state, dropper)
    if own < least:
        _all_pay(state, dropper, 1)
        return S.DROP
    for seat in range(state.num_players):
        if seat != dropper and count_of(state.rules, state.hands[seat, 0]) <= own:
            _pay(state, dropper, seat, 1)
        if seats >> seat & 1:
            _all_pay(state, seat, 1)
    return S.CAUGHT
