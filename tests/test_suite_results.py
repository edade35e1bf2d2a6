"""Is every standing result what its file says, and the page what the files say? docs/verified-runs.md is the page."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from suite_runs import short_run

from banakil_env.arena import identity_of
from banakil_env.suite.file import RunFileError
from banakil_env.suite.run import player_for
from banakil_env.suite.standing import Entry, read_entries, results_svg, results_text
from banakil_env.suite.tasks import TaskError, find_task
from banakil_env.suite.verify import REPLAYED, REPORTED, RERUN, verify

FOLDER = Path(__file__).resolve().parents[1] / "suite" / "results"
ENTRIES = read_entries(FOLDER)
SMALLEST = min(ENTRIES, key=lambda entry: entry.file.stat().st_size)
SAMPLE = 5


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.name}-{entry.task}")
def test_a_standing_result_is_what_its_file_says(entry: Entry, long: bool) -> None:
    """In short form figures and roots, and the games of one; with --long the games of all, and the players."""
    if entry.player.startswith("zoo:"):
        pytest.importorskip("torch")
    if long:
        player = entry.player if entry.degree == RERUN else None
        wanted = REPORTED if entry.degree == REPORTED else RERUN if player else REPLAYED
        assert verify(entry.file, player=player, sample=SAMPLE).degree == wanted
    else:
        replayed = entry == SMALLEST and entry.degree != REPORTED
        degree = REPLAYED if replayed else REPORTED
        assert verify(entry.file, degree=degree).degree == degree


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.name}-{entry.task}")
def test_a_standing_result_is_of_a_player_of_today(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digest is of what the player does, so that it stays when the player's source is rearranged."""
    monkeypatch.chdir(FOLDER.parents[1])  # names of agents are paths from there
    if ":" in entry.player and not entry.player.startswith("search:"):
        pytest.importorskip("torch")
    player = player_for(find_task(entry.task), entry.player)
    assert identity_of(player).parts == entry.run.manifest["player"]["parts"]


def test_the_files_are_named_by_their_tasks_and_stand_once() -> None:
    assert ENTRIES
    assert [entry.file.stem for entry in ENTRIES] == [entry.task for entry in ENTRIES]
    named = [entry.run.manifest["player"]["name"] for entry in ENTRIES]
    assert named == [entry.player.replace("{table}", find_task(entry.task).name) for entry in ENTRIES]


def test_the_figure_is_a_picture_with_a_mark_for_every_result() -> None:
    root = ET.fromstring(results_svg(ENTRIES))
    assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == len(ENTRIES)
    assert results_text(ENTRIES).count("`banakil suite run ") == len(ENTRIES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one submission: a file that is a result here."""
    own = tmp_path / "results" / "mine"
    own.mkdir(parents=True)
    shutil.copy(ENTRIES[0].file, own)
    shutil.copy(ENTRIES[0].file.parent / "about.toml", own)
    return tmp_path / "results"


def test_a_submission_is_read(folder: Path) -> None:
    [entry] = read_entries(folder)
    assert (entry.name, entry.degree) == ("mine", ENTRIES[0].degree)


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ('player = "x"\n', "about.toml must have about, cost, degree, player, each a text; it has player"),
        ('player = "x"\ndegree = "proved"\ncost = "day"\nabout = ""\n', "degree is one of reported, replayed, rerun"),
        ('player = "x"\ndegree = "rerun"\ncost = "1 $"\nabout = ""\n', "cost is one of rules, hour, day, open"),
        ("player = \n", "cannot be read"),
    ],
)
def test_a_submission_that_says_something_else_is_refused(folder: Path, said: str, fault: str) -> None:
    (folder / "mine" / "about.toml").write_text(said)
    with pytest.raises(TaskError, match=fault):
        read_entries(folder)


def test_a_short_run_and_other_deals_are_no_results(folder: Path, tmp_path: Path) -> None:
    for number, options in enumerate(({}, {"part": "development"})):
        (tmp_path / str(number)).mkdir()
        shutil.copy(short_run(tmp_path / str(number), **options), folder / "mine" / "short.zip")
        with pytest.raises(TaskError, match="is not a result: it has to be a whole run on the public deals"):
            read_entries(folder)
    (folder / "mine" / "short.zip").write_bytes(b"no zip")
    with pytest.raises(RunFileError, match=r"short\.zip is damaged"):
        read_entries(folder)
