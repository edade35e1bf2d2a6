"""Measures whether knowing twelve rummies helps with the thirteenth: the runs behind docs/one-network.md.

    python -m train.family_study all one-game left-out again families other-tables   # what is there is not done again
    python -m train.family_study left-out --only gin tonk --seeds 0 1 2
    python -m train.family_study agent                          # the network of all games into agents/zoo/rummy-family

| part | what is done |
|---|---|
| all | one network learns all main tables; the score of each |
| one-game | a network for each game, with a thirteenth of the decisions |
| left-out | a network for each game that learns the twelve others; its score at the thirteenth |
| again | that network and one of random weights learn the thirteenth: scores after 10,000 decisions, 100,000 ... |
| families | a network for each family of games; its score at all games |
| other-tables | the network of all main tables at tables with other rules and numbers of players |
| agent | writes the network of all main tables, with its card, as an agent of the zoo |

A score is that of the suite: 0 for `random`, 1 for `expert`, by points against `expert`. Results go into
docs/one-network.json, and networks into the folder `--runs`.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from banakil_env.agents import Player, make_player
from banakil_env.agents.family import FamilyPlayer, digest_of_layout, load_family, save_family
from banakil_env.agents.family_network import FamilyNetwork
from banakil_env.agents.network import FILE
from banakil_env.arena import Plan, Results
from banakil_env.arena.generations import MODEL
from banakil_env.arena.options import TableOptions
from banakil_env.arena.statistics import interval_of_ratio
from banakil_env.arena.workers import play_deals
from banakil_env.core.files import write_whole
from banakil_env.games import GAMES, find
from train.family import Config, Learner

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "one-network.json"
AGENT = ROOT / "agents" / "zoo" / "rummy-family"
HELD_OUT = "tuning-v1"  # deals that no training sees
FAMILIES = {
    "books": ("canasta", "hand_and_foot", "mille"),
    "contracts": ("contract", "kalooki"),
    "runs and sets": ("banakil", "hand", "rummy", "rummy500", "oklahoma", "yaniv", "gin", "tonk"),
}
# Rules and numbers of players that are nobody's standing table.
OTHER_RULES = (
    {"game": "gin", "rules": "openspiel knock_card=0"},
    {"game": "yaniv", "num_players": 2, "rules": "asaf"},
    {"game": "rummy", "num_players": 3},
    {"game": "yaniv", "num_players": 5},
    {"game": "rummy500", "num_players": 3},
    {"game": "kalooki", "num_players": 4},
)
AGAIN = Config(num_tables=64, rate=1e-3, final_rate=1e-3, average=0.98)


def margins(player: Player, table: TableOptions, deals: int) -> npt.NDArray[np.float64]:
    """Points ahead of `expert` in each of the held-out deals."""
    plan = Plan(("player", "expert"), deals=deals, seed_set=HELD_OUT, budget=None, game=table.game, **table.options)
    results = Results(plan)
    for outcomes in play_deals([player, make_player("expert", table.game)], plan, range(deals), record=False):
        results.add(outcomes)
    return results.margins()[:, 0]


@functools.cache
def margins_of_random(table: TableOptions, deals: int) -> npt.NDArray[np.float64]:
    """The same of `random`, which is 0 of the score."""
    return margins(make_player("random", table.game), table, deals)


def score(network: FamilyNetwork, table: TableOptions, deals: int) -> dict[str, float]:
    """The score of a network at a table, and half the width of its 95 % interval."""
    own = margins(FamilyPlayer(network, table.found), table, deals)
    ratio = interval_of_ratio(own, margins_of_random(table, deals))
    return {"mean": round(1 - ratio.mean, 4), "half_width": round(ratio.half_width, 4)}


def main_table(game: str) -> TableOptions:
    """The table at which a game is trained."""
    return TableOptions(game=game, **find(game).tables[0].options)


class Study:
    """The parts of the study; each yields a result at a time.

    Args:
        options: the command's.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.games: list[str] = options.only or list(GAMES)

    def run(self, part: str) -> None:
        """Do what is missing of a part, and keep it."""
        for key, work in self.parts[part]():
            if not any(all(one.get(name) == value for name, value in key.items()) for one in self.done):
                result = key | work()
                print(json.dumps(result), flush=True)
                write([*self.done, result], self.options.results)

    @property
    def done(self) -> list[dict[str, Any]]:
        """The results so far, which another process may have added to."""
        return read(self.options.results)

    @property
    def parts(self) -> dict[str, Callable[[], Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]]]:
        """By name. A part yields what a result is known by, and the work that makes it."""
        return {
            "all": self._all,
            "one-game": self._one_game,
            "left-out": self._left_out,
            "again": self._again,
            "families": self._families,
            "other-tables": self._other_tables,
        }

    def _all(self) -> Iterator[Any]:
        for game, seed in self._pairs():
            key = {"part": "all", "game": game, "seed": seed}
            yield key, lambda game=game, seed=seed: self._trained(f"all-{seed}", game, seed=seed)

    def _one_game(self) -> Iterator[Any]:
        for game, seed in self._pairs():
            own = {"games": (game,), "decisions": self.options.decisions // len(GAMES), "num_tables": 128, "seed": seed}
            key = {"part": "one-game", "game": game, "seed": seed}
            yield key, lambda game=game, own=own: self._trained(f"only-{game}-{own['seed']}", game, **own)

    def _left_out(self) -> Iterator[Any]:
        for game, seed in self._pairs():
            own = {"without": (game,), "decisions": self.options.short, "seed": seed}
            key = {"part": "left-out", "game": game, "seed": seed}
            yield key, lambda game=game, own=own: self._trained(f"without-{game}-{own['seed']}", game, **own)

    def _again(self) -> Iterator[Any]:
        for game, seed in self._pairs():
            for first in ("twelve games", "random weights"):
                key = {"part": "again", "game": game, "seed": seed, "first": first, "until": max(self.options.points)}
                yield key, functools.partial(self._curve, game, seed, first)

    def _curve(self, game: str, seed: int, first: str) -> dict[str, Any]:
        begin = str(self.folder(f"without-{game}-{seed}") / FILE) if first == "twelve games" else None
        config = dataclasses.replace(
            AGAIN, games=(game,), begin=begin, seed=seed + 1000, decisions=max(self.options.points)
        )
        learner, curve = Learner(config), []
        for until in (0, *sorted(self.options.points)):
            if until:
                learner.train(until)
            curve.append({"decisions": until} | score(learner.average, main_table(game), self.options.deals))
        return {"curve": curve, "seconds": round(learner.seconds, 1)}

    def _families(self) -> Iterator[Any]:
        for name, games in FAMILIES.items():
            for game, seed in self._pairs():
                own = {"games": games, "decisions": self.options.short, "num_tables": 576 // len(games), "seed": seed}
                key = {"part": "families", "family": name, "game": game, "seed": seed}
                run = f"{name.replace(' ', '-')}-{seed}"
                yield key, lambda run=run, game=game, own=own: self._trained(run, game, **own)

    def _other_tables(self) -> Iterator[Any]:
        standing = [{"game": name, **each.options} for name in GAMES for each in find(name).tables[1:]]
        for said in (*standing, *OTHER_RULES):
            table = TableOptions(**said)
            network = load_family(self.folder(f"all-{self.options.seeds[0]}") / FILE).network
            key = {"part": "other-tables", "game": table.game, "table": " ".join(table.arguments)}
            yield key, lambda table=table, network=network: {"score": score(network, table, self.options.deals)}

    def _pairs(self) -> Iterable[tuple[str, int]]:
        return ((game, seed) for seed in self.options.seeds for game in self.games)

    def folder(self, name: str) -> Path:
        """Where the network of a run is."""
        return self.options.runs / name

    def _trained(self, name: str, game: str, **changes: Any) -> dict[str, Any]:
        """Train a network, unless it is there, and measure it at the main table of a game."""
        folder = self.folder(name)
        if not (folder / FILE).is_file():
            learner = Learner(dataclasses.replace(Config(decisions=self.options.decisions), **changes))
            learner.train(say=lambda text: print(text, flush=True))
            learner.save(folder)
        network, about = load_family(folder / FILE)
        told = {"decisions": about["decisions"], "seconds": about["seconds"], "deals": self.options.deals}
        return told | {"score": score(network, main_table(game), self.options.deals)}


def read(path: Path = RESULTS) -> list[dict[str, Any]]:
    """The results so far."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(results: list[dict[str, Any]], path: Path = RESULTS) -> None:
    """Keep the results, one a line."""
    lines = ",\n".join(json.dumps(result) for result in results)
    write_whole(path, f"[\n{lines}\n]\n".encode())


CARD = """---
library_name: banakil-env
license: mit
tags:
- reinforcement-learning
- card-game
- rummy
---

# rummy-family

One network that plays all thirteen games of banakil-env at every table: any rules and any number of players. It reads
`observation="cards"` and scores described actions; nothing in it belongs to one game. {weights:,} weights, stored in
float16.

```
banakil arena zoo:rummy-family expert --game tonk --players 4
```

## How it fares

The score is 0 for `random` and 1 for `expert`, by points per deal against `expert`, on {deals} deals of `tuning-v1` at
the main table of each game, with 95 % intervals. Training saw none of these deals.

{table}

[One network for all games](../../../docs/one-network.md) has more: what a network plays at a game
that was left out of its training, and how fast it learns that game.

## How it was trained

`python -m train.family` in {minutes:.0f} minutes of one core (seed {seed}): {decisions:,} decisions at the main tables
of all games at once, each with the move of `expert` there. It *stands alone*: when it plays, it asks no other player.
No game of people is in it.
"""


def write_agent(file: Path, folder: Path, results: list[dict[str, Any]]) -> None:
    """Write the agent of the zoo from the network of all main tables, which has been measured."""
    network, about = load_family(file)
    config = about["config"]
    measured = [one for one in results if one["part"] == "all" and one["seed"] == config["seed"]]
    folder.mkdir(parents=True, exist_ok=True)
    save_family(folder / MODEL, network, about, torch.float16)
    said = {"layout": digest_of_layout(), "shape": dataclasses.asdict(network.shape), **about}
    write_whole(folder / "config.json", (json.dumps(said, indent=1) + "\n").encode())
    rows = ["| game | table | score |", "| --- | --- | --- |"]
    for one in measured:
        game, found = one["game"], one["score"]
        rows.append(
            f"| {find(game).title} | `{find(game).tables[0].name}` | {found['mean']:.2f} ± {found['half_width']:.2f} |"
        )
    text = CARD.format(
        weights=sum(weights.numel() for weights in network.parameters()),
        table="\n".join(rows),
        minutes=about["seconds"] / 60,
        decisions=about["decisions"],
        seed=config["seed"],
        deals=measured[0]["deals"],
    )
    write_whole(folder / "README.md", text.encode())


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m train.family_study", description=__doc__.splitlines()[0])
    names = ["all", "one-game", "left-out", "again", "families", "other-tables", "agent"]
    parser.add_argument("parts", nargs="+", choices=names)
    parser.add_argument("--only", nargs="+", choices=list(GAMES), help="these games; without it all")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--decisions", type=int, default=Config.decisions, help="of the network of all main tables")
    parser.add_argument("--short", type=int, default=150_000, help="of a network of twelve games, or of a family")
    parser.add_argument("--points", nargs="+", type=int, default=[10_000, 100_000], help="of the part `again`")
    parser.add_argument("--deals", type=int, default=100, help="of each score")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--runs", type=Path, default=Path("runs/family-study"))
    options = parser.parse_args(arguments)
    study = Study(options)
    for part in options.parts:
        if part == "agent":
            write_agent(study.folder(f"all-{options.seeds[0]}") / FILE, AGENT, study.done)
        else:
            study.run(part)


if __name__ == "__main__":
    main()
