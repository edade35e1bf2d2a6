"""Does the trainer that tries other actions learn what they bring? What is tried, what it brought, what is fitted."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from test_train import AGGREVATE

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.core.playouts import outcomes
from banakil_env.games import banakil
from banakil_env.games.banakil.state import MAX_SEATS
from train.aggrevate import OWN, AggrevateRun
from train.config import REWARD_SCALE, ConfigError, Trials, with_

torch = pytest.importorskip("torch")


def run_of(tmp_path, **changes):
    changes = {name.replace("__", "."): value for name, value in changes.items()}
    return AggrevateRun(with_(AGGREVATE, {"ppo.tables": 24, **changes}), tmp_path)


def ends(states, player, scale):
    out = np.zeros((len(states), MAX_SEATS), np.float32)
    outcomes(banakil.GAME, states, np.arange(len(states)), player, "margin", out)
    return out * np.float32(scale)


@pytest.mark.parametrize("table", [{}, {"num_players": 3}, {"num_players": 4, "rules": "jawaker"}], ids=str)
def test_an_action_brings_what_its_playout_ends_with_beside_that_of_the_advised_one(tmp_path, table):
    changes = {f"table__{name}": value for name, value in table.items()}
    run = run_of(tmp_path, ppo__steps=1, trials__others=3, **changes)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)  # it departs from what is advised
    found = [0, 0, 0, 0]
    for _ in range(25):
        before = np.concatenate([batch.states.copy() for batch in run.tables])
        seats = run._seats.copy()
        run._roll_out(imitating=False)
        rows, scale = np.arange(len(before)), REWARD_SCALE
        for which in range(4):
            actions, after = run._actions(0, which), before.copy()
            for row, action in enumerate(actions):
                banakil.apply(after[row], int(action))
            gains = (ends(after, "expert", scale) - ends(before, "expert", scale))[rows, seats]
            tried = ~np.isnan(run._gains[which, 0])
            np.testing.assert_allclose(run._gains[which, 0][tried], gains[tried], atol=1e-6)
            assert not (tried & (actions == run._rollout.advice[0])).any()
            assert not (tried & (run._tried[:which, 0] == run._tried[which, 0]).any(0)).any()  # each is tried once
            found[which] += int(tried.sum())
    assert min(found) > 50


def test_the_advised_action_brings_nothing_so_that_it_need_not_be_tried(tmp_path):
    run = run_of(tmp_path, ppo__steps=1)
    for _ in range(10):
        before = np.concatenate([batch.states.copy() for batch in run.tables])
        run._roll_out(imitating=False)
        after = before.copy()
        for row, action in enumerate(run._rollout.advice[0]):
            banakil.apply(after[row], int(action))
        np.testing.assert_array_equal(ends(after, "expert", 1), ends(before, "expert", 1))


def test_who_follows_its_advice_departs_never_and_tries_nothing(tmp_path):
    run = run_of(tmp_path)
    torch.nn.init.constant_(run.network.trust.bias, 1000.0)
    run._roll_out(imitating=False)
    assert np.isnan(run._gains).all()
    before = {name: weights.clone() for name, weights in run.network.state_dict().items()}
    run._update(imitating=False)  # there is nothing to learn from
    assert all(torch.equal(before[name], weights) for name, weights in run.network.state_dict().items())


@pytest.mark.parametrize("players", [["self"], ["self", "expert"], ["greedy"], ["self", "expert", "greedy"]], ids=str)
def test_what_is_foreseen_stays_true_whoever_sits_there(tmp_path, players):
    run = run_of(tmp_path, pool__players=players)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)
    for _ in range(2):
        run._roll_out(imitating=False)
        states = np.concatenate([batch.states for batch in run.tables])
        np.testing.assert_array_equal(run._foreseen, ends(states, "expert", REWARD_SCALE))


def test_blindly_what_is_advised_is_done_and_every_action_is_tried(tmp_path):
    run = run_of(tmp_path, trials__blind=10**6, ppo__steps=64)
    torch.nn.init.constant_(run.network.trust.bias, -1000.0)  # nobody asks the network
    run._roll_out(imitating=False)
    data, several = run._rollout, run._rollout.lengths[:-1] > 1
    own = np.take_along_axis(data.moves[:-1], run._tried[OWN][..., None].astype(np.int64), 2)[..., 0]
    assert (own == data.advice[:-1]).all()
    assert np.isnan(run._gains[OWN]).all()
    tried = ~np.isnan(run._gains[1])
    assert not tried[~several].any()
    due = (1 - 1 / data.lengths[:-1][several]).sum()  # the advised action is drawn as often as any other
    assert abs(tried.sum() - due) < 5 * due**0.5


@pytest.mark.parametrize("points", [6.0, -6.0])
def test_logits_come_to_what_actions_bring(tmp_path, points):
    """If whatever is tried brings 6 points, nothing is advised well; if it costs 6, everything is; less the margin."""
    asked = {"trials__unit": 2.0, "trials__heat": 100.0, "trials__margin": 4.0}
    run = run_of(tmp_path, ppo__learning_rate=0.02, ppo__epochs=60, **asked)
    run._roll_out(imitating=False)
    run._gains[~np.isnan(run._gains)] = points * REWARD_SCALE
    run._update(imitating=False)
    _, logits, _ = run._judged(0, advised=True)
    data = run._rollout
    advised = (data.moves[0] == data.advice[0][:, None])[:, : logits.shape[1]]
    several = data.lengths[0] > 1
    others = (logits.detach().numpy() - logits.detach().numpy()[advised][:, None])[several]
    others = others[(data.moves[0][:, : logits.shape[1]][several] >= 0) & ~advised[several]]
    assert np.median(others) == pytest.approx((points - 4) / 2.0, abs=1.0)


def test_the_value_foresees_how_the_player_of_the_trials_ends(tmp_path):
    run = run_of(tmp_path, ppo__learning_rate=0.01, ppo__epochs=150, ppo__value=10.0, ppo__steps=8)
    run._roll_out(imitating=False)
    run._update(imitating=False)
    _, _, values = run._judged(0, advised=True)
    assert np.corrcoef(values.detach().numpy(), run._expected[0])[0, 1] > 0.4


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"network.advice": None}, "set network.advice to 'expert'"),
        ({"pool.players": ["self", "past"]}, r"leave 'past' out of pool\.players \(now self, past\)"),
        ({"trials.player": "greedy"}, "set network.advice to 'greedy'"),
        ({"imitation.decisions": 5}, "imitation.decisions to 0"),
        ({"critic": "all"}, "critic to 'seen'"),
        ({"ppo.entropy_target": 0.1}, "ppo.entropy_target to null"),
    ],
    ids=str,
)
def test_what_it_cannot_do_is_said(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        AggrevateRun(with_(AGGREVATE, changes), tmp_path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"player": "random"}, r"trials\.player must be one of greedy, expert, not 'random'"),
        ({"others": 0}, r"trials\.others must be a number from 1 to 64, not 0"),
        ({"unit": 0.0}, r"trials\.unit must be a number from 0\.001 to 1000, not 0\.0"),
        ({"heat": -1.0}, r"trials\.heat must be a number from 0\.001"),
        ({"margin": -0.5}, r"trials\.margin must be a number from 0 to"),
        ({"blind": -1}, r"trials\.blind must be a number from 0 to"),
    ],
    ids=str,
)
def test_trials_that_are_none_are_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        dataclasses.replace(Trials(), **changes)
