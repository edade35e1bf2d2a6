"""Does an assistant get to play? Driven by the client of the library `mcp`, in this process and over a pipe."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from mcp import Client, StdioServerParameters
from typer.testing import CliRunner

from banakil_env.play.allowed import Allowed
from banakil_env.play.mcp_server import BUSY, NO_GAME, Table, _prepare, mcp, server

Call = Callable[..., Awaitable[str]]


def played(session: Callable[[Call], Awaitable[Any]], place: Any = None) -> Any:
    """What comes of a session with a server, this one or that of another process."""

    async def run() -> Any:
        async with Client(place or server()) as client:

            async def call(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error
                return str(result.content[0].text)

            return await session(call)

    return asyncio.run(run())


async def a_whole_game(call: Call) -> int:
    """The first legal move at every decision, to the end; how many they were."""
    told = await call("new_game", game="rummy", opponents="greedy", rules="denexa max_turns=12", seed=5)
    moves = 0
    while "You are to decide" in told:
        first = (await call("legal_moves")).splitlines()[-1].partition(" | ")[0]
        told = await call("play", moves=first)
        assert "Nothing was played" not in told
        moves += 1
    assert "The game is over" in told
    return moves


def test_an_assistant_plays_a_game_to_its_end() -> None:
    assert played(a_whole_game) >= 12


def test_an_assistant_plays_over_standard_input_and_output() -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "banakil_env.cli", "mcp"])
    assert played(a_whole_game, parameters) >= 12


def test_the_tools_tell_rules_table_moves_and_advice() -> None:
    async def session(call: Call) -> None:
        assert await call("observe") == await call("rules") == await call("legal_moves") == NO_GAME
        assert await call("play", moves="draw") == await call("analyse") == NO_GAME
        told = await call("new_game", game="gin", seed=3)
        assert "You are seat 0." in told
        assert "# Gin Rummy: the rules of this table" in await call("rules")
        assert await call("legal_moves") == "take\npass"
        assert "greedy: " in await call("analyse")
        assert "is not legal" in await call("play", moves="knock")
        assert "no action is called 'fold'" in await call("play", moves="MOVE: fold")
        assert "What has happened" in await call("play", moves="MOVE: pass")

    played(session)


def test_moves_after_a_hidden_card_are_not_made() -> None:
    async def session(call: Call) -> None:
        await call("new_game", game="rummy", seed=5)
        discard = (await call("observe")).partition("cards): ")[2][:2]
        told = await call("play", moves=f"draw; discard {discard}")
        assert told.startswith(f"Not played: discard {discard}.")
        assert "You are to decide: play or discard." in told

    played(session)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "poker"}, "there is no game 'poker'"),
        ({"opponents": "nobody"}, "the player 'nobody' cannot be named here; Rummy for 2 has random, greedy, expert"),
        ({"seat": 9}, "there is no seat 9: 2 play"),
        ({"seat": -1}, "there is no seat -1: 2 play"),
        ({"seat": 10**18}, "there is no seat"),
        ({"players": 10**9}, "num_players must be 2, 3, 4, 5 or 6, not 1000000000"),
        ({"players": 10**18}, "num_players must be 2, 3, 4, 5 or 6"),
        ({"players": -1}, "num_players must be 2, 3, 4, 5 or 6, not -1"),
        ({"seed": -2}, "seed must be a whole number from 0 to"),
        ({"seed": 2**64}, "seed must be a whole number from 0 to"),
        ({"rules": "denexa max_turns=" + "9" * 500}, "max_turns"),
        ({"rules": "x" * 10**6}, "a text has at most 2000 characters"),
        ({"rules": "fast"}, "unknown rules 'fast'"),
        ({"episode": "day"}, "episode"),
    ],
)
def test_a_game_that_cannot_be_dealt_says_why(arguments: dict[str, Any], said: str) -> None:
    async def session(call: Call) -> str:
        return await call("new_game", **arguments)

    begun = time.monotonic()
    assert said in played(session)
    assert time.monotonic() - begun < 5  # nothing was made of the number


def test_a_game_that_cannot_be_dealt_leaves_the_one_that_is_played(tmp_path: Path) -> None:
    async def session(call: Call) -> None:
        await call("new_game", seed=5)
        seen = await call("observe")
        assert "No game was dealt" in await call("new_game", players=10**9)
        assert "No game was dealt" in await call("new_game", opponents="nobody")
        assert await call("observe") == seen

    played(session)


# Players -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A file with a player that leaves a trace when it is loaded."""
    file = tmp_path / "planted.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n\ndef play(observation, mask):\n    return mask.argmax()\n")
    return file


@pytest.mark.parametrize("kind", ["", "text:", "net:", "onnx:", "sb3:", "llm:"])
def test_an_assistant_cannot_have_files_loaded_or_code_run(code: Path, kind: str) -> None:
    async def session(call: Call) -> None:
        for name in (f"{kind}{code}:play", f"{kind}{code}", f"{kind}os:system"):
            assert "cannot be named here" in await call("new_game", opponents=name)
        await call("new_game", seed=5)
        for name in (f"{kind}{code}:play", f"{kind}{code}", f"{kind}os:system"):
            assert "cannot be named here" in await call("analyse", player=name)

    played(session)
    assert not (code.parent / "ran").exists()


def test_searches_that_are_too_long_are_refused() -> None:
    async def session(call: Call) -> None:
        await call("new_game", seed=5)
        for name in ("search:6s", "search:999999", "search:20001", "search:0", "search:-1", "search:1e9"):
            assert "searches of at most 5s or 20000 playouts" in await call("analyse", player=name)
        assert "search:20" in await call("analyse", player="search:20")

    played(session)


def test_a_player_that_was_listed_at_the_start_may_be_named(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(code.parent)

    async def session(call: Call) -> None:
        assert "You are seat 0." in await call("new_game", opponents="planted:play", seed=5)
        assert "* = would do" in await call("analyse", player="planted:play")

    played(session, server(Table(Allowed(["planted:play"]))))


# Calls at the same time, and the first call ---------------------------------------------------------------------------


def test_calls_at_the_same_time_are_carried_out_one_after_the_other() -> None:
    """Of forty equal moves at once one is made, and the others come when another decision is due."""

    async def session(call: Call) -> None:
        games = await asyncio.gather(
            *(call("new_game", game="rummy", opponents="search:20", seat=1, seed=seed) for seed in range(6))
        )
        assert all("You are seat 1." in told for told in games)
        assert await call("observe") in games
        await call("new_game", game="rummy", seed=5)
        told = await asyncio.gather(*(call("play", moves="draw") for _ in range(40)))
        assert sum("You are to decide: play or discard." in each for each in told) == 1
        assert sum("Nothing was played" in each for each in told) == 39

    played(session)


def test_a_client_that_waits_is_told_why() -> None:
    table, heard = Table(), []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)
        table.lock.release()

    async def run() -> str:
        async with Client(server(table)) as client:
            table.lock.acquire()  # as while a game is prepared
            result = await client.call_tool("observe", {}, progress_callback=note)
            return str(result.content[0].text)

    assert asyncio.run(run()) == NO_GAME
    assert heard == [BUSY]


def test_games_are_prepared_at_the_start_and_calls_wait_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    table, held = Table(), threading.Event()
    _prepare(table, ["rummy", "gin"], held)
    assert held.is_set()
    assert not table.lock.locked()
    assert table.observe() == NO_GAME  # at tables of its own
    said = capsys.readouterr()
    assert said.out == ""  # the protocol's
    lines = said.err.splitlines()
    assert [line for line in lines if "compiling" not in line] == [
        "banakil mcp: preparing rummy ...",
        "banakil mcp: preparing gin ...",
        "banakil mcp: ready",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "poker"], "there is no game 'poker'"),
        (["--player", "nobody"], "the player 'nobody' plays no game"),
        (["--transport", "pigeon"], "the transports are stdio and streamable-http, not 'pigeon'"),
    ],
)
def test_a_server_that_cannot_start_says_why(words: list[str], said: str) -> None:
    app = typer.Typer()
    app.command()(mcp)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert said in done.output
