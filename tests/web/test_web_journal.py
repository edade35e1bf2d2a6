"""Is nothing lost when a journal cannot be written? What was acknowledged stays; what was refused changed nothing."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.web import journal, table
from banakil_env.web.journal import Journal
from banakil_env.web.protocol import Refused, SeatWanted, TableWanted
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies
from banakil_env.web.table import Table
from banakil_env.web.tables import Tables
from banakil_env.web.turns import Turns

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextlib.contextmanager
def full_disk(bytes_left: int = 0, cut: bool = True) -> Iterator[None]:
    """A disk with room for a number of bytes; without `cut`, no file on it can be made shorter either."""
    real, left = os.write, bytes_left

    def write(file: int, content: bytes) -> int:
        nonlocal left
        taken = min(left, len(content))
        left -= taken
        if not taken:
            raise FULL
        return real(file, content[:taken])

    def truncate(path: Any, size: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal.os, "write", write)
        if not cut:
            patch.setattr(journal.os, "truncate", truncate)
        yield


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """The system itself cuts writes short, as a quota does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    keeps_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # Python would keep a part of a module's
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = keeps_bytecode


# The file -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("taken", [0, 1, 9])
def test_a_line_that_is_written_in_part_is_cut_off(tmp_path: Path, taken: int) -> None:
    kept = Journal.create(tmp_path / "a.jsonl", {"format": "x"})
    kept.add({"play": 1})
    before = kept.path.read_bytes()
    with full_disk(taken), pytest.raises(Refused, match="nothing has changed") as refused:
        kept.add({"play": 2})
    assert refused.value.status == 507
    assert "Make room" in str(refused.value)
    assert kept.path.read_bytes() == before
    kept.add({"play": 3})
    assert Journal.read(kept.path)[1][1:] == [{"play": 1}, {"play": 3}]


def test_a_write_that_takes_a_part_at_a_time_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, real = Journal.create(tmp_path / "a.jsonl", {"format": "x"}), os.write
    monkeypatch.setattr(journal.os, "write", lambda file, content: real(file, content[:3]))
    kept.add({"play": 12})
    assert Journal.read(kept.path)[1] == [{"format": "x"}, {"play": 12}]


def test_a_quota_of_the_system_cuts_a_line_short_and_the_rest_is_cut_off(tmp_path: Path) -> None:
    kept = Journal.create(tmp_path / "a.jsonl", {"format": "x"})
    before = kept.path.read_bytes()
    with files_of_at_most(len(before) + 5), pytest.raises(Refused, match="File too large"):
        kept.add({"play": 1})
    assert kept.path.read_bytes() == before


def test_nothing_is_written_behind_half_a_line_that_cannot_be_cut_off(tmp_path: Path) -> None:
    kept = Journal.create(tmp_path / "a.jsonl", {"format": "x"})
    whole = kept.path.read_bytes()
    with full_disk(4, cut=False):
        for _ in range(2):
            with pytest.raises(Refused, match="nothing has changed"):
                kept.add({"play": 1})
    assert kept.path.read_bytes() == whole + b'{"pl'
    with full_disk(1000, cut=False), pytest.raises(Refused):  # there is room again, but the half line is still there
        kept.add({"play": 2})
    assert kept.path.read_bytes() == whole + b'{"pl'
    kept.add({"play": 3})
    assert Journal.read(kept.path)[1] == [{"format": "x"}, {"play": 3}]


def test_a_file_system_that_says_so_at_the_end_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, real = Journal.create(tmp_path / "a.jsonl", {"format": "x"}), os.close
    before = kept.path.read_bytes()

    def close(file: int) -> None:
        real(file)
        raise FULL

    with monkeypatch.context() as patch:
        patch.setattr(journal.os, "close", close)
        with pytest.raises(Refused):
            kept.add({"play": 1})
    assert kept.path.read_bytes() == before


def test_half_a_line_at_the_end_is_cut_off_at_once_when_a_journal_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"format": "x"}\n{"play": 1}\n{"pl')
    with full_disk(cut=False):  # the file system takes nothing now
        kept, lines = Journal.read(path)
    assert lines == [{"format": "x"}, {"play": 1}]
    assert path.read_bytes().endswith(b'{"pl')  # never less than the whole lines
    kept.add({"play": 2})
    assert Journal.read(path)[1] == [{"format": "x"}, {"play": 1}, {"play": 2}]


def test_a_file_that_another_program_has_changed_is_left_as_it_is(tmp_path: Path) -> None:
    kept = Journal.create(tmp_path / "a.jsonl", {"format": "x"})
    with kept.path.open("ab") as file:
        file.write(b'{"play": 7}\n')
    with pytest.raises(Refused, match="another program has changed it"):
        kept.add({"play": 1})
    assert kept.path.read_bytes() == b'{"format": "x"}\n{"play": 7}\n'
    kept.path.unlink()
    with pytest.raises(Refused, match="No such file"):
        kept.add({"play": 1})
    assert not kept.path.exists()


# Tables -------------------------------------------------------------------------------------------------------------


def tables_in(folder: Path, most: int = 10) -> Tables:
    return Tables(folder, Sitters(), Turns(), most)


def wanted(*players: str | None, pause: int = 5000, seed: int = 1) -> TableWanted:
    seats = tuple(SeatWanted(player, "") for player in players)
    return TableWanted("rummy", {}, seats, seed, True, pause)


def played(at: Table) -> Any:
    """What must not change when something is refused."""
    return at.session.state.tobytes(), len(at.session.moves), at.stopped, at.version, at.failed, at.view(0)


async def moves_of_persons(at: Table, count: int) -> None:
    for _ in range(count):
        seat = at.session.seat_to_move
        assert seat is not None
        await at.move(seat, at.session.plain.legal_actions(at.session.state)[0], at.version)


async def a_move(at: Table) -> None:
    await moves_of_persons(at, 1)


async def an_undo(at: Table) -> None:
    await at.undo(0, at.version)


async def a_stop(at: Table) -> None:
    await at.stop(0)


@pytest.mark.parametrize("change", [a_move, an_undo, a_stop])
@pytest.mark.parametrize("left", [0, 5])
def test_what_cannot_be_written_is_refused_and_changes_nothing(
    tmp_path: Path, change: Callable[[Table], Awaitable[None]], left: int
) -> None:
    async def play() -> None:
        at = await tables_in(tmp_path).create(wanted(None, None))
        await moves_of_persons(at, 6)
        before, file = played(at), at.journal.path.read_bytes()
        with full_disk(left), pytest.raises(Refused) as refused:
            await change(at)
        assert refused.value.status == 507
        assert played(at) == before
        assert at.journal.path.read_bytes() == file
        await change(at)  # there is room again
        await again(tmp_path, at)

    asyncio.run(play())


async def again(folder: Path, at: Table) -> None:
    """After a kill and a restart the table is as it was."""
    other, _ = await tables_in(folder).find(at.keys[0])
    assert other.session.state.tobytes() == at.session.state.tobytes()
    assert (len(other.session.moves), other.stopped) == (len(at.session.moves), at.stopped)


@pytest.mark.parametrize("player", ["greedy", "search:20"])
def test_a_players_move_that_cannot_be_written_waits(
    tmp_path: Path, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "RETRY", 0.01)

    async def play() -> None:
        at = await tables_in(tmp_path).create(wanted(None, player, pause=0))
        await moves_of_persons(at, 1)
        file = at.journal.path.read_bytes()
        action = at.session.plain.legal_actions(at.session.state)[0]
        with full_disk(len(json.dumps({"play": action})) + 1):  # for the person's move alone
            await at.move(0, action, at.version)
            while not at.trouble:
                await asyncio.sleep(0.01)
            assert "A player's move waits" in at.view(0)["trouble"]
            assert "No space left" in at.view(0)["trouble"]
            assert len(at.session.moves) == 2
            assert len(at.journal.path.read_bytes().splitlines()) == len(file.splitlines()) + 1
        while at.session.seat_to_move != 0:
            await asyncio.sleep(0.01)
        assert at.view(0)["trouble"] == ""
        assert at.session.moves[2].seat == 1
        await again(tmp_path, at)

    asyncio.run(play())


@pytest.mark.parametrize("left", [0, 50])
def test_a_table_whose_header_cannot_be_written_takes_no_place(tmp_path: Path, left: int) -> None:
    async def play() -> None:
        tables = tables_in(tmp_path, most=1)
        first = await tables.create(wanted(None, None))
        with full_disk(left), pytest.raises(Refused, match=r"the table is not created: .*No space left") as refused:
            await tables.create(wanted(None, None))
        assert refused.value.status == 507
        assert os.listdir(tmp_path / "tables") == [first.journal.path.name]  # it has not made room for nothing
        assert (await tables.find(first.keys[0]))[0] is first
        assert len(tables) == 1

    asyncio.run(play())


def test_a_server_killed_while_it_wrote_a_header_has_no_such_table(tmp_path: Path) -> None:
    tables_in(tmp_path)
    (tmp_path / "tables" / ".0123.jsonl.part").write_text('{"format": "bana', encoding="utf-8")
    assert len(tables_in(tmp_path)) == 0
    assert os.listdir(tmp_path / "tables") == []


def test_a_move_is_on_disk_before_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        at = await tables_in(tmp_path).create(wanted(None, None))
        real, seen = at.session.accept, []

        def accept(action: int, state: Any) -> None:
            seen.append((json.loads(at.journal.path.read_bytes().splitlines()[-1])["play"], len(at.session.moves)))
            real(action, state)

        monkeypatch.setattr(at.session, "accept", accept)
        await moves_of_persons(at, 3)
        assert seen == [(move.action, number) for number, move in enumerate(at.session.moves)]

    asyncio.run(play())


def test_a_damaged_journal_is_named_and_kept(tmp_path: Path) -> None:
    async def play() -> None:
        at = await tables_in(tmp_path).create(wanted(None, None))
        await moves_of_persons(at, 2)
        content = at.journal.path.read_bytes()
        at.journal.path.write_bytes(content + b'{"play": 0{"play": 0}\n{"play": 1}\n')
        with pytest.raises(Refused, match="line 4 of its file is damaged") as refused:
            await tables_in(tmp_path).find(at.keys[0])
        assert refused.value.status == 409  # not 404, at which a browser forgets the seat
        assert at.journal.path.read_bytes().startswith(content)

    asyncio.run(play())


def test_a_study_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    plain, studies = Plain(find("rummy")), Studies(tmp_path, Turns())
    text = plain.to_text(plain.new(seed=1))
    asyncio.run(Studies(tmp_path / "before", Turns()).open(text, "rummy"))  # what it compiles is kept on disk too
    with files_of_at_most(20), pytest.raises(Refused, match="the record is not kept") as refused:
        asyncio.run(studies.open(text, "rummy"))
    assert refused.value.status == 507
    assert list((tmp_path / "studies").iterdir()) == []


def test_on_a_disk_that_is_full_nothing_is_lost(tmp_path: Path) -> None:
    """A server with its folder on a file system of 64 KiB of its own; see `full_disk.py`."""
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    script = Path(__file__).with_name("full_disk.py")
    found = subprocess.run(
        [*alone, sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, check=False
    )
    if "cannot mount" in found.stdout:
        pytest.skip("no file system can be mounted here")
    assert found.returncode == 0, found.stderr
    assert "nothing was lost" in found.stdout
