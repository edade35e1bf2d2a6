"""The training runs that an agent's file reports, and whether a protocol allows them.

The file of an agent of all games (`train.family`, `train.family_play`) names the games of its run, the number of
decisions, and the run that it started from. The file of an agent of `python -m train` names its table, and perhaps a
teacher or an agent that it started from, but not how those were trained. Other players report nothing: for them only
the statement of their author says what they learned from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.games import DEFAULT_GAME, GAMES
from banakil_env.suite.tasks import TaskError

SPARE = 1.05  # a run ends with a whole step, so it can learn from slightly more decisions than planned


def runs_of(about: Mapping[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """The training runs that an agent reports, the first one first, and whether the list is complete.

    A run has `games`, `decisions` at all of them together, and processor `seconds`.

    Args:
        about: what the file of the agent says about its training (`Agent.about`).
    """
    config, last = about.get("config"), about.get("last")
    if not isinstance(config, Mapping):
        return [], False
    if about.get("trainer") in ("family", "family_play"):
        begun = about.get("begun")
        earlier, whole = runs_of(begun) if isinstance(begun, Mapping) else ([], not config.get("begin"))
        games = [name for name in config.get("games") or GAMES if name not in config.get("without", ())]
        own = {"games": games, "decisions": about.get("decisions"), "seconds": about.get("seconds")}
        return [*earlier, *([own] if own["decisions"] else [])], whole
    table = config.get("table")
    if not isinstance(table, Mapping) or not isinstance(last, Mapping):
        return [], False
    seconds = last.get("cpu_seconds", last.get("seconds"))
    own = {"games": [table.get("game", DEFAULT_GAME)], "decisions": last.get("steps"), "seconds": seconds}
    return [own], not any(config.get(name) for name in ("begin_from", "begin", "teacher"))


def check_learned(runs: Sequence[Mapping[str, Any]], game: str, decisions: int, agent: str) -> None:
    """Raise TaskError if the runs of an agent include more decisions at a game than the protocol allows.

    Args:
        runs: the runs of the agent.
        game: the game.
        decisions: the allowed number of decisions.
        agent: the name of the agent, for the message.
    """
    with_it = [run for run in runs if game in run["games"]]
    there = sum(run["decisions"] or 0 for run in with_it)
    if there > decisions * SPARE:
        where = f"at tables of {game}" if all(run["games"] == [game] for run in with_it) else f"in runs with {game}"
        raise TaskError(
            f"{agent:.100} has learned from {there:,} decisions {where}, as its file says, and is asked "
            f"for as an agent that has learned from {decisions:,} there"
        )


def learned_text(runs: Sequence[Mapping[str, Any]] | None, game: str) -> str:
    """A few words about the games other than `game` that an agent was trained on: names and decisions."""
    if runs is None:
        return "not told"
    others = [run for run in runs if game not in run["games"]]
    if not others:
        return "nothing"
    games = list(dict.fromkeys(name for run in others for name in run["games"]))
    total = sum(run["decisions"] or 0 for run in others)
    return f"{', '.join(games) if len(games) < 4 else f'{len(games)} games'}: {total:,} decisions"
