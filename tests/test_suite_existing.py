"""Is a file that exists already the run that was asked for, and never written over?"""

from __future__ import annotations

import dataclasses
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from suite_runs import DEALS, TASK, Fickle, forged, short_run

from banakil_env.cli import application
from banakil_env.suite import command
from banakil_env.suite.deals import PUBLIC, SECOND, draw_key
from banakil_env.suite.file import RunFile, read_run
from banakil_env.suite.run import OtherRunError, RunOptions, existing_run, run_task
from banakil_env.suite.tasks import find_task

OPTIONS = RunOptions(deals=DEALS, without_zoo=True, isolate=False)


def said(*words: str) -> tuple[int, str, str]:
    """The exit status of a command, and its two streams; the text of `sys.exit` goes to the second one."""
    runner = pytest.importorskip("typer.testing").CliRunner()
    done = runner.invoke(application(), ["suite", *words])
    code = done.exception.code if isinstance(done.exception, SystemExit) else None
    left = f"{code}\n" if isinstance(code, str) else ""
    return done.exit_code, done.stdout.removesuffix(left), done.stderr + left


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short run of `greedy` on the public deals."""
    return short_run(tmp_path_factory.mktemp("greedy"))


@pytest.fixture
def file(greedy: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(greedy, tmp_path))


@pytest.mark.parametrize(
    ("player", "changes", "difference"),
    [
        ("expert", {}, r"its player is greedy \(digest \w{12}\), and expert \(digest \w{12}\) is requested"),
        ("greedy", {"part": SECOND}, "its part of the deals is public, and public-2 is requested"),
        ("greedy", {"part": "sealed", "key": draw_key()}, "its part of the deals is public, and sealed is requested"),
        ("greedy", {"deals": 7}, "its length is a short run of 12 deals, and a short run of 7 deals is requested"),
        ("greedy", {"deals": None}, "its length is a short run of 12 deals, and a whole run is requested"),
        ("greedy", {"without_zoo": False}, "its list of matches is random, greedy, expert, baseline, and random, "),
    ],
)
def test_another_run_is_refused_and_the_text_says_in_what(
    player: str, changes: dict[str, Any], difference: str, file: Path
) -> None:
    before = file.read_bytes()
    options = dataclasses.replace(OPTIONS, **changes)
    with pytest.raises(OtherRunError, match=f"exists already and is another run: {difference}.*--out, or remove"):
        run_task(find_task(TASK), player, file, options)
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_run_of_another_task_is_refused(file: Path) -> None:
    with pytest.raises(OtherRunError, match=r"its task is gin-2p-v1\+\w+, and yaniv-2p-v1\+\w+ is requested"):
        run_task(find_task("yaniv-2p-v1"), "greedy", file, OPTIONS)


def test_sealed_deals_of_another_key_are_refused(tmp_path: Path) -> None:
    sealed = dataclasses.replace(OPTIONS, part="sealed", key=draw_key())
    path = short_run(tmp_path, part="sealed", key=sealed.key)
    assert existing_run(find_task(TASK), "greedy", path, sealed).manifest["deals"]["part"] == "sealed"
    with pytest.raises(OtherRunError, match="its key of the deals is "):
        run_task(find_task(TASK), "greedy", path, dataclasses.replace(sealed, key=draw_key()))


def test_a_player_that_plays_by_something_else_since_is_refused(tmp_path: Path) -> None:
    class Later(Fickle):
        def identity(self) -> Any:
            return dataclasses.replace(super().identity(), parts={"code": "1" * 64})

    path = short_run(tmp_path, Fickle())
    with pytest.raises(OtherRunError, match=r"its player fickle .* has changed since: its code was 0{12} and is 1{12}"):
        run_task(find_task(TASK), Later(), path, OPTIONS)


def test_a_file_whose_figures_were_edited_is_not_taken_for_the_run(file: Path) -> None:
    def change(run: RunFile, tables: Any) -> None:
        run.manifest["figures"]["normalised"]["mean"] += 1

    edited = forged(file, change, new_figures=False)
    with pytest.raises(OtherRunError, match=r"forged.zip is not reported: figures.normalised.mean is .*or remove this"):
        run_task(find_task(TASK), "greedy", edited, OPTIONS)


def test_the_run_itself_is_found_and_not_played_again(file: Path) -> None:
    before = file.read_bytes()

    def tell(*given: Any) -> None:
        raise AssertionError("it is played")

    run = run_task(find_task(TASK), "greedy", file, dataclasses.replace(OPTIONS, progress=tell))
    assert run.manifest == read_run(file).manifest
    assert file.read_bytes() == before


def test_a_set_refuses_the_files_of_another_player(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played: each file is named on the error stream, and the exit status is 1."""
    monkeypatch.setattr(command, "tasks_of", lambda name: (find_task(TASK), find_task("yaniv-2p-v1")))
    folder = file.parent
    file = file.rename(folder / f"{TASK}.zip")
    (folder / "yaniv-2p-v1.zip").write_bytes(file.read_bytes())
    words = ["run", "--set", "rummy-core", "expert", "--out", str(folder), "--deals", str(DEALS), "--without-zoo"]
    status, out, errors = said(*words)
    assert status == 1
    assert "exists already" not in out
    first, second = errors.strip().splitlines()[:2]
    assert f"banakil suite run: {file} exists already and is another run: its player is greedy" in first
    assert "yaniv-2p-v1.zip exists already and is another run: its task is gin-2p-v1" in second
    assert sorted(path.name for path in folder.iterdir()) == [f"{TASK}.zip", "yaniv-2p-v1.zip"]


def test_one_run_into_a_file_that_exists(file: Path) -> None:
    words = ["--out", str(file), "--deals", str(DEALS), "--without-zoo"]
    status, out, _ = said("run", TASK, "greedy", *words)
    assert (status, out.split()) == (0, f"{file} exists already, and is this run".split())
    status, _, errors = said("run", TASK, "random", *words)
    assert (status, "is another run: its player is greedy" in errors) == (1, True)


def test_a_planted_file_is_no_training_seed(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    zoo = Path(__file__).resolve().parents[1] / "agents" / "zoo" / "gin-2p" / "model.safetensors"
    (tmp_path / "agents").mkdir()
    shutil.copy(zoo, tmp_path / "agents" / "first.safetensors")
    file.rename(tmp_path / f"{TASK}-first.zip")
    words = ["run", TASK, "--agents", str(tmp_path / "agents"), "--out", str(tmp_path), "--deals", str(DEALS)]
    status, out, errors = said(*words, "--without-zoo")
    assert (status, "training seeds" in out) == (1, False)
    assert f"{TASK}-first.zip exists already and is another run: its player is greedy" in errors


def test_an_answer_is_not_written_over(file: Path) -> None:
    before = file.read_bytes()
    status, _, errors = said("ask", "yaniv-new-rules-v1", "greedy", "--out", str(file), "--deals", "2")
    assert (status, "an answer is never written over" in errors) == (1, True)
    assert file.read_bytes() == before


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same player on the second part of the deals."""
    return short_run(tmp_path_factory.mktemp("second"), part=SECOND)


def _figure(run: RunFile, tables: Any) -> None:
    run.manifest["figures"]["anchors"]["random"]["points"]["mean"] = 70.0


def _key(run: RunFile, tables: Any) -> None:
    run.manifest["deals"]["key_sha256"] = "1" * 64


def _part(run: RunFile, tables: Any) -> None:
    run.manifest["deals"]["part"] = PUBLIC


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_figure, "figures.anchors.random.points.mean is 70.0 in the file"),
        (_key, "the deals are not the public-2 ones: their key has another digest"),
        (_part, "the deals are not the public ones: their key has another digest"),
    ],
)
def test_a_second_run_is_believed_only_as_far_as_its_records_go(
    change: Callable[[RunFile, Any], None], fault: str, greedy: Path, second: Path, tmp_path: Path
) -> None:
    bad = forged(Path(shutil.copy(second, tmp_path)), change, new_figures=False)
    for pair in ((greedy, bad), (bad, greedy)):
        status, out, errors = said("confirm", *map(str, pair))
        assert (status, out) == (1, "")
        assert f"{bad} is not reported: {fault}" in errors
    assert said("confirm", str(greedy), str(second))[0] == 0


def test_sealed_deals_are_confirmed_with_their_key_or_refused(greedy: Path, tmp_path: Path) -> None:
    key, other = tmp_path / "key", tmp_path / "other"
    for path in (key, other):
        assert said("seal", str(path))[0] == 0
    sealed = short_run(tmp_path, part="sealed", key=key.read_text().strip())
    assert said("confirm", str(greedy), str(sealed), "--key", str(key))[0] == 0
    status, _, errors = said("confirm", str(greedy), str(sealed), "--key", str(other))
    assert (status, "come from another key than the one given" in errors) == (1, True)


def test_algorithms_are_compared_on_the_same_deals_by_files_that_hold(
    greedy: Path, second: Path, tmp_path: Path
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    shutil.copy(greedy, one)
    shutil.copy(second, other)
    status, _, errors = said("compare", str(one), str(other))
    assert (status, "compare runs on the same deals" in errors) == (1, True)
    (other / "run.zip").write_bytes(
        forged(Path(shutil.copy(greedy, tmp_path)), _figure, new_figures=False).read_bytes()
    )
    status, _, errors = said("compare", str(one), str(other))
    assert (status, "is not reported: figures.anchors.random.points.mean" in errors) == (1, True)


def test_two_equal_runs_into_one_file_at_the_same_time(tmp_path: Path) -> None:
    """The second one waits for the first, and finds its file."""
    path, waits, found = tmp_path / "run.zip", threading.Event(), list[Any]()

    def second() -> None:
        def tell(match: str, done: int, most: int, text: str) -> None:
            if "another process writes run.zip" in text:
                waits.set()

        try:
            found.append(run_task(find_task(TASK), "greedy", path, dataclasses.replace(OPTIONS, progress=tell)))
        except BaseException as error:
            waits.set()
            found.append(error)

    other = threading.Thread(target=second)

    def tell(match: str, done: int, most: int, text: str) -> None:
        if not other.ident:
            other.start()
            assert waits.wait(60)

    first = run_task(find_task(TASK), "greedy", path, dataclasses.replace(OPTIONS, progress=tell))
    other.join(60)
    assert isinstance(found[0], RunFile), found[0]
    assert found[0].manifest == first.manifest
    assert list(tmp_path.iterdir()) == [path]
