"""Are the first guesses of values what the hands say, and do they leave alone what is optimal?"""

from __future__ import annotations

import numpy as np
import pytest
from test_ppo import NOTHING, WON_BY_0, advantages, small

from banakil_env.agents.loose_points import LoosePoints
from banakil_env.arena.options import TableOptions
from banakil_env.games import GAMES, find
from banakil_env.kit.melds.deadwood import deadwood
from train import ppo


def test_to_the_end_of_an_episode_guesses_change_no_advantage():
    """Values of 1 to 4, of which a part is guessed: what the choice was worth is the same."""
    play = [NOTHING] * 3 + [WON_BY_0], [0, 0, 0, 1], 0, 0
    values, guesses = np.array([1, 2, 3, 4]), np.array([5, 0, -2, 1])
    shared = advantages([0, 0, 1, 0], list(values - guesses), *play, guesses=[*guesses, 0])
    assert shared == advantages([0, 0, 1, 0], list(values), *play)


def test_before_the_end_an_advantage_is_measured_against_the_next_guess():
    """With lambda 0 and values of 0, a decision of seat 0 that raises its guess from -3 to -1 is worth 2."""
    play = [NOTHING] * 3 + [WON_BY_0], [0, 0, 0, 1], 0, 0
    found = advantages([0, 1, 0, 0], [0, 0, 0, 0], *play, gae_lambda=0.0, guesses=[-3, 0, -1, -1, 0])
    assert found[0] == 2


def test_loose_points_are_the_deadwood_that_a_discard_leaves():
    """Gin, 40 decisions at 16 tables: of a seat that has just discarded, and of nobody else."""
    config = small(table=TableOptions(game="gin"), rests=True, potential=1.0, num_tables=16, rollout=40)
    learner = ppo.Learner(config)
    rollout, game = learner.rollout, find("gin")
    discards = [action.verb == "discard" for action in game.actions]
    seen = 0
    for step in range(config.rollout):
        rollout.look(step)
        points, before = rollout.loose.points, rollout.loose.points.copy()
        rollout.carry_out(step)  # of the first legal action
        for table, seat in enumerate(rollout.seats[step]):
            if rollout.ended[step, table]:
                assert not points[table].any()
            elif discards[rollout.moves[step, table, 0]]:
                hand = int(rollout.tables.states[table]["hands"][seat, 0])
                assert round(50 * points[table, seat]) == deadwood(hand)
                seen += 1
            else:
                np.testing.assert_array_equal(points[table], before[table])
    assert seen > 100


def test_a_potential_needs_rests():
    with pytest.raises(ValueError, match="potential 2 needs columns of what a discard leaves"):
        ppo.Learner(small(table=TableOptions(game="gin"), potential=2.0))


def test_without_a_potential_every_guess_is_zero():
    game = find("yaniv")
    loose = LoosePoints(game, game.features, 3, 0.0)
    loose.points[:] = 1
    assert not loose.guess(np.array([0, 1, 0])).any()


@pytest.mark.parametrize("name", [name for name in GAMES if find(name).features.with_rests])
def test_every_game_with_rests_has_loose_points(name):
    game = find(name)
    loose = LoosePoints(game, game.features.with_rests, 2, 1.0)
    loose.points[1, 0] = 0.5
    assert loose.guess(np.array([0, 0])).tolist() == [0, -0.5]
