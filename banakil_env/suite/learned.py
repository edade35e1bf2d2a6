"""The runs that an agent learned from, as its file tells them, and whether a protocol allows them.

An agent of all games (`train.family`) names the games of its run, the number of decisions, and the run that it began
with. An agent of `python -m train` names its table. Other players tell nothing: what they learned is the statement of
their author.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.games import GAMES
from banakil_env.suite.tasks import TaskError

SPARE = 1.05  # a run ends with a whole step: it may learn from a few more decisions than it was meant to


def runs_of(about: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The runs that made an agent, the first one first: `games`, `decisions` and `seconds` of a processor.

    None: the agent does not tell all of them.

    Args:
        about: what the file of the agent tells of its training (`Agent.about`).
    """
    config = about.get("config")
    if not isinstance(config, Mapping):
        return None
    if about.get("trainer") == "family":
        earlier = runs_of(about["begun"]) if isinstance(about.get("begun"), Mapping) else []
        if earlier is None or (config.get("begin") and not earlier):
            return None
        games = [name for name in config.get("games") or GAMES if name not in config.get("without", ())]
        own = {"games": games, "decisions": about.get("decisions"), "seconds": about.get("seconds")}
        return [*earlier, *([own] if own["decisions"] else [])]
    table, last = config.get("table"), about.get("last")
    if not isinstance(table, Mapping) or not isinstance(last, Mapping) or config.get("begin_from"):
        return None
    return [{"games": [table.get("game")], "decisions": last.get("steps"), "seconds": last.get("cpu_seconds")}]


def check_learned(runs: Sequence[Mapping[str, Any]] | None, game: str, decisions: int, agent: str) -> None:
    """TaskError: the runs of an agent include more decisions at a game than the protocol allows at this point."""
    there = sum(run["decisions"] or 0 for run in runs or () if game in run["games"])
    if there > decisions * SPARE:
        raise TaskError(
            f"{agent:.100} has learned from {there:,} decisions at tables of {game}, as its file says, and is asked "
            f"for as an agent that has learned from {decisions:,} there"
        )


def learned_text(runs: Sequence[Mapping[str, Any]] | None, game: str) -> str:
    """What an agent learned before its first decision at a game, in a few words."""
    if runs is None:
        return "not told"
    others = [run for run in runs if game not in run["games"]]
    if not others:
        return "nothing"
    games = list(dict.fromkeys(name for run in others for name in run["games"]))
    total = sum(run["decisions"] or 0 for run in others)
    return f"{', '.join(games) if len(games) < 4 else f'{len(games)} games'}: {total:,} decisions"
