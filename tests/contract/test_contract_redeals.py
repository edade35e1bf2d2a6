"""Can another deal of the hidden cards be played on? At late positions, where hands are short and turns half played.

A search deals the hidden cards again and plays on from there. So each such deal must be a sound position with a legal
action, whichever seat it is dealt for, and random play must get from there to the end of the round.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from contract_cases import each_game
from contract_loop import play_at_random
from contract_play import ENDLESS, Case, Episode, cases_of, few_cases_of, mover, seen_by

from banakil_env.core import engine
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.random import seed_word
from banakil_env.envs.vector import Tables

Position = tuple[Case, npt.NDArray[Any]]


def late_in_random_play(name: str, long: bool) -> Iterator[Position]:
    """Positions before the last moves of random episodes, each an array of one."""
    for case in cases_of(name) if long else few_cases_of(name):
        for number in range(8 if long else 2):
            episode = Episode(case, case.seed + number)
            for back in range(1, 1 + min(20 if long else 4, episode.length)):
                yield case, episode.after(episode.length - back)


def late_in_greedy_play(name: str, long: bool) -> Iterator[Position]:
    """The last decisions of each round of a learner that moves at random among players `greedy`."""
    cases = cases_of(name) if long else few_cases_of(name)
    tables = Tables([case.options for case in cases], game=name, opponents="greedy", seat="rotating", threads=1)
    tables.reset(seed=11)
    last: list[list[npt.NDArray[Any]]] = [[] for _ in cases]
    rounds = np.zeros((len(cases), 2), np.int64)
    for _ in range(1500 if long else 200):
        states = tables.snapshot().states
        now = np.stack([tables.controls["episodes"], states["rounds"]], axis=1)
        for row in np.flatnonzero((now != rounds).any(axis=1)):
            yield from ((cases[row], state) for state in last[row])
            last[row] = []
        rounds = now
        for row in range(len(cases)):
            last[row] = [*last[row][-4:], states[row : row + 1].copy()]
        tables.step(tables.random_actions())


LATE = {"random": late_in_random_play, "greedy": late_in_greedy_play}
each_play = pytest.mark.parametrize("play", LATE)


def check_plays_on(case: Case, state: npt.NDArray[Any], told: str) -> None:
    """A sound position with a legal action, from which random play comes to an end (of few rounds, in a match)."""
    assert case.plain.check(state[0]) is None, f"{told}\n{case.plain.to_text(state[0])}"
    generators = np.zeros(1, GENERATOR)
    generators["rng"] = zlib.crc32(state.tobytes())
    before, moves = state.copy(), ENDLESS if case.episode == "round" else 300
    played = play_at_random(case.game, state, generators, moves)
    assert played > 0, f"{told}\n{case.plain.to_text(before[0])}"
    assert case.plain.check(state[0]) is None, told


@each_game
@each_play
def test_a_redeal_plays_on(name: str, play: str, long: bool) -> None:
    for number, (case, state) in enumerate(LATE[play](name, long)):
        for seat in range(case.num_players):
            for seed in range(number, number + (3 if long else 2)):
                other = state.copy()
                kernels_of(case.game).redeal_hidden_one(other, seat, seed_word(seed))
                check_plays_on(case, other, f"{case}, dealt again for seat {seat} by seed {seed}")


@each_game
@each_play
def test_a_supposed_game_plays_on(name: str, play: str, long: bool) -> None:
    """What a search makes of what the seat to move sees."""
    for number, (case, state) in enumerate(LATE[play](name, long)):
        seat = mover(case, state)
        if case.game.search is None or seat is None:
            continue
        seen, _ = seen_by(case.game, state, seat)
        for seed in range(number, number + (3 if long else 2)):
            supposed = np.zeros(1, case.game.state)
            engine.suppose(seen[0], seed_word(seed), supposed[0])
            assert seen_by(case.game, supposed, 0)[0].tobytes() == seen.tobytes()
            check_plays_on(case, supposed, f"{case}, supposed from seat {seat} by seed {seed}")
