"""What is a round worth? Melds, canastas, red Threes and going out, less what is left in hands (C9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.canasta.state import NUM_PLACES, has_melds
from banakil_env.kit.books.kinds import FOUR, size_of, value_of_stacks
from banakil_env.kit.books.melds import value_of_books, wilds_at
from banakil_env.kit.table_state import NO_SEAT, TURNS
from banakil_env.kit.two_sides import NUM_SIDES, side_of

NATURAL_CANASTA, MIXED_CANASTA, CANASTA = 500, 300, 7
RED_THREE, ALL_RED_THREES = 100, 800
GOING_OUT, CONCEALED = 100, 200


@compiled
def canasta_points(state: Any, side: int) -> int:
    """C9.2: natural and mixed canastas."""
    points = 0
    for kind in range(FOUR, NUM_PLACES):
        wilds = wilds_at(state, side, kind)
        if wilds + size_of(state.naturals[side, kind]) >= CANASTA:
            points += MIXED_CANASTA if wilds else NATURAL_CANASTA
    return points


@compiled
def red_three_points(state: Any, side: int) -> int:
    """C9.2, C9.3: red Threes, which can count against a side without melds."""
    number = state.red_threes[side, 0] + state.red_threes[side, 1]
    points = ALL_RED_THREES if number == 4 else RED_THREE * number
    return -points if state.rules.red_threes_against and not has_melds(state, side) else points


@compiled
def side_points(state: Any, side: int) -> int:
    """C9.1, without the bonus for going out."""
    points = value_of_books(state, side) + canasta_points(state, side) + red_three_points(state, side)
    for seat in range(side, state.num_players, NUM_SIDES):
        points -= value_of_stacks(state.hands[seat])
    return points


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending; `winner` is the seat that is out, or NO_SEAT. Before the
    turn ends.
    """
    for side in range(NUM_SIDES):
        points = 0 if ending == TURNS else side_points(state, side)
        if winner != NO_SEAT and side_of(state, winner) == side:
            concealed = state.concealed or not has_melds(state, side)
            points += CONCEALED if concealed else GOING_OUT
        for seat in range(side, state.num_players, NUM_SIDES):
            state.points[seat] = points
