"""How is an agent trained? One command for every recipe and every trainer.

    python -m train.ppo --recipe banakil-2p                     # into runs/banakil-2p; again: goes on where it was
    python -m train.ppo --game rummy                            # the recipe of that game's main table
    python -m train.ppo --recipe demo --seconds 60 --set ppo.learning_rate=3e-4 --out runs/try
    tensorboard --logdir runs                                   # with --tensorboard

A recipe names its trainer: `fast` (fast_ppo.py), `sb3` (sb3_ppo.py, MaskablePPO of sb3-contrib) or `aggrevate`
(aggrevate.py); `run.py` says what a run writes.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banakil_env.agents import PlayerError
from banakil_env.agents.metadata import parsed
from train import checkpoint as checkpoints
from train.checkpoint import Checkpoint, CheckpointError
from train.config import Config, ConfigError, main_recipe, recipe, with_
from train.run import DivergedError, Run


def make_run(config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False) -> Run:
    """A run of the trainer that the configuration names. ConfigError: it asks for what that trainer cannot do."""
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
    return make_run(config, folder, start, tensorboard)


def begin_or_go_on(config: Config, folder: Path, tensorboard: bool = False) -> Run:
    """The run of a folder: from its checkpoint where there is one, else from the start.

    Raises:
        ConfigError, PlayerError: it asks for what cannot be had. CheckpointError: the folder holds another run.
    """
    if (folder / checkpoints.FILE).is_file():
        return go_on(folder, config, tensorboard)
    return make_run(config, folder, None, tensorboard)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        chosen = main_recipe(options.game) if options.recipe is None else recipe(options.recipe)
        folder = Path(options.out or f"runs/{chosen.name}")
        changes = dict(_change(text) for text in options.set)
        changes |= {
            name: value for name in ("seconds", "steps", "seed") if (value := getattr(options, name)) is not None
        }
        config = with_(chosen, changes)
        if options.resume:
            run = go_on(folder, None, options.tensorboard)
        else:
            run = begin_or_go_on(config, folder, options.tensorboard)
        progress = run.train()
    except (ConfigError, CheckpointError, DivergedError, PlayerError, OSError) as error:
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
        return path, parsed(value)
    except ValueError:
        return path, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m train.ppo", description="Train an agent.")
    parser.add_argument("--game", default="banakil", help="train at the main table of this game")
    parser.add_argument("--recipe", help="the configuration to begin with: demo, or a table of any game")
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
