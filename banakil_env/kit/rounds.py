"""How rounds and matches begin and end in games that the highest score wins, and what an episode is worth.

A match goes on until a score reaches the switch `target`, or for `deals` rounds, whichever comes first; on a tie for
the highest score, for more rounds; at the most for `max_rounds`. A switch that is `none` is stored as 0. A game whose
matches are decided otherwise calls `add_up` and `goes_on` instead of `book_round`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.game import MARGIN, POINTS, TERMINATED, TRUNCATED
from banakil_env.core.game import RUNNING as GOES_ON
from banakil_env.core.jit import bind, compiled, inlined
from banakil_env.core.random import seed_generator
from banakil_env.kit.table_state import (
    MATCH,
    MATCH_EPISODE,
    NO_SEAT,
    OVER,
    ROUND_EPISODE,
    ROUNDS,
    RUNNING,
    TURNS,
    begin_turn,
    next_seat,
)


@compiled
def begin_episode(state: Any) -> None:
    """No points and no rounds yet; the last seat deals, so that seat 0 begins. What is left is to deal."""
    for seat in range(state.scores.shape[0]):
        state.scores[seat] = 0
        state.points[seat] = 0
    state.rounds = 0
    state.ending = RUNNING
    state.winner = NO_SEAT
    state.dealer = state.num_players - 1


def _start_episode(state: Any) -> None:
    """A new round or match with the same rules, from the generator as it stands; seat 0 begins."""
    begin_episode(state)
    deal(state)  # type: ignore[name-defined]  # noqa: F821 (bound below)


def start_by_deal(game: str, deal: Callable[[Any], None]) -> Callable[[Any], None]:
    """The function `start_episode` of a game where nothing but a deal is to be done then."""
    return bind(_start_episode, f"{game}_start_episode", deal=deal)


def _start(state: Any, seed: int) -> None:
    """A new round or match from `seed` (uint64)."""
    seed_generator(state, seed)
    start_episode(state)  # type: ignore[name-defined]  # noqa: F821 (bound below)


def start_by_seed(game: str, start_episode: Callable[[Any], None]) -> Callable[[Any, int], None]:
    """The function `Engine.start` of a game."""
    return bind(_start, f"{game}_start", start_episode=start_episode)


@inlined
def round_of(state: Any) -> None:
    """Make it an episode of one round, which ends where this one does."""
    state.episode = ROUND_EPISODE


@compiled
def leader(state: Any) -> int:
    """The seat with the highest score of the match; NO_SEAT on a tie."""
    best, tied = wide(0), False
    for seat in range(1, wide(state.num_players)):
        if state.scores[seat] > state.scores[best]:
            best, tied = wide(seat), False
        elif state.scores[seat] == state.scores[best]:
            tied = True
    return wide(NO_SEAT) if tied else best


@compiled
def has_reached_target(state: Any) -> bool:
    """Whether a score has reached the target."""
    for seat in range(wide(state.num_players)):
        if state.rules.target and state.scores[seat] >= state.rules.target:
            return True
    return False


@compiled
def is_decided(state: Any) -> bool:
    """Whether a score has reached the target, or as many rounds as there are deals have ended."""
    return (state.rules.deals and state.rounds >= state.rules.deals) or has_reached_target(state)


@compiled
def book_round(state: Any, ending: int, winner: int) -> bool:
    """The round is over and `points` are written: add them up; whether the next round is to be dealt."""
    begin_turn(state, wide(0), wide(OVER))
    add_up(state, ending, winner)
    return goes_on(state, is_decided(state))


@compiled
def add_up(state: Any, ending: int, winner: int) -> None:
    """The phase is OVER and `points` are written: they come to the scores, and the round counts."""
    for seat in range(wide(state.num_players)):
        state.scores[seat] += state.points[seat]
    state.ending = ending
    state.winner = winner
    if state.episode == MATCH_EPISODE:
        state.rounds += 1


@compiled
def goes_on(state: Any, decided: bool) -> bool:
    """After `add_up`: end the match if it is decided and nobody ties, or too long; whether to deal the next round."""
    if state.episode != MATCH_EPISODE:
        return False
    best = leader(state)
    if best != NO_SEAT and decided:
        state.ending = MATCH
        state.winner = best
        return False
    state.winner = NO_SEAT
    if state.rounds >= state.rules.max_rounds:
        state.ending = ROUNDS
        return False
    state.ending = RUNNING
    state.dealer = next_seat(state, wide(state.dealer))
    return True


@compiled
def status(state: Any) -> int:
    """RUNNING, TERMINATED, or TRUNCATED when turns or rounds ran out."""
    if state.phase != OVER:
        return GOES_ON
    return TRUNCATED if state.ending == TURNS or state.ending == ROUNDS else TERMINATED


@compiled
def reward(state: Any, seat: int, kind: int) -> float:
    """What an episode that is over is worth to a seat; 0 while it goes on.

    MARGIN: the own score minus the mean of the others', zero-sum. POINTS: the own score. WIN: 1 with more than every
    other seat, -1 with less than some, 0 when tied for the most.
    """
    if state.phase != OVER:
        return 0.0
    own = wide(state.scores[seat])
    if kind == POINTS:
        return float(own)
    total, more, as_many = wide(0), wide(0), wide(0)
    for other in range(wide(state.num_players)):
        if other != seat:
            total += state.scores[other]
            more += state.scores[other] > own
            as_many += state.scores[other] == own
    if kind == MARGIN:
        return own - total / (state.num_players - 1)
    if more:
        return -1.0
    return 0.0 if as_many else 1.0
