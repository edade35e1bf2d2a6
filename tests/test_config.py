"""Is a number that no run can use refused by the configuration, with its path? And what no configuration is?"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from banakil_env.agents.metadata import MOST_LEVELS
from banakil_env.agents.model import MAX_CHANNELS, MAX_LAYERS, MAX_WIDTH
from banakil_env.agents.onnx_file import MOST_BYTES
from train.config import MOST_AT_ONCE, RECIPES, REMOVED, Config, ConfigError, from_dict, from_json, recipe, with_
from train.ppo import main, make_run

NAN, INFINITE = float("nan"), float("inf")

# Numbers of every field, beside NaN and the infinite ones, that cannot be.
REFUSED = {
    "pool.every": (0, -1, 10**30),
    "pool.size": (0, 10**6),
    "reward.unit": (0.0, -1.0, 1e9),
    "ppo.tables": (0, -5, 10**9),
    "ppo.steps": (0, 10**9),
    "ppo.batch": (0, 10**12),
    "ppo.epochs": (0, 10**6),
    "ppo.learning_rate": (0.0, -1e-3, 2.0, 1e300),
    "ppo.final_rate": (-0.1, 1.1),
    "ppo.gae_lambda": (-0.1, 1.5),
    "ppo.entropy": (-0.1, 1e6),
    "ppo.average": (-0.1, 1.0, 2.0),
    "ppo.value": (-1.0, 1e9),
    "imitation.decisions": (-1, 10**30),
    "trials.margin": (-0.5, 1e9),
    "trials.heat": (0.0, -1.0, 1e9),
    "evaluation.times": (-1, 10**9),
    "evaluation.deals": (0, 10**9),
    "seconds": (0.0, -1.0, 1e30),
    "steps": (0, -1, 10**30),
    "checkpoint_seconds": (-1.0, 1e30),
    "threads": (0, 10**6),
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


@pytest.mark.parametrize("path", ["ppo.learning_rate", "ppo.tables", "seconds"])
def test_a_group_made_in_python_is_checked_too(path):
    *group, name = path.split(".")
    made = getattr(recipe("demo"), group[0]) if group else recipe("demo")
    for value in (NAN, True, "1", -1):
        with pytest.raises(ConfigError, match=rf"^{path} must be a number from"):
            dataclasses.replace(made, **{name: value})


def test_a_rollout_that_no_memory_holds():
    with pytest.raises(ConfigError, match=r"ppo\.tables times ppo\.steps"):
        with_(recipe("demo"), {"ppo.tables": 2**16, "ppo.steps": 2**16})


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
        with_(recipe("demo"), {"ppo.learning_rate": 10**400})


COMMANDED = ["ppo.learning_rate=NaN", "ppo.tables=" + "9" * 5000, "ppo=" + "[" * 100_000, "seconds=-Infinity"]


@pytest.mark.parametrize("change", COMMANDED, ids=range(4))
def test_the_command_refuses_them(change, tmp_path, capsys):
    assert main(["--recipe", "demo", "--set", change, "--out", str(tmp_path)]) == 1
    assert change.partition("=")[0] in capsys.readouterr().err


@pytest.mark.parametrize("device", ["nonsense", "cuda:99", "meta", "", "cpu:x"])
@pytest.mark.parametrize("name", ["demo", "demo-sb3"])
def test_a_device_that_cannot_be_had(device, name, tmp_path):
    with pytest.raises(ConfigError, match=r"device: .* cannot be had"):
        make_run(with_(recipe(name), {"device": device, "ppo.tables": 8, "ppo.steps": 8}), tmp_path)


# Options that were removed --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", REMOVED)
def test_an_option_that_was_removed_is_read_at_the_value_that_it_always_has(path):
    said = json.loads(recipe("demo").to_json())
    *groups, name = path.split(".")
    group = said[groups[0]] if groups else said
    assert name not in group
    group[name] = REMOVED[path]
    assert from_dict(said) == recipe("demo")
    group[name] = "other"
    with pytest.raises(ConfigError, match=f"^{path} is no option any more: it is "):
        from_dict(said)
    with pytest.raises(ConfigError, match="there is no"):
        with_(recipe("demo"), {path: REMOVED[path]})


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_within_all_bounds(name):
    assert isinstance(from_json(recipe(name).to_json()), Config)


def test_the_documentation_says_the_limits():
    page = (Path(__file__).resolve().parents[1] / "docs" / "training.md").read_text(encoding="utf-8")
    for row in (
        f"| layers (`network.hidden`) | {MAX_LAYERS} |",
        f"| width of a layer | {MAX_WIDTH} |",
        f"| `network.channels` | {MAX_CHANNELS} |",
        f"| lists and objects nested in metadata | {MOST_LEVELS} |",
        f"| size of an ONNX file | {MOST_BYTES >> 20} MiB |",
        f"| decisions of a rollout (`ppo.tables` times `ppo.steps`) | {MOST_AT_ONCE:,} |",
    ):
        assert row in page, row
