"""What is a round worth? Melds, piles, red Threes and going out, less what is left in hands and feet (HF10)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.hand_and_foot import state as S
from banakil_env.kit.books.kinds import FOUR, THREE, VALUES, size_of, value_of_stacks
from banakil_env.kit.books.soundness import RED_SUITS
from banakil_env.kit.rounds import add_up, next_round
from banakil_env.kit.table_state import MATCH, MATCH_EPISODE, NO_SEAT, TURNS
from banakil_env.kit.two_sides import NUM_SIDES, side_of, winning_side

CLEAN_PILE, DIRTY_PILE, WILD_PILE = 500, 300, 1500
RED_THREE, GOING_OUT, DEAL_BONUS = 100, 100, 100


@compiled
def pile_points(state: Any, side: int) -> int:
    """HF10.2: piles."""
    points = 0
    for place in range(FOUR, S.NUM_PLACES):
        for slot in range(S.MAX_PILES):
            pile = state.complete[side, place, slot]
            if pile:
                points += WILD_PILE if place == S.W else CLEAN_PILE if S.is_clean(pile) else DIRTY_PILE
    return points


@compiled
def held_value(state: Any, seat: int) -> int:
    """The value of the hand and foot of a seat; a red Three counts its bonus (HF10.1)."""
    reds = size_of(state.feet[seat, THREE] & RED_SUITS)
    return value_of_stacks(state.hands[seat]) + value_of_stacks(state.feet[seat]) + (RED_THREE - VALUES[THREE]) * reds


@compiled
def side_points(state: Any, side: int) -> int:
    """HF10.1, without the bonus for going out."""
    points = S.laid_value(state, side) + pile_points(state, side)
    points += RED_THREE * (state.red_threes[side, 0] + state.red_threes[side, 1])
    for seat in range(side, S.MAX_SEATS, NUM_SIDES):
        points += DEAL_BONUS * state.deal_bonus[seat] - held_value(state, seat)
    return points


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending; `winner` is the seat that is out, or NO_SEAT."""
    for side in range(NUM_SIDES):
        points = 0 if ending == TURNS else side_points(state, side)
        if winner != NO_SEAT and side_of(state, winner) == side:
            points += GOING_OUT
        for seat in range(side, S.MAX_SEATS, NUM_SIDES):
            state.points[seat] = points


@compiled
def book_round(state: Any, ending: int, winner: int) -> None:
    """Add up the points of a round; then deal the next one of a match, which has four (HF10.3), or end the match."""
    add_up(state, ending, winner)
    if state.episode != MATCH_EPISODE:
        return
    if state.rounds < S.NUM_ROUNDS:
        next_round(state)
        return
    state.winner = winning_side(state)
    state.ending = S.DRAWN_MATCH if state.winner == NO_SEAT else MATCH
