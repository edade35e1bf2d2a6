"""Does the one-file PPO learn from what happened, alone and from its own games? And does its file stand alone?"""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

tyro = pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

import train  # noqa: E402, F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.network import load  # noqa: E402
from banakil_env.agents.sparse_kernels import FORBIDDEN  # noqa: E402
from banakil_env.arena.options import TableOptions  # noqa: E402
from banakil_env.arena.seeds import FIRST_HELD_OUT  # noqa: E402
from banakil_env.games import GAMES, find  # noqa: E402
from train import ppo  # noqa: E402

FILE = Path(ppo.__file__)
SMALL = ppo.Config(
    table=TableOptions(game="yaniv", num_players=2),
    hidden=(16,),
    num_tables=32,
    rollout=16,
    batch=128,
    steps=1024,
    deals=4,
    evaluations=2,
    bfloat16=False,
)


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


def played(config):
    """A learner that has played its first rollout."""
    learner = ppo.Learner(config)
    learner.play()
    return learner


def test_half_of_the_other_seats_are_those_of_sparring_partners():
    learner = ppo.Learner(small(against=("greedy", "expert"), num_tables=400))
    assert learner.config.about["kind"] == "sparred"
    tables, rows = learner.rollout.tables, np.arange(400)
    players = tables.controls["players"]
    others = players[rows, 1 - tables.learners]
    shares = {kind: (others == number).mean() for kind, number in [("own", -1), *learner.game.kinds.items()]}
    assert shares["own"] == pytest.approx(0.5, abs=0.1)
    assert shares["greedy"] == pytest.approx(0.25, abs=0.1)
    assert shares["expert"] == pytest.approx(0.25, abs=0.1)
    learner.play()
    assert (players[rows, learner.rollout.seats[-1]] == -1).all()  # every decision is the agent's own


# The file -------------------------------------------------------------------------------------------------------------


def test_the_file_needs_the_package_and_its_extra_only():
    own = {"banakil_env", "numpy", "torch", "tyro"}
    tree = ast.parse(FILE.read_text(encoding="utf-8"))
    imported = {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    assert imported <= own | set(sys.stdlib_module_names)


def test_the_file_can_be_read_in_one_sitting():
    assert len(FILE.read_text(encoding="utf-8").splitlines()) <= 450


def test_a_copy_of_the_file_trains_in_an_empty_folder_and_goes_on(tmp_path):
    """The copy sees the package and no other file of the repository. The same command again continues the run."""
    shutil.copy(FILE, tmp_path / "ppo.py")
    package = tmp_path / "site"
    package.mkdir()
    (package / "banakil_env").symlink_to(FILE.parents[1] / "banakil_env")
    command = [sys.executable, "ppo.py", "--game", "yaniv", "--num-tables", "32", "--rollout", "16", "--hidden", "16"]
    command += ["--batch", "128", "--deals", "4", "--evaluations", "1", "--out", "run", "--opponents", "random"]
    there = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": os.pathsep.join([str(package), *_others()])}}
    first = subprocess.run([*command, "--steps", "512"], **there, capture_output=True, text=True)
    assert first.returncode == 0, first.stderr
    again = subprocess.run([*command, "--steps", "1024"], **there, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    curve = json.loads((tmp_path / "run" / "curve.json").read_text())
    assert [point["steps"] for point in curve] == [0, 512, 1024]
    assert load(tmp_path / "run").network.game is find("yaniv")
    assert "net:run random --game yaniv" in again.stdout


def _others():
    """What is on the path besides the repository."""
    root = FILE.parents[1]
    return [path for path in sys.path if path and root not in (Path(path), *Path(path).parents)]


@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_takes_every_game_with_its_own_defaults(game):
    assert tyro.cli(ppo.Config, args=["--game", game]).table == TableOptions(game=game)


def test_another_configuration_is_not_mixed_into_a_run(tmp_path):
    ppo.main(ppo.Learner(small(steps=512, out=str(tmp_path))))
    kept = (tmp_path / "checkpoint.pt").read_bytes()
    with pytest.raises(ValueError, match=r"has hidden \[16\], not \[8\]: give the same options, or another --out"):
        ppo.main(ppo.Learner(small(steps=1024, out=str(tmp_path), hidden=(8,))))
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept


def test_a_run_with_a_setting_that_is_gone_is_not_continued(tmp_path):
    ppo.main(ppo.Learner(small(steps=512, out=str(tmp_path))))
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    torch.save(
        kept | {"config": json.dumps(json.loads(kept["config"]) | {"potential": 2.0})}, tmp_path / "checkpoint.pt"
    )
    with pytest.raises(ValueError, match=r"has potential 2\.0, not None: give the same options, or another --out"):
        ppo.main(ppo.Learner(small(steps=1024, out=str(tmp_path))))


def test_numbers_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="batch must be 1 or more, not 0"):
        small(batch=0)


# Advantages -----------------------------------------------------------------------------------------------------------


def advantages(seats, values, rewards, ended, after, seat_after, gae_lambda=1.0):
    """The advantages at one table with four seats, by the rollout's own arrays."""
    rollout = object.__new__(ppo.Rollout)
    steps = len(seats)
    rollout.seats = np.array([*seats, seat_after]).reshape(-1, 1)
    rollout.values = np.array([*values, after], np.float32).reshape(-1, 1)
    rollout.rewards = np.array(rewards, np.float32).reshape(steps, 1, 4)
    rollout.ended = np.array(ended, np.bool_).reshape(steps, 1)
    rollout.picks = np.zeros((steps, 1), np.int64)
    rollout.advantages, rollout.returns = np.zeros((steps, 1), np.float32), np.zeros((steps, 1), np.float32)
    rollout.estimate_advantages(gae_lambda, 1.0)
    np.testing.assert_array_equal(rollout.returns, rollout.advantages + rollout.values[:-1])
    return rollout.advantages[:, 0].tolist()


NOTHING, WON_BY_0 = [0, 0, 0, 0], [10, -10, 0, 0]


def test_the_losing_seat_learns_from_its_loss():
    """Seat 0 moves twice, seat 1 once, then seat 0 ends the round with 10 to -10."""
    found = advantages([0, 0, 1, 0], [1, 2, 3, 4], [NOTHING] * 3 + [WON_BY_0], [0, 0, 0, 1], 0, 0)
    assert found == [10 - 1, 10 - 2, -10 - 3, 10 - 4]


def test_several_decisions_of_a_turn_follow_each_other():
    """With lambda 0 each decision is compared with the value of the same seat's next one, across others' moves."""
    found = advantages([0, 0, 1, 1, 0], [1, 2, 3, 5, 7], [NOTHING] * 4 + [WON_BY_0], [0, 0, 0, 0, 1], 0, 1, 0.0)
    assert found == [2 - 1, 7 - 2, 5 - 3, -10 - 5, 10 - 7]


def test_what_is_not_known_at_the_edge_is_not_learned_from():
    """The rollout ends before seat 1 moves again; seat 0 is to move there, and expects 5."""
    found = advantages([0, 1, 0], [1, 2, 3], [NOTHING] * 3, [0, 0, 0], 5, 0)
    assert (found[0], found[2]) == (5 - 1, 5 - 3)
    assert np.isnan(found[1])


def test_a_decision_before_an_unknown_one_is_compared_with_its_value():
    """Seat 1 decides twice before the edge: the second decision has no advantage, the first one has."""
    found = advantages([1, 1, 0], [2, 6, 3], [NOTHING] * 3, [0, 0, 0], 5, 0)
    assert found[0] == 6 - 2
    assert np.isnan(found[1])


def test_no_value_crosses_the_end_of_an_episode():
    """Two rounds in a row at one table: what comes after the first has no part in it."""
    found = advantages([0, 1, 0, 1], [1, 2, 3, 4], [NOTHING, WON_BY_0, NOTHING, NOTHING], [0, 1, 0, 0], 9, 0)
    assert found[:2] == [10 - 1, -10 - 2]


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_advantages_are_those_of_each_seat_alone(seed, gae_lambda):
    """Against the definition, seat by seat, over random episodes."""
    rng = np.random.default_rng(seed)
    steps = 30
    seats, values = rng.integers(3, size=steps), rng.normal(size=steps).astype(np.float32)
    ended = rng.random(steps) < 0.15
    rewards = rng.normal(size=(steps, 4)).astype(np.float32) * ended[:, None]
    after, seat_after = np.float32(rng.normal()), int(rng.integers(3))
    found = advantages(seats, values, rewards, ended, after, seat_after, gae_lambda)
    for seat in range(3):
        worth, ahead = (float(after) if seat == seat_after else None), 0.0
        for step in reversed(range(steps)):
            if ended[step]:
                worth, ahead = float(rewards[step, seat]), 0.0
            if seats[step] != seat:
                continue
            if worth is None:
                assert np.isnan(found[step])
            else:
                ahead = worth - float(values[step]) + gae_lambda * ahead
                assert found[step] == pytest.approx(ahead, abs=1e-4)
            worth = float(values[step])


# Rollouts -------------------------------------------------------------------------------------------------------------


def test_the_turn_limit_ends_an_episode_with_the_rewards_that_the_rules_give():
    """A round of Rummy that reaches its limit is unscored: its decisions are compared with 0, not with a value."""
    table = TableOptions(game="rummy", num_players=2, rules="denexa max_turns=2")
    learner = played(small(table=table, gae_lambda=1.0))
    rollout, cut = learner.rollout, learner.rollout.tables.truncations
    last = rollout.picks.shape[0] - 1
    assert cut.any()
    np.testing.assert_array_equal(rollout.cut[last], cut)
    assert rollout.ended[last][cut].all()
    np.testing.assert_allclose(rollout.returns[last][cut], 0, atol=1e-6)


def test_episodes_draw_their_rules_and_evaluations_do_not():
    table = TableOptions(game="rummy", num_players=2)
    learner = ppo.Learner(small(table=table, variants=("denexa rummy_factor=3", "denexa rummy_factor=5")))
    assert set(learner.rollout.tables.states["rules"]["rummy_factor"]) == {3, 5}
    assert learner.config.table.rules == "denexa"
    with pytest.raises(ValueError, match="unknown rules 'nothing'"):
        ppo.Learner(small(table=table, variants=("nothing",)))


@pytest.mark.parametrize("game", ["yaniv", "gin", "canasta"])
def test_a_rollout_holds_what_was_played(game):
    """Every pick is a legal action, and the rewards of every ended episode add up to zero."""
    table = TableOptions(game=game)
    learner = played(small(table=table, num_tables=64, rollout=96))
    rollout = learner.rollout
    assert np.take_along_axis(rollout.moves[:-1], rollout.picks[..., None], 2).min() >= 0
    assert (rollout.rewards[~rollout.ended] == 0).all()
    np.testing.assert_allclose(rollout.rewards.sum(2), 0, atol=1e-4)
    known = ~np.isnan(rollout.advantages)
    assert known[rollout.ended].all()
    assert 0.5 < known.mean() <= 1


def test_actions_are_drawn_by_their_chances():
    torch.manual_seed(5)
    chances = torch.tensor([0.7, 0.0, 0.2, 0.1]).log().expand(40_000, 4)
    counts = torch.bincount(ppo.sampled(chances).squeeze(1), minlength=4) / 40_000
    assert counts.tolist() == pytest.approx([0.7, 0.0, 0.2, 0.1], abs=0.01)


def test_room_grows_for_more_features_and_more_legal_actions(monkeypatch):
    wide = played(SMALL)
    monkeypatch.setattr(ppo, "ROOM", 1)
    narrow = played(SMALL)
    np.testing.assert_array_equal(wide.rollout.picks, narrow.rollout.picks)
    np.testing.assert_array_equal(wide.rollout.values, narrow.rollout.values)


def test_deals_of_training_are_independent_and_not_held_out():
    """Two seeds share no deal, and no two tables of one run do."""
    seeds = [ppo.Learner(small(seed=seed)).rollout.tables.states["rng"].copy() for seed in (0, 1)]
    both = np.concatenate(seeds)
    assert len(np.unique(both)) == len(both)
    dealt = [ppo.Learner(small(seed=seed)).seeds() for seed in (0, 1)]
    assert len({*dealt[0], *dealt[1]}) == 2 * SMALL.num_tables
    assert max(*dealt[0], *dealt[1]) < FIRST_HELD_OUT


# The network ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["yaniv", "gin", "rummy500", "canasta"])
def test_the_saved_agent_is_the_network_that_learned(game):
    """The same logits and values, in games with moves that take from a depth of the pile and without."""
    learner = ppo.Learner(small(table=TableOptions(game=game), num_tables=8, rollout=4))
    with torch.inference_mode():
        for weights in learner.network.parameters():
            weights.add_(0.02 * torch.randn(weights.shape))
        seen = learner.rollout.look(0)
        logits, values = learner.network(seen)
        tables = learner.rollout.tables
        moves, theirs, their_values = learner.network.agent().legal_of_rows(tables.observations, tables.masks)
    width = moves.shape[1]
    np.testing.assert_array_equal(seen.moves[:, :width], moves)
    torch.testing.assert_close(logits[:, :width], theirs, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(values, their_values, rtol=1e-4, atol=1e-4)
    assert (logits[seen.moves < 0] == FORBIDDEN).all()


def test_rests_are_refused_where_a_game_has_none():
    with pytest.raises(ValueError, match="rests must be false"):
        ppo.Learner(small(rests=True))


# Learning -------------------------------------------------------------------------------------------------------------


def test_runs_of_one_seed_are_the_same_and_those_of_another_are_not():
    learners = [played(small(seed=seed)) for seed in (3, 3, 4)]
    for learner in learners:
        torch.manual_seed(0)  # minibatches are drawn from PyTorch's generator, which learners share
        learner.update()
    one, same, other = (learner.network.value.weight for learner in learners)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_a_better_action_becomes_likelier():
    """The sign of the loss: a pick with an advantage above the mean gains probability, one below loses it."""
    learner = played(small(entropy=0.0, rate=1e-2))
    rollout = learner.rollout
    numbers = np.arange(128)
    rollout.advantages.ravel()[numbers] = np.where(rollout.picks.ravel()[numbers] == 0, 1.0, -1.0)
    for _ in range(20):
        loss, _ = learner.loss(numbers)
        learner.optimizer.zero_grad()
        loss.backward()
        learner.optimizer.step()
    with torch.inference_mode():
        logprobs = torch.log_softmax(learner.network(rollout.seen(numbers))[0], 1)
    first = torch.from_numpy(rollout.picks.ravel()[numbers] == 0)
    change = logprobs.gather(1, torch.from_numpy(rollout.picks.ravel()[numbers])[:, None]).squeeze(1)
    change = change - torch.from_numpy(rollout.logprobs.ravel()[numbers])
    assert change[first].mean() > 0.1
    assert change[~first].mean() < 0


def test_it_gets_ahead_of_random_in_seconds(tmp_path):
    """From random weights, by its own games alone."""
    config = small(hidden=(64,), num_tables=128, rollout=32, batch=512, steps=300_000, deals=50, evaluations=1)
    learner = ppo.Learner(dataclasses.replace(config, rate=3e-3, out=str(tmp_path), opponents=("random",)))
    ppo.main(learner)
    last = learner.curve[-1]["standings"][0]
    assert last["margin"] - last["half_width"] > 0


def test_weights_that_are_not_finite_are_not_written(tmp_path):
    learner = ppo.Learner(SMALL)
    learner.curve.append(learner.evaluate())
    with torch.no_grad():
        learner.network.value.bias.fill_(float("nan"))
    with pytest.raises(RuntimeError, match=f"--rate below {SMALL.rate:g}"):
        learner.save(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_change_of_the_rewards_scale_leaves_the_points_that_values_stand_for():
    """Rewards ten times as large change the scale; advantages and values keep their meaning in points."""
    learner = played(small(rollout=256))
    rollout, scale = learner.rollout, learner.scale
    assert scale > 0
    points = rollout.values * scale
    with torch.inference_mode():
        before = learner.network(rollout.seen(np.arange(64)))[1] * scale
    rollout.rewards *= 10
    learner.rescale()
    assert learner.scale > 2 * scale
    with torch.inference_mode():
        after = learner.network(rollout.seen(np.arange(64)))[1] * learner.scale
    torch.testing.assert_close(after, before, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(rollout.values * learner.scale, points, rtol=1e-4, atol=1e-4)


def test_where_nobody_has_scored_yet_nothing_is_scaled():
    """Two turns of Rummy are over before anybody goes out: all rewards are 0."""
    learner = played(small(table=TableOptions(game="rummy", num_players=2, rules="denexa max_turns=2")))
    assert not learner.rollout.rewards.any()
    assert learner.scale == 0
    learner.update()
    assert all(torch.isfinite(weights).all() for weights in learner.network.parameters())
