"""Measures settings of `train/ppo.py`: runs that differ in one setting each, and their results in one file.

    python -m train.ablations rummy-2p now without-takes --seeds 0 1 2
    python -m train.ablations gin-2p                           # every setting of ablations.toml
    python -m train.ablations mille-2p learned --seeds 0 1 2   # the recipe of the agent in the zoo, as a curve

A run that `docs/learning-from-nothing.json` already has, with as many decisions and deals, is not done again. The
tables and the curves of the page docs/learning-from-nothing.md are generated from that file.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from banakil_env.core.files import write_whole
from train import ablated
from train.config import made_of, with_
from train.recipes import LEARNED, learned_recipe, standing_tables

SETTINGS = Path(__file__).with_suffix(".toml")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "learning-from-nothing.json"
RECIPE = "learned"  # the setting of the recipe
POINTS = {RECIPE: 5}  # of a curve; of the other settings the end alone
DEALS = 300  # of each evaluation, where ablations.toml does not say it


def configuration(table: str, setting: str, seed: int, changes: dict[str, Any]) -> ablated.Config:
    """The configuration of a run.

    Args:
        table: a standing table, such as "gin-2p".
        setting: a setting of ablations.toml, or "learned" for the recipe of the agent in the zoo.
        seed: the seed of the run.
        changes: values that replace those of the table and of the setting.

    Raises:
        ValueError: the setting has columns that the game does not have.
        KeyError: there is no such setting or table.
    """
    if setting == RECIPE:
        own = dataclasses.asdict(learned_recipe(f"{table}-{RECIPE}"))
        return made_of(ablated.Config, own | {"seed": seed} | changes, "run")
    said = read_settings()
    first = made_of(ablated.Config, {"table": standing_tables()[table], "seed": seed}, "run")
    return with_(first, said["tables"][table] | said["settings"][setting] | changes)


def read_settings() -> dict[str, Any]:
    """The content of ablations.toml: values by table and by setting."""
    return tomllib.loads(SETTINGS.read_text(encoding="utf-8"))


def run(config: ablated.Config) -> Iterator[dict[str, Any]]:
    """Do one run, and yield the points of its learning curve; their seconds are processor time without evaluations."""
    learner = ablated.learner_of(config)
    for number in range(1, config.evaluations + 1):
        while learner.done < number / config.evaluations:
            begun = time.process_time()
            learner.play()
            learner.update()
            learner.seconds += time.process_time() - begun
        yield learner.evaluate() | {name: float(f"{value:.4g}") for name, value in learner.figures.items()}


def read(path: Path = RESULTS) -> list[dict[str, Any]]:
    """The results so far."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def add(result: dict[str, Any], path: Path = RESULTS) -> None:
    """Add a result to the file. Several processes can do so at once."""
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
    with FileLock(Path(tempfile.gettempdir()) / f"banakil-ablations-{name}.lock"):
        results = [*read(path), result]
        results.sort(key=lambda one: (one["table"], one["setting"], one["seed"]))
        lines = ",\n".join(json.dumps(one) for one in results)
        write_whole(path, f"[\n{lines}\n]\n".encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    said = read_settings()
    parser = argparse.ArgumentParser(prog="python -m train.ablations", description="Runs that differ in one setting.")
    tables = dict.fromkeys([*said["tables"], *(name.removesuffix(f"-{RECIPE}") for name in LEARNED)])
    parser.add_argument("table", choices=tables)
    parser.add_argument("settings", nargs="*", metavar="setting", help=f"or {RECIPE}; default: all of ablations.toml")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--steps", type=int, help="of each run, in place of those of ablations.toml")
    parser.add_argument("--evaluations", type=int, help=f"points of the curve; default 1, of {RECIPE} {POINTS[RECIPE]}")
    parser.add_argument("--deals", type=int, help="of each evaluation, in place of those of ablations.toml")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file that results are added to")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.settings if name not in (*said["settings"], RECIPE)]
    if unknown:
        parser.error(f"there is no setting {', '.join(unknown)}; there are {', '.join((*said['settings'], RECIPE))}")
    if options.table not in said["tables"] and options.settings != [RECIPE]:
        parser.error(f"{options.table} is not in ablations.toml: its only setting is {RECIPE}")
    settings = options.settings or said["settings"]
    for seed, setting in ((seed, setting) for seed in options.seeds for setting in settings):
        given = {name: value for name in ("steps", "deals") if (value := getattr(options, name)) is not None}
        changes = {"evaluations": options.evaluations or POINTS.get(setting, 1), "opponents": ("greedy", "expert")}
        changes |= ({"deals": DEALS} if setting == RECIPE else {}) | given
        try:
            config = configuration(options.table, setting, seed, changes)
        except ValueError as error:  # such as columns that the game does not have
            print(f"{options.table} {setting} is left out: {error}", file=sys.stderr)
            continue
        key = {"table": options.table, "setting": setting, "seed": seed, "steps": config.steps, "deals": config.deals}
        if any(key.items() <= one.items() for one in read(options.results)):
            print(f"{options.table} {setting} seed {seed} is there already", flush=True)
            continue
        curve = list(run(config))
        add(key | {"curve": curve}, options.results)
        last = curve[-1]
        ahead = (f"{one['opponent']} {one['margin']:+z.1f} ± {one['half_width']:.1f}" for one in last["standings"])
        print(f"{options.table} {setting} seed {seed}: {', '.join(ahead)} after {last['seconds']:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
