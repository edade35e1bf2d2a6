"""What is it worth? The points of a finished round (B7 and its switches), and who has won the match (B8)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.faces import (
    ALL_RANKS,
    ALL_TWOS,
    JOKER,
    JOKER_VALUE,
    NUM_RANKS,
    NUM_SUITS,
    TWO_VALUE,
)
from banakil_env.games.banakil.melds import owner_of, value_of, value_of_ranks
from banakil_env.games.banakil.rules import SUM
from banakil_env.games.banakil.state import NO_BONUS, STATE, ace_value_of, num_sides, side_of, target_of
from banakil_env.kit.rounds import leader, score_of
from banakil_env.kit.table_state import EXHAUSTED, NO_SEAT, OUT

# In half points.
OUT_BONUS = 40
NOTHING_MELDED = -40
FLAT_HAND = 80


@compiled
def value_of_cards(faces: int, ace_value: int) -> int:
    """Half points of one card of every face in the mask."""
    value = TWO_VALUE * popcount(faces & ALL_TWOS) + JOKER_VALUE * (faces >> JOKER & 1)
    for suit in range(NUM_SUITS):
        value += value_of_ranks(faces >> suit * NUM_RANKS & ALL_RANKS, ace_value)
    return value


@compiled
def hand_value(state: Any, seat: int) -> int:
    """Half points of the cards in a hand."""
    ace_value = ace_value_of(state)
    return value_of_cards(state.hands[seat, 0], ace_value) + value_of_cards(state.hands[seat, 1], ace_value)


@compiled
def melds_value(state: Any, seat: int) -> int:
    """Half points of the cards in a seat's meld area, no matter which seat laid them there (B5.2)."""
    value = 0
    for i in range(state.num_melds):
        if owner_of(state.melds[i]) == seat:
            value += value_of(state.melds[i], ace_value_of(state))
    return value


@compiled
def anybody_else_melded(state: Any, side: int, seat: int) -> bool:
    """Whether a seat that is neither `seat` nor of `side` has melded."""
    for other in range(state.num_players):
        if other != seat and side_of(state, other) != side and state.melds_of[other]:
            return True
    return False


@inlined
def _scores_flat_hand(state: Any, out: int) -> bool:
    """B7.2: 40 flat for going out in one turn; with partners only if none of the other three has melded."""
    return state.in_one_turn != 0 and (not state.partners or not anybody_else_melded(state, NO_SEAT, out))


@compiled
def _seat_points(state: Any, seat: int, out: int) -> int:
    """B7.1 and B7.2 for one seat, in half points."""
    if seat == out and _scores_flat_hand(state, out):
        return FLAT_HAND
    if state.melds_of[seat]:
        return melds_value(state, seat) - hand_value(state, seat) + (OUT_BONUS if seat == out else 0)
    if state.rules.unplayed_score_zero and out != NO_SEAT and state.in_one_turn and not state.had_turn >> seat & 1:
        return 0  # B9.3: a hand, before this seat had a turn
    return NOTHING_MELDED


@compiled
def side_half_points(state: Any, side: int, out: int) -> int:
    """What a side scores, in half points (B7.3; B9.1, B9.8).

    `out` is the seat that went out, or NO_SEAT when the stock ran out and the round is scored (B9.11): then nobody's
    partner is to be subtracted, and each side adds up its players.
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
    # The winner's side keeps the winner's points alone; the other side pays for the partner's.
    return total - _seat_points(state, (out + 2) % 4, out)


@inlined
def whole_points(half_points: int) -> int:
    """B7.4: halves go up, to the player's favour."""
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
    """B8.2: the first seat of the side that has reached the target with the most points; NO_SEAT: none, or a tie."""
    for seat in range(state.num_players):
        if state.scores[seat] >= target_of(state):
            return leader(state)
    return NO_SEAT


@score_of.fill(STATE)
def _score_of(state: Any, seat: int) -> int:
    """Whole points of this episode: of the round, or of the match so far."""
    return state.scores[seat] if state.episode else state.points[seat]
