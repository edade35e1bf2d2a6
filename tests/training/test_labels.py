"""Does a teacher say of each decision what it would do there, no matter which player moves?"""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import NetworkPlayer
from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.arena.players import CompiledPlayer
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from train.labels import Teacher, labelled, rule_based

GAME = find("yaniv")


def tables(count=16, **options):
    found = Tables(count, game=GAME, num_players=2, threads=1, **options)
    found.reset(seed=3)
    return found


def dice():
    return np.random.default_rng(1)


def test_a_rule_based_teacher_has_one_move_at_each_decision():
    found = labelled(tables(), rule_based("random", GAME), Teacher("expert", GAME), 20, 1.0, dice())
    assert ((found.logits == 0).sum(1) == 1).all()
    assert ((found.logits == 0) | (found.logits == FORBIDDEN)).all()
    likeliest = np.take_along_axis(found.moves, found.logits.argmax(1)[:, None], 1)[:, 0]
    masks = np.zeros((len(found.moves), GAME.num_actions), np.int8)
    for row, moves in enumerate(found.moves):
        masks[row, moves[moves >= 0]] = 1
    assert (masks.sum(1) > 1).all()  # a decision has a choice
    expert = CompiledPlayer("expert", GAME).act(found.observations, masks, np.zeros(len(masks), np.uint64))
    np.testing.assert_array_equal(likeliest, expert)


def test_a_network_labels_what_it_plays(monkeypatch):
    """The likeliest move of the labels is the one that the advised network plays, advice included."""
    player = NetworkPlayer(Network(GAME, Shape((16,), advice="expert"), seed=2).eval())
    monkeypatch.setattr("train.labels.make_player", lambda name, game: player)
    teacher, batch = Teacher("anybody", GAME, bfloat16=False), tables(300)
    moves, _, logits = teacher.label(batch.observations, batch.masks)
    likeliest = np.take_along_axis(moves, logits.argmax(1)[:, None], 1)[:, 0]
    np.testing.assert_array_equal(likeliest, player.act(batch.observations, batch.masks, np.zeros(300, np.uint64)))


@pytest.mark.parametrize("options", [{}, {"opponents": "greedy", "seat": "random"}])
def test_outcomes_are_the_points_at_the_end_of_the_episode(options):
    batch = tables(4, **options)
    seats, rewards, ended, choice = [], [], [], []

    def mover(observations, masks):
        seats.append(batch.seats.copy())
        choice.append((masks != 0).sum(1) > 1)
        if len(seats) > 1:
            rewards.append(batch.rewards.copy())
            ended.append(batch.terminations | batch.truncations)
        return rule_based("greedy", GAME)(observations, masks)

    found = labelled(batch, mover, Teacher("greedy", GAME), 60, 1.0, dice())
    rewards.append(batch.rewards.copy())
    ended.append(batch.terminations | batch.truncations)
    wanted = []
    for step in range(60):
        for table in np.flatnonzero(choice[step]):
            end = next((later for later in range(step, 60) if ended[later][table]), None)
            wanted.append(np.nan if end is None else rewards[end][table, seats[step][table]])
    np.testing.assert_array_equal(found.outcomes, wanted)
    assert np.nanmin(found.outcomes) < 0 < np.nanmax(found.outcomes)


def test_a_share_of_the_decisions_is_labelled():
    all_of_them, some = (
        labelled(tables(64), rule_based("greedy", GAME), Teacher("greedy", GAME), 20, share, dice())
        for share in (1.0, 0.25)
    )
    assert len(some.outcomes) == pytest.approx(len(all_of_them.outcomes) / 4, rel=0.2)
