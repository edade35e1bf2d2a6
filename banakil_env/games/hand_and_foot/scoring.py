"""The points of a round: melds, piles, red Threes and going out, less the cards left in hands and feet (HF10)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot import state as S
from banakil_env.kit.books.kinds import FOUR, THREE, VALUES, size_of, value_of_stacks
from banakil_env.kit.books.soundness import RED_SUITS
from banakil_env.kit.rounds import add_up, next_round
from banakil_env.kit.score_lines import Line, lines_of, sum_of
from banakil_env.kit.table_state import MATCH, MATCH_EPISODE, NO_SEAT, OUT, TURNS
from banakil_env.kit.two_sides import NUM_SIDES, side_of, winning_side

CLEAN_PILE, DIRTY_PILE, WILD_PILE = 500, 300, 1500
RED_THREE, GOING_OUT, DEAL_BONUS = 100, 100, 100

# After these parts come the hand and foot of each seat of the side.
PARTS = ("melded cards", "complete piles", "red Threes", "hands dealt exactly", "going out")
MELDED, PILES, RED_THREES, DEALT, OUT_BONUS, HELD = range(len(PARTS) + 1)
NUM_PARTS = HELD + S.MAX_SEATS // NUM_SIDES


@compiled
def pile_points(state: Any, side: int) -> int:
    """Return the points of a side for its complete piles (HF10.2)."""
    points = 0
    for place in range(FOUR, S.NUM_PLACES):
        for slot in range(S.MAX_PILES):
            pile = state.complete[side, place, slot]
            if pile:
                points += WILD_PILE if place == S.W else CLEAN_PILE if S.is_clean(pile) else DIRTY_PILE
    return points


@compiled
def held_value(state: Any, seat: int) -> int:
    """Return the value of the hand and foot of a seat. A red Three counts its bonus (HF10.1)."""
    reds = size_of(state.feet[seat, THREE] & RED_SUITS)
    return value_of_stacks(state.hands[seat]) + value_of_stacks(state.feet[seat]) + (RED_THREE - VALUES[THREE]) * reds


@compiled
def write_parts(state: Any, side: int, winner: int, parts: Any) -> None:
    """Write the points of a side into `parts`: one number for each of PARTS, then one for each of its seats (HF10.1).

    `winner` is the seat that is out, or NO_SEAT.
    """
    parts[MELDED] = S.laid_value(state, side)
    parts[PILES] = pile_points(state, side)
    parts[RED_THREES] = RED_THREE * (state.red_threes[side, 0] + state.red_threes[side, 1])
    parts[DEALT] = 0
    parts[OUT_BONUS] = GOING_OUT if winner != NO_SEAT and side_of(state, winner) == side else 0
    for seat in range(side, S.MAX_SEATS, NUM_SIDES):
        parts[DEALT] += DEAL_BONUS * state.deal_bonus[seat]
        parts[HELD + seat // NUM_SIDES] = -held_value(state, seat)


@compiled
def score_round(state: Any, ending: int, winner: int) -> None:
    """Write the points of a round with this ending; `winner` is the seat that is out, or NO_SEAT."""
    parts = scratch(NUM_PARTS)
    for side in range(NUM_SIDES):
        write_parts(state, side, winner, parts)
        points = 0 if ending == TURNS else sum_of(parts)
        for seat in range(side, S.MAX_SEATS, NUM_SIDES):
            state.points[seat] = points


@compiled
def book_round(state: Any, ending: int, winner: int) -> None:
    """Add up the points of a round; then deal the next round of a match, or end it after four rounds (HF10.3)."""
    add_up(state, ending, winner)
    if state.episode != MATCH_EPISODE:
        return
    if state.rounds < S.NUM_ROUNDS:
        next_round(state)
        return
    state.winner = winning_side(state)
    state.ending = S.DRAWN_MATCH if state.winner == NO_SEAT else MATCH


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: melded cards, piles, red Threes, exact deals, going out, less hands
    and feet.
    """
    side = interpreted(side_of)(state, seat)
    held = [f"hand and foot of seat {each}" for each in range(side, S.MAX_SEATS, NUM_SIDES)]
    winner = state.winner if state.ending == OUT else NO_SEAT
    return lines_of([*PARTS, *held], write_parts, state, side, winner)


def first_meld(state: Any) -> tuple[int, int] | None:
    """Return the value that the first meld of the side to move needs, and the value laid so far, in points.

    None: the side has its first meld.
    """
    side = interpreted(side_of)(state, int(state.seat))
    missing = int(interpreted(S.missing_value)(state, side))
    if missing <= 0:
        return None
    needed = int(interpreted(S.minimum)(state))
    return needed, needed - missing
