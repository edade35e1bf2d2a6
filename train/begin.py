"""Starts a run with the trainer that its configuration names, or continues it from its last checkpoint."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from banakil_env.arena.options import TableOptions
from banakil_env.core.playouts import outcomes
from banakil_env.envs.vector import Tables
from train import checkpoint as checkpoints
from train.checkpoint import Checkpoint, CheckpointError
from train.config import UNITS, Config
from train.run import Run

UNIT_DEALS, UNIT_SEED = 2000, 2**61  # deals for measuring a reward's unit: training deals, the same for every run


def make_run(config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False) -> Run:
    """Create a run of the trainer that the configuration names.

    A reward without a unit gets one first, which is stored in the run's configuration. Raises ConfigError if the
    trainer does not support the configuration.
    """
    if config.reward.unit is None:
        unit = unit_of(config.table, config.reward.kind)
        config = dataclasses.replace(config, reward=dataclasses.replace(config.reward, unit=unit))
    if config.trainer == "sb3":
        from train.sb3_ppo import SB3Run  # imported here, since Stable-Baselines3 is optional

        return SB3Run(config, folder, start, tensorboard)
    if config.trainer == "aggrevate":
        from train.aggrevate import AggrevateRun

        return AggrevateRun(config, folder, start, tensorboard)
    from train.fast_ppo import FastRun

    return FastRun(config, folder, start, tensorboard)


def go_on(folder: Path, config: Config | None = None, tensorboard: bool = False) -> Run:
    """Continue the run in a folder from its last checkpoint.

    Args:
        folder: the folder of the run.
        config: the configuration; only its end (`seconds`, `steps`) and `workers` can differ from the checkpoint's.
            None: the checkpoint's.
        tensorboard: whether to write the log for TensorBoard.

    Raises:
        CheckpointError: there is no checkpoint, or it belongs to another run.
    """
    start = checkpoints.read(folder / checkpoints.FILE)
    if config is None:
        config = start.config
    if config.reward.unit is None and config.reward.kind == start.config.reward.kind:
        config = dataclasses.replace(config, reward=start.config.reward)  # the unit was measured when the run began
    same = dataclasses.replace(start.config, seconds=config.seconds, steps=config.steps, workers=config.workers)
    if same != config:  # other values differ than those that are allowed to
        raise CheckpointError(
            f"the run in {folder} has another configuration than the one given (see config.json there): "
            f"give another --out, or --resume to continue with its configuration"
        )
    return make_run(config, folder, start, tensorboard)


def begin_or_go_on(config: Config, folder: Path, tensorboard: bool = False) -> Run:
    """The run in a folder: continued from its checkpoint if there is one, otherwise started.

    Raises:
        ConfigError, PlayerError: a setting or a player is not available.
        CheckpointError: the folder holds another run.
    """
    if (folder / checkpoints.FILE).is_file():
        return go_on(folder, config, tensorboard)
    return make_run(config, folder, None, tensorboard)


def unit_of(table: TableOptions, kind: str = "margin") -> float:
    """The unit of a table's rewards, with two significant digits; see `train.config.Reward`.

    It is computed from the standard deviation of all seats' rewards over `UNIT_DEALS` deals, in which the game's first
    deterministic rule-based player plays every seat.

    Args:
        table: the table.
        kind: the kind of reward.
    """
    game = table.found
    tables = Tables(UNIT_DEALS, game=game, reward=kind, **table.options)
    tables.reset(UNIT_SEED)
    rewards = np.zeros((UNIT_DEALS, game.max_seats), np.float32)
    outcomes(game, tables.states, np.arange(UNIT_DEALS), game.settled_players[0], kind, rewards, 1)
    deviation = float(rewards[:, : table.num_players].std())
    return float(f"{deviation / UNITS:.2g}")
