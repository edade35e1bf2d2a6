"""Games with two sides: partners at seats 0 and 2 against seats 1 and 3, or one seat against the other.

Partners have the same points and scores, which are stored for every seat. The highest score wins. With `book_round` a
match continues until a side has reached the switch `target` and is ahead, but for at most `max_rounds` rounds.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.rounds import add_up, end_or_deal, has_reached_target
from banakil_env.kit.table_state import NO_SEAT, PLAY

NUM_SIDES = 2

# The seat to move asks its partner whether it may go out. The partner answers in a separate phase: the field `answer`.
ANSWER = PLAY + 1
NOT_ASKED, YES, NO = range(3)


@inlined
def side_of(state: Any, seat: int) -> int:
    """The side of a seat: 0 or 1."""
    return seat & 1


@inlined
def partner_of(seat: int) -> int:
    """The seat of the partner, in a game for four."""
    return seat ^ 2


@inlined
def side_to_move(state: Any) -> int:
    """The side of the seat to move."""
    return side_of(state, state.seat)


@compiled
def ask_partner(state: Any) -> None:
    """Give the decision to the partner of the seat to move, in phase ANSWER."""
    state.seat = partner_of(state.seat)
    state.phase = ANSWER


@compiled
def answer_partner(state: Any, answer: int) -> None:
    """Store the partner's answer and give the decision back to the seat that asked, in phase PLAY."""
    state.answer = answer
    state.seat = partner_of(state.seat)
    state.phase = PLAY


@compiled
def winning_side(state: Any) -> int:
    """The first seat of the side with the higher score; NO_SEAT on a tie."""
    lead = state.scores[0] - state.scores[1]
    return int(lead < 0) if lead else NO_SEAT


@compiled
def book_round(state: Any, ending: int, winner: int) -> None:
    """Add `points` to the scores after a round in phase OVER, then end the match or deal the next round."""
    add_up(state, ending, winner)
    end_or_deal(state, winning_side(state) if has_reached_target(state) else NO_SEAT)
