"""Measures whether training on twelve rummy games helps with the thirteenth: the runs behind docs/one-network.md.

    python -m train.family_study all one-game left-out again families other-tables   # finished parts are not repeated
    python -m train.family_study left-out again --only gin tonk --seeds 0 1 2 --points 10_000 100_000 1_000_000
    python -m train.family_study answers --only gin --seeds 0   # measures these networks by the protocol of the suite
    python -m train.family_study agent                          # the network for all games into agents/zoo/rummy-family

| part | work |
|---|---|
| all | one network learns all main tables; the score of each |
| one-game | a network for each game, with a thirteenth of the decisions |
| left-out | a network for each game that learns the twelve others; its score at the thirteenth |
| again | that network and one with random weights learn the thirteenth: scores after 10,000 decisions, 100,000 ... |
| answers | the networks of `again` are measured by the protocol `GAME-left-out-v1`, into suite/protocols |
| families | a network for each family of games (`--learned`: only these); its score at all games (`--only`: at these) |
| other-tables | the network of all main tables at tables with other rules and numbers of players |
| agent | writes the network of all main tables, with its card, as an agent of the zoo |

Scores are those of the suite: 0 for `random`, 1 for `expert`, by points against `expert`. Results go into
docs/one-network.json, and networks into the folder `--runs`. A part can be run in several calls, each for some games or
seeds. A curve of `again` that has too few points is learned again, with all points.
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

from banakil_env.agents import Player, make_player
from banakil_env.agents.family import FamilyPlayer, load_family
from banakil_env.agents.family_network import FamilyNetwork
from banakil_env.agents.network import FILE
from banakil_env.arena import Plan, Results
from banakil_env.arena.options import TableOptions
from banakil_env.arena.statistics import interval_of_ratio
from banakil_env.arena.workers import play_deals
from banakil_env.core.files import write_whole
from banakil_env.games import GAMES, find
from banakil_env.suite.answers import figures_text, read_answer
from banakil_env.suite.ask import DECISIONS, answer, write_answer
from banakil_env.suite.protocols import find_protocol
from train.family import Config, Learner
from train.family_agent import write_agent
from train.family_games import FAMILIES, STARTS

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "one-network.json"
ANSWERS = ROOT / "suite" / "protocols"
AGENT = ROOT / "agents" / "zoo" / "rummy-family"
HELD_OUT = "tuning-v1"  # deals that training never uses
# Tables with rules and numbers of players that no standing table has.
OTHER_RULES = (
    {"game": "gin", "rules": "openspiel knock_card=0"},
    {"game": "yaniv", "num_players": 2, "rules": "asaf"},
    {"game": "rummy", "num_players": 3},
    {"game": "yaniv", "num_players": 5},
    {"game": "rummy500", "num_players": 3},
    {"game": "kalooki", "num_players": 4},
)
# The learning rate is constant, so a run is the same up to any point, however long it is.
AGAIN = Config(num_tables=64, rate=1e-3, final_rate=1e-3, average=0.98, grown=20_000)


def margins(player: Player, table: TableOptions, deals: int) -> npt.NDArray[np.float64]:
    """Points of a player ahead of `expert` in each of the held-out deals, float64 (deals,)."""
    plan = Plan(("player", "expert"), deals=deals, seed_set=HELD_OUT, budget=None, game=table.game, **table.options)
    results = Results(plan)
    for outcomes in play_deals([player, make_player("expert", table.game)], plan, range(deals), record=False):
        results.add(outcomes)
    return results.margins()[:, 0]


@functools.cache
def margins_of_random(table: TableOptions, deals: int) -> npt.NDArray[np.float64]:
    """Points of `random` ahead of `expert` in each of the held-out deals, which define score 0."""
    return margins(make_player("random", table.game), table, deals)


def score(network: FamilyNetwork, table: TableOptions, deals: int) -> dict[str, float]:
    """The score of a network at a table, and the half width of its 95 % interval."""
    own = margins(FamilyPlayer(network, table.found), table, deals)
    ratio = interval_of_ratio(own, margins_of_random(table, deals))
    return {"mean": round(1 - ratio.mean, 4), "half_width": round(ratio.half_width, 4)}


def main_table(game: str) -> TableOptions:
    """The table at which a game is learned."""
    return TableOptions(game=game, **find(game).tables[0].options)


class Study:
    """The parts of the study; each yields one result at a time.

    Args:
        options: the options of the command.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.games: list[str] = options.only or list(GAMES)

    def run(self, part: str) -> None:
        """Compute the missing results of a part, and store them."""
        for key, work in self.parts[part]():
            if not self._is_whole(self._found(key)):
                result = key | work()
                print(json.dumps(result), flush=True)
                others = [one for one in self.done if one != self._found(key)]
                write([*others, result], self.options.results)

    def _found(self, key: dict[str, Any]) -> dict[str, Any] | None:
        """The stored result with this key; None if there is none."""
        same = (one for one in self.done if all(one.get(name) == value for name, value in key.items()))
        return next(same, None)

    def _is_whole(self, result: dict[str, Any] | None) -> bool:
        """Whether there is a result, and, if it is a curve, whether it has all points."""
        return result is not None and ("curve" not in result or {*self.options.points} <= _points_of(result))

    @property
    def done(self) -> list[dict[str, Any]]:
        """The results so far, read from the file, since another process can have added some."""
        return read(self.options.results)

    @property
    def parts(self) -> dict[str, Callable[[], Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]]]:
        """The parts by name. A part yields pairs: the key of a result, and the function that computes the result."""
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
            key = {"part": "left-out", "game": game, "seed": seed}
            yield key, functools.partial(self._trained, game=game, **self._twelve_games(game, seed))

    def _twelve_games(self, left_out: str, seed: int) -> dict[str, Any]:
        """The settings of the run that learns all games except one."""
        name = f"without-{left_out}-{seed}"
        return {"name": name, "without": (left_out,), "decisions": self.options.short, "seed": seed}

    def _again(self) -> Iterator[Any]:
        for game, seed in self._pairs():
            for first in STARTS:
                key = {"part": "again", "game": game, "seed": seed, "first": first}
                yield key, functools.partial(self._curve, game, seed, first, self._found(key))

    def _curve(self, game: str, seed: int, first: str, before: dict[str, Any] | None) -> dict[str, Any]:
        """The scores of a network while it learns a game.

        Args:
            game: the game.
            seed: the seed of the run.
            first: one of STARTS.
            before: an earlier result; its points are measured again too.
        """
        files = self._networks(game, seed, first, {*self.options.points, *_points_of(before)})
        curve = []
        for decisions, file in files.items():
            network, about = load_family(file)
            curve.append({"decisions": decisions} | score(network, main_table(game), self.options.deals))
        return {"curve": curve, "deals": self.options.deals, "seconds": about["seconds"]}

    def _networks(self, game: str, seed: int, first: str, points: set[int]) -> dict[int, Path]:
        """The files of a network while it learns a game, by decisions (including 0).

        It is trained unless all files exist.
        """
        folder = self.folder(_name_of_curve(game, seed, first))
        files = {decisions: folder / str(decisions) / FILE for decisions in sorted({0, *points})}
        if all(file.is_file() for file in files.values()):
            return files
        begin = str(self._run(**self._twelve_games(game, seed))) if first == STARTS[0] else None
        run = dataclasses.replace(AGAIN, games=(game,), begin=begin, seed=seed + 1000, decisions=max(files))
        learner = Learner(run)
        for decisions, file in files.items():
            if decisions:
                learner.train(decisions)
            learner.save(file.parent)
        return files

    def ask(self) -> None:
        """Measure the networks of `again` by the protocols about left-out games, and store the answers."""
        points = set(self.options.points)
        for game, seed in self._pairs():
            asked = find_protocol(f"{game}-left-out-v1")
            until = None if max(points) == asked.decisions[-1] else max(points)
            for first in STARTS:
                file = self.options.answers / asked.name / f"{first.replace(' ', '-')}-{seed}.json"
                if file.exists() and str(max(points)) in read_answer(file).figures["normalised"]:
                    continue
                self._networks(game, seed, first, points)
                agents = f"net:{self.folder(_name_of_curve(game, seed, first)).as_posix()}/{DECISIONS}"
                file.parent.mkdir(parents=True, exist_ok=True)
                write_answer(answer(asked, agents, until=until, deals=self.options.short_answers), file)
                print(figures_text(read_answer(file)), flush=True)

    def _families(self) -> Iterator[Any]:
        for name, games in FAMILIES.items():
            if name not in (self.options.learned or FAMILIES):
                continue
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
        """The folder of the network of a run."""
        return self.options.runs / name

    def _run(self, name: str, **changes: Any) -> Path:
        """The folder of the network of a run, which is trained if it does not exist."""
        file = self.folder(name) / FILE
        if not file.is_file():
            learner = Learner(dataclasses.replace(Config(decisions=self.options.decisions), **changes))
            learner.train(say=lambda text: print(text, flush=True))
            learner.save(file.parent)
        return file

    def _trained(self, name: str, game: str, **changes: Any) -> dict[str, Any]:
        """The score of the network of a run at the main table of a game, and the cost of the run."""
        network, about = load_family(self._run(name, **changes))
        told = {"decisions": about["decisions"], "seconds": about["seconds"], "deals": self.options.deals}
        return told | {"score": score(network, main_table(game), self.options.deals)}


def _points_of(result: dict[str, Any] | None) -> set[int]:
    """The numbers of decisions at which a curve has been measured."""
    return {point["decisions"] for point in result["curve"]} if result else set()


def _name_of_curve(game: str, seed: int, first: str) -> str:
    """The name of the folder for one curve of the part `again`, with a network for each number of decisions."""
    return f"again-{game}-{first.replace(' ', '-')}-{seed}"


def read(path: Path = RESULTS) -> list[dict[str, Any]]:
    """The results so far."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def write(results: list[dict[str, Any]], path: Path = RESULTS) -> None:
    """Write the results, one per line."""
    lines = ",\n".join(json.dumps(result) for result in results)
    write_whole(path, f"[\n{lines}\n]\n".encode())


def main(arguments: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m train.family_study", description=__doc__.splitlines()[0])
    names = ["all", "one-game", "left-out", "again", "answers", "families", "other-tables", "agent"]
    parser.add_argument("parts", nargs="+", choices=names)
    parser.add_argument("--only", nargs="+", choices=list(GAMES), help="these games; without it all")
    parser.add_argument("--learned", nargs="+", choices=list(FAMILIES), help="of `families`: these; without it all")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--decisions", type=int, default=Config.decisions, help="of the network of all main tables")
    parser.add_argument("--short", type=int, default=150_000, help="of a network of twelve games, or of a family")
    parser.add_argument("--points", nargs="+", type=int, default=[10_000, 100_000], help="of the part `again`")
    parser.add_argument("--deals", type=int, default=100, help="of each score")
    parser.add_argument("--short-answers", type=int, metavar="DEALS", help="of `answers`: a first look, not a result")
    parser.add_argument("--answers", type=Path, default=ANSWERS, help="folder of the answers")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the results")
    parser.add_argument("--runs", type=Path, default=Path("runs/family-study"))
    options = parser.parse_args(arguments)
    if options.short_answers and options.answers == ANSWERS:
        parser.error("answers of --short-answers are not standing results: name another folder with --answers")
    if "answers" in options.parts:
        points, asked = sorted({0, *options.points}), find_protocol("gin-left-out-v1").decisions
        if points != [*asked[: len(points)]]:
            given = " ".join(f"{each:,}" for each in options.points)
            said = " ".join(f"{each:,}" for each in asked[1:])
            parser.error(
                f"--points {given}: `answers` takes the protocol's points, from the first up to any one: {said}"
            )
    study = Study(options)
    for part in options.parts:
        if part == "agent":
            write_agent(study.folder(f"all-{options.seeds[0]}") / FILE, AGENT, study.done)
        elif part == "answers":
            study.ask()
        else:
            study.run(part)


if __name__ == "__main__":
    main()
