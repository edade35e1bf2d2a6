"""A trainer with Stable-Baselines3: MaskablePPO of sb3-contrib over the batch of tables.

The learner has one seat at every table and the environment moves the others, so it learns from losses as well as from
wins. `fast_ppo.py` does the same work in a tenth of the time; this trainer is for people who know Stable-Baselines3 and
want to change a part of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from banakil_env.envs.sb3 import TablesVecEnv
from train.checkpoint import Checkpoint
from train.config import CLIP, GAMMA, MAX_GRAD_NORM, SELF, Config, ConfigError
from train.policy import BooleanMaskBuffer, NetworkPolicy
from train.progress import Display
from train.run import Run, device_of, first_network


class ScaledTables(TablesVecEnv):
    """Tables whose rewards are multiplied by a factor."""

    def __init__(self, *args: Any, scale: float, **options: Any) -> None:
        self._scale = np.float32(scale)
        super().__init__(*args, **options)

    def step_wait(self) -> Any:
        """Wait for the step that was started; returns what `TablesVecEnv` returns, with the rewards multiplied."""
        observations, payoffs, dones, infos = super().step_wait()
        payoffs *= self._scale
        return observations, payoffs, dones, infos


class _Trainer(MaskablePPO):
    """MaskablePPO whose learning rate follows the run's budget of steps or seconds."""

    policy: NetworkPolicy
    done: Any = None

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        self._current_progress_remaining = 1.0 - self.done()


class SB3Run(Run):
    """A run of MaskablePPO; see `Run`.

    Raises:
        ConfigError: a setting that only the other trainers support.
    """

    method = "MaskablePPO"

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        if SELF in config.pool.players or config.imitation.decisions or config.network.advice:
            raise ConfigError(
                f"{config.name}: playing every seat ({SELF!r} in pool.players), imitation and advice are for the "
                f"trainer 'fast'; with 'sb3' set pool.players to rule-based players and 'past', imitation.decisions "
                f"to 0 and network.advice to null"
            )
        if config.optimizer.average:
            raise ConfigError(f"{config.name}: optimizer.average is for the trainer 'fast'; with 'sb3' set it to 0")
        super().__init__(config, folder, tensorboard)
        rollout, optimizer, ppo = config.rollout, config.optimizer, config.ppo
        self.env = ScaledTables(
            rollout.tables,
            opponents=self.past.others or "random",
            reward=config.reward.kind,
            scale=config.reward.scale,
            observation="record",  # the input of the network
            copy=False,  # SB3's buffers make copies
            game=config.game,
            **config.learned_at,
        )
        self.model = _Trainer(
            NetworkPolicy,
            self.env,
            learning_rate=self.learning_rate,
            n_steps=rollout.steps,
            batch_size=optimizer.batch,
            n_epochs=optimizer.epochs,
            gamma=GAMMA,
            gae_lambda=ppo.gae_lambda,
            clip_range=CLIP,
            ent_coef=ppo.entropy,
            vf_coef=optimizer.value_weight,
            max_grad_norm=MAX_GRAD_NORM,
            rollout_buffer_class=BooleanMaskBuffer,
            policy_kwargs={
                "game": config.game,
                "shape": config.network,
                "seed": config.seed,
                "optimizer_kwargs": {"eps": 1e-5, "fused": True},
            },
            seed=config.seed,
            device=device_of(config.device),
        )
        self.model.set_logger(Logger(None, []))
        self.model.done = self.done
        self.model.policy.network.load_state_dict(first_network(config).state_dict())
        self.network, self.optimizer = self.model.policy.network, self.model.policy.optimizer
        self.tables = [self.env.tables]
        self.env.reset()  # also compiles, before the time counts
        if start:
            self.model.num_timesteps = start.progress.steps
        else:
            self.model.set_random_seed(config.seed)
        self.start(start)

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        return self.model.num_timesteps

    def learn(self, display: Display) -> None:
        """Train with MaskablePPO until the run is done; a callback calls `between` before each rollout."""
        left = (self.config.steps or 2**62) - self.steps  # Stable-Baselines3 adds its current number of steps to this
        self.model.learn(left, callback=_Conductor(self, display), reset_num_timesteps=False)


class _Conductor(BaseCallback):
    """A callback of Stable-Baselines3 that calls `Run.between` before each rollout, and shows the progress."""

    def __init__(self, run: SB3Run, display: Display) -> None:
        super().__init__()
        self._run, self._display = run, display
        self._last = False

    def _on_rollout_start(self) -> None:
        run, said = self._run, self.model.logger.name_to_value
        if "train/entropy_loss" in said:
            figures = {name: float(said[f"train/{name}"]) for name in ("clip_fraction", "explained_variance")}
            run.log(entropy=-float(said["train/entropy_loss"]), **figures)
        self._last = run.between(self._display)
        run.env.set_opponents(run.past.opponents(run.steps))

    def _on_step(self) -> bool:
        if self._last:
            return False
        if self.n_calls % 16 == 0:
            self._display.show(self._run.done(), self.num_timesteps, self._run.seconds(), None)
        return True
