"""Writes the digests of the suite's tasks again, after a change of rules, deals or rule-based players.

    python -m train.task_digests --game oklahoma      # the tasks of one game
    python -m train.task_digests                      # of all games: several minutes

The digests go to `banakil_env/suite/tasks.toml`, the full ids to `tests/data/suite-ids.toml`. Do not use this after the
first release: a task that changes then gets another version (docs/suite.md, *Names and versions*).
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from banakil_env.core.files import write_whole
from banakil_env.games import GAMES
from banakil_env.suite.fixed import behaviour, deals_digest
from banakil_env.suite.tasks import TASKS, Task, tasks

IDS = Path(__file__).resolve().parents[1] / "tests" / "data" / "suite-ids.toml"
DEALS = "deals"  # the name of the digest of the first public deals


def moved(task: Task) -> dict[str, str]:
    """The digests of the task that have changed, by anchor; the digest of the deals has the key DEALS."""
    before = {**task.behaviour, DEALS: task.deals}
    found = {**behaviour(task), DEALS: deals_digest(task)}
    return {name: digest for name, digest in found.items() if before.get(name) != digest}


def write(chosen: Iterable[Task], file: Path = TASKS, ids: Path = IDS) -> dict[str, list[str]]:
    """Write the digests that have changed, and the ids of all these tasks.

    Returns:
        The names of the changed digests, by the short id of each task whose id changed.

    Raises:
        ValueError: a file has no line for a digest or an id; neither file is changed.
    """
    text, id_text = file.read_text(encoding="utf-8"), ids.read_text(encoding="utf-8")
    changed = {}
    for task in chosen:
        digests = moved(task)
        begin = text.index(f"[task.{task.short}]")
        end = text.find("\n[task.", text.index(f"[task.{task.short}.behaviour]"))
        end = len(text) if end < 0 else end
        section = text[begin:end]
        for name, digest in digests.items():
            section = _replaced(section, name, digest, f"{file.name}, {task.short}")
        text = text[:begin] + section + text[end:]
        by_anchor = {name: digest for name, digest in digests.items() if name != DEALS}
        now = dataclasses.replace(task, behaviour={**task.behaviour, **by_anchor}, deals=digests.get(DEALS, task.deals))
        before, id_text = id_text, _replaced(id_text, task.short, now.id, ids.name)
        if digests or id_text != before:
            changed[task.short] = list(digests)
    write_whole(file, text.encode())
    write_whole(ids, id_text.encode())
    return changed


def _replaced(text: str, name: str, value: str, where: str) -> str:
    """The text with another value in the line of `name`. Raises ValueError if there is no such line."""
    replaced, count = re.subn(rf'^{re.escape(name)} = ".*"$', f'{name} = "{value}"', text, flags=re.MULTILINE)
    if count == 0:
        raise ValueError(f'{where}: there is no line of {name}; add {name} = ""')
    return replaced


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--game", choices=GAMES, help="default: all")
    args = parser.parse_args(arguments)
    changed = write(task for task in tasks().values() if args.game in (None, task.game))
    for short, names in changed.items():
        print(f"{short}: {', '.join(names) or 'its definition'}")
    print(f"tasks that moved: {len(changed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
