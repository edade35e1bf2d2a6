"""The claims of a run in addition to its records (task, player, deals, length): makes, checks and compares them.

The claims are the manifest of the file. All of them except the roots and the figures are known before a deal is played.
A file that already exists can therefore be compared with the requested run.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.arena.players import current_name
from banakil_env.core.identity import SHORT, Identity, change_of
from banakil_env.core.release import VERSION
from banakil_env.suite.deals import PARTS, PUBLIC, SEALED, commitment, is_digest, published_key
from banakil_env.suite.file import FORMAT, MOST_DEALS, root_of_all
from banakil_env.suite.tasks import BASELINE, EXPERT, GREEDY, RANDOM, ZOO, Task, TaskError, find_task

# The keys of a manifest.
SAID = ("format", "task", "definition", "player", "command", "package", "deals", "short", "matches", "root", "figures")
OF_PLAYER = ("name", "digest", "parts", "version", "commit")  # as `Identity.as_dict` gives them
REPORTED, REPLAYED, RERUN = DEGREES = ("reported", "replayed", "rerun")
LONGEST_NAME = 4096  # characters in the name of a player, which can contain the path of an agent
# Players whose moves are fixed by the task at its table, even if they change at other tables.
RULES = (RANDOM, GREEDY, EXPERT)

Manifest = Mapping[str, Any]


class VerifyError(ValueError):
    """A file does not reach the expected degree of verification.

    Attributes:
        missed: the degree that it does not reach.
        reached: the degree that it reaches, or "".
    """

    def __init__(self, missed: str, text: str) -> None:
        super().__init__(text)
        self.missed = missed
        self.reached = ("", *DEGREES)[DEGREES.index(missed)]


def claims_of(
    task: Task, player: Identity, part: str, key: str, deals: int | None, matches: Sequence[str]
) -> dict[str, Any]:
    """The claims of a run that are known before it is played.

    Args:
        task: the task.
        player: the identity of the player.
        part: the part of the deals.
        key: the key that the deals come from.
        deals: the number of deals in a short run; None for a whole run.
        matches: the names of its matches.
    """
    return {
        "format": FORMAT,
        "task": task.id,
        "definition": task.definition(),
        "player": player.as_dict(),
        "command": command_of(task, player.name, part, deals, matches),
        "package": VERSION,
        "deals": {"part": part, "key_sha256": commitment(key)},
        "short": deals is not None,
    }


def command_of(task: Task, player: str, part: str, deals: int | None, matches: Sequence[str]) -> str:
    """The command that makes the same file, except for the data of the machine.

    Args:
        task: the task.
        player: the name of the player.
        part: the part of the deals.
        deals: the number of deals in a short run; None for a whole run.
        matches: the names of the matches that were played.
    """
    words = ["banakil", "suite", "run", task.short, player, "--out", "FILE"]
    if part == SEALED:
        words += ["--sealed", "KEYFILE"]
    elif part != PUBLIC:
        words += ["--part", part]
    if deals is not None:
        words += ["--deals", str(deals)]
    return shlex.join(words + ["--without-zoo"] * (ZOO in task.anchors and ZOO not in matches))


# Checked ------------------------------------------------------------------------------------------------------------


def check_claims(said: Manifest) -> Task:
    """Check that the claims of a manifest agree with each other, and return its task. Figures are not checked.

    Raises VerifyError if the claims do not agree, or the rules differ from those here.
    """
    if said.keys() != set(SAID):
        odd = ", ".join(sorted(map(str, set(SAID) ^ said.keys())))
        raise forged(f"the manifest must have {', '.join(SAID)}; missing or unknown: {odd:.200}")
    task = _task(said)
    _check_player(said["player"])
    _check_deals(said["deals"])
    if type(said["short"]) is not bool:
        raise forged("the file does not say whether the run is a short one")
    _check_matches(task, said["matches"])
    roots = {name: match["root"] for name, match in said["matches"].items()}
    if said["root"] != root_of_all(roots):
        raise forged("the root of the run is not that of its matches: one was exchanged after the run")
    _check_command(task, said)
    return task


def _task(said: Manifest) -> Task:
    name = said["task"]
    if not isinstance(name, str) or "+" not in name:
        raise forged(f"the file names no task with its digest: {name!r:.80}")
    try:
        task = find_task(name)
    except TaskError as error:
        raise forged(f"records of other rules: {error}") from None
    here = json.loads(json.dumps(task.definition()))
    if json.dumps(said["definition"], sort_keys=True) != json.dumps(here, sort_keys=True):
        raise forged(f"records of other rules: the definition in the file is not that of {task.id}")
    return task


def _check_player(player: Any) -> None:
    if not isinstance(player, dict) or player.keys() != set(OF_PLAYER):
        raise forged(f"the file does not name the player: {', '.join(OF_PLAYER)}")
    name = player["name"]
    if not isinstance(name, str) or not is_digest(player["digest"]):
        raise forged("the file does not name the player: a name and a digest")
    if len(name) > LONGEST_NAME:
        raise forged(f"the name of the player has {len(name):,} characters, and at most {LONGEST_NAME:,} are read")
    parts = player["parts"]
    if not isinstance(parts, dict) or not all(isinstance(part, str) for part in parts.values()):
        raise forged("the file does not have the player's parts, with a digest for each")
    if Identity(player["name"], parts).digest != player["digest"]:
        raise forged(f"the digest of the player {player['name']!r:.80} is not that of its parts: one was changed")
    if not isinstance(player["version"], str) or not isinstance(player["commit"], str | None):
        raise forged("the file does not say by which version of the package the player played")


def _check_deals(deals: Any) -> None:
    if not isinstance(deals, dict) or deals.get("part") not in PARTS or not is_digest(deals.get("key_sha256")):
        raise forged("the file does not say which deals were played")
    part = str(deals["part"])
    if part != SEALED and deals["key_sha256"] != commitment(published_key(part)):
        raise forged(f"the deals are not the {part} ones: their key has another digest")


def _check_matches(task: Task, matches: Any) -> None:
    allowed = [task.matches(some) for some in (task.anchors, [each for each in task.anchors if each != ZOO])]
    names = tuple(matches) if isinstance(matches, dict) else ()
    if names not in allowed:
        raise forged(
            f"the matches are {', '.join(names)}, and the task has {', '.join(allowed[0])}: one was left out or put in"
        )
    for name, match in matches.items():
        known = isinstance(match, dict) and match.keys() == {"deals", "root"} and is_digest(match["root"])
        if not known or type(match["deals"]) is not int or not 0 <= match["deals"] <= MOST_DEALS:
            raise forged(f"match {name}: the file does not say its root, and its number of deals up to {MOST_DEALS:,}")


def _check_command(task: Task, said: Manifest) -> None:
    wanted = command_of(task, said["player"]["name"], said["deals"]["part"], length_of(task, said), (*said["matches"],))
    if said["command"] != wanted:
        raise forged(f"the command is {said['command']!r:.200}, but the rest of the file belongs to {wanted!r:.200}")


def check_figures_said(said: Manifest) -> None:
    """Check that a manifest has figures of every match except the baseline. Raises VerifyError if it has not.

    Without the records the figures themselves cannot be checked.
    """
    figures = said["figures"]
    levels = {"mean", "half_width_95", "half_width_99"}
    anchors = figures.get("anchors") if isinstance(figures, dict) else None
    normalised = figures.get("normalised") if isinstance(figures, dict) else None
    if not isinstance(anchors, dict) or (*anchors, BASELINE) != tuple(said["matches"]):
        raise forged("the figures are not those of the matches")
    for name, of in anchors.items():
        fine = isinstance(of, dict) and of.get("deals") == said["matches"][name]["deals"]
        if not fine or not _are_numbers(of.get("points"), levels):
            raise forged(f"match {name} has no figures of its deals")
    task = find_task(str(said["task"]))
    if not isinstance(normalised, dict) or normalised.get("reference") != task.reference:
        raise forged("the file says no normalised score")
    if normalised.get("mean") is not None and not _are_numbers(normalised, levels):
        raise forged("the normalised score is not a number with its intervals")


def _are_numbers(said: Any, names: set[str]) -> bool:
    return isinstance(said, dict) and all(type(said.get(name)) in (int, float) for name in names)


def forged(text: str) -> VerifyError:
    """The error for a file that is not *reported*."""
    return VerifyError(REPORTED, text)


# Compared -----------------------------------------------------------------------------------------------------------


def length_of(task: Task, said: Manifest) -> int | None:
    """The number of deals in each match of a short run; None for a whole run."""
    deals: int = said["matches"][task.anchors[0]]["deals"]
    return deals if said["short"] else None


def called(player: Mapping[str, Any]) -> str:
    """A player of a run as text: its name and its digest."""
    return f"{player['name']:.80} (digest {player['digest'][:SHORT]})"


def is_same_player(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two runs are runs of the same player.

    A rule-based player is known by its name, since the task fixes its moves. Its digest also changes with its behavior
    at other tables of the game.
    """
    return one["name"] == other["name"] and (one["name"] in RULES or one["digest"] == other["digest"])


def differences(task: Task, said: Manifest, asked: Manifest, deals: int | None, matches: Sequence[str]) -> list[str]:
    """Describe the differences between a file of a run and the requested run; empty if it is that run.

    Args:
        task: the requested task.
        said: the claims of the file, which agree with each other.
        asked: the claims of the requested run, from `claims_of`.
        deals: the number of deals of the requested run.
        matches: the matches of the requested run.
    """
    found = []

    def compare(what: str, there: object, here: object) -> None:
        if there != here:
            found.append(f"its {what} is {there}, and {here} is requested")

    compare("task", said["task"], asked["task"])
    one, other = said["player"], asked["player"]
    if current_name(one["name"]) != current_name(other["name"]):
        compare("player", called(one), called(other))
    elif other["name"] not in RULES and (change := change_of(one, other)):
        found.append(f"its player {called(one)} has changed since: {change}")
    there, here = said["deals"], asked["deals"]
    compare("part of the deals", there["part"], here["part"])
    if there["part"] == here["part"]:
        compare("key of the deals", there["key_sha256"][:12], here["key_sha256"][:12])
    if said["task"] == asked["task"]:
        compare("length", _length_text(length_of(task, said)), _length_text(deals))
        compare("list of matches", ", ".join(said["matches"]), ", ".join(matches))
    return found


def _length_text(deals: int | None) -> str:
    return "a whole run" if deals is None else f"a short run of {deals} deals"
