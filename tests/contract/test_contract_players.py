"""Does every compiled player of a game only ever answer legally, at every table, along whole games?"""

from __future__ import annotations

import numpy as np
import pytest
from contract_play import cases_of

from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

PLAYERS = [(name, player) for name in GAMES for player in find(name).players]
each_player = pytest.mark.parametrize(("name", "player"), PLAYERS, ids=[" ".join(each) for each in PLAYERS])


def tables_with(name: str, player: str, copies: int) -> Tables:
    """Every table of a game, some times, with the player in every seat but the learner's."""
    rows = [case.options for case in cases_of(name) for _ in range(copies)]
    return Tables(rows, game=name, opponents=player, seat="rotating", threads=1)


@each_player
def test_a_player_answers_legally_along_whole_games(name: str, player: str, long: bool) -> None:
    """`Tables` raises an `OpponentError` otherwise. The learner plays at random."""
    tables = tables_with(name, player, 20 if long else 1)
    tables.reset(seed=5)
    generators = np.zeros(tables.num_tables, GENERATOR)
    generators["rng"] = np.arange(tables.num_tables)
    rounds = np.array([options["episode"] == "round" for options in (case.options for case in cases_of(name))])
    for _ in range(20_000 if long else 1_500):
        tables.step(tables.random_actions(generators))
        if not long and (tables.controls["episodes"][rounds] > 2).all():
            break
    assert (tables.controls["episodes"][np.repeat(rounds, 20 if long else 1)] > 0).all()


@each_player
def test_a_player_plays_the_same_from_the_same_seed(name: str, player: str) -> None:
    batches = [tables_with(name, player, 1) for _ in range(2)]
    generators = [np.zeros(batch.num_tables, GENERATOR) for batch in batches]
    for batch in batches:
        batch.reset(seed=9)
    for _ in range(25):
        for batch, own in zip(batches, generators):
            batch.step(batch.random_actions(own))
        assert batches[0].states.tobytes() == batches[1].states.tobytes()
