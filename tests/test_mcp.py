"""Does an assistant get to play? Driven by the client of the library `mcp`, in this process and over a pipe."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from banakil_env.play.mcp_server import NO_GAME, server

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
        ({"opponents": "nobody"}, "there is no player 'nobody'"),
        ({"seat": 9}, "There is no seat 9"),
        ({"rules": "fast"}, "unknown rules 'fast'"),
        ({"episode": "day"}, "episode"),
    ],
)
def test_a_game_that_cannot_be_dealt_says_why(arguments: dict[str, Any], said: str) -> None:
    async def session(call: Call) -> str:
        return await call("new_game", **arguments)

    assert said in played(session)
