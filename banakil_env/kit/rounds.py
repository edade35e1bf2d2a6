"""Begins and ends rounds and matches, for games in which the highest score wins, and computes rewards.

A match ends when a score reaches the switch `target` or after `deals` rounds, whichever comes first. If the highest
score is tied, the match continues, up to `max_rounds` rounds. A switch with the value None is stored as 0. A game whose
matches end differently calls `add_up`, then `go_on` or `end_or_deal`, instead of `book_round`.
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
    """Prepare a new episode: clear the fields of the match and make the last seat the dealer. So seat 0 begins."""
    clear_fields(state, fields_of_match(state))
    state.dealer = state.num_players - 1


@compiled
def no_points(state: Any) -> None:
    """Set all points of the round to 0."""
    for seat in range(state.points.shape[0]):
        state.points[seat] = 0


@hook
def deal_round(state: Any) -> None:
    """Deal the next round of the episode. `kit.assembly` fills this in with the function `deal` of `state.py`."""
    raise NotImplementedError


@hook
def begin_match(state: Any) -> None:
    """Write the fields that begin a match with a value other than the cleared one. Called before the first deal."""
    return


@compiled
def start_episode(state: Any) -> None:
    """Begin a new round or match with the same rules and the present state of the generator; seat 0 begins."""
    begin_episode(state)
    begin_match(state)
    deal_round(state)


@inlined
def round_of(state: Any) -> None:
    """Change the episode to a single round: it ends when the present round ends."""
    state.episode = ROUND_EPISODE


@compiled
def leader(state: Any) -> int:
    """The first seat of the side with the highest match score; NO_SEAT on a tie."""
    best, tied = 0, False
    for seat in range(1, state.num_players):
        if state.scores[seat] > state.scores[best]:
            best, tied = seat, False
        elif state.scores[seat] == state.scores[best] and side_of(state, seat) != side_of(state, best):
            tied = True
    return NO_SEAT if tied else best


@compiled
def has_reached_target(state: Any) -> bool:
    """Whether a match score has reached the target, if the rules have one."""
    for seat in range(state.num_players):
        if state.rules.target and state.scores[seat] >= state.rules.target:
            return True
    return False


@compiled
def is_decided(state: Any) -> bool:
    """Whether a match score has reached the target, or `deals` rounds have ended."""
    return (state.rules.deals and state.rounds >= state.rules.deals) or has_reached_target(state)


@compiled
def book_round(state: Any, ending: int, winner: int) -> None:
    """Add `points` to the scores after a round, then end the match or deal the next round."""
    begin_turn(state, 0, OVER)
    add_up(state, ending, winner)
    go_on(state, is_decided(state))


@compiled
def add_up(state: Any, ending: int, winner: int) -> None:
    """Add `points` to the scores and count the round. The phase must already be OVER."""
    for seat in range(state.num_players):
        state.scores[seat] += state.points[seat]
    state.ending = ending
    state.winner = winner
    if state.episode == MATCH_EPISODE:
        state.rounds += 1


@compiled
def go_on(state: Any, decided: bool) -> None:
    """After `add_up`: end a match that is decided and not tied, or has had `max_rounds` rounds; else deal again."""
    end_or_deal(state, leader(state) if decided else NO_SEAT)


@compiled
def end_or_deal(state: Any, winner: int) -> None:
    """After `add_up`: end a match that has a winner (not NO_SEAT) or has had `max_rounds` rounds; else deal again."""
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
    """Deal the next round of a match, with the next seat as dealer."""
    state.dealer = next_seat(state, state.dealer)
    deal_round(state)


@compiled
def status(state: Any) -> int:
    """RUNNING, TERMINATED, or TRUNCATED if the limit on turns or rounds was reached."""
    if state.phase != OVER:
        return GOES_ON
    return TRUNCATED if state.ending == TURNS or state.ending == ROUNDS else TERMINATED


@hook
def score_of(state: Any, seat: int) -> int:
    """The score of a seat in the episode; higher is better."""
    return state.scores[seat]


def score_below(state: Any, seat: int) -> int:
    """The negative score of a seat: `score_of` for games in which the lowest score wins."""
    return -state.scores[seat]


@compiled
def reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat at the end of an episode; 0 before the end.

    MARGIN: the score of the seat (`score_of`) minus the mean score of the other sides; the sum over sides is zero.
    POINTS: the score of the seat.
    WIN: 1 for a score above all other sides, 0 for the highest score if it is tied, else -1. Partners have the same
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
