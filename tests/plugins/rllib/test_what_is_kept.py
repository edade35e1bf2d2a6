"""Is what RLlib gets from the batch its own? Every sample is kept, and compared after many others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import ray
from kept_things import Kept
from ray.rllib.core.columns import Columns

from banakil_env.envs.rllib import TablesEnvRunner
from train.plugins.rllib import config


@pytest.fixture(scope="module", autouse=True)
def rays() -> Iterator[None]:
    ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True)
    yield
    ray.shutdown()


@pytest.mark.parametrize("how", [{"num_timesteps": 64}, {"num_episodes": 4}], ids=str)
def test_samples_stay_as_they_were(how: dict[str, Any]) -> None:
    options = {"game": "rummy", "rules": "denexa max_turns=12"}
    runner = TablesEnvRunner(config=config(tables=4, steps=64, hidden=(16,), seed=1, **options))
    kept, done = Kept(), 0
    for _ in range(12):
        for episode in runner.sample(**how, explore=True):
            count = len(episode)
            kept.keep(
                episode.get_observations(slice(0, count + 1)),
                np.asarray(episode.get_actions()),
                np.asarray(episode.get_rewards()),
                list(episode.get_infos(slice(0, count + 1))),
                np.asarray(episode.get_extra_model_outputs(Columns.ACTION_LOGP)),
                [episode.id_, episode.is_terminated, episode.is_truncated],
            )
            done += episode.is_done
    assert done > 4
    kept.check(12)
