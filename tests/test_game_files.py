"""A game of a user's model as a text, a picture and a video: `banakil record --text`, `banakil show --out`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")

from shell_commands import parse
from typer.testing import CliRunner

from banakil_env.cli import application
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.study.reading import read

GIN = Plain(find("gin"))


def run(command: str) -> Any:
    return CliRunner().invoke(application(), shlex.split(command))


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round of Gin between two players, as text."""
    file = tmp_path_factory.mktemp("games") / "game.txt"
    done = run(f"record greedy random {file} --text --game gin --seeds 7")
    assert done.exit_code == 0, done.output
    assert parse(done.output.strip().partition("look at one: ")[2])["file"] == str(file)
    return file


def test_a_game_is_written_as_a_record_with_its_players(game_file: Path) -> None:
    reading = read(str(game_file))
    assert reading.names == ("greedy", "random")
    assert GIN.is_over(GIN.replay(game_file.read_text(encoding="utf-8")))
    assert GIN.new(seed=7).tobytes() == reading.states[0].tobytes()


def test_several_deals_are_files_of_a_folder(tmp_path: Path) -> None:
    assert run(f"record greedy {tmp_path / 'games'} --text --game gin --deals 2").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["deal-0.txt", "deal-1.txt"]


def test_a_record_that_exists_is_not_written_over(game_file: Path, tmp_path: Path) -> None:
    """Neither the file nor one of a folder; nothing is played."""
    before = game_file.read_bytes()
    done = run(f"record random {game_file} --text --game gin")
    assert (done.exit_code, game_file.read_bytes()) == (1, before)
    assert f"{game_file} exists already: name another file or folder" in done.output
    (tmp_path / "deal-1.txt").write_text("mine")
    done = run(f"record greedy {tmp_path} --text --game gin --deals 2")
    assert (done.exit_code, [path.name for path in tmp_path.iterdir()]) == (1, ["deal-1.txt"])


def test_players_are_one_or_one_a_seat(tmp_path: Path) -> None:
    done = run(f"record greedy random random {tmp_path / 'game.txt'} --text --game gin")
    assert "3 players are named for a table of 2" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "begins"), [("table.svg", b"<svg"), ("table.png", b"\x89PNG")])
def test_a_table_as_a_picture(game_file: Path, tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("resvg_py")
    assert run(f"show {game_file} --at 3 --seat 0 --out {tmp_path / name}").exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["game.gif", "game.webp"])
def test_a_game_as_a_moving_picture_has_a_table_for_every_move(name: str, game_file: Path, tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    short = tmp_path / "short.txt"
    state = GIN.new(seed=7)
    notes = GIN.recorder(state, 7)
    for move in read(str(game_file)).moves[:4]:
        notes.note(state, move.action)
        GIN.apply(state, move.action)
    short.write_text(notes.text(state), encoding="utf-8")
    assert run(f"show {short} --out {tmp_path / name} --pace 0.5").exit_code == 0
    with pillow.open(tmp_path / name) as picture:
        assert picture.n_frames == 5
        picture.load()  # of WebP, how long a frame is shown is known then
        assert picture.info["duration"] == 500


def test_a_game_as_a_video(game_file: Path, tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    file = tmp_path / "game.mp4"
    assert run(f"show {game_file} --out {file} --pace 0.1").exit_code == 0
    frames, seconds = ffmpeg.count_frames_and_secs(str(file))
    assert frames == len(read(str(game_file)).states)
    assert seconds == pytest.approx(frames / 10, abs=0.2)


def test_a_video_has_the_size_of_its_pictures_and_warns_of_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """840 pixels are no multiple of 16, to which imageio stretches unless told otherwise."""
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    from banakil_env.render.video import write_video

    file = tmp_path / "game.mp4"
    write_video(file, ".mp4", ['<svg xmlns="http://www.w3.org/2000/svg" width="1120" height="840"/>'], 0.5)
    assert next(ffmpeg.read_frames(str(file)))["size"] == (1120, 840)
    assert not caplog.records


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--out table.bmp", "ends with none of .svg, .png, .mp4, .gif, .webp"),
        ("--out game.mp4 --at 3", "a video shows a whole record: leave out --at"),
        ("--out game.gif --pace 0", "--pace is a number of seconds from 0.1 to 60, not 0"),
    ],
)
def test_what_cannot_be_written(
    game_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(f"show {game_file} {options}")
    assert done.exit_code == 1
    assert message in done.output
    assert list(tmp_path.iterdir()) == []
