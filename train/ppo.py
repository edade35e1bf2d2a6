"""How is an agent trained? MaskablePPO of sb3-contrib over the batch of tables, against a pool of opponents.

    python -m train.ppo --recipe banakil-2p                     # into runs/banakil-2p; again: goes on where it was
    python -m train.ppo --recipe demo --seconds 60 --set ppo.learning_rate=3e-4 --out runs/try
    tensorboard --logdir runs                                   # with --tensorboard

A learner sits at every table and the others are moved inside, so that it learns from its losses as from its wins. The
folder of a run holds config.json, checkpoint.safetensors, agent.safetensors (`ppo:FOLDER` plays it), curve.json and
curve.png. A run that was killed goes on from its last checkpoint, at the rollout after which it was written.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, configure

from agents.features import Network
from agents.network import FILE as AGENT_FILE
from agents.network import save_agent, write_whole
from banakil_env.envs.sb3 import TablesVecEnv
from train import checkpoint as checkpoints
from train.checkpoint import Checkpoint, CheckpointError, Progress
from train.config import RECIPES, Config, ConfigError, recipe, with_
from train.curve import Point, draw, standings
from train.policy import BooleanMaskBuffer, NetworkPolicy
from train.pool import PastSelves
from train.progress import Display


class ScaledTables(TablesVecEnv):
    """The tables, their rewards times a number."""

    def __init__(self, *args: Any, scale: float, **options: Any) -> None:
        self._scale = np.float32(scale)
        super().__init__(*args, **options)

    def step_wait(self) -> Any:
        """As in `TablesVecEnv`."""
        observations, payoffs, dones, infos = super().step_wait()
        payoffs *= self._scale
        return observations, payoffs, dones, infos


class _Trainer(MaskablePPO):
    """MaskablePPO whose learning rate follows the run's own budget, of steps or of seconds."""

    progress: Any = None

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        self._current_progress_remaining = 1.0 - self.progress()


class Run:
    """One run, from its configuration or from a checkpoint of it.

    Args:
        config: what to do; of a run that goes on it may differ in its end only.
        folder: where everything is written.
        start: the checkpoint to go on from.
        tensorboard: write what TensorBoard shows, too.
    """

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.folder = config, folder
        self.progress = start.progress if start else Progress()
        self.past = PastSelves(config.pool, config.seed)
        ppo = config.ppo
        self.env = ScaledTables(
            ppo.tables,
            opponents=[name for name in config.pool.players if name != "past"] or "random",
            reward=config.reward.kind,
            scale=config.reward.scale,
            **dataclasses.asdict(config.table),
        )
        self.model = _Trainer(
            NetworkPolicy,
            self.env,
            learning_rate=lambda left: ppo.learning_rate * (ppo.final_rate + (1 - ppo.final_rate) * max(left, 0.0)),
            n_steps=ppo.steps,
            batch_size=ppo.batch,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value,
            max_grad_norm=ppo.max_grad_norm,
            rollout_buffer_class=BooleanMaskBuffer,
            policy_kwargs={
                "shape": config.network,
                "seed": config.seed,
                "optimizer_kwargs": {"eps": 1e-5, "fused": True},
            },
            seed=config.seed,
            device=config.device,
        )
        self.model.set_logger(
            configure(str(folder / "tensorboard"), ["tensorboard"]) if tensorboard else Logger(None, [])
        )
        self.model.progress = self.done
        self.env.reset()  # and compile, before the time counts
        if start:
            checkpoints.restore(start, self.network, self.model.policy.optimizer, self.past, self.env.tables)
            self.model.num_timesteps = start.progress.steps
        else:
            self.model.set_random_seed(config.seed)
        standings(self.network, dataclasses.replace(config, evaluation=dataclasses.replace(config.evaluation, deals=1)))
        self._begun = time.monotonic() - self.progress.seconds

    @property
    def network(self) -> Network:
        """The network that learns."""
        network = self.model.policy.network
        assert isinstance(network, Network)
        return network

    def seconds(self) -> float:
        """Of wall time since the start, over all parts of the run."""
        return time.monotonic() - self._begun

    def done(self) -> float:
        """How much of the budget is spent, 0 to 1 and beyond."""
        steps = self.model.num_timesteps / self.config.steps if self.config.steps else 0.0
        seconds = self.seconds() / self.config.seconds if self.config.seconds else 0.0
        return max(steps, seconds)

    def train(self, display: Display | None = None) -> Progress:
        """Train to the end of the budget, and write the agent, the curve and its picture; the progress."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / "config.json", self.config.to_json().encode())
        with display or Display(self.config, sys.stderr) as shown:
            if self.done() < 1:
                left = (self.config.steps or 2**62) - self.model.num_timesteps  # it counts from where it is
                self.model.learn(left, callback=_Conductor(self, shown), reset_num_timesteps=False)
            self.evaluate(shown)
        self.write_checkpoint()
        self.write_agent()
        return self.progress

    def evaluate(self, display: Display) -> None:
        """Add a point to the curve, unless there is one at these steps."""
        steps = self.model.num_timesteps
        if self.progress.points and self.progress.points[-1].steps == steps:
            return
        said = self.model.logger.name_to_value
        entropy = said.get("train/entropy_loss")
        self.progress.points.append(
            Point(
                steps,
                round(self.seconds(), 2),
                standings(self.network, self.config),
                None if entropy is None else -float(entropy),
                *(_number(said.get(f"train/{name}")) for name in ("clip_fraction", "explained_variance")),
            )
        )
        display.show(self.done(), steps, self.seconds(), self.progress.points[-1])
        for standing in self.progress.points[-1].standings:
            self.model.logger.record(f"evaluation/points_{standing.opponent}", standing.margin)

    def write_checkpoint(self) -> None:
        """Write all that is needed to go on from here."""
        self.progress.steps, self.progress.seconds = self.model.num_timesteps, self.seconds()
        path = self.folder / checkpoints.FILE
        optimizer = self.model.policy.optimizer
        checkpoints.write(path, self.config, self.progress, self.network, optimizer, self.past, self.env.tables)

    def write_agent(self) -> None:
        """Write the agent, and the curve as numbers and as a picture."""
        points = [dataclasses.asdict(point) for point in self.progress.points]
        about = {
            "config": dataclasses.asdict(self.config),
            "steps": self.model.num_timesteps,
            "seconds": round(self.seconds(), 1),
            "last": points[-1],
        }
        save_agent(self.folder / AGENT_FILE, self.network, about)
        write_whole(self.folder / "curve.json", (json.dumps(points, indent=1) + "\n").encode())
        opponents = ", ".join(dict.fromkeys(self.config.pool.players))
        title = f"{self.config.name}: MaskablePPO, learning from games with {opponents}"
        draw(self.progress.points, self.folder / "curve.png", title)


def _number(value: Any) -> float | None:
    """As JSON takes it: no NaN, as the explained variance of returns that are all alike is."""
    return None if value is None or not np.isfinite(value) else float(value)


class _Conductor(BaseCallback):
    """What is done between two rollouts: evaluate, keep a past self, seat the opponents, write a checkpoint, stop."""

    def __init__(self, run: Run, display: Display) -> None:
        super().__init__()
        self._run, self._display = run, display
        self._saved = self._rollout = run.seconds()
        times = run.config.evaluation.times
        marks = [number / (times + 1) for number in range(times + 1)]
        self._marks = [mark for mark in marks if mark >= run.done() or not run.progress.points]
        self._last = False

    def _on_rollout_start(self) -> None:
        run, steps = self._run, self.num_timesteps
        if self._marks and run.done() >= self._marks[0]:
            run.evaluate(self._display)
            self._marks = [mark for mark in self._marks if mark > run.done()]
        if run.past.due(steps):
            run.past.keep(steps, run.network)
        run.env.set_opponents(run.past.opponents(steps))
        now = run.seconds()
        if now - self._saved >= run.config.checkpoint_seconds:
            run.write_checkpoint()
            run.write_agent()
            self._saved = now
        # A rollout that would end after the time is up by more than half of it is not begun.
        took, self._rollout = now - self._rollout, now
        self._last = run.config.seconds is not None and now + took / 2 >= run.config.seconds and steps > 0

    def _on_step(self) -> bool:
        if self._last:
            return False
        if self.n_calls % 16 == 0:
            run = self._run
            self._display.show(run.done(), self.num_timesteps, run.seconds(), None)
        return True


def go_on(folder: Path, config: Config | None = None, tensorboard: bool = False) -> Run:
    """The run of a folder, from its last checkpoint.

    Args:
        config: what it should be; it may differ from what it was in its end only. None: as it was.

    Raises:
        CheckpointError: there is none, or it is of another run.
    """
    start = checkpoints.read(folder / checkpoints.FILE)
    if config is None:
        config = start.config
    if dataclasses.replace(start.config, seconds=config.seconds, steps=config.steps) != config:
        raise CheckpointError(
            f"the run in {folder} has another configuration than the one asked for (see config.json there): "
            f"give another --out, or --resume to go on with its own"
        )
    return Run(config, folder, start, tensorboard)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    options = _parser().parse_args(arguments)
    folder = Path(options.out or f"runs/{options.recipe}")
    try:
        changes = dict(_change(text) for text in options.set)
        changes |= {
            name: value for name in ("seconds", "steps", "seed") if (value := getattr(options, name)) is not None
        }
        config = with_(recipe(options.recipe), changes)
        if options.resume:
            run = go_on(folder, None, options.tensorboard)
        elif (folder / checkpoints.FILE).is_file():
            run = go_on(folder, config, options.tensorboard)
        else:
            run = Run(config, folder, None, options.tensorboard)
        progress = run.train()
    except (ConfigError, CheckpointError, OSError) as error:
        print(f"train.ppo: {error}", file=sys.stderr)
        return 1
    for standing in progress.points[-1].standings:
        print(
            f"against {standing.opponent}: {standing.margin:+.2f} ± {standing.half_width:.2f} points a deal, "
            f"{standing.win:.1%} of tables won"
        )
    print(f"{progress.steps:,} decisions in {progress.seconds / 60:.1f} minutes")
    print(f"let it play: banakil arena ppo:{folder} greedy")
    return 0


def _change(text: str) -> tuple[str, Any]:
    path, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set takes PATH=VALUE, such as ppo.learning_rate=3e-4, not {text!r}")
    try:
        return path, json.loads(value)
    except json.JSONDecodeError:
        return path, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m train.ppo", description="Train an agent with MaskablePPO.")
    parser.add_argument("--recipe", choices=RECIPES, default="banakil-2p", help="the configuration to begin with")
    parser.add_argument("--out", help="folder of the run (default: runs/RECIPE); one that holds a checkpoint goes on")
    parser.add_argument("--resume", action="store_true", help="go on with the configuration that the folder holds")
    parser.add_argument("--seconds", type=float, help="end after so much wall time")
    parser.add_argument("--steps", type=int, help="end after so many decisions")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="change one value")
    parser.add_argument("--tensorboard", action="store_true", help="write the log that TensorBoard shows")
    return parser


if __name__ == "__main__":
    sys.exit(main())
