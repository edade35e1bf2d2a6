"""Measures settings of `train/ppo.py`: runs that differ in one setting each, and their results in one file.

    python -m train.ablations rummy defaults entropy-0_001 --seeds 0 1 2
    python -m train.ablations gin --evaluations 8          # every setting, with a curve of eight points

`ablations.toml` has the games and the settings. A run that `docs/learning-from-nothing.json` already has is not done
again. The page docs/learning-from-nothing.md is generated from that file.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banakil_env.core.files import write_whole
from banakil_env.games import find
from train import ppo
from train.config import made_of, with_

SETTINGS = Path(__file__).with_suffix(".toml")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "learning-from-nothing.json"


def run(game: str, setting: str, seed: int, changes: dict[str, Any]) -> dict[str, Any]:
    """Do one run, and return its results.

    Args:
        changes: of the configuration, for the game, the setting and this call.
    """
    table = {"game": game, **find(game).tables[0].options}
    config = with_(made_of(ppo.Config, {"table": table, "seed": seed}, "run"), changes)
    learner, spent, curve = ppo.Learner(config), 0.0, []
    while True:
        if len(curve) < config.evaluations and learner.done >= (len(curve) + 1) / config.evaluations:
            curve.append(learner.evaluate() | {"cpu_seconds": round(spent, 1)} | rounded(learner.figures))
        if learner.done >= 1:
            break
        begun = time.process_time()
        learner.play()
        learner.update()
        spent += time.process_time() - begun
    return {"game": game, "setting": setting, "seed": seed, "changes": changes, "curve": curve}


def rounded(figures: dict[str, float]) -> dict[str, float]:
    """Figures with four significant digits."""
    return {name: float(f"{value:.4g}") for name, value in figures.items()}


def read(path: Path = RESULTS) -> list[dict[str, Any]]:
    """The results so far."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def add(result: dict[str, Any], path: Path = RESULTS) -> None:
    """Add a result to the file; results are read again first, since another process may have added some."""
    results = [*read(path), result]
    results.sort(key=lambda one: (one["game"], one["setting"], one["seed"]))
    lines = ",\n".join(json.dumps(one) for one in results)
    write_whole(path, f"[\n{lines}\n]\n".encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    said = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(prog="python -m train.ablations", description="Runs that differ in one setting.")
    parser.add_argument("game", choices=said["games"])
    parser.add_argument("settings", nargs="*", metavar="setting", help="default: all of ablations.toml")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0])
    parser.add_argument("--steps", type=int, help="of each run, in place of those of ablations.toml")
    parser.add_argument("--evaluations", type=int, default=2, help="points of the curve")
    parser.add_argument("--deals", type=int, default=500, help="of each evaluation")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file that results are added to")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.settings if name not in said["settings"]]
    if unknown:
        parser.error(f"there is no setting {', '.join(unknown)}; there are {', '.join(said['settings'])}")
    given = {"evaluations": options.evaluations, "deals": options.deals, "opponents": ["greedy", "expert"]}
    if options.steps:
        given["steps"] = options.steps
    for seed in options.seeds:
        for setting in options.settings or said["settings"]:
            changes = said["games"][options.game] | said["settings"][setting] | given
            if any(
                (one["game"], one["setting"], one["seed"]) == (options.game, setting, seed)
                for one in read(options.results)
            ):
                continue
            try:
                result = run(options.game, setting, seed, changes)
            except ValueError as error:  # such as columns that the game does not have
                print(f"{options.game} {setting} is left out: {error}", file=sys.stderr)
                continue
            add(result, options.results)
            last = result["curve"][-1]
            standings = ", ".join(
                f"{one['opponent']} {one['margin']:+z.1f} ± {one['half_width']:.1f}" for one in last["standings"]
            )
            print(f"{options.game} {setting} seed {seed}: {standings} after {last['cpu_seconds']:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
