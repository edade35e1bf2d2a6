"""Begins a run with the trainer that its configuration names, or continues it from its last checkpoint."""

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

UNIT_DEALS, UNIT_SEED = 2000, 2**61  # deals for measuring a unit: training deals, the same for every run


def make_run(config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False) -> Run:
    """A run of the trainer that the configuration names. ConfigError: the trainer does not support it.

    A reward without a unit gets one first, which the run's configuration keeps.
    """
    if config.reward.unit is None:
        unit = unit_of(config.table, config.reward.kind)
        config = dataclasses.replace(config, reward=dataclasses.replace(config.reward, unit=unit))
    if config.trainer == "sb3":
        from train.sb3_ppo import SB3Run  # late: Stable-Baselines3 is not loaded for those who do without

        return SB3Run(config, folder, start, tensorboard)
    if config.trainer == "aggrevate":
        from train.aggrevate import AggrevateRun

        return AggrevateRun(config, folder, start, tensorboard)
    from train.fast_ppo import FastRun

    return FastRun(config, folder, start, tensorboard)


def go_on(folder: Path, config: Config | None = None, tensorboard: bool = False) -> Run:
    """The run of a folder, from its last checkpoint.

    Args:
        config: the configuration; only its end (`seconds`, `steps`) and `workers` may differ from the checkpoint's.
            None: the checkpoint's.

    Raises:
        CheckpointError: there is no checkpoint, or it is of another run.
    """
    start = checkpoints.read(folder / checkpoints.FILE)
    if config is None:
        config = start.config
    if config.reward.unit is None and config.reward.kind == start.config.reward.kind:
        config = dataclasses.replace(config, reward=start.config.reward)  # measured when the run began
    same = dataclasses.replace(start.config, seconds=config.seconds, steps=config.steps, workers=config.workers)
    if same != config:  # in more than what may differ
        raise CheckpointError(
            f"the run in {folder} has another configuration than the one given (see config.json there): "
            f"give another --out, or --resume to go on with its own"
        )
    return make_run(config, folder, start, tensorboard)


def begin_or_go_on(config: Config, folder: Path, tensorboard: bool = False) -> Run:
    """The run of a folder: from its checkpoint if there is one, else from the start.

    Raises:
        ConfigError, PlayerError: a setting or a player is not available. CheckpointError: the folder holds another run.
    """
    if (folder / checkpoints.FILE).is_file():
        return go_on(folder, config, tensorboard)
    return make_run(config, folder, None, tensorboard)


def unit_of(table: TableOptions, kind: str = "margin") -> float:
    """The unit of a table's rewards, with two significant digits; see `train.config.Reward`.

    Args:
        kind: of reward. The unit comes from the standard deviation of all seats' rewards over `UNIT_DEALS` deals, in
            which the game's first deterministic rule-based player plays every seat.
    """
    game = table.found
    tables = Tables(UNIT_DEALS, game=game, reward=kind, **table.options)
    tables.reset(UNIT_SEED)
    rewards = np.zeros((UNIT_DEALS, game.max_seats), np.float32)
    outcomes(game, tables.states, np.arange(UNIT_DEALS), game.settled_players[0], kind, rewards, 1)
    deviation = float(rewards[:, : table.num_players].std())
    return float(f"{deviation / UNITS:.2g}")
