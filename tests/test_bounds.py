"""Is a number from outside checked before anything is made of it? With an error at once that says what is allowed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import pettingzoo
import pytest
from typer.testing import CliRunner

from banakil_env.arena import play_match
from banakil_env.cli import application
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.play.session import num_players_of, seats_around
from banakil_env.web import protocol
from banakil_env.web.protocol import Refused

HUGE = (10**9, 10**18, 2**64, 10**30, 10**400)
AT_ONCE = 5.0  # seconds


@pytest.fixture(autouse=True)
def at_once() -> Iterator[None]:
    """Nothing is made of the number: no list, no array, no process."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < AT_ONCE


@pytest.mark.parametrize("number", [*HUGE, -1, 7])
@pytest.mark.parametrize(
    "make",
    [
        lambda number: find("rummy").new(num_players=number),
        lambda number: num_players_of(find("rummy"), number),
        lambda number: seats_around(find("rummy"), number, 0, "greedy"),
        lambda number: Tables(4, game="rummy", num_players=number),
        lambda number: gymnasium.make("rummy/Rummy-v0", num_players=number),
        lambda number: gymnasium.make_vec("rummy/Rummy-v0", 4, num_players=number),
        lambda number: pettingzoo.make("aec", "rummy/rummy-v0", num_players=number),
        lambda number: play_match(["random", "greedy"], game="rummy", num_players=number, deals=1),
    ],
    ids=["new", "num_players_of", "seats_around", "Tables", "make", "make_vec", "aec", "arena"],
)
def test_a_number_of_players(make: Callable[[int], Any], number: int) -> None:
    with pytest.raises(ValueError, match="num_players must be 2, 3, 4, 5 or 6, not"):
        make(number)


@pytest.mark.parametrize("seat", [*HUGE, -1, 2])
def test_a_seat(seat: int) -> None:
    with pytest.raises(ValueError, match=r"there is no seat .*: 2 play, seats from 0 on"):
        seats_around(find("rummy"), 0, seat, "greedy")


@pytest.mark.parametrize("number", [*HUGE, 2**24 + 1])
def test_a_number_of_tables(number: int) -> None:
    for make in (lambda: Tables(number, game="yaniv"), lambda: gymnasium.make_vec("rummy/Yaniv-v0", number)):
        with pytest.raises(ValueError, match="a batch has at most 16,777,216 tables"):
            make()


@pytest.mark.parametrize("seed", [2**64, 10**30, 10**400, -1])
def test_a_seed(seed: int) -> None:
    allowed = r"seed must be a whole number from 0 to 2\*\*64 - 1"
    tables, aec = Tables(2, game="yaniv"), pettingzoo.make("aec", "rummy/yaniv-v0")
    for reset in (
        lambda: tables.reset(seed=seed),
        lambda: tables.reset(seed=[1, seed]),
        lambda: aec.reset(seed=seed),
    ):
        with pytest.raises(ValueError, match=allowed):
            reset()


@pytest.mark.parametrize("number", [0, *HUGE])
def test_numbers_of_threads_and_processes(number: int) -> None:
    with pytest.raises(ValueError, match="threads must be 1 to 1024"):
        Tables(4, game="yaniv", threads=number)
    with pytest.raises(ValueError, match="processes must be a number from 1 to 1024"):
        play_match(["random", "greedy"], game="yaniv", deals=10**9, processes=number)


@pytest.mark.parametrize("budget", [0.0, -1.0, float("inf"), float("nan"), 1e300])
def test_seconds_for_a_decision(budget: float) -> None:
    with pytest.raises(ValueError, match="budget must be a number of seconds above 0, at most 1000000, not"):
        play_match(["random", "greedy"], game="yaniv", deals=1, budget=budget)


@pytest.mark.parametrize("budget", ["9" * 400, "9" * 30 + "s", "1" + "0" * 10, "1." + "0" * 30 + "1s", "5@100", "0"])
def test_the_budget_of_a_search(budget: str) -> None:
    with pytest.raises(ValueError, match="the budget of a search is playouts or time") as refused:
        play_match(["random", f"search:{budget}"], game="rummy", deals=1)
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *((["serve", "--port", value], "65535") for value in ("65536", "1000000000", "9" * 400)),
        (["serve", "--port", "-1"], " 0"),
        *((["serve", "--tables", value], "100000") for value in ("1000000000", "9" * 400)),
        (["serve", "--tables", "0"], " 1"),
        *((["bench", "--runs", value], "1000") for value in ("1001", "1000000000")),
        *((["bench", "--seconds", value], "600") for value in ("inf", "1e300")),
        (["bench", "--positions", "1000000000"], "1000000"),
        (["write-rules", "score", "-", "--game", "rummy", "--traces", "1000000000"], "10000"),
        (["write-rules", "score", "-", "--game", "rummy", "--traces", "0"], " 1"),
        (["write-rules", "score", "-", "--game", "rummy", "--positions", "0"], " 1"),
        (["write-rules", "score", "-", "--game", "rummy", "--show", "-1"], " 0"),
        (["play", "--game", "rummy", "--players", "1000000000"], "num_players must be 2, 3, 4, 5 or 6"),
        (["play", "--game", "rummy", "--seat", "1000000000"], "there is no seat 1000000000: 2 play"),
        (["play", "--game", "rummy", "--seed", "1" + "0" * 30], "seed must be a whole number from 0"),
        (["arena", "random", "greedy", "--game", "rummy", "--players", "1000000000"], "num_players must be 2, 3, 4, 5"),
        (["arena", "random", "greedy", "--game", "rummy", "--processes", "1000000000"], "a number from 1 to 1024"),
        (["arena", "random", "greedy", "--game", "rummy", "--budget", "inf"], "seconds above 0, at most 1000000"),
    ],
)
def test_an_option_of_the_command_line(words: list[str], said: str) -> None:
    done = CliRunner().invoke(application(words[0]), words, terminal_width=400)
    assert done.exit_code in (1, 2)
    told = " ".join(f"{done.output} {done.exception}".replace("│", " ").split())  # without the frame
    assert said in told
    assert words[-2] in told or "banakil" in told  # names the option


@pytest.mark.parametrize("value", [*HUGE, -1, 1.5, float("inf"), float("nan"), "1", True, [1]])
def test_a_number_of_a_request_of_a_page(value: Any) -> None:
    seats = [{"name": "Ann"}, {"player": "greedy"}]
    for wanted in (
        lambda: protocol.table_wanted({"game": "rummy", "seats": seats, "seed": -1 if value in HUGE[:1] else value}),
        lambda: protocol.table_wanted({"game": "rummy", "seats": seats, "pause": value}),
        lambda: protocol.move_wanted({"action": 2**53 + 1 if value in HUGE[:1] else value, "version": 0}),
        lambda: protocol.pace_wanted({"pause": value}),
    ):
        with pytest.raises(Refused, match="must be a whole number from 0 to"):
            wanted()


@pytest.mark.parametrize("text", ["9" * 400, "9" * 5000, "1000000000", "-1", "1e3", "0x10", "\u0663", "", " 1"])
def test_a_number_of_an_address(text: str) -> None:
    with pytest.raises(Refused, match="the move must be a whole number from 0 on, not"):
        protocol.whole(text, "the move", 0)


@pytest.mark.parametrize("line", ["players", "round", "turns", "seed", "scores", "dealer"])
@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "-1", "1e9", "0x10", "\u0663"])
def test_a_number_of_a_position(line: str, number: str) -> None:
    """Of every game whose positions have that line."""
    for game in ("rummy", "gin", "canasta", "banakil"):
        with pytest.raises(ValueError, match=f"line 1, {line}: expected|line 1: .* does not begin with a key"):
            find(game).texts.from_text(f"{line}: {number}")
