"""Ray RLlib on thousands of tables at once: an env runner that steps `Tables` with one forward pass per step.

RLlib's `PettingZooEnv` steps every table, and records its episode, in Python. `TablesEnvRunner` replaces RLlib's env
runner. All tables are one array, the module is called once for all of them, and the observations and actions of each
seat are converted to a `SingleAgentEpisode` when a sample is returned.

    PPOConfig().environment("banakil", env_config={"num_players": 4}, observation_space=..., action_space=...)
    config.env_runners(env_runner_cls=TablesEnvRunner, num_envs_per_env_runner=256)

One module plays all seats (`config.multi_agent` is not used). It gets `{"observation": uint8, "action_mask": int8}` and
must mask its own logits, like every module for a game with illegal moves. Connectors between environment and module are
not run.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from banakil_env.core.game import Game
from banakil_env.core.install import libraries_of
from banakil_env.envs.forms import RECORD, observation_space
from banakil_env.envs.vector import Tables
from banakil_env.games import DEFAULT_GAME, find

with libraries_of("rllib", "banakil_env.envs.rllib"):
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.env.env_context import EnvContext
    from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
    from ray.rllib.env.single_agent_episode import SingleAgentEpisode
    from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

Rows = dict[str, npt.NDArray[Any]]  # columns of consecutive decisions of one seat, by name


def seat_space(game: str | Game = DEFAULT_GAME) -> spaces.Dict:
    """The observation space of a seat: `observation`, uint8, and `action_mask`, int8 with 1 for a legal action."""
    found = find(game)
    return spaces.Dict(
        {
            "observation": observation_space(found, RECORD),
            "action_mask": spaces.Box(0, 1, (found.num_actions,), np.int8),
        }
    )


class _Seats(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """The attributes of an environment that RLlib reads; the runner steps the tables itself."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.num_envs = tables.num_tables
        self.single_observation_space = seat_space(tables.game)
        self.single_action_space = spaces.Discrete(tables.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)


@dataclass(frozen=True)
class _End:
    """The end of an episode at a table.

    `step` is the index of its last step in the sample; `rewards` and `finals` are the reward and the last observation
    by seat.
    """

    step: int
    terminated: bool
    rewards: npt.NDArray[np.float32]
    finals: list[npt.NDArray[np.uint8]]


class TablesEnvRunner(SingleAgentEnvRunner):
    """RLlib's env runner on the batch engine: self-play at `num_envs_per_env_runner` tables, all seats by one module.

    `env_config` contains the options of `Tables` (num_players, rules, reward, truncate_at_limit, threads, ...). The
    name of the environment is ignored. `config.seed` determines the deals of each env runner; no two runners and no two
    seeds share a deal. Each table is dealt from its seed once, and all later episodes continue from its generator.

    A sample of a number of episodes (an evaluation, or `batch_mode="complete_episodes"`) begins with new deals and
    contains exactly that number, shared evenly among the tables. Otherwise tables with short episodes would finish
    first, and the mean length and return would be those of short episodes.

    The decisions of each seat are a separate episode, with the seat in its infos. Its reward is given with its last
    decision, for losers too. If a sample ends in the middle of an episode, the last decision of a seat that has not
    moved again is kept for the next sample. Metrics of episodes are those of the tables: the length in decisions of all
    seats, and the return of seat 0.

    Raises:
        ValueError: the configuration names connectors between environment and module, which are not run here.
    """

    def make_env(self) -> None:
        """Create the tables; RLlib calls this method."""
        if self.config._env_to_module_connector or self.config._module_to_env_connector:
            raise ValueError(
                "TablesEnvRunner calls the module directly and runs no connectors between environment and module: "
                "remove env_to_module_connector and module_to_env_connector, or use PettingZooEnv"
            )
        options = self.config.env_config
        options = {**options} if isinstance(options, EnvContext) else dict(options or {})
        self.num_envs = self.config.num_envs_per_env_runner
        self.tables = Tables(self.num_envs, autoreset=AutoresetMode.SAME_STEP, **options)
        self.env = _Seats(self.tables)
        self._waiting: dict[tuple[int, int], Rows] = {}  # the last decisions, whose results are not known yet
        self._ids: dict[
            tuple[int, int], tuple[str, int]
        ] = {}  # of unfinished episodes: their id, and the number of decisions returned
        self._begun = np.zeros(self.num_envs)
        self._seeded = False  # whether the tables have been dealt from the seed
        self._needs_initial_reset = True

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[SingleAgentEpisode]:
        """Play a number of decisions, or of whole episodes. Returns the episodes whose results are known.

        The arguments are those of RLlib's method `sample`.
        """
        left = None if num_episodes is None else _shared_out(num_episodes, self.num_envs)
        if force_reset or num_episodes is not None or self._needs_initial_reset:
            self._deal()
        self._needs_initial_reset = num_episodes is not None
        tables, sample = self.tables, _Sample(self.num_envs)
        steps = episodes = 0
        counted = np.ones(self.num_envs, np.bool_)  # tables whose decisions belong to the sample
        while left.any() if left is not None else steps < (num_timesteps or 0):
            # A table that has played its episodes is stepped like the others, but its decisions are ignored.
            counted = counted if left is None else left > 0
            seen = {"observation": tables.observations.copy(), "action_mask": tables.masks.copy()}
            decided = self._decide(seen, explore, random_actions)
            sample.add({"seat": tables.seats.copy(), **seen, **decided})
            tables.step(decided[Columns.ACTIONS])
            for row in np.flatnonzero((tables.terminations | tables.truncations) & counted):
                sample.ends[row].append(self._end(int(row), len(sample) - 1))
                episodes += 1
                if left is not None:
                    left[row] -= 1
            steps += int(counted.sum())
        self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=steps)
        self._increase_sampled_metrics(steps, episodes)
        return list(self._episodes(sample, unfinished=left is None)) if len(sample) else []

    def _deal(self) -> None:
        """Deal at every table: the first time from the seed of this env runner, later from the tables' generators."""
        seed = None
        if self._seed is not None and not self._seeded:
            entropy = [self.config.seed, self.worker_index or 0, int(self.config.in_evaluation)]
            seed = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))
        self.tables.reset(seed)
        self._seeded = True
        self._waiting.clear()
        self._ids.clear()
        self._begun[:] = time.perf_counter()

    def _decide(self, seen: Rows, explore: bool, random_actions: bool) -> Rows:
        """The module's action for each table, and the other outputs that the learner needs."""
        batch = {Columns.OBS: {name: torch.from_numpy(column).to(self._device) for name, column in seen.items()}}
        with torch.inference_mode():
            output = self.module.forward_exploration(batch) if explore else self.module.forward_inference(batch)
            logits = output[Columns.ACTION_DIST_INPUTS]
            distribution = self.module.get_exploration_action_dist_cls().from_logits(logits)
            if random_actions:
                actions = torch.multinomial(torch.from_numpy(seen["action_mask"]).float(), 1).squeeze(1)
            else:
                actions = (distribution if explore else distribution.to_deterministic()).sample()
            chances = distribution.logp(actions)
        return {
            Columns.ACTIONS: actions.cpu().numpy().astype(np.int64, copy=False),
            Columns.ACTION_LOGP: chances.cpu().numpy(),
            Columns.ACTION_DIST_INPUTS: logits.cpu().numpy(),
        }

    def _end(self, row: int, step: int) -> _End:
        """The result of the episode that has just ended in a row; its metrics are logged."""
        tables, now = self.tables, time.perf_counter()
        seats = int(tables.seats_at[row])
        rewards = tables.rewards[row, :seats].copy()
        self._log_episode_metrics(int(tables.controls["length"][row]), float(rewards[0]), now - self._begun[row])
        self._begun[row] = now
        finals = [tables.final_observation(row, seat) for seat in range(seats)]
        return _End(step, bool(tables.terminations[row]), rewards, finals)

    def _episodes(self, sample: _Sample, unfinished: bool) -> Iterator[SingleAgentEpisode]:
        """The decisions of each seat in each episode of the sample, as far as their results are known.

        Args:
            sample: the steps.
            unfinished: whether to include episodes that continue in the next sample.
        """
        sample.finish()
        for row in range(self.num_envs):
            for seat in range(int(self.tables.seats_at[row])):
                for end, rows in sample.parts(row, seat, self._waiting.pop((row, seat), None)):
                    if end is not None:
                        yield self._episode(row, seat, rows, end.finals[seat], end)
                    elif not unfinished:
                        continue
                    elif self.tables.seats[row] == seat:
                        yield self._episode(row, seat, rows, self.tables.observations[row], None)
                    else:
                        self._waiting[row, seat] = {name: column[-1:].copy() for name, column in rows.items()}
                        if len(rows[Columns.ACTIONS]) > 1:
                            known = {name: column[:-1] for name, column in rows.items()}
                            yield self._episode(
                                row, seat, known, rows["observation"][-1], None, rows["action_mask"][-1]
                            )

    def _episode(
        self,
        row: int,
        seat: int,
        rows: Rows,
        last: npt.NDArray[np.uint8],
        end: _End | None,
        legal: npt.NDArray[np.int8] | None = None,
    ) -> SingleAgentEpisode:
        """The decisions of one seat in one episode, in RLlib's form.

        Args:
            row: the row of the table.
            seat: the seat.
            rows: the decisions.
            last: the observation after the last decision.
            end: the end of the episode; None: it is not over.
            legal: the legal actions at the last observation; None: those of the table. After the end there are none.
        """
        count = len(rows[Columns.ACTIONS])
        identity, before = self._ids.pop((row, seat), (uuid.uuid4().hex, 0))
        rewards = np.zeros(count, np.float32)
        if end is not None:
            rewards[-1] = end.rewards[seat]
            legal = np.zeros_like(rows["action_mask"][0])
        else:
            self._ids[row, seat] = identity, before + count
            legal = self.tables.masks[row] if legal is None else legal
        seen = {
            "observation": np.concatenate([rows["observation"], last[None]]),
            "action_mask": np.concatenate([rows["action_mask"], legal[None]]),
        }
        return SingleAgentEpisode(
            identity,
            observations=_buffer(seen),
            actions=_buffer(rows[Columns.ACTIONS]),
            rewards=_buffer(rewards),
            infos=[{"seat": seat}] * (count + 1),
            extra_model_outputs={
                name: _buffer(rows[name]) for name in (Columns.ACTION_LOGP, Columns.ACTION_DIST_INPUTS)
            },
            terminated=end is not None and end.terminated,
            truncated=end is not None and not end.terminated,
            t_started=before,
            len_lookback_buffer=0,
        )


class _Sample:
    """The steps of all tables, and the ends of their episodes."""

    def __init__(self, tables: int) -> None:
        self._steps: list[Rows] = []
        self._columns: Rows = {}
        self.ends: list[list[_End]] = [[] for _ in range(tables)]

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: Rows) -> None:
        """Add the observation, action and seat of each table, in arrays that are not overwritten."""
        self._steps.append(step)

    def finish(self) -> None:
        """Stack the columns after all steps have been added."""
        self._columns = {name: np.stack([step[name] for step in self._steps]) for name in self._steps[0]}

    def parts(self, row: int, seat: int, waiting: Rows | None) -> Iterator[tuple[_End | None, Rows]]:
        """The decisions of a seat at a table, one part per episode, each with its end if known.

        `waiting` is the decision that was left over from the sample before; it comes first.
        """
        steps = np.flatnonzero(self._columns["seat"][:, row] == seat)
        first = 0
        for end in (*self.ends[row], None):
            last = len(steps) if end is None else int(np.searchsorted(steps, end.step, "right"))
            rows = {name: column[steps[first:last], row] for name, column in self._columns.items()}
            if waiting is not None:
                rows = {name: np.concatenate([waiting[name], column]) for name, column in rows.items()}
            if len(rows["seat"]):
                yield end, rows
            first, waiting = last, None


def _shared_out(episodes: int, tables: int) -> npt.NDArray[np.int64]:
    """The number of episodes that each table plays, int64 (tables,).

    The numbers differ by at most 1; the first tables have the larger ones.
    """
    return episodes // tables + (np.arange(tables) < episodes % tables)


def _buffer(data: Any) -> InfiniteLookbackBuffer:
    return InfiniteLookbackBuffer(data, lookback=0)
