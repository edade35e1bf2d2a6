"""Do the digests of the tasks follow the engine and the anchors when a person asks for it?"""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from banakil_env.suite.tasks import TASKS, Task, find_task
from train.task_digests import IDS, moved, write

TASK = find_task("tonk-2p-v1")
WRONG = "0" * 64


def files(folder: Path) -> tuple[Path, Path]:
    """Copies of the file of tasks and of the file of ids."""
    return Path(shutil.copy(TASKS, folder)), Path(shutil.copy(IDS, folder))


def older() -> Task:
    """The task as if `expert` and the deals had been different."""
    return dataclasses.replace(TASK, behaviour={**TASK.behaviour, "expert": WRONG}, deals=WRONG)


def test_what_moved_is_named() -> None:
    assert moved(TASK) == {}
    assert moved(older()) == {"expert": TASK.behaviour["expert"], "deals": TASK.deals}


def test_files_of_the_present_engine_stay_as_they_are(tmp_path: Path) -> None:
    file, ids = files(tmp_path)
    assert write([TASK], file, ids) == {}
    assert (file.read_text(), ids.read_text()) == (TASKS.read_text(), IDS.read_text())


def test_digests_that_moved_are_written_for_their_task_alone(tmp_path: Path) -> None:
    file, ids = files(tmp_path)
    file.write_text(file.read_text().replace(TASK.behaviour["expert"], WRONG).replace(TASK.deals, WRONG))
    ids.write_text(ids.read_text().replace(TASK.id, older().id))
    assert write([older()], file, ids) == {TASK.short: ["expert", "deals"]}
    assert (file.read_text(), ids.read_text()) == (TASKS.read_text(), IDS.read_text())


def test_a_task_whose_definition_changed_gets_its_id(tmp_path: Path) -> None:
    file, ids = files(tmp_path)
    wider = dataclasses.replace(TASK, width=2 * TASK.width)
    assert write([wider], file, ids) == {TASK.short: []}
    assert wider.id in ids.read_text()


def test_a_line_that_is_missing_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    file, ids = files(tmp_path)
    ids.write_text(ids.read_text().replace(f'{TASK.short} = "{TASK.id}"\n', ""))
    before = file.read_text(), ids.read_text()
    with pytest.raises(ValueError, match=f"there is no line of {TASK.short}"):
        write([older()], file, ids)
    assert (file.read_text(), ids.read_text()) == before
