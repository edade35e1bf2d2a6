"""Does the fast trainer learn from what happened? Advantages seat by seat, sampling, imitation, and what it refuses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_train import FAST

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents.network import load
from banakil_env.arena import CompiledPlayer
from train import fast_ppo, rollout
from train.begin import go_on, make_run
from train.config import IMITATED_SHARE, ConfigError, Pool, with_
from train.fast_ppo import WORK, FastRun, estimate_advantages
from train.network_run import sampled
from train.progress import Display
from train.recipes import recipe

torch = pytest.importorskip("torch")


def judged(seats, values, rewards, ended, after, seat_after, gamma=1.0, weight=1.0):
    """The advantages at one table."""
    steps = len(seats)
    out = np.zeros((steps, 1), np.float32)
    estimate_advantages(
        np.array([*values, after], np.float32).reshape(steps + 1, 1),
        np.array([*seats, seat_after]).reshape(steps + 1, 1),
        np.array(rewards, np.float32).reshape(steps, 1, 4),
        np.array(ended).reshape(steps, 1),
        gamma,
        weight,
        np.zeros((1, 4, WORK)),
        out,
    )
    return out[:, 0].tolist()


def test_the_losing_seat_learns_from_its_loss():
    """Seat 0 moves twice, seat 1 once, seat 0 ends the round with 10 to -10."""
    nothing, end = [0, 0, 0, 0], [10, -10, 0, 0]
    found = judged([0, 0, 1, 0], [1, 2, 3, 4], [nothing, nothing, nothing, end], [0, 0, 0, 1], 0, 0)
    assert found == [9, 8, -13, 6]


def test_what_is_not_known_yet_is_not_learned_from():
    """The rollout ends before seat 1 moves again; seat 0 is to move and expects 5."""
    nothing = [[0] * 4] * 3
    found = judged([0, 1, 0], [1, 2, 3], nothing, [0, 0, 0], 5, 0)
    assert found[0] == 4
    assert np.isnan(found[1])
    assert found[2] == 2


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.5, 1), st.floats(0, 1))
def test_advantages_are_those_of_each_seat_alone(seed, gamma, weight):
    """Against the definition, seat by seat, over random episodes."""
    rng = np.random.default_rng(seed)
    steps = 30
    seats, values = rng.integers(3, size=steps), rng.normal(size=steps).astype(np.float32)
    ended = rng.random(steps) < 0.15
    rewards = rng.normal(size=(steps, 4)).astype(np.float32) * ended[:, None]
    after, seat_after = np.float32(rng.normal()), int(rng.integers(3))
    found = judged(seats, values, rewards, ended, after, seat_after, gamma, weight)
    for seat in range(3):
        total, ahead = None, 0.0
        if seat == seat_after:
            total = gamma * float(after)
        for step in reversed(range(steps)):
            if ended[step]:
                total, ahead = float(rewards[step, seat]), 0.0
            if seats[step] != seat:
                continue
            if total is None:
                assert np.isnan(found[step])
            else:
                ahead = total - float(values[step]) + gamma * weight * ahead
                assert found[step] == pytest.approx(ahead, abs=1e-4)
            total = gamma * float(values[step])


def test_actions_are_drawn_by_their_chances():
    torch.manual_seed(5)
    chances = torch.tensor([0.7, 0.0, 0.2, 0.1]).log().expand(40_000, 4)
    counts = torch.bincount(sampled(chances).squeeze(1), minlength=4) / 40_000
    assert counts.tolist() == pytest.approx([0.7, 0.0, 0.2, 0.1], abs=0.01)


def test_a_rollout_holds_what_was_played(tmp_path):
    """Every pick is legal, only the learner's own decisions are learned from, and rewards of a round sum to zero."""
    run = FastRun(with_(FAST, {"imitation.decisions": 0}), tmp_path)
    run.past.keep(0, run.network)
    run.roll_out()
    data = run.rollout
    assert (data.picks < data.lengths[:-1]).all()
    assert np.take_along_axis(data.moves[:-1], data.picks[..., None].astype(np.int64), 2).min() >= 0
    np.testing.assert_allclose(data.rewards.sum(2), 0, atol=1e-5)
    assert (data.rewards[~data.ended] == 0).all()
    past = 1 - run.learns.mean(0)
    assert (past[:3] == 0).all()  # where it plays every seat
    assert 0.2 < past[3:5].mean() < 0.8  # where a past self plays one side
    assert (past[5:] == 0).all()  # where others are moved inside


def test_room_grows_for_more_legal_actions(tmp_path, monkeypatch):
    monkeypatch.setattr(rollout, "MOVES_AT_FIRST", 1)
    monkeypatch.setattr(rollout, "FEATURES_AT_FIRST", 1)
    FastRun(with_(FAST, {"steps": 256}), tmp_path / "narrow").train()
    monkeypatch.undo()
    FastRun(with_(FAST, {"steps": 256}), tmp_path / "wide").train()
    one, other = ((tmp_path / name / "agent.safetensors").read_bytes() for name in ("narrow", "wide"))
    weights = [content[-2000:] for content in (one, other)]
    assert weights[0] == weights[1]


def test_imitation_gets_nearer_to_whom_it_imitates(tmp_path):
    changes = {"imitation.decisions": 40_000, "rollout.tables": 64, "network.hidden": [64], "optimizer.batch": 256}
    run = FastRun(with_(FAST, changes | {"steps": 40_000, "evaluation.times": 0}), tmp_path)
    run.roll_out()
    run.update()
    before = run.figures["agreement"]
    with Display(run.config.name, open("/dev/null", "w")) as display:
        run.learn(display)
    assert run.figures["agreement"] > before + 0.1


def test_labels_are_the_imitated_players_choices(tmp_path):
    run = FastRun(FAST, tmp_path)
    run.roll_out()
    data = run.rollout
    chosen = np.take_along_axis(data.moves[:-1], run.labels[..., None].astype(np.int64), 2)[..., 0]
    followed, follows = data.picks == run.labels, fast_ppo.follows(np.arange(FAST.rollout.tables))
    assert followed[:, follows].all()  # at those tables its own actions are carried out
    assert not followed[:, ~follows].all()
    answers = data.ask("greedy")
    alone = CompiledPlayer("greedy").act(data.observations, data.masks, np.zeros(FAST.rollout.tables, np.uint64))
    assert answers.tolist() == alone.tolist()
    assert chosen.min() >= 0


@pytest.mark.parametrize("tables", [8, 64, 1024])
def test_a_share_of_the_tables_follows_the_imitated_player(tables):
    assert fast_ppo.follows(np.arange(tables)).mean() == IMITATED_SHARE
    assert fast_ppo.follows(np.arange(tables), 0.25).mean() == 0.25
    assert fast_ppo.follows(np.arange(tables), 1.0).all()


def test_advice_begins_as_a_leaning(tmp_path):
    """Before anything is learned the advised action is the likeliest everywhere, and others stay possible."""
    run = FastRun(with_(FAST, {"network.advice": "expert"}), tmp_path)
    data, seen = run.rollout, run.rollout.look(0)
    with torch.no_grad():
        logits, _ = run.network.among(*seen)
    assert seen.moves[torch.arange(len(seen.moves)), logits.argmax(1)].tolist() == seen.advice.tolist()
    expert = CompiledPlayer("expert").act(data.observations, data.masks, np.zeros(FAST.rollout.tables, np.uint64))
    assert seen.advice.tolist() == expert.tolist()
    assert torch.softmax(logits, 1).max() < 1


def test_the_agent_may_be_an_average_of_the_last_weights(tmp_path):
    run = FastRun(with_(FAST, {"optimizer.average": 0.5}), tmp_path)
    first = run.agent.value.weight.clone()
    assert torch.equal(first, run.network.value.weight)
    run.config = with_(run.config, {"optimizer.batch": run.rollout.picks.size})  # one update for each rollout
    run.roll_out()
    run.update()
    begun = run.network.value.weight.clone()
    assert not torch.equal(first, begun)
    assert torch.equal(run.agent.value.weight, begun)  # while it imitates there is nothing to average
    run.config = with_(run.config, {"imitation.decisions": 0})
    run.roll_out()
    run.update()
    torch.testing.assert_close(run.agent.value.weight, (begun + run.network.value.weight) / 2)
    run.train()
    again = go_on(tmp_path)
    assert torch.equal(again.agent.value.weight, run.agent.value.weight)
    assert torch.equal(load(tmp_path).network.value.weight, run.agent.value.weight)
    assert not torch.equal(again.agent.value.weight, again.network.value.weight)


def test_a_run_that_goes_on_has_its_moments_where_they_belong(tmp_path):
    """Adam goes through weights and moments as they lie in memory, and the first layer lies feature by feature."""
    run = FastRun(FAST, tmp_path)
    run.train()
    again = go_on(tmp_path)
    one, other = (each.optimizer.state[each.network.layers[0].weight] for each in (run, again))
    for name in ("exp_avg", "exp_avg_sq"):
        assert torch.equal(one[name], other[name])
        assert one[name].stride() == other[name].stride() == run.network.layers[0].weight.stride()


def test_both_precisions_train(tmp_path):
    for precision in ("float32", "bfloat16"):
        make_run(with_(FAST, {"precision": precision}), tmp_path / precision).train()


def test_partners_learn_together(tmp_path):
    config = dataclasses.replace(FAST, pool=Pool(("past",)), table=dataclasses.replace(FAST.table, num_players=4))
    learns = FastRun(config, tmp_path).rollout.learners
    assert learns[0].tolist() == [True, False, True, False]
    assert learns[1].tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    "changes",
    [
        {"pool.players": ["self"]},
        {"imitation.decisions": 5},
        {"optimizer.average": 0.9},
    ],
    ids=str,
)
def test_the_other_trainer_says_what_it_cannot_do(tmp_path, changes):
    with pytest.raises(ConfigError, match="for the trainer 'fast'"):
        make_run(with_(recipe("demo-sb3"), changes), tmp_path)


def test_nobody_is_imitated_who_does_not_exist():
    with pytest.raises(ConfigError, match=r"imitation\.player: there is no 'nobody'; there are random, greedy"):
        with_(FAST, {"imitation.player": "nobody"})
