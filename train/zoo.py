"""Makes an agent of the zoo from finished runs: a folder of agents/zoo with the agent and its model card.

    python -m train.zoo runs/2p-0 runs/2p-1 runs/2p-2 --out agents/zoo/banakil-2p

The runs have the same recipe and different seeds. The agent of the run with the best result at the end of its own curve
is chosen, so the deals of arena-v1, which the card reports on, have no influence on the choice. The folder has the
layout of the Hugging Face Hub (`banakil_env.agents.hub`), with the weights in float16, and curve.png, a chart of all
runs. A run that is still training raises an error. `--unfinished` accepts a run that was stopped before its end, and
the card reports this. The runs can also be those of `train/ppo.py`, whose agents are *learned* or *sparred*, or of
`train/distil.py`, whose agents stand *alone*. The card names the kind.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banakil_env.agents import hub
from banakil_env.agents.network import AgentError, load
from banakil_env.core.files import parse_json, read_within
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import complain
from train.config import SEED_SET, Config, ConfigError, from_dict, made_of
from train.curve import FILE as CURVE_FILE
from train.curve import Point, draw_runs, points_of

if TYPE_CHECKING:
    from train import distil, ppo

    # Of the trainers whose agents have no adviser.
    UnadvisedConfig = ppo.Config | distil.Config

# The kinds of agents that `train/ppo.py` made, in self-play or in games with other players too, and `train/distil.py`.
LEARNED, SPARRED, ALONE = "learned", "sparred", "alone"
PICTURE = "curve.png"
BEST_RESPONSE = "best_response.json"  # the bound on exploitability, by train.best_response
MOST_OF_CURVE = 1 << 24  # bytes
FINISHED = 0.98  # share of its steps or seconds from which a run is at its end: its last rollout may end a bit early
DEALS = 2000
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class ZooError(ValueError):
    """The runs cannot become an agent of the zoo."""


@dataclass(frozen=True)
class Finished:
    """A run from which an agent of the zoo can be made.

    Attributes:
        folder: the folder of the run.
        config: its configuration.
        points: its learning curve.
        done: the share of its steps or seconds that it has done.
        kind: the kind of its agent, LEARNED, SPARRED or ALONE; "" for an agent with an adviser.
    """

    folder: Path
    config: Config | UnadvisedConfig
    points: list[Point]
    done: float = 1.0
    kind: str = ""

    @property
    def name(self) -> str:
        """The label that distinguishes the run from others of the same recipe."""
        return f"seed {self.config.seed}"

    @property
    def recipe(self) -> str:
        """The name of the recipe of the run."""
        if isinstance(self.config, Config):
            return self.config.name
        table = self.config.table
        blank = table.found.new(**table.options).tobytes()
        names = [one.name for one in table.found.tables if table.found.new(**one.options).tobytes() == blank]
        return f"{names[0] if names else table.game}-{self.kind}"

    @property
    def measured_against(self) -> Sequence[str]:
        """The opponents on the agent's card: all rule-based players; if the agent stands alone, those of its curve."""
        if self.kind == ALONE and not isinstance(self.config, Config):
            return self.config.opponents
        return tuple(self.config.table.found.kinds)

    @property
    def strength(self) -> float:
        """The last result of the run, in points per deal, against the opponent where this result is worst."""
        return min(standing.margin for standing in self.points[-1].standings)


def add(folders: Sequence[Path], out: Path, deals: int = DEALS, note: str = "", unfinished: bool = False) -> Finished:
    """Write an agent of the zoo; returns the run that it comes from.

    Args:
        folders: the folders of runs of one recipe, each with another seed.
        out: the folder of the agent.
        deals: the number of deals of arena-v1 in each match for the card (see `Finished.measured_against`).
        note: a paragraph of Markdown for the card, on how to read the results of the runs.
        unfinished: accept runs that were stopped before their end.

    Raises:
        ZooError: the runs are not of one recipe, or a folder holds no finished run.
        AgentError: an agent cannot be played.
    """
    runs = [read(folder, unfinished) for folder in folders]
    _refuse_others(runs)
    best = max(runs, key=lambda run: run.strength)
    hub.export(
        best.folder,
        out,
        list(best.measured_against),
        name=out.resolve().name,
        deals=deals,
        half=True,
        history=history(runs, note),
    )
    (out / BEST_RESPONSE).unlink(missing_ok=True)  # it was measured with the weights of before
    title = f"{best.recipe}: {_plural(len(runs), 'run')}"
    draw_runs({run.name: run.points for run in runs}, out / PICTURE, title)
    return best


def read(folder: Path, unfinished: bool = False) -> Finished:
    """Read a finished run from its folder; with `unfinished`, any run that has an agent.

    Raises ZooError if the folder has no such run.
    """
    try:
        about = load(folder).about
        config = config_of(about)
        budgets = {"steps": config.steps, "seconds": getattr(config, "seconds", None)}
        done = max(float(about[name]) / budget for name, budget in budgets.items() if budget)
        said = parse_json(read_within(folder / CURVE_FILE, MOST_OF_CURVE).decode(), finite=False)
        points = points_of(said)
    except (AgentError, ConfigError, OSError, KeyError, TypeError, ValueError) as error:
        raise ZooError(f"{folder} holds no finished run of python -m train: {error}") from error
    if not points:
        raise ZooError(f"{folder}: its curve has no point")
    if about.get("last") not in (None, said[-1]):
        raise ZooError(f"{folder}: {CURVE_FILE} is the curve of another agent than the one in the folder")
    found = Finished(folder, config, points, done, about.get("kind", ""))
    if done < FINISHED and not unfinished:
        budget = " or ".join(f"{budget:,g} {name}" for name, budget in budgets.items() if budget)
        raise ZooError(
            f"{folder} is at {done:.1%} of its {budget}: let it train to its end (python -m train {found.recipe} "
            f"{'--resume ' if isinstance(config, Config) else ''}--out {folder}), or take it as it is with "
            "--unfinished, which the card then says"
        )
    return found


def config_of(about: dict[str, Any]) -> Config | UnadvisedConfig:
    """The configuration of the run of an agent, from the facts `about` that the agent's file contains.

    Raises ConfigError if the facts hold no configuration.
    """
    if about.get("kind") not in (LEARNED, SPARRED, ALONE):
        return from_dict(about["config"])
    from train import distil, ppo  # late: they need tyro

    kind = distil.Config if about["kind"] == ALONE else ppo.Config
    # `potential` was a setting on 28 November 2026; 0 was without it.
    said = {name: value for name, value in about["config"].items() if (name, value) != ("potential", 0.0)}
    config: UnadvisedConfig = made_of(kind, said, "configuration")
    return config


def _refuse_others(runs: Sequence[Finished]) -> None:
    """Raise ZooError if the runs differ in more than the seed, or if two of them have the same seed."""
    first = runs[0]
    for run in runs[1:]:
        if _without_seed(run.config) != _without_seed(first.config):
            raise ZooError(f"{run.folder} and {first.folder} differ in more than their seeds: name runs of one recipe")
    seeds = [run.config.seed for run in runs]
    if len(set(seeds)) < len(seeds):
        raise ZooError(f"two runs have the same seed; the seeds are {', '.join(map(str, seeds))}: name each run once")


def _without_seed(config: Any) -> Any:
    """The configuration without the values in which runs of one recipe can differ: the seed, and the folder."""
    return dataclasses.replace(config, seed=0, **({} if isinstance(config, Config) else {"out": None}))


def history(runs: Sequence[Finished], note: str = "") -> str:
    """The section of the card about the training, in Markdown: a text, a table of all runs, and a note."""
    config = runs[0].config
    opponents = [standing.opponent for standing in runs[0].points[-1].standings]
    heads = ["run", "decisions", "minutes"]
    for opponent in opponents:
        heads += [f"points ahead of `{opponent}`", f"beats `{opponent}` after"]
    rows = [[f"**{run.name}**" if run.strength == _best(runs) else run.name, *_cells(run)] for run in runs]
    told = _advised(config) if isinstance(config, Config) else _unadvised(config, runs[0])
    stopped = [f"{run.name} at {run.done:.1%}" for run in runs if run.done < FINISHED]
    cut = f" Stopped before the end of the recipe's time or decisions: {', '.join(stopped)}." if stopped else ""
    return "\n".join(
        [
            "## How it was trained\n",
            hub.wrapped(
                f"{told} Standings are those of the run's own curve, {_deals_of(config)} deals of `{SEED_SET}`; "
                "*beats* means that the 95 % interval is above zero and stays there. The agent is that of the run in "
                f"bold, which had the best standing at its end.{cut}"
            ),
            *([hub.wrapped(note)] if note else []),
            markdown_table(heads, rows),
            f"\n![Learning curves]({PICTURE})\n",
            "The weights are stored in float16. The whole configuration stands below, and in `config.json`.",
        ]
    )


def _advised(config: Config) -> str:
    """A text about the training of an agent by `fast_ppo.py`, `sb3_ppo.py` or `aggrevate.py`."""
    told = (
        f"`python -m train {config.name}`, the trainer `{config.trainer}`, learning from games with "
        f"{', '.join(dict.fromkeys(config.pool.players))}; {_at_work(config)}. No game of people is in it."
    )
    adviser = config.network.advice
    if adviser:
        as_strong = "" if config.begin_from else ", so that it began as strong as that player"
        told += f" At every decision the agent asks `{adviser}` first and learned when not to follow{as_strong}."
    if config.begin_from:
        told += f" It began with the weights of `{config.begin_from}`."
    return told


def _unadvised(config: UnadvisedConfig, run: Finished) -> str:
    """A text about the training of an agent without an adviser, by `ppo.py` or `distil.py`."""
    from train import distil  # late, as above

    recipe = run.recipe
    if isinstance(config, distil.Config):
        others = "".join(f" and of games against `{name}`" for name in config.against)
        first = ", whose weights it began with" if config.begin is True else ""
        if isinstance(config.begin, str):
            first = f", for a network that began with the weights of `{config.begin}`"
        return (
            f"Kind: *stands {ALONE}*. `python -m train {recipe}`, the trainer `train/distil.py`: `{config.teacher}`"
            f"{first}, labelled decisions of the network's own games{others}, and the network learned to do the same. "
            "It has no adviser when it plays. No game of people is in it. Decisions are labelled ones; minutes are "
            "processor time of one core, without the training of these agents."
        )
    others = " and ".join(f"`{name}`" for name in config.against)
    seats = f"half of the other seats its own, the rest of {others}" if others else "self-play at every seat"
    apart = "or played its games out" if others else "played its games out or sat at its tables"
    return (
        f"Kind: *{run.kind}*. `python -m train {recipe}`, the trainer `train/ppo.py`: random weights at first, "
        f"{seats}, the points at the end of each round. No rule-based player advised it, was imitated, {apart}. No "
        "game of people is in it. Minutes are processor time of one core."
    )


def _deals_of(config: Config | UnadvisedConfig) -> int:
    """The number of deals of each evaluation of a run."""
    return config.evaluation.deals if isinstance(config, Config) else config.deals


def _at_work(config: Config) -> str:
    """The number of workers of a run, or else of its threads and of the cores of this machine, as text."""
    if config.workers:
        return f"{_plural(config.workers, 'worker')} played for the learner"
    cores = os.cpu_count() or 1
    return f"{_plural(config.threads, 'thread')} of PyTorch on a machine with {_plural(cores, 'core')}"


def _best(runs: Sequence[Finished]) -> float:
    return max(run.strength for run in runs)


def _cells(run: Finished) -> list[str]:
    last = run.points[-1]
    cells = [f"{last.steps:,}", f"{last.seconds / 60:.1f}"]
    for number, standing in enumerate(last.standings):
        since = beaten_after(run.points, number)
        cells += [
            f"{standing.margin:+z.2f} ± {standing.half_width:.2f}",
            "never" if since is None else f"{since / 60:.1f} minutes",
        ]
    return cells


def beaten_after(points: Sequence[Point], opponent: int) -> float | None:
    """The seconds of training from which on the interval is above zero at every point of the curve.

    It is None if the interval at the last point is not above zero.

    Args:
        points: the learning curve.
        opponent: the index of the opponent among the standings of a point.
    """
    since = None
    for point in reversed(points):
        standing = point.standings[opponent]
        if standing.margin - standing.half_width <= 0:
            break
        since = point.seconds
    return since


def _plural(count: int, noun: str) -> str:
    return f"{WORDS[count] if count < len(WORDS) else count} {noun}{'' if count == 1 else 's'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.zoo", description="Make an agent of the zoo of runs.")
    parser.add_argument("runs", nargs="+", type=Path, help="folders of finished runs, of one recipe")
    parser.add_argument("--out", type=Path, required=True, help="the agent's folder, such as agents/zoo/banakil-2p")
    parser.add_argument("--deals", type=int, default=DEALS, help="of arena-v1, against each rule-based player")
    parser.add_argument("--note", default="", help="a paragraph for the card, on how to take what the runs say")
    parser.add_argument("--unfinished", action="store_true", help="take runs that were stopped before their end")
    options = parser.parse_args(arguments)
    try:
        best = add(options.runs, options.out, options.deals, options.note, options.unfinished)
    except (ValueError, OSError) as error:
        complain(f"train.zoo: {error}")
        return 1
    command = best.config.table.match_command(f"net:{options.out}", best.config.table.found.strongest_player)
    print(f"the agent of {best.folder} is in {options.out}; let it play: {command}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
