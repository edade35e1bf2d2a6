"""Does Minari load what was played? Its episodes are played again in the environment they are said to be of."""

from __future__ import annotations

import os

import gymnasium
import minari
import numpy as np
import pytest
from shared import banakil_command

import banakil_env  # noqa: F401
from banakil_env.arena import CompiledPlayer
from banakil_env.record import Recording, RecordingError, decisions, episodes

NAME = "banakil/expert-v0"


def batches(recording: Recording):
    return decisions([CompiledPlayer(name) for name in recording.players], recording)


@pytest.fixture(autouse=True)
def root(tmp_path_factory, monkeypatch):
    """Where Minari keeps its datasets, away from the user's own."""
    folder = tmp_path_factory.mktemp("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    return folder


def play_again(episode, seed: int, actions_of_others: list[int], **options) -> None:
    """Play an episode's actions in the environment and find the same observations, masks and rewards."""
    others = iter(actions_of_others)
    seat = int(episode.infos["seat"][0])
    env = gymnasium.make(
        "rummy/Banakil-v0", opponents=lambda seen: next(others), seat=seat, observation="record", **options
    )
    observation, info = env.reset(seed=seed)
    for step, action in enumerate(episode.actions):
        np.testing.assert_array_equal(observation, episode.observations[step])
        np.testing.assert_array_equal(info["action_mask"], episode.infos["action_mask"][step])
        observation, reward, terminated, truncated, info = env.step(action)
        assert reward == pytest.approx(episode.rewards[step], abs=1e-5)
        assert (terminated, truncated) == (episode.terminations[step], episode.truncations[step])
    assert (terminated, truncated) == (True, False)
    np.testing.assert_array_equal(observation, episode.observations[-1])
    assert not episode.infos["action_mask"][-1].any()
    assert next(others, None) is None


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 2},
        {"num_players": 3, "rules": "gamefarm"},
        {"num_players": 4, "rules": "jawaker", "max_turns": 9},
    ],
    ids=str,
)
def test_episodes_are_what_was_played(options):
    recording = Recording(("expert", "greedy"), **options, deals=2, seeds=5)
    (batch,) = batches(recording)
    episodes.write(NAME, [batch], recording)
    dataset = minari.load_dataset(NAME)
    metadata = list(dataset.storage.get_episode_metadata(dataset.episode_indices))
    found = set()
    for episode, said in zip(dataset, metadata):
        deal, table, seat = (int(said["options"][name]) for name in ("deal", "table", "seat"))
        rows = np.flatnonzero((batch.deals == deal) & (batch.tables == table))
        assert (batch.players[rows][batch.seats[rows] == seat] == episodes.LEARNER).all()
        others = rows[batch.seats[rows] != seat]
        play_again(episode, said["seed"], batch.actions[others].tolist(), **options)
        found.add((deal, table, seat))
    own = batch.players == episodes.LEARNER
    assert found == set(zip(batch.deals[own].tolist(), batch.tables[own].tolist(), batch.seats[own].tolist()))
    assert dataset.total_steps == own.sum()


def test_the_command_writes_a_dataset_that_names_its_environment(root):
    arguments = ("record", "expert", "greedy", "--deals", 3, "--format", "minari", NAME)
    done = banakil_command(*arguments, env={**os.environ, "MINARI_DATASETS_PATH": str(root)})
    assert done.returncode == 0, done.stderr
    dataset = minari.load_dataset(NAME)
    env = dataset.recover_environment()
    assert env.spec.id == "rummy/Banakil-v0"
    assert env.spec.kwargs["opponents"] == "greedy"
    assert env.observation_space.shape == dataset.observation_space.shape == (1000,)
    assert dataset.action_space == gymnasium.spaces.Discrete(799)
    assert [entry.name for entry in root.iterdir()] == ["banakil"]
    again = banakil_command(*arguments, env={**os.environ, "MINARI_DATASETS_PATH": str(root)})
    assert again.returncode == 1
    assert f"the Minari dataset {NAME} exists already" in again.stderr


def test_a_dataset_written_in_parts_is_one():
    recording = Recording(("greedy",), deals=6)
    (whole,) = batches(recording)
    other = Recording(("greedy",), deals=6, seeds=6)
    count = episodes.write(NAME, [whole, *batches(other)], recording)
    dataset = minari.load_dataset(NAME)
    assert (dataset.total_steps, dataset.total_episodes) == (count, 24)


def test_a_dataset_broken_off_leaves_nothing(root):
    recording = Recording(("greedy",), deals=2)

    def broken_off():
        yield from batches(recording)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        episodes.write(NAME, broken_off(), recording)
    assert list(root.iterdir()) == []
    assert os.environ["MINARI_DATASETS_PATH"] == str(root)


def test_a_name_that_is_none_is_refused():
    with pytest.raises(RecordingError, match="'a b' is not an id of a Minari dataset"):
        episodes.write("a b", [], Recording(("greedy",)))


@pytest.mark.parametrize(
    ("recording", "opponents"),
    [
        (Recording(("expert",)), "expert"),
        (Recording(("expert", "greedy"), num_players=4), ("greedy", "expert", "greedy")),
        (Recording(("expert", "greedy"), num_players=3), None),
        (Recording(("greedy", "somebody")), None),
    ],
    ids=str,
)
def test_whom_the_learner_met(recording, opponents):
    assert episodes.opponents(recording) == opponents
