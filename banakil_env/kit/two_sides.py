"""Two sides: seats 0 and 2 against 1 and 3, or one seat against the other. Whose side a seat is on, and matches.

Partners have the same points and scores, kept for every seat. The highest score wins. With `book_round` a match goes on
until a side has reached the switch `target` and is ahead; at the most for `max_rounds`. A game with another end of
matches combines `add_points`, `end_match` and `next_round` itself.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.table_state import (
    MATCH,
    MATCH_EPISODE,
    NO_SEAT,
    OVER,
    PLAY,
    ROUNDS,
    RUNNING,
    next_seat,
)

NUM_SIDES = 2

# A partner is asked whether the seat to move may go out, and answers in a separate phase: the field `answer`.
ANSWER = PLAY + 1
NOT_ASKED, YES, NO = range(3)


@inlined
def side_of(state: Any, seat: int) -> int:
    """The side of a seat."""
    return seat & 1


@inlined
def partner_of(seat: int) -> int:
    """The seat opposite, where four play."""
    return seat ^ 2


@inlined
def side_to_move(state: Any) -> int:
    """The side of the seat to move."""
    return side_of(state, wide(state.seat))


@compiled
def ask_partner(state: Any) -> None:
    """Ask the partner, who answers."""
    state.seat = partner_of(wide(state.seat))
    state.phase = ANSWER


@compiled
def answer_partner(state: Any, answer: int) -> None:
    """Answer the partner, who goes on."""
    state.answer = answer
    state.seat = partner_of(wide(state.seat))
    state.phase = PLAY


@compiled
def add_points(state: Any, ending: int, winner: int) -> bool:
    """Add up `points` after a round; returns whether the episode is a match, whose end is to be decided.

    The game sets what its own phases need; the seat becomes 0 and the phase OVER.
    """
    for seat in range(wide(state.num_players)):
        state.scores[seat] += state.points[seat]
    state.seat = 0
    state.phase = OVER
    state.ending = ending
    state.winner = winner
    if state.episode != MATCH_EPISODE:
        return False
    state.rounds += 1
    return True


@inlined
def lead_of_side_0(state: Any) -> int:
    """How far side 0 is ahead."""
    return wide(state.scores[0]) - wide(state.scores[1])


@compiled
def end_match(state: Any, ending: int, winner: int) -> bool:
    """End the match with this ending; returns False: no round is to be dealt."""
    state.ending = ending
    state.winner = winner
    return False


@compiled
def next_round(state: Any) -> bool:
    """Continue the match; returns True: the next round is to be dealt."""
    state.ending = RUNNING
    state.winner = NO_SEAT
    state.dealer = next_seat(state, wide(state.dealer))
    return True


@compiled
def book_round(state: Any, ending: int, winner: int) -> bool:
    """Add up `points` after a round; returns whether the next round is to be dealt."""
    if not add_points(state, ending, winner):
        return False
    lead = lead_of_side_0(state)
    if lead and (state.scores[0] >= state.rules.target or state.scores[1] >= state.rules.target):
        return end_match(state, wide(MATCH), wide(lead < 0))
    if state.rounds >= state.rules.max_rounds:
        return end_match(state, wide(ROUNDS), wide(NO_SEAT))
    return next_round(state)
