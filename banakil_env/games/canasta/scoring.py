"""The points of a round: melds, canastas, red Threes and going out, less the cards left in hands (C9)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta.state import NUM_PLACES, has_melds, minimum, missing_value
from banakil_env.kit.books.kinds import FOUR, size_of, value_of_stacks
from banakil_env.kit.books.melds import value_of_books, wilds_at
from banakil_env.kit.score_lines import Line, lines_of, sum_of
from banakil_env.kit.table_state import NO_SEAT, TURNS
from banakil_env.kit.two_sides import NUM_SIDES, side_of

NATURAL_CANASTA, MIXED_CANASTA, CANASTA = 500, 300, 7
RED_THREE, ALL_RED_THREES = 100, 800
GOING_OUT, CONCEALED = 100, 200

# On a score sheet the hands of the two seats of the side come before going out.
PARTS = ("melded cards", "canastas", "red Threes", "going out", "going out concealed")
NUM_PARTS = len(PARTS) + 2
MELDED, CANASTAS, RED_THREES, HANDS = range(4)
OUT, OUT_CONCEALED = HANDS + 2, HANDS + 3


@compiled
def canasta_points(state: Any, side: int) -> int:
    """Return the points of a side for its natural and mixed canastas (C9.2)."""
    points = 0
    for kind in range(FOUR, NUM_PLACES):
        wilds = wilds_at(state, side, kind)
        if wilds + size_of(state.naturals[side, kind]) >= CANASTA:
            points += MIXED_CANASTA if wilds else NATURAL_CANASTA
    return points


@compiled
def red_three_points(state: Any, side: int) -> int:
    """Return the points of a side for red Threes, which can count against a side without melds (C9.2, C9.3)."""
    number = state.red_threes[side, 0] + state.red_threes[side, 1]
    points = ALL_RED_THREES if number == 4 else RED_THREE * number
    return -points if state.rules.red_threes_against and not has_melds(state, side) else points


@compiled
def write_parts(state: Any, side: int, winner: int, concealed: int, parts: Any) -> None:
    """Write the points of a side into `parts`: one number for each of PARTS, and one for each of its two hands (C9.1).

    The numbers of the hands come before those for going out.

    Args:
        side: the side.
        winner: the seat that is out, or NO_SEAT.
        concealed: the flag of the turn that ends the round; 1: before the turn the side had no meld.
        parts: int64 (NUM_PARTS,), written.
    """
    parts[MELDED] = value_of_books(state, side)
    parts[CANASTAS] = canasta_points(state, side)
    parts[RED_THREES] = red_three_points(state, side)
    for place in range(2):
        seat = side + NUM_SIDES * place
        parts[HANDS + place] = -value_of_stacks(state.hands[seat]) if seat < state.num_players else 0
    is_out = winner != NO_SEAT and side_of(state, winner) == side
    all_at_once = concealed or not has_melds(state, side)
    parts[OUT] = GOING_OUT if is_out and not all_at_once else 0
    parts[OUT_CONCEALED] = CONCEALED if is_out and all_at_once else 0


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending, before the turn ends; `winner` is the seat that is out, or
    NO_SEAT.
    """
    parts = scratch(NUM_PARTS)
    for side in range(NUM_SIDES):
        write_parts(state, side, winner, state.concealed, parts)
        points = 0 if ending == TURNS else sum_of(parts)
        for seat in range(side, state.num_players, NUM_SIDES):
            state.points[seat] = points


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: melded cards, canastas, red Threes and going out, less the hands of
    the side.
    """
    side = interpreted(side_of)(state, seat)
    hands = [f"cards left in the hand of seat {each}" for each in (side, side + NUM_SIDES)]
    texts = [*PARTS[:HANDS], *hands, *PARTS[HANDS:]]
    # At the end the state no longer tells whether all cards were laid in the last turn: it follows from the points.
    found = lines_of(texts, write_parts, state, side, state.winner, 0)
    if sum(line.points for line in found) != state.points[seat]:
        found = lines_of(texts, write_parts, state, side, state.winner, 1)
    return found


def first_meld(state: Any) -> tuple[int, int] | None:
    """Return the value that the first meld of the side to move needs, and the value laid so far, in points.

    None: the side has its first meld.
    """
    side = interpreted(side_of)(state, int(state.seat))
    missing = int(interpreted(missing_value)(state, side))
    if missing <= 0:
        return None
    needed = int(interpreted(minimum)(state, side))
    return needed, needed - missing
