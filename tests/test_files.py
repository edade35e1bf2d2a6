"""Are files written whole by several processes at once, and are files of unknown origin read within limits?"""

from __future__ import annotations

import io
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from banakil_env.arena import StoreError, play_match
from banakil_env.core import files
from banakil_env.core.files import lines_within, parse_json, read_within, write_whole, written_whole
from banakil_env.games import find
from banakil_env.kit import records
from banakil_env.kit.records import RecordError, replay
from banakil_env.suite.file import RunFileError, read_run


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    """As two processes: each has written its own part before one of them ends."""
    path = tmp_path / "results.json"
    with written_whole(path) as first, written_whole(path) as second:
        first.write_text("first")
        second.write_text("second")
        assert first != second
    assert path.read_text() == "first"  # whose block ends last
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_has_left_is_removed(tmp_path: Path) -> None:
    """And nothing that a process writes now, however long it takes, nor the parts of another file."""
    path = tmp_path / "a.json"
    left, other = tmp_path / ".a.json.0f.part", tmp_path / ".b.json.0f.part"
    with written_whole(path) as slow:
        slow.write_text("slow")
        for each in (left, other):
            each.write_text("half")
        for each in (left, other, slow):
            os.utime(each, (0, os.stat(each).st_mtime - 2 * files.LEFT_AFTER))
        write_whole(path, b"{}")
        assert sorted(tmp_path.iterdir()) == sorted([path, slow, other])
    assert path.read_text() == "slow"
    assert sorted(tmp_path.iterdir()) == sorted([path, other])


def test_a_private_file_is_read_by_nobody_else(tmp_path: Path) -> None:
    with written_whole(tmp_path / "key", private=True) as part:
        part.write_text("secret")
        assert part.stat().st_mode & 0o077 == 0
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    write_whole(tmp_path / "open", b"")
    assert (tmp_path / "open").stat().st_mode & 0o044


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1, "a": 2}', "an object has the key 'a' twice"),
        ("1" + "0" * 400, "a number of 401 digits, and at most 20 are read"),
        ("-" + "9" * 21, "a number of 22 digits"),
        ("1e999", "1e999 is too large for a number"),
        ("NaN", "NaN is not a number of JSON"),
        ("-Infinity", "-Infinity is not a number of JSON"),
        ("[" * 33 + "]" * 33, "more than 32 lists and objects are nested"),
        ("[" * 100_000, "more than 32 lists and objects are nested"),
        ("{", "Expecting property name"),
    ],
)
def test_json_of_unknown_origin(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_json(text)


def test_json_that_is_read() -> None:
    value = {"seed": 2**64 - 1, "points": -12.5, "moves": ["draw"], "none": None}
    assert parse_json(json.dumps(value)) == value
    assert parse_json("[Infinity]", finite=False) == [float("inf")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_a_pipe_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    """Who opens a pipe waits until somebody writes to it."""
    pipe = tmp_path / "run.zip"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="is not a file but a pipe"):
        read_within(pipe, 100)
    with pytest.raises(RunFileError, match="is not a file but a pipe"):
        read_run(pipe)


def test_lines_are_read_one_after_the_other() -> None:
    assert list(lines_within(io.BytesIO(b"a\nbc\nd"), 3, 3)) == [b"a\n", b"bc\n", b"d"]
    with pytest.raises(ValueError, match="has more than 2 lines"):
        list(lines_within(io.BytesIO(b"a\nb\nc\n"), 2, 9))
    with pytest.raises(ValueError, match="has more than 3 bytes in line 2"):
        list(lines_within(io.BytesIO(b"a\nabcd\n"), 9, 3))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"deal": ' + "1" * 401 + ', "tables": []}', "line 3 is damaged .a number of 401 digits"),
        ('{"deal": 0, "deal": 0, "tables": []}', "line 3 is damaged .an object has the key 'deal' twice"),
        ("[" * 50_000, "line 3 is damaged"),
        ('{"deal": 2, "tables": "' + "x" * 20_000, r"has more than [\d,]+ bytes in line 3"),
    ],
)
def test_results_that_nobody_has_written(
    line: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged line is refused with its number, and the file is unchanged."""
    play_match(["greedy", "random"], game="yaniv", deals=1, folder=tmp_path)
    file = tmp_path / "deals.jsonl"
    with open(file, "a", encoding="utf-8") as opened:
        opened.write(line + "\n")
    before = file.read_bytes()
    if "bytes" in fault:
        monkeypatch.setattr("banakil_env.arena.store.LONGEST_LINE", max(map(len, before.splitlines()[:2])) + 1)
    with pytest.raises(StoreError, match=fault):
        play_match(["greedy", "random"], game="yaniv", deals=2, folder=tmp_path)
    assert file.read_bytes() == before


def test_a_record_of_more_moves_than_fit_into_memory_is_refused_before_it_is_replayed() -> None:
    """20 MB of moves would be 3 million states, which take 6 GB."""
    game = find("yaniv")
    text = f"game: yaniv-v0\nrules: denexa\nseed: 1\n\n0: {'draw; ' * 3_000_000}draw\nend: x\n"
    tracemalloc.start()
    with pytest.raises(RecordError, match=r"a record of Yaniv has at most [\d,]+ moves, not 3,000,001"):
        replay(game, text)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 200 << 20
    assert records.MAX_MEMORY // game.state.itemsize > 100_000  # a long match is read
