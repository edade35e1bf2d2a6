"""What does a table of the server do when a player that talks gives no reply? It says so, and goes on when it can."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from chat_server import chat_server, first_move
from served import DEADLINE

from banakil_env.web import table
from banakil_env.web.protocol import SeatWanted, TableWanted
from banakil_env.web.sitters import Sitters
from banakil_env.web.table import Table
from banakil_env.web.tables import Tables
from banakil_env.web.turns import Turns

faults: list[Exception] = []  # that `faulty` raises, one a question


def faulty(messages: list[dict[str, str]]) -> str:
    """The first legal move, or the next of the faults; for `text:`."""
    if faults:
        raise faults.pop()
    return f"MOVE: {first_move(messages[1]['content'])}"


async def dealt(folder: Path, player: str) -> Table:
    """A practice table of Rummy with a person and a player."""
    of_server = Tables(folder, Sitters((player,)), Turns(), 10)
    seats = (SeatWanted(None, ""), SeatWanted(player, ""))
    return await of_server.create(TableWanted("rummy", {}, seats, 1, True, 0))


async def turn(at: Table) -> None:
    """A turn of the person."""
    await at.move(0, at.session.plain.parse_action("draw"), at.version)
    await at.move(0, at.session.plain.legal_actions(at.session.state)[-1], at.version)


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


def test_the_same_move_after_taking_back_asks_the_player_again(tmp_path: Path) -> None:
    async def play() -> None:
        at = await dealt(tmp_path, "text:test_web_outages:faulty")
        await until(lambda: at.session.seat_to_move == 0)
        faults.append(KeyError("no idea"))
        await turn(at)
        await until(lambda: bool(at.failed))
        assert at.view(0)["failed"] == "raised: gave no reply: its function raised KeyError: 'no idea'"
        moves = [move.action for move in at.session.moves]
        await at.undo(0, at.version)
        assert not at.view(0)["failed"]
        await turn(at)
        await until(lambda: len(at.session.moves) > len(moves))
        assert [move.action for move in at.session.moves[: len(moves)]] == moves
        assert not at.failed

    asyncio.run(play())


def test_a_table_goes_on_by_itself_when_an_outage_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "RETRY", 0.2)
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    async def play(url: str) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        at = await dealt(tmp_path, "llm:mends,connection=0")
        await until(lambda: at.session.seat_to_move == 0)
        troubles = set()
        await turn(at)
        count = len(at.session.moves)

        def goes_on() -> bool:
            troubles.add(at.view(0)["trouble"])
            return len(at.session.moves) > count

        await until(goes_on)
        assert not at.failed
        assert any("transport: gave no reply: HTTP 503" in trouble for trouble in troubles)
        await until(lambda: not at.trouble)

    with chat_server() as server:
        asyncio.run(play(server.url))


def test_an_outage_without_end_ends_in_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "RETRY", 0.01)
    monkeypatch.setattr(table, "MAX_RETRIES", 3)
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    async def play(url: str) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        at = await dealt(tmp_path, "llm:down,connection=0")
        await until(lambda: at.session.seat_to_move == 0)
        await turn(at)
        await until(lambda: bool(at.failed))
        assert "transport: gave no reply: HTTP 503" in at.failed
        assert not at.trouble

    with chat_server() as server:
        asyncio.run(play(server.url))
        assert len(server.requests) == 4
