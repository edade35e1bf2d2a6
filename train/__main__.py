"""Trains an agent: one command for every recipe and every trainer.

    python -m train banakil-2p                              # into runs/banakil-2p; the same again continues the run
    python -m train --game rummy                            # the recipe of that game's main table
    python -m train demo --seconds 60 --set optimizer.learning_rate=3e-4 --out runs/try
    tensorboard --logdir runs                               # with --tensorboard

    python -m train yaniv-2p-learned                        # by itself, from random weights: ppo.py
    python -m train yaniv-2p-learned --ray 8                # the same with eight actors of a Ray cluster: cluster.py
    python -m train yaniv-2p-alone                          # taught by a stronger player: distil.py

A recipe (`train/recipes`) names its trainer: `fast` (fast_ppo.py), `sb3` (sb3_ppo.py, MaskablePPO of sb3-contrib)
or `aggrevate` (aggrevate.py). `run.py` describes the files that a run writes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banakil_env.agents import PlayerError
from banakil_env.arena import WorkerError
from banakil_env.core.files import parse_json
from banakil_env.core.terminal import complain
from train.begin import begin_or_go_on, go_on
from train.checkpoint import CheckpointError
from train.config import ConfigError, with_
from train.recipes import ALONE, LEARNED, alone_recipe, learned_recipe, main_recipe, recipe, recipe_names
from train.run import DivergedError

if TYPE_CHECKING:
    from train import ppo


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.ray is not None and options.recipe not in LEARNED:
            raise ConfigError(f"--ray is for recipes of agents that learn by themselves: {', '.join(LEARNED)}")
        if options.recipe in (*LEARNED, *ALONE):
            return _learn(options)
        chosen = recipe(options.recipe) if options.recipe else main_recipe(options.game)
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
    except (ConfigError, CheckpointError, DivergedError, PlayerError, WorkerError, OSError) as error:
        complain(f"train: {error}")
        return 1
    for standing in progress.points[-1].standings:
        print(
            f"against {standing.opponent}: {standing.margin:+z.2f} ± {standing.half_width:.2f} points per deal, "
            f"{standing.win:.1%} of tables won"
        )
    print(f"{progress.steps:,} decisions in {progress.seconds / 60:.1f} minutes")
    print(f"let it play: {run.config.table.match_command(f'net:{folder}', run.config.game.strongest_player)}")
    return 0


def _learn(options: argparse.Namespace) -> int:
    """Train an agent without an adviser, with a recipe and the options of `ppo.py` or `distil.py`."""
    if options.seconds is not None or options.resume:
        raise ConfigError(f"{options.recipe} ends after a number of decisions (--steps), and goes on without --resume")
    changes = dict(_change(text) for text in options.set)
    given = {name: value for name in ("steps", "seed", "out") if (value := getattr(options, name)) is not None}
    from train import distil, ppo  # imported here, since they need tyro, which the other trainers do not need

    if options.recipe in LEARNED:
        ppo.main(_learner(with_(learned_recipe(options.recipe), changes | given), options.ray))
    else:
        distil.main(with_(alone_recipe(options.recipe), changes | given))
    return 0


def _learner(config: ppo.Config, actors: int | None) -> ppo.Learner:
    """The learner of `ppo.py`, or the one with actors of a Ray cluster."""
    from train import ppo

    if actors is None:
        return ppo.Learner(config)
    try:
        from train.cluster import ClusterLearner  # imported here, since it needs Ray
    except ImportError as error:
        raise ConfigError(f"--ray needs Ray, the extra ray of this package: {error}") from error

    return ClusterLearner(config, actors)


def _change(text: str) -> tuple[str, Any]:
    path, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set takes PATH=VALUE, such as optimizer.learning_rate=3e-4, not {text!r}")
    try:
        return path, parse_json(value, finite=False)
    except ValueError:
        return path, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train",
        description="Train an agent.",
        epilog=f"Recipes: {', '.join(recipe_names())}.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("recipe", nargs="?", help="the configuration to begin with; the recipes are listed below")
    which.add_argument("--game", help="train at the main table of this game")
    parser.add_argument("--out", help="folder of the run (default: runs/RECIPE); one with a checkpoint is continued")
    parser.add_argument("--resume", action="store_true", help="continue with the configuration that the folder holds")
    parser.add_argument("--seconds", type=float, help="end after this wall time")
    parser.add_argument("--steps", type=int, help="end after this number of decisions")
    parser.add_argument("--seed", type=int, help="of weights, dice and deals")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="change one value")
    parser.add_argument("--tensorboard", action="store_true", help="write the log that TensorBoard shows")
    parser.add_argument("--ray", type=int, metavar="N", help="TABLE-learned: N actors of a Ray cluster play")
    return parser


if __name__ == "__main__":
    sys.exit(main())
