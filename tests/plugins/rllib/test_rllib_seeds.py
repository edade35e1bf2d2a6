"""Which deals does RLlib play? None twice, none of a neighbouring seed, and as many short rounds as long ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch
from first_views import GIN, check_seeds
from plugin_checks import short_table
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

from banakil_env.envs.rllib import TablesEnvRunner
from train.plugins.rllib import config

TABLES = 16
SMALL: dict[str, Any] = {"tables": TABLES, "steps": 64, "hidden": (8,)}
YANIV: dict[str, Any] = {"game": "yaniv", "num_players": 2}


def runner(seed: int, complete: bool = False, worker_index: int = 0, **options: Any) -> TablesEnvRunner:
    chosen = config(**SMALL, seed=seed, **options)
    if complete:
        chosen.env_runners(batch_mode="complete_episodes")
    return TablesEnvRunner(config=chosen, worker_index=worker_index)


def first_views(chunks: list[Any]) -> list[bytes]:
    """The first view of each seat's episode."""
    return [chunk.get_observations(0)["observation"].tobytes() for chunk in chunks if chunk.t_started == 0]


@pytest.mark.parametrize("complete", [False, True])
def test_neighbouring_seeds_share_no_deal(complete: bool) -> None:
    def views(seed: int) -> set[bytes]:
        env = runner(seed, complete, **GIN)
        return {view for _ in range(3) for view in first_views(env.sample())}

    check_seeds(views, 2 * TABLES)


def test_no_deal_comes_twice_in_samples_of_complete_episodes() -> None:
    """Four samples of 16 rounds each; two seats a round."""
    env = runner(1, complete=True, **YANIV)
    seen = Counter(view for _ in range(4) for view in first_views(env.sample()))
    assert seen.total() == 4 * TABLES * 2
    assert max(seen.values()) == 1


@pytest.mark.parametrize("episodes", [1, 16, 40])
def test_a_number_of_episodes_is_shared_out_evenly_and_complete(episodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    env, rows = runner(1, **YANIV), []
    end = env._end

    def listened(row: int, step: int) -> Any:
        rows.append(row)
        return end(row, step)

    monkeypatch.setattr(env, "_end", listened)
    chunks = env.sample(num_episodes=episodes)
    assert all(chunk.is_done and chunk.t_started == 0 for chunk in chunks)
    assert len({chunk.id_ for chunk in chunks}) == len(chunks) == 2 * episodes
    shares = np.bincount(rows, minlength=TABLES)
    assert shares.sum() == episodes
    assert shares.max() - shares.min() <= 1
    assert env.metrics.peek("num_env_steps_sampled", compile=True) == sum(len(chunk) for chunk in chunks)
    assert env.metrics.peek("num_episodes", compile=True) == episodes


def test_few_episodes_are_as_long_as_many() -> None:
    """The first rounds of 16 tables, counted in one sample of 16 and as the first of each table in one of 64."""
    few, many = runner(1, **YANIV), runner(1, **YANIV)
    lengths: dict[str, list[int]] = {}
    for name, env, episodes in (("few", few, TABLES), ("many", many, 4 * TABLES)):
        lengths[name] = [0] * TABLES
        end = env._end

        def first(row: int, step: int, env: Any = env, end: Any = end, kept: Any = lengths[name]) -> Any:
            kept[row] = kept[row] or int(env.tables.controls["length"][row])
            return end(row, step)

        env._end = first
        torch.manual_seed(0)
        env.sample(num_episodes=episodes, random_actions=True)
    assert lengths["few"] == lengths["many"]
    assert min(lengths["few"]) * 3 < max(lengths["few"])  # by the first to end, half of them would be missing


def test_no_episode_asked_for() -> None:
    assert runner(1, **YANIV).sample(num_episodes=0) == []


def test_runners_of_pettingzoo_tables_share_no_deals() -> None:
    """RLlib gives environment i of runner w the seed s + w + i."""

    def views(seed: int) -> set[bytes]:
        found = set[bytes]()
        for worker in (1, 2):
            settings = {**SMALL, "tables": 4, "seed": seed}
            env = MultiAgentEnvRunner(config=config(pettingzoo_env=True, **settings, **GIN), worker_index=worker)
            episodes = env.sample(num_episodes=4)
            own = {
                chunk.get_observations(0)["observation"].tobytes()
                for episode in episodes
                for chunk in episode.agent_episodes.values()
            }
            assert not own & found
            found |= own
        return found

    check_seeds(views, 8)


@pytest.mark.parametrize("truncates", [False, True])
def test_a_limit_terminates_an_episode(truncates: bool) -> None:
    chunks = runner(1, **short_table("rummy"), truncate_at_limit=truncates).sample(num_episodes=TABLES)
    assert all(chunk.is_terminated != chunk.is_truncated for chunk in chunks)
    assert any(chunk.is_truncated for chunk in chunks) == truncates
