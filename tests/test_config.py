"""Is a number that no run can use refused by the configuration, with its path? And what no configuration is?"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

import train.recipes
from banakil_env.agents.model import MAX_CHANNELS, MAX_LAYERS, MAX_WIDTH
from banakil_env.agents.onnx_file import MOST_BYTES
from banakil_env.arena.options import TableOptions
from banakil_env.core.files import MOST_LEVELS
from train import begin
from train.__main__ import main
from train.begin import make_run, unit_of
from train.config import MOST_AT_ONCE, UNITS, Config, ConfigError, Reward, from_dict, from_json, with_
from train.recipes import RECIPES, recipe

NAN, INFINITE = float("nan"), float("inf")

# Invalid numbers of every field, in addition to NaN and the infinite ones.
REFUSED = {
    "pool.every": (0, -1, 10**30),
    "pool.size": (0, 10**6),
    "reward.unit": (0.0, -1.0, 1e9),
    "rollout.tables": (0, -5, 10**9),
    "rollout.steps": (0, 10**9),
    "optimizer.batch": (0, 10**12),
    "optimizer.epochs": (0, 10**6),
    "optimizer.learning_rate": (0.0, -1e-3, 2.0, 1e300),
    "optimizer.final_rate": (-0.1, 1.1),
    "ppo.gae_lambda": (-0.1, 1.5),
    "ppo.entropy": (-0.1, 1e6),
    "optimizer.average": (-0.1, 1.0, 2.0),
    "optimizer.value_weight": (-1.0, 1e9),
    "imitation.decisions": (-1, 10**30),
    "trials.margin": (-0.5, 1e9),
    "trials.others": (-1, 10**6),
    "trials.heat": (0.0, -1.0, 1e9),
    "trials.orders": (-1, 10**6),
    "evaluation.times": (-1, 10**9),
    "evaluation.deals": (0, 10**9),
    "seconds": (0.0, -1.0, 1e30),
    "steps": (0, -1, 10**30),
    "checkpoint_seconds": (-1.0, 1e30),
    "threads": (0, 10**6),
    "workers": (-1, 10**6),
}


def numeric_fields(group, path=""):
    """The path of every field of a configuration that holds a number."""
    for field in dataclasses.fields(group):
        value = getattr(group, field.name)
        if dataclasses.is_dataclass(value) and field.name not in ("table", "network"):
            yield from numeric_fields(value, f"{path}{field.name}.")
        elif "int" in str(field.type) or "float" in str(field.type):
            yield f"{path}{field.name}"


def test_every_number_of_a_configuration_is_tried_here():
    assert set(numeric_fields(recipe("demo"))) - {"seed", "pool.players"} == REFUSED.keys()


@pytest.mark.parametrize("path", REFUSED)
def test_a_number_that_cannot_be_is_refused_with_its_path(path):
    for value in (*REFUSED[path], NAN, INFINITE, -INFINITE):
        with pytest.raises(ConfigError, match=rf"(^|configuration\.){path} must be "):
            with_(recipe("demo"), {path: value})


@pytest.mark.parametrize("path", ["optimizer.learning_rate", "rollout.tables", "seconds"])
def test_a_group_made_in_python_is_checked_too(path):
    *group, name = path.split(".")
    made = getattr(recipe("demo"), group[0]) if group else recipe("demo")
    for value in (NAN, True, "1", -1):
        with pytest.raises(ConfigError, match=rf"^{path} must be a number from"):
            dataclasses.replace(made, **{name: value})


def test_a_rollout_that_no_memory_holds():
    with pytest.raises(ConfigError, match=r"rollout\.tables times rollout\.steps"):
        with_(recipe("demo"), {"rollout.tables": 2**16, "rollout.steps": 2**16})


@pytest.mark.parametrize("hidden", [[MAX_WIDTH + 1], [8] * (MAX_LAYERS + 1), [], [0], [-8], [8192] * 3], ids=str)
def test_a_network_beyond_its_bounds(hidden):
    with pytest.raises(ConfigError, match=f"hidden must be 1 to {MAX_LAYERS} widths, each from 1 to {MAX_WIDTH}"):
        with_(recipe("demo"), {"network.hidden": hidden})


NONE = ["", "[", "[" * 100_000, "[" * 900 + "]" * 900, "null", "5", '"demo"', "[]", '{"name": 5}', '{"name": "x"}']


@pytest.mark.parametrize("text", NONE, ids=range(10))
def test_a_text_that_is_no_configuration(text):
    with pytest.raises(ConfigError):
        from_json(text)


def test_numbers_of_json_that_are_none():
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        with pytest.raises(ConfigError, match=r"seconds must be a number"):
            from_json(f'{{"name": "x", "seconds": {text}}}')
    with pytest.raises(ConfigError, match="must be a number that a float holds"):
        with_(recipe("demo"), {"optimizer.learning_rate": 10**400})


COMMANDED = ["optimizer.learning_rate=NaN", "rollout.tables=" + "9" * 5000, "ppo=" + "[" * 100_000, "seconds=-Infinity"]


@pytest.mark.parametrize("change", COMMANDED, ids=range(4))
def test_the_command_refuses_them(change, tmp_path, capsys):
    assert main(["demo", "--set", change, "--out", str(tmp_path)]) == 1
    assert change.partition("=")[0] in capsys.readouterr().err


@pytest.mark.parametrize("device", ["nonsense", "cuda:99", "meta", "", "cpu:x"])
@pytest.mark.parametrize("name", ["demo", "demo-sb3"])
def test_a_device_that_cannot_be_had(device, name, tmp_path):
    with pytest.raises(ConfigError, match=r"device: .* is not available"):
        make_run(with_(recipe(name), {"device": device, "rollout.tables": 8, "rollout.steps": 8}), tmp_path)


# Recipes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_within_all_bounds(name):
    assert isinstance(from_json(recipe(name).to_json()), Config)


def test_a_recipe_says_only_what_its_base_does_not():
    base = recipe("banakil-3p")
    assert recipe("gin-2p").optimizer == base.optimizer
    assert (base.network.advice, base.trials.player, base.evaluation.opponents) == (
        "expert",
        "expert",
        ("greedy", "expert"),
    )
    assert (base.trials.margin, recipe("canasta-4p").trials.margin) == (0.5, 10.0)


def test_none_and_strongest_stand_for_what_they_say():
    assert recipe("canasta-4p").network.channels is None
    assert recipe("demo").imitation.player == recipe("demo").game.strongest_player


@pytest.mark.parametrize("name", ["canasta-4p", "gin-match", "yaniv-3p"])
def test_a_table_without_a_recipe_imitates_the_strongest_player(name, monkeypatch):
    monkeypatch.setattr(train.recipes, "RECIPES", ())
    config = recipe.__wrapped__(name)
    strongest = config.game.strongest_player
    assert (config.trainer, config.imitation.player, config.trials.player) == ("fast", strongest, strongest)
    assert config.evaluation.opponents == tuple(dict.fromkeys(["greedy", strongest]))
    assert config.reward.unit is None


def test_an_unknown_recipe_is_refused_with_those_that_there_are():
    with pytest.raises(ConfigError, match=r"there is no recipe 'gin-9p'; there are .*gin-2p"):
        recipe("gin-9p")


# The unit of rewards ------------------------------------------------------------------------------------------------


def test_the_unit_of_a_table_is_measured_by_its_margins():
    assert unit_of(TableOptions(num_players=2)) == pytest.approx(1.0, abs=0.15)  # what all numbers are meant for
    assert unit_of(TableOptions(game="yaniv", num_players=2)) < 0.7
    assert unit_of(TableOptions(game="yaniv", num_players=2), "win") == pytest.approx(1 / UNITS, rel=0.1)


def test_a_run_keeps_the_unit_that_it_began_with(tmp_path, monkeypatch):
    small = {"rollout.tables": 8, "rollout.steps": 8, "steps": 64, "evaluation.times": 0, "evaluation.deals": 2}
    config = with_(recipe("demo"), {"reward.unit": None, "imitation.decisions": 0, "threads": 1, **small})
    run = make_run(config, tmp_path)
    assert run.config.reward.unit == unit_of(config.table)
    run.train()
    monkeypatch.setattr(begin, "unit_of", lambda *_: pytest.fail("a run that goes on has its unit"))
    assert begin.begin_or_go_on(config, tmp_path).config.reward == run.config.reward


def test_a_reward_without_a_unit_has_no_scale():
    with pytest.raises(ConfigError, match=r"reward\.unit is measured when a run begins"):
        Reward().scale  # noqa: B018 - the property raises


def test_the_documentation_says_the_limits():
    page = (Path(__file__).resolve().parents[1] / "docs" / "training.md").read_text(encoding="utf-8")
    for row in (
        f"| layers (`network.hidden`) | {MAX_LAYERS} |",
        f"| width of a layer | {MAX_WIDTH} |",
        f"| `network.channels` | {MAX_CHANNELS} |",
        f"| lists and objects nested in metadata | {MOST_LEVELS} |",
        f"| size of an ONNX file | {MOST_BYTES >> 20} MiB |",
        f"| decisions of a rollout (`rollout.tables` times `rollout.steps`) | {MOST_AT_ONCE:,} |",
    ):
        assert row in page, row


def test_a_group_of_an_earlier_release_is_left_out():
    """Agents of the zoo were saved when there was a trainer with a critic of its own."""
    said = json.loads(recipe("demo").to_json())
    assert from_dict(said | {"critic": {"layers": 2, "width": 128}}) == recipe("demo")
    with pytest.raises(ConfigError, match="has no critics"):
        from_dict(said | {"critics": {}})
