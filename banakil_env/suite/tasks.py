"""Tasks: a table, its deals, its opponents and its precision. The meaning of `gin-2p-v1` never changes.

The tasks are data, in `tasks.toml`. The full id of a task ends in a digest of its definition and of how the engine and
the anchors behave there (`suite.fixed`): `gin-2p-v1+0a1b2c3d4e5f`. Any change of these changes the id, and a test
fails until the version is increased.
"""

from __future__ import annotations

import functools
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from banakil_env.arena.options import TableOptions
from banakil_env.arena.plan import Plan
from banakil_env.arena.seeds import KEYED
from banakil_env.core.game import Game

TASKS = Path(__file__).with_name("tasks.toml")
RANDOM, GREEDY, EXPERT, ZOO = "random", "greedy", "expert", "zoo"
PLAYER = "player"  # the label of the measured player; its dice depend on this label and not on its name
BASELINE = "baseline"  # the match of `random` against the reference, which gives the 0 of the normalized score
LEVELS = (0.95, 0.99)
DIGITS = 12  # of the digest in a full id


class TaskError(ValueError):
    """There is no such task, or a request about it cannot be fulfilled."""


@dataclass(frozen=True, eq=False)
class Task:
    """One task.

    Attributes:
        name, version: such as `gin-2p` and 1.
        game: the name of the game.
        options: options of the table, as `Plan` takes them: num_players, partners, rules, episode.
        company: the other players at its tables. "itself": every table holds the player and one anchor, in all
            seatings.
        reward: the measure, "margin": points per deal ahead of the anchor.
        anchors: the opponents, each in a separate match.
        width: a match ends when the 95 % interval is at most this wide on either side of the mean, in points.
        least, most: the smallest and the largest number of deals of a match.
        budget: time limit of a decision in seconds.
        forfeit: points that a player loses for a table where it fails. They exceed the loss of any game that is played
            to its end, so that giving up never pays.
        behaviour: digests of fixed games of each anchor at this table (`suite.fixed`).
        deals: the digest of the first public deals (`suite.fixed`).
        zoo: SHA-256 of the network of the anchor `zoo`: its weights and its shape, as `identity` gives them, without
            the facts about its training. None if there is no such anchor.
    """

    name: str
    version: int
    game: str
    options: Mapping[str, Any]
    company: str
    reward: str
    anchors: tuple[str, ...]
    width: float
    least: int
    most: int
    budget: float
    forfeit: int
    behaviour: Mapping[str, str]
    deals: str
    zoo: str | None = None

    @property
    def short(self) -> str:
        """The short id: `gin-2p-v1`."""
        return f"{self.name}-v{self.version}"

    @property
    def id(self) -> str:
        """The full id, with the digest."""
        return f"{self.short}+{self.digest[:DIGITS]}"

    @property
    def digest(self) -> str:
        """SHA-256 of all values that the task fixes, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.definition(), sort_keys=True).encode()).hexdigest()

    def definition(self) -> dict[str, Any]:
        """All values that the task fixes, as plain Python values."""
        said = asdict(self)
        return said | {"options": dict(self.options), "behaviour": dict(self.behaviour), "anchors": list(self.anchors)}

    @property
    def reference(self) -> str:
        """The anchor that defines 1 of the normalised score: `expert`, or `greedy` in games without `expert`."""
        return EXPERT if EXPERT in self.anchors else GREEDY

    @property
    def found(self) -> Game:
        """The game."""
        return self.table.found

    @property
    def table(self) -> TableOptions:
        """The table."""
        return TableOptions(game=self.game, **self.options)

    def player_of(self, anchor: str) -> str:
        """The name of an anchor in the form that `make_player` takes."""
        return f"zoo:{self.name}" if anchor == ZOO else anchor

    def matches(self, anchors: Sequence[str]) -> tuple[str, ...]:
        """The names of the matches of a run against these anchors, in order."""
        return (*anchors, BASELINE)

    def plan(self, match: str, key: str, most: int | None = None, deals: int | None = None) -> Plan:
        """The plan of one match.

        Args:
            match: an anchor or BASELINE.
            key: the key of the deals (`suite.deals`).
            most: the largest number of deals; None for that of the task.
            deals: the exact number of deals of a short run; None for a whole run.
        """
        players = (RANDOM, self.reference) if match == BASELINE else (PLAYER, match)
        limit = self.most if most is None else most
        return Plan(
            players,
            game=self.game,
            **self.options,
            seed_set=KEYED,
            key=key,
            deals=limit if deals is None else deals,
            least=min(self.least, limit) if deals is None else 2,
            width=self.width if deals is None else None,
            level=LEVELS[0],
            budget=self.budget,
            moves=True,
            forfeit=self.forfeit,
        )


@functools.cache
def _content() -> dict[str, Any]:
    return tomllib.loads(TASKS.read_text(encoding="utf-8"))


@functools.cache
def tasks() -> Mapping[str, Task]:
    """All tasks, by short id, in the order of `tasks.toml`."""
    content = _content()
    common = content["common"]
    found = {}
    for short, said in content["task"].items():
        name, _, version = short.rpartition("-v")
        fields = {**common, **said, "anchors": tuple(said["anchors"])}
        found[short] = Task(name=name, version=int(version), **fields)
    return found


def task_sets() -> Mapping[str, tuple[str, ...]]:
    """The named sets: by name, the short ids of their tasks. `all` contains every task."""
    return {name: tuple(members) for name, members in _content()["sets"].items()} | {"all": tuple(tasks())}


def find_task(name: str) -> Task:
    """The task with a short or full id. Raises TaskError if there is none, or its digest differs here."""
    short, _, digest = name.partition("+")
    known = tasks()
    if short not in known:
        close = [each for each in known if each.startswith(short.split("-")[0])]
        raise TaskError(f"there is no task {name!r:.80}: there are {', '.join(close or known)}; `banakil suite list`")
    found = known[short]
    if digest and not (len(digest) >= DIGITS and found.digest.startswith(digest)):
        raise TaskError(
            f"{name:.100} is another task than the {found.id} of this installation: the rules, the anchors or the "
            f"statistics differ; install the version of the package that the file names"
        )
    return found


def tasks_of(name: str) -> tuple[Task, ...]:
    """The tasks of a set. Raises TaskError if there is no such set."""
    sets = task_sets()
    if name not in sets:
        raise TaskError(f"there is no set {name!r:.80}: there are {', '.join(sets)}")
    return tuple(tasks()[short] for short in sets[name])
