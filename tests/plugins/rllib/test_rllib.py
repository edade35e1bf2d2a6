"""Does RLlib train on the environment? Legal actions only, every seat's reward, on a cluster too, into the arena."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from plugin_checks import ROUNDS, check_plays_in_the_arena, check_replay
from ray.cluster_utils import Cluster
from ray.rllib.connectors.env_to_module import FlattenObservations
from ray.rllib.core.columns import Columns

from banakil_env.agents import make_player
from banakil_env.agents.model import Network
from banakil_env.agents.network import NetworkPlayer
from banakil_env.bench import plugins
from banakil_env.bench.measure import Plan
from banakil_env.core.game import IllegalAction
from banakil_env.envs.rllib import TablesEnvRunner
from banakil_env.games import find
from train.plugins import rllib
from train.plugins.rllib import config, network_of

SMALL: dict[str, Any] = {"tables": 4, "steps": 64, "hidden": (16,), "seed": 1}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Cluster]:
    """Three machines of two processors each, all of them this one."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    for _ in range(2):
        cluster.add_node(num_cpus=2)
    cluster.connect()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def weights_of(network: Network) -> np.ndarray:
    return torch.cat([tensor.flatten() for tensor in network.state_dict().values()]).numpy()


def runner(**options: Any) -> TablesEnvRunner:
    return TablesEnvRunner(config=config(**{**SMALL, **options}))


# The batch engine -----------------------------------------------------------------------------------------------------


def test_samples_are_the_rounds_that_were_played() -> None:
    """Rounds put together from many samples are played again at a PettingZoo table, decision by decision."""
    env = runner(steps=16, **ROUNDS)
    env._deal()
    env._needs_initial_reset = False
    begun = env.tables.states.copy()
    first = [defaultdict(list) for _ in range(4)]  # of each table's first round, the chunks of each seat
    row_of: dict[str, tuple[int, int]] = {}
    while not (env.tables.controls["episodes"] >= 1).all():
        open_before = dict(env._ids)
        for chunk in env.sample():
            keys = [key for key, (identity, _) in {**open_before, **env._ids}.items() if identity == chunk.id_]
            row_of |= dict.fromkeys([chunk.id_], keys[0]) if keys else {}
            if chunk.id_ in row_of:
                row, seat = row_of[chunk.id_]
                assert chunk.get_infos(0)["seat"] == seat
                first[row][seat].append(chunk)
    for row in range(4):
        decisions, rewards = {}, {}
        for seat, chunks in first[row].items():
            chunks = [chunk for chunk in chunks if chunk.id_ == chunks[0].id_]
            assert [chunk.is_done for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
            decisions[seat], rewards[seat] = rows_of(chunks), sum(chunk.get_return() for chunk in chunks)
        assert check_replay(begun[row], decisions, rewards, **ROUNDS) > 30


def rows_of(chunks: list[Any]) -> list[Any]:
    rows = []
    for chunk, after in zip(chunks, [*chunks[1:], None]):
        seen = chunk.get_observations()
        assert (chunk.get_rewards()[:-1] == 0).all()
        rows += list(zip(zip(seen["observation"], seen["action_mask"]), chunk.get_actions().tolist()))
        if after is not None:  # what a chunk is valued by at its end is what the next one begins with
            np.testing.assert_array_equal(seen["observation"][-1], after.get_observations(0)["observation"])
            assert after.t_started == chunk.t
    return rows


def test_a_module_that_masks_nothing_is_found_out() -> None:
    """The environment is asked for every action as it was chosen: none is mended on the way."""
    env = runner()
    env.module.network.policy.bias.data[:] = torch.linspace(0, 50, len(env.module.network.policy.bias))
    env.sample()  # masked, nothing happens
    env.module._forward = lambda batch, **_: {
        Columns.ACTION_DIST_INPUTS: env.module.network.of_rows(batch["obs"]["observation"].numpy())[0]
    }
    with pytest.raises(IllegalAction):
        env.sample()


def test_connectors_that_would_be_passed_by_are_refused() -> None:
    changed = config(**SMALL).env_runners(env_to_module_connector=lambda env, spaces, device: FlattenObservations())
    with pytest.raises(ValueError, match="runs no connectors"):
        TablesEnvRunner(config=changed)


def test_env_runners_deal_different_cards_and_the_same_again() -> None:
    states = []
    for index in (1, 2, 1):
        env = TablesEnvRunner(config=config(**SMALL), worker_index=index)
        env._deal()
        states.append({state.tobytes() for state in env.tables.states})
    assert states[0] == states[2]
    assert not states[0] & states[1]


# RLlib's own PettingZooEnv --------------------------------------------------------------------------------------------


def test_rounds_through_pettingzoo_are_the_rounds_that_were_played() -> None:
    begun: dict[str, Any] = {}

    def keep(*, episode: Any, env: Any, env_index: int, **_: Any) -> None:
        begun[episode.id_] = env.envs[env_index].unwrapped.env.env.position

    algorithm = config(pettingzoo_env=True, **SMALL, **ROUNDS).callbacks(on_episode_start=keep).build_algo()
    for episode in algorithm.env_runner.sample(num_episodes=4):
        assert episode.is_done
        decisions, rewards = {}, {}
        for agent, chunk in episode.agent_episodes.items():
            seat = int(agent.removeprefix("player_"))
            seen = chunk.get_observations()
            decisions[seat] = list(zip(zip(seen["observation"], seen["action_mask"]), chunk.get_actions().tolist()))
            rewards[seat] = chunk.get_return()
        assert check_replay(begun[episode.id_], decisions, rewards, **ROUNDS) > 30
    algorithm.stop()


# Training -------------------------------------------------------------------------------------------------------------


def test_training_through_pettingzoo_changes_the_network() -> None:
    algorithm = config(pettingzoo_env=True, **SMALL).build_algo()
    before = weights_of(network_of(algorithm))
    algorithm.train()
    trained = network_of(algorithm)
    algorithm.stop()
    assert not np.array_equal(weights_of(trained), before)


def test_the_program_trains_and_its_agent_plays_in_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "init", lambda **_: None)  # the tests' cluster is there
    rllib.main(["--iterations", "2", "--tables", "4", "--out", str(tmp_path)])
    check_plays_in_the_arena(make_player(f"net:{tmp_path}"))


def test_runners_and_learners_on_a_cluster_share_one_network() -> None:
    algorithm = config(runners=2, learners=2, **SMALL).env_runners(num_cpus_per_env_runner=2).build_algo()
    before = weights_of(network_of(algorithm))
    result = algorithm.train()
    assert result["env_runners"]["num_env_steps_sampled"] == 2 * 4 * 64
    # A runner takes a whole machine's processors.
    nodes = algorithm.env_runner_group.foreach_env_runner(
        lambda env: ray.get_runtime_context().get_node_id(), local_env_runner=False
    )
    assert len(set(nodes)) == 2
    trained = weights_of(network_of(algorithm))
    assert not np.array_equal(trained, before)
    # In the words of RLlib only: the actors cannot import this file.
    learned = algorithm.learner_group.foreach_learner(
        lambda learner: next(iter(learner.get_state("rl_module")["rl_module"].values()))
    )
    played = algorithm.env_runner_group.foreach_env_runner(
        lambda env: env.get_state("rl_module")["rl_module"], local_env_runner=False
    )
    states = [*(one.get() for one in learned), *played]
    assert len(states) == 4
    for state in states:
        assert np.array_equal(np.concatenate([np.ravel(values) for values in state.values()]), trained)
    player = NetworkPlayer(network_of(algorithm))
    algorithm.stop()
    check_plays_in_the_arena(player)


def test_every_way_can_be_measured() -> None:
    rows, _ = plugins.tasks(find("banakil"))
    chosen = [task for task in rows if task.name.startswith("RLlib") and "256" not in task.name]
    assert len(chosen) == 3
    assert all(task.run(Plan(runs=1, seconds=0)).median > 0 for task in chosen)
