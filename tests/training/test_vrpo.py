"""Does the trainer `vrpo` learn what its critic alone may see? All hands in training, one seat's view in play."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_train import VRPO

from banakil_env.agents.encoding import encode
from banakil_env.agents.network import load
from banakil_env.kit.plain import Plain
from train import advantage_variance, critic, rollout
from train.begin import go_on, make_run
from train.config import with_
from train.recipes import recipe
from train.vrpo import VRPORun, expected_sarsa

torch = pytest.importorskip("torch")

PARTNERS = {"table.num_players": 4, "pool.players": ["self"]}
GAMES = {
    "banakil of four": PARTNERS,
    "yaniv": {"table.game": "yaniv", "table.num_players": 2, "table.rules": "denexa"},
}


@pytest.fixture(params=GAMES)
def run(request, tmp_path):
    """A run that has played a little, and has learned nothing."""
    made = VRPORun(with_(VRPO, GAMES[request.param]), tmp_path)
    made.roll_out()
    return made


def judged(run):
    """What the agent's network and the critic say of the tables as they stand, and the legal actions."""
    with torch.inference_mode():
        seen, logits, values = run.judged(0)
        run.hands.look(0)
        returns = run.critic(*run.hands.seen(np.arange(len(run.rollout.masks))))
    return seen.moves, logits, values, returns


def test_the_critic_sees_hidden_cards_and_the_policy_does_not(run):
    """Hidden cards are dealt again at every table: what the agent thinks stays, what the critic thinks changes."""
    moves, logits, values, returns = judged(run)
    plain = Plain(run.rollout.game)
    for rows, batch in run.rollout.parts():
        for row in range(batch.num_tables):
            seat = int(run.rollout.seats[0, rows][row])
            batch.begin_from(plain.redeal_hidden(batch.states[row], seat, seed=row), row)
    moves_again, logits_again, values_again, returns_again = judged(run)
    assert torch.equal(moves, moves_again)
    assert torch.equal(logits, logits_again)
    assert torch.equal(values, values_again)
    changed = ((returns - returns_again).abs() > 1e-6)[:, 0, 0]
    assert changed.float().mean() > 0.8  # a deal may come out as it was


def test_the_critic_is_given_what_every_seat_sees(run):
    """In the order of play, from the seat to move."""
    run.rollout.look(0)
    run.hands.look(0)
    game, players = run.rollout.game, run.config.table.seats
    hands, *_ = run.hands.seen(np.arange(len(run.rollout.masks)))
    assert len(hands) == players
    plain = Plain(game)
    for turn, hand in enumerate(hands):
        dense = hand.dense(game.features.width).numpy()
        for rows, batch in run.rollout.parts():
            for row, state in enumerate(batch.states):
                seat = (run.rollout.seats[0, rows][row] + turn) % players
                seen = plain.observe(state, int(seat))["observation"][None]
                np.testing.assert_array_equal(dense[rows][row], encode(game, seen)[0][0])


def test_a_critic_of_all_hands_has_no_part_in_the_agent(tmp_path):
    run = VRPORun(VRPO, tmp_path)
    run.train()
    kept = load(tmp_path).network.state_dict()
    assert kept.keys() == run.network.state_dict().keys()
    assert not [name for name in kept if name.startswith(("hands", "critic"))]


def test_the_loss_of_the_critic_moves_no_weight_of_the_agent(run):
    run.optimizer.zero_grad()
    with torch.no_grad():  # all else of the loss
        alone, _ = super(VRPORun, run).loss(np.arange(8))
    whole, said = run.loss(np.arange(8))
    torch.testing.assert_close(whole - alone, said["critic_loss"])
    said["critic_loss"].backward()
    assert all(weights.grad is None for weights in run.network.parameters())
    assert all(weights.grad is not None for weights in run.critic.parameters())


def test_the_critic_learns_what_came_of_its_picks(tmp_path):
    run = VRPORun(with_(VRPO, {"optimiser.learning_rate": 3e-3, "optimiser.epochs": 20}), tmp_path)
    run.roll_out()
    with torch.no_grad():
        before = run.loss(np.arange(run.rollout.picks.size))[1]["critic_loss"]
    run.update()
    with torch.no_grad():
        after = run.loss(np.arange(run.rollout.picks.size))[1]["critic_loss"]
    assert after < before / 2


# Advantages -----------------------------------------------------------------------------------------------------------


def targets_of(expected, taken, rewards, ended, weight):
    """The targets at one table, (steps, players)."""
    expected, taken, rewards = (np.array(array, np.float32)[:, None] for array in (expected, taken, rewards))
    out = np.zeros_like(taken)
    expected_sarsa(expected, taken, rewards, np.array(ended, np.bool_)[:, None], 1.0, weight, out)
    return out[:, 0]


@pytest.mark.parametrize("luck", [-8.0, 0.0, 8.0])
def test_the_luck_of_anothers_action_leaves_the_target(luck):
    """Seat 1 answers by an action that happens to be worth `luck` to seat 0, where 2 was to be expected."""
    expected = [[0, 0], [2, -2], [0, 0]]
    taken = [[1, -1], [luck, -luck]]
    found = targets_of(expected, taken, [[0, 0], [luck, -luck]], [False, True], weight=1.0)
    assert found.tolist() == [[2, -2], [luck, -luck]]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_targets_are_the_sums_that_define_them(seed, weight):
    """What was taken, and from there on by how much each next decision was expected to be worth more than was taken."""
    rng = np.random.default_rng(seed)
    steps, players = 20, 3
    expected, taken = rng.normal(size=(steps + 1, players)), rng.normal(size=(steps, players))
    ended = rng.random(steps) < 0.2
    rewards = rng.normal(size=(steps, players)) * ended[:, None]
    found = targets_of(expected, taken, rewards, ended, weight)
    for step in range(steps):
        total, share = taken[step].copy(), 1.0
        for later in range(step, steps):
            total += share * ((rewards[later] if ended[later] else expected[later + 1]) - taken[later])
            share *= weight
            if ended[later]:
                break
        np.testing.assert_allclose(found[step], total, atol=1e-4)


def test_what_is_expected_is_the_mean_over_the_policy(tmp_path):
    run = VRPORun(with_(VRPO, {"imitation.decisions": 0, "pool.players": ["self"]}), tmp_path)
    run.roll_out()
    data, step = run.rollout, 3
    numbers = np.arange(step * len(data.masks), (step + 1) * len(data.masks))
    with torch.inference_mode():
        logits, _ = run.network.among(*data.seen(numbers))
        returns = run.critic(*run.hands.seen(numbers))
    chances = torch.softmax(logits, 1).numpy()
    for table, (seat, pick) in enumerate(zip(data.seats[step], data.picks[step])):
        count = data.lengths[step, table]
        own = returns[table, 0, :count].numpy()  # of the seat to move
        assert run.expected[step, table, seat] == pytest.approx(float(chances[table, :count] @ own), abs=1e-5)
        assert run.taken[step, table, seat] == pytest.approx(float(own[pick]), abs=1e-5)
        other = returns[table, 1, pick]
        assert run.taken[step, table, 1 - seat] == pytest.approx(float(other), abs=1e-5)


def test_while_it_imitates_targets_are_the_outcomes(tmp_path):
    run = VRPORun(VRPO, tmp_path)
    run.roll_out()
    assert run.imitating
    steps = len(run.rollout.picks)
    for table in range(run.rollout.served):
        outcome = None
        for step in reversed(range(steps)):
            if run.rollout.ended[step, table]:
                outcome = run.rollout.rewards[step, table]
            if outcome is not None:
                np.testing.assert_allclose(run.targets[step, table], outcome[: run.targets.shape[2]], atol=1e-5)


# Runs -----------------------------------------------------------------------------------------------------------------


def test_the_agent_is_the_average_of_the_weights_after_each_step(tmp_path):
    run = VRPORun(with_(VRPO, {"imitation.decisions": 0, "optimiser.average": 0.75}), tmp_path)
    mean, step = run.network.value.weight.detach().clone(), run.step

    def followed(loss):
        step(loss)
        mean.mul_(0.75).add_(run.network.value.weight.detach(), alpha=0.25)

    run.step = followed
    run.roll_out()
    run.update()
    assert run.agent is run.average
    torch.testing.assert_close(run.agent.value.weight, mean)
    assert not torch.equal(run.agent.value.weight, run.network.value.weight)


def test_a_run_that_goes_on_has_its_critic(tmp_path):
    run = VRPORun(VRPO, tmp_path)
    run.train()
    again = go_on(tmp_path)
    for name, weights in run.critic.state_dict().items():
        assert torch.equal(weights, again.critic.state_dict()[name])
    one, other = (each.optimizer.state[each.critic.hands[1].weight] for each in (run, again))
    for name in ("exp_avg", "exp_avg_sq"):
        assert torch.equal(one[name], other[name])
        assert one[name].stride() == other[name].stride() == run.critic.hands[1].weight.stride()


def test_room_grows_for_more_features(tmp_path, monkeypatch):
    monkeypatch.setattr(rollout, "FEATURES_AT_FIRST", 1)
    monkeypatch.setattr(critic, "FEATURES_AT_FIRST", 1)
    VRPORun(VRPO, tmp_path / "narrow").train()
    monkeypatch.undo()
    VRPORun(VRPO, tmp_path / "wide").train()
    one, other = (load(tmp_path / name).network.state_dict() for name in ("narrow", "wide"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_its_recipe_trains_at_the_smallest_size(tmp_path):
    chosen = recipe("demo-vrpo")
    assert (chosen.trainer, chosen.network.advice) == ("vrpo", "expert")
    small = {"rollout.tables": 2, "rollout.steps": 8, "steps": 48, "evaluation.times": 0, "evaluation.deals": 1}
    config = with_(chosen, small | {"seconds": None, "reward.unit": 0.4})
    assert make_run(config, tmp_path).train().steps == 48
    assert json.loads((tmp_path / "config.json").read_text()) == json.loads(config.to_json())


def test_the_luck_that_the_critic_takes_out_is_measured_on_the_same_picks(tmp_path, capsys):
    """With a critic that knows no more than that all is worth 0, both estimates are the outcomes themselves."""
    run = VRPORun(with_(VRPO, {"imitation.decisions": 0}), tmp_path)
    run.roll_out()
    for known in (run.values, run.expected, run.taken):
        known[:] = 0
    by_value, by_critic = advantage_variance.advantages(run)
    np.testing.assert_array_equal(by_value, by_critic)
    assert len(by_value) > 50
    run.train()
    assert advantage_variance.main([str(tmp_path), "--rollouts", "1"]) == 0
    assert re.search(r"by the critic of all hands \(\d+%\), over \d+ decisions", capsys.readouterr().out)
    with pytest.raises(SystemExit):
        advantage_variance.main([str(tmp_path / "nothing")])
    assert "there is no checkpoint" in capsys.readouterr().err
