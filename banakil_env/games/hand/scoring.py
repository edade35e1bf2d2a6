"""The end of a turn and of a round (H8), the points of a round (H9), and the match (H10)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.hand import state as S
from banakil_env.games.hand.rules import EMPTY, PLAYERS, WORST
from banakil_env.games.hand.state import MAX_SEATS, side_of
from banakil_env.kit import pack54
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import WILD
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack52 import ALL as NATURALS
from banakil_env.kit.rounds import no_points
from banakil_env.kit.score_lines import Line, lines_of, sum_of, times

OUT_POINTS, UNMELDED, WILD_VALUE = 30, 100, 15

PARTS = ("going out", "cards left in the hand", "nothing melded")
NUM_PARTS = len(PARTS)
GOING_OUT, LEFT, NOTHING_MELDED = range(NUM_PARTS)

_RED = ((1 << 2 * NUM_RANKS) - 1) << NUM_RANKS  # diamonds and hearts


@compiled
def first_meld_value(state: Any, seat: int) -> int:
    """Return the value of the melds of a seat as a first meld, in points (H5.3)."""
    ace_low, ace_high = 11 - 10 * (state.rules.ace_low != 0), 11 - (state.rules.ace_high != 0)
    value = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            value += M.value_of_meld(state.melds[slot], ace_low, ace_high)
    return value


@compiled
def end_turn(state: Any, discarded: int, both: bool) -> None:
    """End the turn after a discard (`both`: of two wild cards). The ends of a round are checked in the order of H8."""
    seat = state.seat
    state.turns += 1
    if pack54.count_cards(state.hands[seat]) == 0:
        score_round(state, seat, factor_of(state, seat, discarded, both))
        return
    out_of_stock = state.stock_size == 0
    if state.rules.stock_end == PLAYERS:
        out_of_stock = state.stock_size <= state.num_players
    elif out_of_stock and state.rules.stock_end != EMPTY and state.pile_size > 1:
        T.shuffle_pile_under(state)
        out_of_stock = False
    if out_of_stock:
        leave_unscored(state, T.EXHAUSTED)
    elif state.turns >= state.rules.max_turns:
        leave_unscored(state, T.TURNS)
    else:
        T.begin_turn(state, T.next_seat(state, seat), T.DRAW)


# The points (H9) -----------------------------------------------------------------------------------------------------


@compiled
def factor_of(state: Any, seat: int, discarded: int, both: bool) -> int:
    """Return the factor of the points of a round: 1, or 2 to 32 for a full hand (H9.2, H11).

    Args:
        seat: the seat that is out.
        discarded: the face of its last discard.
        both: whether it discarded two wild cards.
    """
    if not state.in_one_turn or state.laid_off:
        return 1
    cards = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == seat:
            cards |= M.naturals_of(state.melds[slot])
    factor, suits = 2, 0
    for suit in range(4):
        suits += cards >> NUM_RANKS * suit & (1 << NUM_RANKS) - 1 != 0
    if state.rules.one_suit and suits == 1:
        factor *= 4
    elif state.rules.one_colour and (cards & _RED == 0 or cards & ~_RED == 0):
        factor *= 2
    if both:
        factor *= 4
    elif state.rules.wild_out and discarded == WILD:
        factor *= 2
    return factor


@compiled
def value_left(state: Any, seat: int) -> int:
    """Return the points of the cards left in the hand of a seat with melds (H9.1)."""
    points = WILD_VALUE * pack54.count_of(state.hands[seat], WILD)
    for layer in range(2):
        cards = state.hands[seat, layer] & NATURALS
        points += M.value_of(cards) - popcount(cards & ACES) * (state.rules.ace_hand != 0)
    return points


@compiled
def write_parts(state: Any, seat: int, winner: int, parts: Any) -> None:
    """Write the points of a seat into `parts`, one number for each of PARTS, before the factor (H9.1).

    `winner` is the seat that is out; its partner has no points.
    """
    counts, melded = side_of(state, seat) != side_of(state, winner), S.has_melded(state, seat)
    parts[GOING_OUT] = -OUT_POINTS if seat == winner else 0
    parts[LEFT] = value_left(state, seat) if counts and melded else 0
    parts[NOTHING_MELDED] = UNMELDED if counts and not melded else 0


@compiled
def score_round(state: Any, winner: int, factor: int) -> None:
    """Write and add up the points after a seat is out, and continue the match (H9, H10)."""
    own, parts, most = scratch(MAX_SEATS), scratch(NUM_PARTS), -1
    for seat in range(state.num_players):
        write_parts(state, seat, winner, parts)
        own[seat] = factor * sum_of(parts)
        most = max(most, own[seat])
    for seat in range(state.num_players):
        state.points[seat] = own[seat] + (own[seat ^ 2] if state.partners else 0)
        state.scores[seat] += state.points[seat]
    dealer = state.dealer
    if state.rules.deal != WORST:
        dealer = T.next_seat(state, dealer)
    else:
        # of the seats with most points the dealer, else the next one after the dealer (H10.2)
        while own[dealer] != most:
            dealer = T.next_seat(state, dealer)
    end_episode(state, T.OUT, winner)
    if state.episode == T.MATCH_EPISODE:
        state.unscored = 0
        state.rounds += 1
        go_on(state, dealer)


@compiled
def leave_unscored(state: Any, ending: int) -> None:
    """End a deal without scores. The last round of a match is given up after several such deals (H10.3, H10.4)."""
    no_points(state)
    end_episode(state, ending, T.NO_SEAT)
    if state.episode != T.MATCH_EPISODE:
        return
    state.unscored += 1
    if state.rounds == state.rules.rounds - 1 and state.unscored >= state.rules.last_deals:
        state.unscored = 0
        state.rounds += 1
    go_on(state, state.dealer)


# The match (H10) -----------------------------------------------------------------------------------------------------


@compiled
def end_episode(state: Any, ending: int, winner: int) -> None:
    """Mark the round as over, with this ending and winner. In a match, `go_on` may then deal the next round.

    The seat that acted last stays the seat to move.
    """
    T.begin_turn(state, state.seat, T.OVER)
    state.ending, state.winner = ending, winner


@compiled
def go_on(state: Any, dealer: int) -> None:
    """End the match, or deal its next round; `dealer` is the next dealer."""
    best, tied = 0, False
    for seat in range(1, state.num_players):
        if side_of(state, seat) != seat:
            continue
        tied = state.scores[seat] == state.scores[best] or (tied and state.scores[seat] > state.scores[best])
        best = seat if state.scores[seat] < state.scores[best] else best
    if state.rounds >= state.rules.rounds and not tied:
        end_episode(state, T.MATCH, best)
    elif state.rounds >= state.rules.max_rounds or state.unscored >= state.rules.max_unscored:
        end_episode(state, T.ROUNDS, T.NO_SEAT)
    else:
        state.dealer = dealer
        S.deal(state)


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: going out, or the cards left in the hand, multiplied after a full hand.

    The lines of partners are added up.
    """
    winner = int(state.winner)
    factor = -int(state.points[winner]) // OUT_POINTS  # the side that is out has no other points
    found = []
    for each in sorted({seat, seat ^ 2}) if state.partners else [seat]:
        whose = f", seat {each}" if state.partners else ""
        found += lines_of([part + whose for part in PARTS], write_parts, state, each, winner)
    return times(factor, found)


def first_meld(state: Any) -> tuple[int, int] | None:
    """Return the value that the first meld of the seat to move needs, and the value laid so far, in points.

    None: the seat has melded in an earlier turn.
    """
    seat = int(state.seat)
    if interpreted(S.has_melded)(state, seat) and not state.in_one_turn:
        return None
    return int(state.need), int(interpreted(first_meld_value)(state, seat))
