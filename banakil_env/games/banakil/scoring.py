"""The points of a finished round (B7 and its switches), and the winner of the match (B8)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import ALL_RANKS, ALL_TWOS, JOKER, JOKER_VALUE, NUM_RANKS, NUM_SUITS, TWO_VALUE
from banakil_env.games.banakil.melds import owner_of, value_of, value_of_ranks
from banakil_env.games.banakil.rules import SUM
from banakil_env.games.banakil.state import NO_BONUS, STATE, ace_value_of, num_sides, side_of, target_of
from banakil_env.kit.rounds import leader, score_of
from banakil_env.kit.score_lines import Line, lines_of, some, sum_of
from banakil_env.kit.table_state import EXHAUSTED, NO_SEAT, OUT

# Points in half points: going out, no meld at the end of a round, and going out in one turn.
OUT_BONUS = 40
NOTHING_MELDED = -40
FLAT_HAND = 80

PARTS = ("melds", "cards left in the hand", "going out", "all cards in one turn", "nothing melded")
NUM_PARTS = len(PARTS)
MELDS, LEFT, GOING_OUT, ALL_AT_ONCE, NOTHING = range(NUM_PARTS)


@compiled
def value_of_cards(faces: int, ace_value: int) -> int:
    """Return the half points of one card of every face in the mask; `ace_value` is in half points."""
    value = TWO_VALUE * popcount(faces & ALL_TWOS) + JOKER_VALUE * (faces >> JOKER & 1)
    for suit in range(NUM_SUITS):
        value += value_of_ranks(faces >> suit * NUM_RANKS & ALL_RANKS, ace_value)
    return value


@compiled
def hand_value(state: Any, seat: int) -> int:
    """Return the half points of the cards in a hand."""
    ace_value = ace_value_of(state)
    return value_of_cards(state.hands[seat, 0], ace_value) + value_of_cards(state.hands[seat, 1], ace_value)


@compiled
def melds_value(state: Any, seat: int) -> int:
    """Return the half points of the cards in a seat's melds, no matter which seat laid them down (B5.2)."""
    value = 0
    for i in range(state.num_melds):
        if owner_of(state.melds[i]) == seat:
            value += value_of(state.melds[i], ace_value_of(state))
    return value


@compiled
def anybody_else_melded(state: Any, side: int, seat: int) -> bool:
    """Return whether a seat has melded that is neither `seat` nor on the side `side`."""
    for other in range(state.num_players):
        if other != seat and side_of(state, other) != side and state.melds_of[other]:
            return True
    return False


@inlined
def _scores_flat_hand(state: Any, out: int) -> bool:
    """Return whether the seat `out` scores 40 for going out in one turn (B7.2).

    With partners it does so only if none of the other three has melded.
    """
    return state.in_one_turn != 0 and (not state.partners or not anybody_else_melded(state, NO_SEAT, out))


@inlined
def _is_spared(state: Any, seat: int, out: int) -> bool:
    """Return whether a seat scores 0 because it had no turn before the seat `out` went out in one turn (B9.3)."""
    had_turn = state.had_turn >> seat & 1 != 0
    return state.rules.unplayed_score_zero != 0 and out != NO_SEAT and state.in_one_turn != 0 and not had_turn


@compiled
def write_parts(state: Any, seat: int, out: int, parts: Any) -> None:
    """Write the half points of one seat into `parts`, one number for each of PARTS (B7.1, B7.2).

    `out` is the seat that went out, or NO_SEAT.
    """
    flat = seat == out and _scores_flat_hand(state, out)
    melded = not flat and state.melds_of[seat] != 0
    parts[MELDS] = melds_value(state, seat) if melded else 0
    parts[LEFT] = -hand_value(state, seat) if melded else 0
    parts[GOING_OUT] = OUT_BONUS if melded and seat == out else 0
    parts[ALL_AT_ONCE] = FLAT_HAND if flat else 0
    parts[NOTHING] = 0 if flat or melded or _is_spared(state, seat, out) else NOTHING_MELDED


@compiled
def _seat_points(state: Any, seat: int, out: int) -> int:
    """Return the half points of one seat, without those of its partner."""
    parts = scratch(NUM_PARTS)
    write_parts(state, seat, out, parts)
    return sum_of(parts)


@compiled
def side_half_points(state: Any, side: int, out: int) -> int:
    """Return the points of a side, in half points (B7.3; B9.1, B9.8).

    `out` is the seat that went out, or NO_SEAT if the stock ran out and the round is scored (B9.11). With NO_SEAT each
    side adds the points of its players, and no partner's points are subtracted.
    """
    if out != NO_SEAT and state.in_one_turn and state.rules.hand_bonus[0] != NO_BONUS:
        if side_of(state, out) != side:
            return 0
        return 2 * state.rules.hand_bonus[0 if anybody_else_melded(state, side, out) else 1]
    total = 0
    for seat in range(state.num_players):
        if side_of(state, seat) == side:
            total += _seat_points(state, seat, out)
    if not state.partners or state.rules.partner_scoring == SUM or out == NO_SEAT:
        return total
    # The winner's side scores the winner's points without the partner's. The other side pays for the points of the
    # partner.
    return total - _seat_points(state, (out + 2) % 4, out)


@inlined
def whole_points(half_points: int) -> int:
    """Round half points up to whole points, in the player's favor (B7.4)."""
    return -(-half_points // 2)


@compiled
def score_round(state: Any) -> None:
    """Write the points of the round that has just ended into `points`, and add them to `scores`."""
    for seat in range(state.num_players):
        state.points[seat] = 0
    if state.ending == OUT or (state.ending == EXHAUSTED and state.rules.score_exhausted):
        out = state.winner
        for side in range(num_sides(state)):
            points = whole_points(side_half_points(state, side, out))
            for seat in range(state.num_players):
                if side_of(state, seat) == side:
                    state.points[seat] = points
    for seat in range(state.num_players):
        state.scores[seat] += state.points[seat]


@compiled
def match_winner(state: Any) -> int:
    """Return the first seat of the side that has reached the target with the most points (B8.2); NO_SEAT: none,
    or a tie.
    """
    for seat in range(state.num_players):
        if state.scores[seat] >= target_of(state):
            return leader(state)
    return NO_SEAT


@score_of.fill(STATE)
def _score_of(state: Any, seat: int) -> int:
    """Return the whole points of a seat in this episode: of the round, or of the match so far."""
    return state.scores[seat] if state.episode else state.points[seat]


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the points of each player of the side, and the rounding (B7.1 to B7.4)."""
    found = [Line(text, half / 2) for text, half in _half_lines(state, interpreted(side_of)(state, seat))]
    odd = float(state.points[seat]) - sum(line.points for line in found)
    return [*found, Line("halves are rounded up", odd)] if odd else found


def _half_lines(state: Any, side: int) -> list[Line]:
    """Return the points of a side as lines (text, half points); see `side_half_points`."""
    rules, out = state.rules, int(state.winner)
    seats = [each for each in range(int(state.num_players)) if interpreted(side_of)(state, each) == side]
    if out != NO_SEAT and state.in_one_turn and rules.hand_bonus[0] != NO_BONUS:
        melded = interpreted(anybody_else_melded)(state, side, out)
        return some([("a hand, all in one turn", 2 * int(rules.hand_bonus[0 if melded else 1]) * (out in seats))])
    paid = state.partners and rules.partner_scoring != SUM and out != NO_SEAT
    if paid and out in seats:
        seats, paid = [out], False  # the winner's points alone (B7.3)
    found = []
    for each in seats:
        whose = f", seat {each}" if state.partners else ""
        found += lines_of([part + whose for part in PARTS], write_parts, state, each, out)
    if not paid:
        return found
    partner = (out + 2) % 4
    points = -int(interpreted(_seat_points)(state, partner, out))
    return [*found, *some([(f"less the points of the winner's partner, seat {partner}", points)])]
