"""How rounds and matches begin, how they end in games that the highest score wins, and what an episode is worth.

A match goes on until a score reaches the switch `target`, or for `deals` rounds, whichever comes first; on a tie for
the highest score, for more rounds; at the most for `max_rounds`. A switch that is `none` is stored as 0. A game with
another end of matches calls `add_up`, and `go_on` or `end_or_deal`, instead of `book_round`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import side_of
from banakil_env.core.game import MARGIN, POINTS, TERMINATED, TRUNCATED
from banakil_env.core.game import RUNNING as GOES_ON
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.records import clear_fields
from banakil_env.kit.table_state import (
    MATCH,
    MATCH_EPISODE,
    NO_SEAT,
    OVER,
    ROUND_EPISODE,
    ROUNDS,
    TURNS,
    begin_turn,
    fields_of_match,
    next_seat,
)


@compiled
def begin_episode(state: Any) -> None:
    """Begin an episode: clear the fields of the match; the last seat deals, so seat 0 begins."""
    clear_fields(state, fields_of_match(state))
    state.dealer = state.num_players - 1


@compiled
def no_points(state: Any) -> None:
    """Set all points of the round to 0."""
    for seat in range(state.points.shape[0]):
        state.points[seat] = 0


@hook
def deal_round(state: Any) -> None:
    """Deal the next round of the episode; `kit.assembly` fills it in with `deal` of `state.py`."""
    raise NotImplementedError


@hook
def begin_match(state: Any) -> None:
    """Write, before the first deal, the fields with which a match begins, if they are not the cleared ones."""
    return


@compiled
def start_episode(state: Any) -> None:
    """Begin a new round or match with the same rules, from the present state of the generator; seat 0 begins."""
    begin_episode(state)
    begin_match(state)
    deal_round(state)


@inlined
def round_of(state: Any) -> None:
    """Change the episode to a single round: it ends with the present round."""
    state.episode = ROUND_EPISODE


@compiled
def leader(state: Any) -> int:
    """The first seat of the side with the highest score of the match; NO_SEAT on a tie."""
    best, tied = 0, False
    for seat in range(1, state.num_players):
        if state.scores[seat] > state.scores[best]:
            best, tied = seat, False
        elif state.scores[seat] == state.scores[best] and side_of(state, seat) != side_of(state, best):
            tied = True
    return NO_SEAT if tied else best


@compiled
def has_reached_target(state: Any) -> bool:
    """Whether a score has reached the target."""
    for seat in range(state.num_players):
        if state.rules.target and state.scores[seat] >= state.rules.target:
            return True
    return False


@compiled
def is_decided(state: Any) -> bool:
    """Whether a score has reached the target, or `deals` rounds have ended."""
    return (state.rules.deals and state.rounds >= state.rules.deals) or has_reached_target(state)


@compiled
def book_round(state: Any, ending: int, winner: int) -> None:
    """Add up `points` after a round; then the match ends, or the next round is dealt."""
    begin_turn(state, 0, OVER)
    add_up(state, ending, winner)
    go_on(state, is_decided(state))


@compiled
def add_up(state: Any, ending: int, winner: int) -> None:
    """Add `points` to the scores and count the round; the phase must be OVER."""
    for seat in range(state.num_players):
        state.scores[seat] += state.points[seat]
    state.ending = ending
    state.winner = winner
    if state.episode == MATCH_EPISODE:
        state.rounds += 1


@compiled
def go_on(state: Any, decided: bool) -> None:
    """After `add_up`: end the match if decided without a tie, or too long; otherwise deal the next round."""
    end_or_deal(state, leader(state) if decided else NO_SEAT)


@compiled
def end_or_deal(state: Any, winner: int) -> None:
    """After `add_up`: end a match that has a winner (NO_SEAT: none yet) or is too long; otherwise `next_round`."""
    if state.episode != MATCH_EPISODE:
        return
    state.winner = winner
    if winner != NO_SEAT:
        state.ending = MATCH
    elif state.rounds >= state.rules.max_rounds:
        state.ending = ROUNDS
    else:
        next_round(state)


@compiled
def next_round(state: Any) -> None:
    """Deal the next round of a match; the deal passes to the next seat."""
    state.dealer = next_seat(state, state.dealer)
    deal_round(state)


@compiled
def status(state: Any) -> int:
    """RUNNING, TERMINATED, or TRUNCATED when turns or rounds ran out."""
    if state.phase != OVER:
        return GOES_ON
    return TRUNCATED if state.ending == TURNS or state.ending == ROUNDS else TERMINATED


@hook
def score_of(state: Any, seat: int) -> int:
    """The score of a seat in the episode; higher is better."""
    return state.scores[seat]


def score_below(state: Any, seat: int) -> int:
    """`score_of` for games in which the lowest score wins."""
    return -state.scores[seat]


@compiled
def reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat at the end of an episode; 0 before the end.

    MARGIN: `score_of` of the seat minus the mean over the other sides; it sums to zero. POINTS: `score_of` of the seat.
    WIN: 1 with more than every other side, -1 with less than any, 0 when tied for the most. Partners have the same
    score.
    """
    if state.phase != OVER:
        return 0.0
    own = score_of(state, seat)
    if kind == POINTS:
        return float(own)
    side, others, total, more, as_many = side_of(state, seat), 0, 0, 0, 0
    for other in range(state.num_players):
        if side_of(state, other) != side:
            score = score_of(state, other)
            others += 1
            total += score
            more += score > own
            as_many += score == own
    if kind == MARGIN:
        return own - total / others
    if more:
        return -1.0
    return 0.0 if as_many else 1.0
