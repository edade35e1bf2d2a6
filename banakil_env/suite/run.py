"""Runs a task: plays a match against each of its opponents (*anchors*), then writes one file with all records.

Every match is a match of the arena: it uses several processes or a Ray cluster, and continues after an interruption.
Until the file is complete, its matches are stored in a folder of the same name with the suffix `.parts`. A file that
exists is never overwritten: it must be the requested run, or an error is raised.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banakil_env.arena.identities import identity_of
from banakil_env.arena.match import play_match
from banakil_env.arena.players import CompiledPlayer, Player, make_players
from banakil_env.arena.results import Results
from banakil_env.core.install import install_line
from banakil_env.core.release import version_of
from banakil_env.suite.claims import claims_of, differences
from banakil_env.suite.deals import PUBLIC, SEALED, SENTENCES, key_of_task, published_key
from banakil_env.suite.figures import figures
from banakil_env.suite.file import MOST_DEALS, RunFile, RunFileError, line_of, root_of_all, root_of_match
from banakil_env.suite.fixed import check_behaviour, check_zoo
from banakil_env.suite.tasks import BASELINE, PLAYER, RANDOM, ZOO, Task, TaskError
from banakil_env.suite.verify import VerifyError, reported

TABLE = "{table}"  # in the name of a player: replaced by the name of the task's table
LIBRARIES = ("numpy", "numba", "torch")

Progress = Callable[[str, int, int, str], None]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The settings of a run; only `part`, `key`, `deals` and `without_zoo` change the content of its file.

    Attributes:
        part: the part of the deals: "public", "development" or "sealed".
        key: the key of sealed deals, 64 hexadecimal digits.
        deals: play exactly this number in every match, for a first look. The file is marked as a short run, which is
            not a result.
        without_zoo: leave out the anchor `zoo`, which needs PyTorch.
        processes, cluster, isolate: see `play_match`. `isolate` None gives each player that is not rule-based a
            separate process.
        progress: called with the match, the number of deals played, the largest number of deals, and a line of text.
    """

    part: str = PUBLIC
    key: str | None = None
    deals: int | None = None
    without_zoo: bool = False
    processes: int = 1
    cluster: bool = False
    isolate: bool | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.part not in (*SENTENCES, SEALED):
            raise TaskError(f"the deals are {', '.join((*SENTENCES, SEALED))}, not {self.part!r:.40}")
        if (self.part == SEALED) != (self.key is not None):
            raise TaskError("sealed deals come from a key, and others from none: --sealed KEYFILE")
        if self.deals is not None and self.deals < 2:
            raise TaskError(f"an interval needs two deals at least, not {self.deals}")
        if self.deals is not None and self.deals > MOST_DEALS:
            raise TaskError(f"a short run has at most {MOST_DEALS:,} deals, not {self.deals:,}")

    @property
    def deals_key(self) -> str:
        """The key that the deals are made from."""
        return self.key if self.key is not None else published_key(self.part)

    def anchors(self, task: Task) -> tuple[str, ...]:
        """The opponents of the player in a run."""
        return tuple(each for each in task.anchors if not (each == ZOO and self.without_zoo))

    def claims(self, task: Task, player: Player) -> dict[str, Any]:
        """The claims of a run that are known before it is played."""
        matches = task.matches(self.anchors(task))
        return claims_of(task, identity_of(player), self.part, self.deals_key, self.deals, matches)


class OtherRunError(TaskError):
    """The file of a run already exists and holds another run."""


def player_for(task: Task, player: str | Player | Callable[..., Any]) -> Player:
    """Make the player for the table of a task, whose name replaces TABLE.

    Raises ValueError if there is no such player.
    """
    return make_players([player.replace(TABLE, task.name) if isinstance(player, str) else player], task.found)[0]


def existing_run(task: Task, player: str | Player | Callable[..., Any], out: Path, options: RunOptions) -> RunFile:
    """The run in a file that already exists, checked to be the requested run.

    Raises:
        OtherRunError: it is another run (another task, player, part of the deals, key or length), it is damaged, or its
            figures do not follow from its records. The text says which.
        ValueError: there is no such player.
    """
    way_out = "name another file or folder with --out, or remove this file"
    try:
        run = reported(out)
    except (VerifyError, RunFileError) as error:
        raise OtherRunError(f"{error}; {way_out}") from None
    asked = options.claims(task, player_for(task, player))
    found = differences(task, run.manifest, asked, options.deals, task.matches(options.anchors(task)))
    if found:
        raise OtherRunError(f"{out} exists already and is another run: {'; '.join(found)}; {way_out}")
    return run


def run_task(task: Task, player: str | Player | Callable[..., Any], out: Path, options: RunOptions) -> RunFile:
    """Run a player through a task, and write the file of the run. If the file already exists, return the run in it.

    Two processes can run the same task into the same file: the second one waits for the first.

    Args:
        task: the task.
        player: as `make_player` takes it; TABLE in a name is replaced by the name of the task's table.
        out: the file.
        options: the settings.

    Raises:
        TaskError: the engine or an anchor differs from that of the task.
        OtherRunError: see `existing_run`.
        ValueError: there is no such player, or the parts of a run by another player exist.
        RuntimeError: a process failed.
        OSError: the file cannot be written.
        ImportError: filelock is missing.
    """
    made, anchors = player_for(task, player), options.anchors(task)
    with _only_writer(out, options.progress):
        if out.exists():
            return existing_run(task, made, out, options)
        check_behaviour(task)
        if ZOO in anchors:
            check_zoo(task)
        seated = {each: make_players([task.player_of(each)], task.found)[0] for each in anchors}
        parts = out.with_name(out.name + ".parts")
        played: dict[str, Results] = {}
        for match in task.matches(anchors):
            pair = (seated[RANDOM], seated[task.reference]) if match == BASELINE else (made, seated[match])
            fixed = len(played[task.reference].deals) if match == BASELINE else options.deals
            played[match] = _play(task, match, pair, fixed, parts / match, options)
        run = _file(task, made, played, options)
        run.write(out)
        shutil.rmtree(parts)
    return run


@contextlib.contextmanager
def _only_writer(out: Path, tell: Progress | None) -> Iterator[None]:
    """Hold the lock of a file that is to be written. The system releases the lock if the process ends.

    The lock is a file `.NAME.lock`, which is removed at the end; a process that waits for it then makes another one.
    """
    try:
        from filelock import FileLock, Timeout
    except ImportError:
        raise ImportError(f"a run of the suite needs filelock: {install_line('suite')}") from None
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f".{out.name}.lock")
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        if tell:
            tell("nobody yet", 0, 0, f"another process writes {out.name}, waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # some systems do not allow removing the file of a lock that is held
            path.unlink()
        lock.release()


def _play(
    task: Task, match: str, pair: Sequence[Player], deals: int | None, folder: Path, options: RunOptions
) -> Results:
    plan = task.plan(match, key_of_task(options.deals_key, task), deals=deals)
    foreign = any(not isinstance(player, CompiledPlayer) for player in pair)
    untimed = any(getattr(player, "untimed", False) for player in pair)
    tell = options.progress
    return play_match(
        pair,
        plan,
        folder=folder,
        processes=1 if untimed else options.processes,
        cluster=options.cluster,
        isolate=foreign and not untimed if options.isolate is None else options.isolate,
        progress=None if tell is None else lambda done, most, text: tell(match, done, most, text),
    )


def _file(task: Task, player: Player, played: Mapping[str, Results], options: RunOptions) -> RunFile:
    """The content of the file of a run."""
    texts = [action.text for action in task.found.actions]
    lines = {name: [_line(deal, tables, texts) for deal, tables in enumerate(r.deals)] for name, r in played.items()}
    roots = {name: root_of_match(name, of_match) for name, of_match in lines.items()}
    manifest = options.claims(task, player) | {
        "matches": {name: {"deals": len(lines[name]), "root": root} for name, root in roots.items()},
        "root": root_of_all(roots),
        "figures": figures(task, played),
    }
    return RunFile(manifest, lines, _machine(played))


def _line(deal: int, tables: Sequence[Mapping[str, Any]], texts: Sequence[str]) -> str:
    kept = [{**table, "moves": "; ".join(texts[action] for action in table["moves"])} for table in tables]
    return line_of(deal, kept)


def _machine(played: Mapping[str, Results]) -> dict[str, Any]:
    """The data that can differ in another run: seconds per decision, and the machine."""
    return {
        "seconds_per_decision": {
            name: {player: round(results.seconds(player), 9) for player in results.plan.players}
            for name, results in played.items()
        },
        "player_decisions": sum(_decisions(results) for name, results in played.items() if name != BASELINE),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "libraries": {name: version_of(name) for name in LIBRARIES},
    }


def _decisions(results: Results) -> int:
    """The number of decisions of the label PLAYER in a match; it is the first player of every table."""
    assert results.plan.players[0] == PLAYER
    return sum(table["decisions"][0] for tables in results.deals for table in tables)
