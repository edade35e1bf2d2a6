"""Makes the tables of docs/performance.md, and the rates on other pages, from two runs of `banakil bench`.

banakil bench --game all --runs 3 --seconds 0.3 --only "1 thread" --only AEC --json docs/rates.json
banakil bench --game gin --quick --only "random play" --only "4,096 tables" --only "AEC, " --only peers \
    --gin-python gin/bin/python --json docs/rates-gin.json
"""

from __future__ import annotations

import functools
import json
import statistics
from pathlib import Path
from typing import Any

from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find

DOCS = Path(__file__).resolve().parent
OPENSPIEL = "OpenSpiel gin rummy, from Python"


@functools.cache
def _rows(name: str) -> dict[str, dict[str, Any]]:
    """The rows in a file of `banakil bench --json`, by name."""
    return {row["name"]: row for row in json.loads((DOCS / f"{name}.json").read_text(encoding="utf-8"))["rows"]}


def _short(value: float) -> str:
    """A rate with three digits, such as 15.1 M or 569,000."""
    digits = float(f"{value:.3g}")
    return f"{digits / 1e6:.3g} M" if digits >= 1e6 else f"{digits:,.0f}"


def _of_game(game: Game, row: str) -> str:
    return _short(_rows("rates")[f"{game.name}, {row}"]["median"])


def games() -> str:
    """A table of the rates of batches, for every game at its main table."""
    rows = []
    for game in map(find, GAMES):
        title = game.tables[0].title
        cells = [f"256 tables, {title}", f"4,096 tables, {title}", "4,096 tables, features"]
        cells += [f"4,096 tables, learner against {player}" for player in ("greedy", "expert")]
        rows.append([game.title, title, *(_of_game(game, f"{cell}, 1 thread") for cell in cells)])
    heads = ["game", "table", "256", "4,096", "features", "against `greedy`", "against `expert`"]
    return markdown_table(heads, rows)


def one_table() -> str:
    """A table for every game at its main table: the rate of the AEC environment, and the time of a first game."""
    ways = [f"AEC, {way}, {form}" for form in ("record", "features") for way in ("unwrapped", "pettingzoo.make")]
    rows = []
    for game in map(find, GAMES):
        first = _rows("rates")[f"{game.name}, first AEC game, warm"]["median"]
        rows.append([game.title, *(_of_game(game, way) for way in ways), f"{first:.2f} s"])
    return markdown_table(["game", "record", "record, `make`", "features", "features, `make`", "first game"], rows)


def sizes() -> str:
    """A Markdown table of the memory that one table of each game needs."""
    rows = [
        [game.title, f"{game.state.itemsize:,}", f"{game.observation.itemsize:,}", f"{game.num_actions:,}"]
        for game in map(find, GAMES)
    ]
    return markdown_table(["game", "state", "observation, as a record", "mask"], rows)


def _gin_batch(threads: str = "1 thread") -> dict[str, Any]:
    return _rows("rates-gin")[f"4,096 tables, {find('gin').tables[0].title}, {threads}"]


def gin() -> str:
    """A table that compares gin rummy here with OpenSpiel, by the same rules, in one run."""
    rows, title = _rows("rates-gin"), find("gin").tables[0].title
    shown = [
        ("one compiled loop, no observations", rows[f"random play, {title}"]),
        ("batch of 4,096, masks and observations", _gin_batch()),
        ("the same, two threads", _gin_batch("2 threads")),
        ("PettingZoo, observations", rows["AEC, pettingzoo.make, record"]),
        ("OpenSpiel, inside C++, no observations", rows["OpenSpiel gin rummy, inside C++"]),
        ("OpenSpiel, from Python, no observations", rows[f"{OPENSPIEL}, no observation"]),
        ("OpenSpiel, from Python, observations", rows[OPENSPIEL]),
    ]
    cells = [[name, *(_short(row[figure]) for figure in ("median", "min", "max"))] for name, row in shown]
    return markdown_table(["what", "per second", "lowest", "highest"], cells)


def peers() -> str:
    """A Markdown table of the rates of other packages, measured in the same run as those of `gin`."""
    found = [row for row in _rows("rates-gin").values() if row["group"] == "peers" and "OpenSpiel" not in row["name"]]
    if not found:
        raise ValueError("docs/rates-gin.json has no other packages: measure with requirements-peers.txt installed")
    rows = [[row["name"], _short(row["median"]), row["work"]] for row in found]
    return markdown_table(["what", "per second", "a step"], rows)


def fast() -> str:
    """The sentence about speed in the README."""
    ours, theirs = _gin_batch()["median"], _rows("rates-gin")[OPENSPIEL]["median"]
    return (
        f"**Fast.** {_short(ours).removesuffix(' M')} million steps per second on one core, with observations and "
        f"masks, in batches of 4,096 tables of gin\nrummy. OpenSpiel makes {_short(theirs)} by the same rules from "
        "Python ([how it was measured](docs/performance.md))."
    )


def choice() -> str:
    """The sentences about speed in docs/which-interface.md."""
    aec = _rows("rates-gin")["AEC, pettingzoo.make, record"]["median"]
    spread = statistics.median(_rows("rates")[f"{name}, AEC, pettingzoo.make, features"]["median"] for name in GAMES)
    return (
        f"Steps per second of random play in gin rummy, one core: PettingZoo {_short(aec)}, a batch of 4,096 tables "
        f"{_short(_gin_batch()['median'])}. With features,\nPettingZoo makes {_short(spread)} in the median game "
        "([how they were measured](performance.md))."
    )
