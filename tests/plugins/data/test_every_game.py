"""Is every game recorded, described, exported and played again, by Parquet, Minari, Croissant, the Hub and ONNX?"""

from __future__ import annotations

import functools
import hashlib
import json
import operator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import mlcroissant
import numpy as np
import polars
import pytest
from shared import banakil_command

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents import hub, make_player
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import save_agent
from banakil_env.agents.onnx import export
from banakil_env.arena.players import make_players
from banakil_env.games import GAMES, find, gymnasium_id
from banakil_env.record import Recording, conversations, decisions, episodes, parquet
from banakil_env.record.play import Decisions, unpack

each_game = pytest.mark.parametrize("name", list(GAMES))


def recording_of(name: str) -> Recording:
    return Recording(("greedy", "random"), game=name, deals=1)


def played(recording: Recording) -> Decisions:
    (batch,) = decisions(make_players(recording.players, recording.game), recording)
    return batch


def loaded(description: Path, record_set: str) -> list[dict[str, Any]]:
    """The rows that MLCommons' own library reads, which checks the description and the files' checksums."""
    return list(mlcroissant.Dataset(jsonld=str(description)).records(record_set))


@each_game
def test_a_parquet_file_and_its_description(name: str, tmp_path: Path) -> None:
    recording, file = recording_of(name), tmp_path / "games.parquet"
    batch, game = played(recording), find(name)
    assert parquet.write(file, [batch], recording) == len(batch)
    frame = polars.read_parquet(file)
    masks = unpack(parquet.vectors(frame["mask"]), game.num_actions)
    assert masks[np.arange(len(frame)), frame["action"].to_numpy()].all()
    assert parquet.about(file)["game"] == game.id
    rows = loaded(tmp_path / "games.parquet.croissant.json", "decisions")
    assert [row["decisions/action"] for row in rows] == batch.actions.tolist()
    assert parquet.vectors([row["decisions/observation"] for row in rows]).tolist() == batch.observations.tolist()
    assert [row["decisions/points"] for row in rows[-1:]] == batch.points[-1:].tolist()


@each_game
def test_the_description_is_enough_to_read_an_observation(name: str, tmp_path: Path) -> None:
    recording, file = recording_of(name), tmp_path / "games.parquet"
    batch = played(recording)
    parquet.write(file, [batch], recording)
    fields = loaded(tmp_path / "games.parquet.croissant.json", "observation_fields")
    said = [{key.rpartition("/")[2]: value for key, value in row.items()} for row in fields]
    record = np.dtype(
        {
            "names": [row["field"] for row in said],
            "formats": [(row["dtype"], tuple(json.loads(row["shape"]))) for row in said],
            "offsets": [row["offset"] for row in said],
        }
    )
    seen = batch.observations.view(record).reshape(-1)
    own = batch.observations.view(find(name).observation).reshape(-1)
    for field in record.names or ():
        meant = functools.reduce(operator.getitem, field.split("."), own)  # a field of the rules is named rules.target
        assert (seen[field] == meant).all()


@each_game
def test_a_minari_dataset(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An episode is played again in the environment that the dataset names."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    recording = recording_of(name)
    batch, place = played(recording), f"rummy/{name.replace('_', '')}-v0"
    episodes.write(place, [batch], recording)
    dataset = minari.load_dataset(place)
    episode = dataset[0]
    said = next(iter(dataset.storage.get_episode_metadata([0])))
    seat = int(episode.infos["seat"][0])
    rows = (batch.tables == said["options"]["table"]) & (batch.seats != seat)
    others = iter(batch.actions[rows].tolist())
    env = gymnasium.make(gymnasium_id(name), opponents=lambda seen: next(others), seat=seat, observation="record")
    observation, _ = env.reset(seed=said["seed"])
    for step, action in enumerate(episode.actions):
        np.testing.assert_array_equal(observation, episode.observations[step])
        observation, reward, terminated, truncated, _ = env.step(action)
    assert (reward, terminated or truncated) == (pytest.approx(episode.rewards[-1], abs=1e-5), True)
    described = json.loads((tmp_path / place / f"{Path(place).name}.croissant.json").read_text())
    [file] = described["distribution"]
    data = (tmp_path / place / file["contentUrl"]).read_bytes()
    assert file["sha256"] == hashlib.sha256(data).hexdigest()


def test_conversations_and_their_description(tmp_path: Path) -> None:
    recording, file = recording_of("rummy"), tmp_path / "games.jsonl"
    batch = played(recording)
    conversations.write(file, [batch], recording)
    rows = loaded(tmp_path / "games.jsonl.croissant.json", "conversations")
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["conversations/seat"] for row in rows] == [line["seat"] for line in told]
    assert [row["conversations/ending"].decode() for row in rows] == [line["ending"] for line in told]


@each_game
def test_an_agent_on_the_hub_and_as_onnx(name: str, tmp_path: Path) -> None:
    """A network of the game, not trained: both play as it does."""
    network = Network(find(name), Shape((8,)), 1)
    save_agent(tmp_path / "agent.safetensors", network, {"made": "for a test"})
    hub.export(tmp_path, tmp_path / "hub")
    export(tmp_path, tmp_path / "agent.onnx")
    batch = played(recording_of(name))
    seen = (
        batch.observations[:50],
        unpack(batch.masks[:50], find(name).num_actions),
        np.zeros(50, np.uint64)[: len(batch)],
    )
    by_torch = make_player(f"net:{tmp_path}", name).act(*seen)
    assert make_player(f"hub:{tmp_path / 'hub'}", name).act(*seen).tolist() == by_torch.tolist()
    assert (make_player(f"onnx:{tmp_path / 'agent.onnx'}", name).act(*seen) == by_torch).mean() > 0.9


def test_the_command_names_the_description_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "games.parquet.croissant.json").write_text("{}")
    done = banakil_command("record", "greedy", "--deals", 1, tmp_path / "games.parquet")
    assert done.returncode == 1
    assert "games.parquet.croissant.json exists already" in done.stderr.replace("\n", "")
    assert not (tmp_path / "games.parquet").exists()
