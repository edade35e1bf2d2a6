"""Does the server bear much? Tables make room, players alone have an end, nobody waits for others; one server each."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from served import DEADLINE, ROOT, Answered, Served
from starlette.requests import Request

from banakil_env.core.game import Game
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.web import connections, studies, table, tables, turns
from banakil_env.web import server as server_of_page
from banakil_env.web.limits import MAX_STREAMS
from banakil_env.web.protocol import Refused, SeatWanted, TableWanted
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies
from banakil_env.web.table import Table
from banakil_env.web.tables import Tables
from banakil_env.web.turns import Turns


def made(folder: Path, most: int = 10, sitters: Sitters | None = None) -> Tables:
    return Tables(folder, sitters or Sitters(), Turns(), most)


def wanted(*players: str | None, rules: str = "", pause: int = 5000, practice: bool = False) -> TableWanted:
    options = {"rules": rules, "episode": "match"} if rules else {}
    return TableWanted("rummy", options, tuple(SeatWanted(player, "") for player in players), 1, practice, pause)


def key_of(at: Table) -> str:
    return next(iter(at.keys.values()))


# Tables make room ---------------------------------------------------------------------------------------------------


def test_abandoned_tables_make_room_the_one_unused_for_longest_first(tmp_path: Path) -> None:
    async def play() -> None:
        of_server = made(tmp_path, most=3)
        kept = [await of_server.create(wanted(None, None)) for _ in range(3)]
        for number, at in enumerate(kept):
            at.used = 100.0 - number
        await of_server.create(wanted(None, None))
        with pytest.raises(Refused, match="the table is gone"):
            await of_server.find(key_of(kept[2]))
        assert not kept[2].journal.path.exists()
        assert len(os.listdir(tmp_path / "tables")) == 3

    asyncio.run(play())


def test_a_table_that_is_over_makes_room_before_all_others(tmp_path: Path) -> None:
    async def play() -> None:
        of_server = made(tmp_path, most=3)
        kept = [await of_server.create(wanted(None, None)) for _ in range(3)]
        await kept[2].stop(0)
        await of_server.create(wanted(None, None))
        assert [at.journal.path.exists() for at in kept] == [True, True, False]

    asyncio.run(play())


@pytest.mark.parametrize("over", [False, True])
def test_after_a_restart_tables_make_room_too(tmp_path: Path, over: bool) -> None:
    async def play() -> None:
        before = made(tmp_path, most=10)
        kept = [await before.create(wanted(None, None)) for _ in range(10)]
        if over:
            await kept[7].stop(0)
        for number, at in enumerate(kept):
            os.utime(at.journal.path, (1000 + number, 1000 + number))
        of_server = made(tmp_path, most=10)
        await of_server.create(wanted(None, None))
        gone = [number for number, at in enumerate(kept) if not at.journal.path.exists()]
        assert gone == [7 if over else 0]
        assert len(of_server) == 10

    asyncio.run(play())


def test_a_game_played_to_its_end_is_known_to_be_over_after_a_restart(tmp_path: Path) -> None:
    async def play() -> None:
        at = await made(tmp_path).create(wanted("greedy", "greedy", pause=0))
        while not at.is_over:
            await asyncio.sleep(0.01)
        (other,) = made(tmp_path)._kept.values()
        assert other.over

    asyncio.run(play())


def test_a_table_in_use_is_never_removed(tmp_path: Path) -> None:
    async def play() -> None:
        of_server = made(tmp_path, most=2)
        followed, asked = [await of_server.create(wanted(None, None)) for _ in range(2)]
        followed.follow(0)
        await of_server.find(key_of(asked))
        with pytest.raises(Refused, match=r"all of them are in use: a page follows each, or .* the last 30 seconds"):
            await of_server.create(wanted(None, None))
        asked._asked -= 31
        await of_server.create(wanted(None, None))
        assert [at.journal.path.exists() for at in (followed, asked)] == [True, False]

    asyncio.run(play())


def test_a_table_that_cannot_be_set_up_removes_no_other(tmp_path: Path) -> None:
    async def play() -> None:
        of_server = made(tmp_path, most=1)
        at = await of_server.create(wanted(None, None))
        with pytest.raises(Refused, match="nonsense"):
            await of_server.create(wanted(None, None, rules="nonsense"))
        assert at.journal.path.exists()

    asyncio.run(play())


# Players alone ------------------------------------------------------------------------------------------------------


LONG = "target=1000000 max_turns=100000"


def test_a_table_has_a_limit_of_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_MOVES", 50)

    async def play() -> None:
        at = await made(tmp_path).create(wanted("greedy", "greedy", rules=LONG, pause=0))
        while not at.is_over:
            await asyncio.sleep(0.01)
        assert len(at.session.moves) == 50
        assert "it has made 50 moves, which is the most" in at.view(table.WATCH)["failed"]
        other, _ = await made(tmp_path).find(key_of(at))
        assert other.is_over
        assert other.why_stopped == at.why_stopped

    asyncio.run(play())


def test_moves_that_are_taken_back_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MAX_MOVES", 10)

    async def play() -> None:
        at = await made(tmp_path).create(wanted(None, None, practice=True))
        for _ in range(5):
            await at.move(0, 0, at.version)
            await at.undo(0, at.version)
        with pytest.raises(Refused, match="10 moves, which is the most"):
            await at.move(0, 0, at.version)
        assert at.is_over

    asyncio.run(play())


def test_players_alone_have_a_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "PLAYERS_SECONDS", 0.0)

    async def play() -> None:
        at = await made(tmp_path).create(wanted("search:5", "search:5", rules=LONG, pause=0))
        while not at.is_over:
            await asyncio.sleep(0.01)
        assert "have thought for 0 seconds" in at.why_stopped

    asyncio.run(play())


def test_tables_of_quick_players_leave_time_to_everybody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two slices of moves the loop runs once at least, however many tables want to go on."""
    monkeypatch.setattr(turns, "SLICE", 0.0)  # a slice is one move: no clock decides this test

    async def play() -> None:
        of_server = made(tmp_path, most=30)
        kept = [await of_server.create(wanted("greedy", "greedy", rules=LONG)) for _ in range(16)]
        for at in kept:  # all are set up before any goes on
            at.pace.change(0, False)
        begun = [len(at.session.moves) for at in kept]
        for _ in range(200):
            before = sum(len(at.session.moves) for at in kept)
            await asyncio.sleep(0)
            assert sum(len(at.session.moves) for at in kept) - before <= 1
        assert all(len(at.session.moves) > before for at, before in zip(kept, begun))
        for at in kept:
            at.rest()

    asyncio.run(play())


def test_a_table_that_is_halted_while_its_players_wait_for_their_slice_does_not_move(tmp_path: Path) -> None:
    async def play() -> None:
        at = await made(tmp_path).create(wanted("greedy", "greedy", rules=LONG))
        async with at.turns.slice("players"):
            at.pace.change(0, halted=False)
            for _ in range(10):
                await asyncio.sleep(0)
            moves = len(at.session.moves)
            await at.set_pace(table.WATCH, 0, halted=True)
        for _ in range(10):
            await asyncio.sleep(0)
        assert len(at.session.moves) == moves

    asyncio.run(play())


def test_tables_that_take_too_much_memory_leave_it_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        of_server = made(tmp_path)
        kept = [await of_server.create(wanted(None, None)) for _ in range(3)]
        for number, at in enumerate(kept):
            at.used = 100.0 + number
            for _ in range(4):
                seat = at.session.seat_to_move
                await at.move(seat, at.session.plain.legal_actions(at.session.state)[0], at.version)
        monkeypatch.setattr(tables, "TABLES_MEMORY", 2 * kept[0].memory)
        of_server._put_away()
        assert set(of_server._open) == {kept[1].id, kept[2].id}
        with pytest.raises(Refused, match="moved out of memory"):  # who still holds the old one cannot write
            await kept[0].stop(0)
        back, _ = await of_server.find(key_of(kept[0]))
        assert back is not kept[0]
        assert back.session.state.tobytes() == kept[0].session.state.tobytes()

    asyncio.run(play())


def test_a_table_that_is_asked_for_stays_in_memory_however_full_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        at = await made(tmp_path).create(wanted("greedy", "greedy", pause=0))
        while not at.is_over:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(tables, "TABLES_MEMORY", 0)
        other, _ = await made(tmp_path).find(key_of(at))
        assert other.session.state.tobytes() == at.session.state.tobytes()

    asyncio.run(play())


# Thinking -----------------------------------------------------------------------------------------------------------


class Slow:
    """A player that thinks until it is told to answer."""

    name = "slow"
    go = threading.Event()

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """The first legal action."""
        assert self.go.wait(2 * DEADLINE)
        return np.argmax(masks, axis=1)


class WithSlow(Sitters):
    """Lets the slow player sit, under one name for tables."""

    def find(self, name: str, game: Game, seats: int, advises: bool = False) -> Any:
        from banakil_env.web.sitters import Locked

        return Locked(Slow()) if name == "slow" and not advises else super().find(name, game, seats, advises)  # type: ignore[arg-type]


@pytest.fixture
def slow() -> Iterator[threading.Event]:
    Slow.go.clear()
    yield Slow.go
    Slow.go.set()


def test_a_hint_does_not_wait_for_tables_whose_players_think(tmp_path: Path, slow: threading.Event) -> None:
    async def play() -> None:
        of_server = made(tmp_path, sitters=WithSlow())
        for _ in range(10):
            await of_server.create(wanted("slow", "slow", pause=0))
        at = await of_server.create(wanted(None, "greedy", practice=True))
        found = await asyncio.wait_for(at.hint(0), DEADLINE)  # the slow ones think until this has answered
        assert found["player"] == at.adviser.name
        slow.set()

    asyncio.run(play())


def test_one_hint_at_a_time_for_a_table(tmp_path: Path) -> None:
    async def play() -> None:
        at = await made(tmp_path).create(wanted(None, "greedy", practice=True))
        found = await asyncio.gather(*(at.hint(0) for _ in range(5)), return_exceptions=True)
        refused = [each for each in found if isinstance(each, Refused)]
        assert len(refused) == 4
        assert "thinking about a hint" in str(refused[0])

    asyncio.run(play())


def test_a_table_whose_player_thinks_can_be_closed_at_once(tmp_path: Path, slow: threading.Event) -> None:
    async def play() -> None:
        at = await made(tmp_path, sitters=WithSlow()).create(wanted(None, "slow", pause=0))
        for _ in range(2):
            await at.move(0, at.session.plain.legal_actions(at.session.state)[0], at.version)
        await asyncio.sleep(0.1)
        await asyncio.wait_for(at.stop(0), DEADLINE)
        moves = len(at.session.moves)
        slow.set()
        await asyncio.sleep(0.2)
        assert (at.is_over, len(at.session.moves)) == (True, moves)  # its answer comes too late

    asyncio.run(play())


def test_a_state_is_changed_in_the_thread_of_the_loop_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view is made there too: it sees the state before a move or after it, never in between."""
    threads = set()
    real = Plain.apply

    def apply(self: Plain, state: Any, action: int) -> None:
        threads.add(threading.current_thread())
        real(self, state, action)

    async def play() -> None:
        at = await made(tmp_path).create(wanted(None, "search:5", pause=0))
        threads.clear()
        before = at.session.state
        content = before.tobytes()
        for _ in range(2):
            await at.move(0, at.session.plain.legal_actions(at.session.state)[0], at.version)
        while at.session.seat_to_move != 0:
            await asyncio.sleep(0.01)
        assert threads == {threading.main_thread()}
        assert before.tobytes() == content  # who holds a state holds it unchanged

    monkeypatch.setattr(Plain, "apply", apply)
    asyncio.run(play())


def test_questions_about_studies_wait_in_a_queue_that_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from banakil_env.play.session import Session
    from banakil_env.web import turns
    from banakil_env.web.sitters import Locked

    monkeypatch.setattr(turns, "MAX_ASKED", 2)
    Slow.go.clear()

    async def ask() -> None:
        of_server, session = Turns(), Session.deal("rummy", [None, None], seed=1)
        seen = session.plain.observe(session.state, 0)
        asked = [
            asyncio.create_task(of_server.advice("studies", Locked(Slow()), session, seen, 0))  # type: ignore[arg-type]
            for _ in range(4)
        ]
        await asyncio.sleep(0.1)
        Slow.go.set()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(each, Refused) for each in found].count(True) == 2

    asyncio.run(ask())


# Studies ------------------------------------------------------------------------------------------------------------


def test_studies_have_a_budget_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, texts = Plain(find("rummy")), []
    rng = np.random.default_rng(0)
    for seed in range(4):
        state = plain.new(seed=seed)
        notes = plain.recorder(state, seed)
        for _ in range(30):
            action = int(rng.choice(plain.legal_actions(state)))
            notes.note(state, action)
            plain.apply(state, action)
        texts.append(notes.text(state))

    async def study() -> None:
        kept = Studies(tmp_path, Turns())
        first = await kept.open(texts[0], None)
        assert first.memory < 31 * (plain.game.state.itemsize + 500)  # the states are there once
        monkeypatch.setattr(studies, "STUDIES_MEMORY", 2 * first.memory + 1000)
        made = [first, *[await kept.open(text, None) for text in texts[1:]]]
        assert list(kept._made) == [each.id for each in made[2:]]
        assert (await kept.find(first.id)).states.tobytes() == first.states.tobytes()

    asyncio.run(study())


# Connections --------------------------------------------------------------------------------------------------------


def test_two_servers_do_not_use_one_folder(server: Served) -> None:
    command = [sys.executable, "-m", "banakil_env.cli", "serve", "--port", "1", "--folder", str(server.folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=DEADLINE
    )
    assert found.returncode == 1
    assert "another server uses it: stop that server, or name another folder with --folder" in found.stderr
    assert server.get("/api/games")


def test_no_more_pages_follow_a_seat_than_may_at_once(server: Served) -> None:
    key = server.table("rummy", [None, None])[0]
    request = f"GET /api/table/news HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    pages = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(26)]
    try:
        for page in pages:  # all ask before any is answered
            page.sendall(request)
        statuses = [int(page.makefile("rb").readline().split()[1]) for page in pages]
        assert statuses.count(200) == MAX_STREAMS
        assert statuses.count(503) == 26 - MAX_STREAMS
    finally:
        for page in pages:
            page.close()
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:  # all are let go again
        with contextlib.suppress(Answered):
            if not server.get("/api/table", key)["here"]:
                return
        time.sleep(0.05)
    raise AssertionError("pages that have gone are still counted")


@pytest.mark.parametrize("part", [b"", b"GET / HTTP/1.1\r\nHost: local", b"GET / HTTP/1.1\r\n"])
def test_a_request_whose_head_does_not_come_is_given_up(part: bytes) -> None:
    async def wait(monkeypatch: pytest.MonkeyPatch) -> bytes:
        import uvicorn

        async def app(scope: Any, receive: Any, send: Any) -> None:
            raise AssertionError("there is no request")

        monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
        config = uvicorn.Config(app, port=0, http=connections.Protocol, log_level="critical", lifespan="off")
        of_system = uvicorn.Server(config)
        serving = asyncio.create_task(of_system.serve())
        while not of_system.started:
            await asyncio.sleep(0.01)
        port = of_system.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(part)
        found = await asyncio.wait_for(reader.read(), DEADLINE)
        writer.close()
        of_system.should_exit = True
        await serving
        return found

    with pytest.MonkeyPatch.context() as patch:
        assert asyncio.run(wait(patch)) == b""


def test_a_thousand_unfinished_requests_do_not_stop_the_server(server: Served) -> None:
    waiting: list[socket.socket] = []
    try:
        for number in range(1000):
            with contextlib.suppress(OSError):
                waiting.append(socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE))
                waiting[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " if number % 2 else b"")
        for each in waiting[-10:]:  # so that this process may open files again, whatever its limit is
            each.close()
        key = server.table("rummy", [None, "greedy"])[0]
        server.wait(key)
    finally:
        for each in waiting:
            each.close()


def test_the_connection_that_has_waited_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []

    class Transport:
        def __init__(self, number: int) -> None:
            self.number = number

        def close(self) -> None:
            closed.append(self.number)

    monkeypatch.setattr(connections, "most_waiting", lambda: 3)
    monkeypatch.setattr(connections.Protocol, "_waiting", {})
    for number in range(5):
        one = connections.Protocol.__new__(connections.Protocol)
        one.transport = Transport(number)  # type: ignore[assignment]
        one._wait()
    assert closed == [0, 1]


def test_a_body_that_does_not_come_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [{"type": "http.request", "body": b'{"game"', "more_body": True}]

    async def receive() -> Any:
        return parts.pop() if parts else await asyncio.Event().wait()  # nothing more comes

    monkeypatch.setattr(server_of_page, "REQUEST_SECONDS", 0.01)
    with pytest.raises(Refused, match=r"^the request has not arrived within 0\.01 seconds$") as late:
        asyncio.run(server_of_page._body(Request({"type": "http", "method": "POST", "headers": []}, receive)))
    assert late.value.status == 408


@pytest.mark.second("test_a_body_that_does_not_come_in_time_is_refused")
def test_a_body_that_does_not_come_is_given_up(server: Served) -> None:
    """After ten seconds, by a server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    connection.putrequest("POST", "/api/tables")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", "100")
    connection.endheaders(b'{"game"')
    answer = connection.getresponse()
    assert answer.status == 408
    assert "has not arrived within 10 seconds" in json.loads(answer.read())["error"]
