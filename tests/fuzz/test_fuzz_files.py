"""Is a damaged file refused with its own error, or whole? Agents, checkpoints, results of the arena, configurations."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzz_damage import bytes_damaged, json_damaged
from safetensors.torch import load as load_tensors
from safetensors.torch import save

import train  # noqa: F401 - before PyTorch, for what it asks of its threads
from banakil_env.agents import make_player
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.agents.tensors import digest
from banakil_env.arena import identity_of, play_match
from banakil_env.arena.plan import Plan
from banakil_env.arena.store import FILE, Store, StoreError
from banakil_env.games import GAMES, find
from train import begin, checkpoint
from train.config import Config, ConfigError, Pool, from_json, with_
from train.recipes import main_recipe

HANG = 20.0  # seconds of the processor that no file may take: with a large heap, collecting garbage alone takes two


def soon(read: Callable[[], Any], refusal: type[Exception]) -> bool:
    """Whether the file was read; it is refused with this error or not at all, and soon."""
    begun, said = time.process_time(), ""
    try:
        read()
    except refusal as error:
        said = str(error)
    assert time.process_time() - begun < HANG
    assert len(said) < 3000
    return not said


def dumped(value: Any) -> str:
    """JSON, of what JSON can say."""
    return json.dumps(value, ensure_ascii=True)


def resigned(content: bytes, dice: random.Random) -> bytes:
    """A safetensors file whose metadata are damaged, signed again so that only what it says is wrong."""
    size = int.from_bytes(content[:8], "little")
    said = json.loads(content[8 : 8 + size])["__metadata__"]
    name = dice.choice(list(said))
    try:
        said[name] = dumped(json_damaged(json.loads(said[name]), dice))
    except ValueError:  # a word, no JSON
        said[name] = bytes_damaged(said[name].encode(), dice).decode("utf-8", "replace")
    tensors = load_tensors(content)
    said["digest"] = digest(said, tensors)
    return bytes(save(tensors, said))


# Agents and checkpoints -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_agent_is_refused_or_whole(name: str, long: bool, tmp_path: Path) -> None:
    dice, path = random.Random(f"agents of {name}"), tmp_path / "agent.safetensors"
    save_agent(path, make_network(find(name), Shape((8,)), 0), {"by": "hand", "deals": [1, 2]})
    content, read = path.read_bytes(), 0
    load(path)
    for _ in range(1_000 if long else 20):
        path.write_bytes((resigned if dice.random() < 0.5 else bytes_damaged)(content, dice))
        read += soon(lambda: load(path), AgentError)
    assert read < (500 if long else 15)


def test_a_damaged_checkpoint_is_refused_or_whole(long: bool, tmp_path: Path) -> None:
    dice, path = random.Random("checkpoints"), tmp_path / checkpoint.FILE
    small = {"rollout.tables": 8, "rollout.steps": 32, "optimizer.batch": 64, "optimizer.epochs": 1, "reward.unit": 1.0}
    run = Config("small", pool=Pool(("self",), size=2), network=Shape((16,)), steps=512, threads=1)
    begin.make_run(with_(run, {**small, "evaluation.times": 0, "evaluation.deals": 2}), tmp_path).train()
    content, read = path.read_bytes(), 0
    for _ in range(1_000 if long else 25):
        path.write_bytes((resigned if dice.random() < 0.6 else bytes_damaged)(content, dice))
        read += soon(lambda: checkpoint.read(path), checkpoint.CheckpointError)
    assert read < (1_500 if long else 45)


# Results of the arena -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_folder_of_results_is_refused_or_goes_on(name: str, long: bool, tmp_path: Path) -> None:
    dice, players = random.Random(f"results of {name}"), ("random", "greedy")
    options: dict[str, Any] = {"game": name, **find(name).tables[0].options}
    play_match(list(players), deals=4, folder=tmp_path, **options)
    plan, path = Plan(players, **options, deals=4), tmp_path / FILE
    identities = [identity_of(make_player(player, name)) for player in players]
    content = path.read_bytes()
    refused, count = 0, 3_000 if long else 60
    for _ in range(count):
        lines = content.splitlines()
        at = dice.randrange(len(lines))
        if dice.random() < 0.7:
            lines[at] = dumped(json_damaged(json.loads(lines[at]), dice)).encode()
            path.write_bytes(b"\n".join([*lines, b""]))
        else:
            path.write_bytes(bytes_damaged(content, dice))
        refused += not soon(lambda: Store(tmp_path, plan, identities), StoreError)
    assert refused > count / 4


# Configurations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_configuration_is_refused_or_the_same_again(name: str, long: bool) -> None:
    dice, text = random.Random(f"configurations of {name}"), main_recipe(name).to_json()
    refused, count = 0, 5_000 if long else 100
    for _ in range(count):
        damaged = (
            dumped(json_damaged(json.loads(text), dice))
            if dice.random() < 0.8
            else bytes_damaged(text.encode(), dice).decode("utf-8", "replace")
        )

        def read(damaged: str = damaged) -> None:
            config = from_json(damaged)
            assert from_json(config.to_json()) == config

        refused += not soon(read, ConfigError)
    assert refused > count / 4
