"""Writes the digests of the suite's tasks anew, after a change of rules, deals or rule-based players.

    python -m train.task_digests --game oklahoma      # the tasks of one game
    python -m train.task_digests                      # of all games: several minutes

Until the first release a task keeps `v1`, and its digests follow the engine and the anchors. After it, a task that
moves gets another version instead, and the ids of earlier ones stay. The digests go to `banakil_env/suite/tasks.toml`,
the full ids to `tests/data/suite-ids.toml`. What moved is printed: `random` moves only with the rules or the deals.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from banakil_env.games import GAMES
from banakil_env.suite.fixed import behaviour, deals_digest
from banakil_env.suite.tasks import TASKS, Task, tasks

IDS = Path(__file__).resolve().parents[1] / "tests" / "data" / "suite-ids.toml"
DEALS = "deals"  # the name of the digest of the first public deals


def moved(task: Task) -> dict[str, str]:
    """The digests that differ from those of the task, by anchor and `deals`."""
    found = {**behaviour(task), DEALS: deals_digest(task)}
    return {name: digest for name, digest in found.items() if {**task.behaviour, DEALS: task.deals}[name] != digest}


def write(found: Iterable[Task], file: Path = TASKS, ids: Path = IDS) -> dict[str, list[str]]:
    """Write the digests of these tasks that moved, and their ids.

    Returns:
        The names of what moved, by the short id of the task.
    """
    text, lines = file.read_text(encoding="utf-8"), ids.read_text(encoding="utf-8")
    all_moved: dict[str, list[str]] = {}
    for task in found:
        digests = moved(task)
        if digests:
            all_moved[task.short] = list(digests)
            begin = text.index(f"[task.{task.short}]")
            end = text.find("\n[task.", text.index(f"[task.{task.short}.behaviour]"))
            end = len(text) if end < 0 else end
            text = text[:begin] + _replaced(text[begin:end], digests) + text[end:]
        kept = {name: digest for name, digest in digests.items() if name != DEALS}
        now = dataclasses.replace(task, behaviour={**task.behaviour, **kept}, deals=digests.get(DEALS, task.deals))
        lines = re.sub(rf'^{re.escape(task.short)} = ".*"$', f'{task.short} = "{now.id}"', lines, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    ids.write_text(lines, encoding="utf-8")
    return all_moved


def _replaced(section: str, digests: dict[str, str]) -> str:
    """The section of a task with these digests."""
    for name, digest in digests.items():
        section = re.sub(rf'^{name} = "[0-9a-f]*"$', f'{name} = "{digest}"', section, flags=re.MULTILINE)
    return section


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--game", choices=GAMES, help="default: all")
    args = parser.parse_args(arguments)
    found = write(task for task in tasks().values() if args.game in (None, task.game))
    for short, names in found.items():
        print(f"{short}: {', '.join(names)}")
    print(f"{len(found)} tasks moved" if found else "no task moved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
