"""Do PettingZoo's and Gymnasium's own recorders make videos of a game?"""

from __future__ import annotations

from pathlib import Path

import gymnasium
import gymnasium.wrappers.vector
import numpy as np
import pettingzoo
import pytest
from gymnasium.wrappers import RecordVideo
from pettingzoo.utils import wrappers

import banakil_env  # noqa: F401
from banakil_env.envs.pictures import FRAME

pytestmark = pytest.mark.filterwarnings("ignore:.*Overwriting existing videos")


def size_of(folder: Path) -> tuple[int, int]:
    """Width and height of the one video in a folder."""
    from moviepy import VideoFileClip

    (file,) = folder.glob("*.mp4")
    with VideoFileClip(str(file)) as video:
        assert video.duration > 0
        return tuple(video.size)


def test_pettingzoos_recorder(tmp_path: Path) -> None:
    env = pettingzoo.make("aec", "rummy/yaniv-v0", render_mode="rgb_array")
    recorder = wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    recorder.reset(seed=1)
    for _ in range(6):
        recorder.step(int(recorder.observe(recorder.agent_selection)["action_mask"].argmax()))
    recorder.close()
    assert size_of(tmp_path) == FRAME


def test_gymnasiums_recorder(tmp_path: Path) -> None:
    env = gymnasium.make("rummy/Yaniv-v0", render_mode="rgb_array")
    recorder = RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    _, info = recorder.reset(seed=1)
    for _ in range(4):
        *_, terminated, truncated, info = recorder.step(np.int64(info["action_mask"].argmax()))
        if terminated or truncated:
            break
    recorder.close()
    assert size_of(tmp_path) == FRAME


def test_gymnasiums_recorder_of_many_tables(tmp_path: Path) -> None:
    env = gymnasium.make_vec("rummy/Yaniv-v0", 2, render_mode="rgb_array")
    recorder = gymnasium.wrappers.vector.RecordVideo(env, str(tmp_path), video_length=3)
    recorder.reset(seed=1)
    for _ in range(4):
        recorder.step(env.unwrapped.tables.masks.argmax(axis=1))
    recorder.close()
    assert size_of(tmp_path)[0] >= FRAME[0]
