"""Do runs on other deals confirm the standing results, and is that what the page says?"""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from suite_runs import short_run

from banakil_env.cli import application
from banakil_env.suite.claims import command_of
from banakil_env.suite.confirm import Pair, confirm_text, pairs, read_manifest, second_runs, second_text
from banakil_env.suite.deals import PUBLIC, SECOND, SENTENCES, commitment, published_key
from banakil_env.suite.file import read_run, root_of_all
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.standing import read_entries
from banakil_env.suite.tasks import TaskError, find_task

SUITE = Path(__file__).resolve().parents[1] / "suite"
ENTRIES = read_entries(SUITE / "results")
RUNS = second_runs(ENTRIES, SUITE / "second")


def figure(mean: float, half: float) -> dict[str, float]:
    return {"mean": mean, "half_width_95": half, "half_width_99": 4 / 3 * half}


def manifest(part: str, *, task: str = "gin-2p-v1+0", player: str = "a", **points: dict[str, float]) -> dict[str, Any]:
    """What a comparison reads of a run: its points against each anchor."""
    return {
        "task": task,
        "player": {"name": "one", "digest": player},
        "deals": {"part": part, "key_sha256": commitment(published_key(part))},
        "figures": {"anchors": {name: {"points": each} for name, each in points.items()}},
    }


def test_a_difference_and_its_interval() -> None:
    pair = Pair("greedy", figure(10, 3), figure(14, 4))
    assert (pair.difference, pair.half_width(), pair.half_width(99)) == (4, 5, pytest.approx(20 / 3))
    assert pair.within()
    far = Pair("greedy", figure(10, 3), figure(4, 4))
    assert not far.within()
    assert far.within(99)


def test_figures_of_both_runs_are_compared_but_those_without_chance() -> None:
    first = manifest(PUBLIC, random=figure(5, 1), expert=figure(0, 0), zoo=figure(1, 1))
    second = manifest(SECOND, random=figure(6, 1), expert=figure(0, 0))
    assert [pair.anchor for pair in pairs(first, second)] == ["random"]
    assert confirm_text(first, second).splitlines() == [
        "gin-2p-v1+0  one  public and public-2 deals",
        "  against random   +5.00 ± 1.00 and +6.00 ± 1.00, difference +1.00 ± 1.41: within",
    ]


@pytest.mark.parametrize(
    ("part", "changes", "fault"),
    [
        (SECOND, {"task": "gin-2p-v1+1"}, "of different tasks: gin-2p-v1.0 and gin-2p-v1.1"),
        (SECOND, {"player": "b"}, r"of different players: one \(digest a\) and one \(digest b\)"),
        (PUBLIC, {}, "both runs are on the same deals: make one with --part public-2"),
    ],
)
def test_runs_that_cannot_be_compared(part: str, changes: dict[str, str], fault: str) -> None:
    with pytest.raises(TaskError, match=fault):
        pairs(manifest(PUBLIC), manifest(part, **changes))


def test_a_rule_based_player_is_known_by_its_name() -> None:
    """Its moves at other tables may change between two runs; those of the task may not."""
    first, second = (manifest(part, player=part, random=figure(5, 1)) for part in (PUBLIC, SECOND))
    for said in (first, second):
        said["player"]["name"] = "expert"
    assert [pair.anchor for pair in pairs(first, second)] == ["random"]


def test_the_command_compares_two_files(tmp_path: Path) -> None:
    runner = pytest.importorskip("typer.testing").CliRunner()
    files = []
    for part in (PUBLIC, SECOND):
        (tmp_path / part).mkdir()
        files.append(str(short_run(tmp_path / part, part=part)))
    done = runner.invoke(application(), ["suite", "confirm", *files])
    assert done.exit_code == 0, done.output
    title, *lines = done.output.splitlines()
    assert title.endswith("greedy  public and public-2 deals")
    assert [line.split()[1] for line in lines] == ["random", "expert"]


def test_every_second_run_is_of_a_standing_result_and_whole() -> None:
    assert len(RUNS) == len(list((SUITE / "second").glob("*/*")))
    for entry, second in RUNS:
        assert pairs(entry.run.manifest, second) or entry.player == "expert"
        assert second["player"]["digest"] == entry.run.manifest["player"]["digest"]
        roots = {name: match["root"] for name, match in second["matches"].items()}
        assert second["root"] == root_of_all(roots)
        task = find_task(second["task"])
        assert second["command"] == command_of(task, second["player"]["name"], SECOND, None, tuple(roots))


def test_the_command_of_a_second_run_makes_it_again(tmp_path: Path, long: bool) -> None:
    if not long:
        pytest.skip("a whole run: --long")
    entry, second = next(run for run in RUNS if (run[0].player, run[0].task) == ("greedy", "gin-2p-v1"))
    again = run_task(
        find_task(entry.task), entry.player, tmp_path / "run.zip", RunOptions(part=SECOND, without_zoo=True)
    )
    assert (again.manifest["root"], again.manifest["figures"]) == (second["root"], second["figures"])


def test_the_page_counts_what_it_shows() -> None:
    text = second_text(RUNS)
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    inside = sum(row[-1] == "within |" for row in rows)
    assert text.startswith(f"{len(rows)} figures of {len(RUNS)} results: {inside} differences lie within their 95 %")


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A copy of a second run."""
    entry, _ = RUNS[0]
    return Path(shutil.copy(SUITE / "second" / entry.name / f"{entry.task}.json", tmp_path))


def test_a_manifest_of_another_run_is_refused(stored: Path) -> None:
    said = json.loads(stored.read_text())
    assert read_manifest(stored) == said
    with pytest.raises(TaskError, match=r"is not of a whole run with --part public$"):
        read_manifest(stored, PUBLIC)
    short, other, key, less, root, figure = (copy.deepcopy(said) for _ in range(6))
    short["short"] = True
    other["deals"]["part"] = PUBLIC
    key["deals"]["key_sha256"] = "1" * 64
    del less["root"]
    root["matches"]["random"]["root"] = "0" * 64
    figure["figures"]["anchors"]["random"]["points"] = {"mean": "many"}
    for changed, fault in (
        (short, "is not a manifest of a run: the command is "),
        (other, "is not a manifest of a run: the deals are not the public ones"),
        (key, "is not a manifest of a run: the deals are not the public-2 ones"),
        (less, "is not a manifest of a run: .* missing or unknown: root"),
        (root, "is not a manifest of a run: the root of the run is not that of its matches"),
        (figure, "is not a manifest of a run: match random has no figures"),
        ([], "is not a manifest of a run"),
    ):
        stored.write_text(json.dumps(changed))
        with pytest.raises(TaskError, match=fault):
            read_manifest(stored)
    stored.write_text("{")
    with pytest.raises(TaskError, match="is not a manifest"):
        read_manifest(stored)


def test_each_part_has_its_own_published_key() -> None:
    keys = {published_key(part) for part in SENTENCES}
    assert len(keys) == len(SENTENCES) == 3
    assert {entry.run.manifest["deals"]["key_sha256"] for entry in ENTRIES} == {commitment(published_key(PUBLIC))}


def test_a_file_of_the_second_part_is_read(tmp_path: Path) -> None:
    said = read_run(short_run(tmp_path, part=SECOND)).manifest
    assert said["deals"] == {"part": SECOND, "key_sha256": commitment(published_key(SECOND))}
    assert "--part public-2" in said["command"]
