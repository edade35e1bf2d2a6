"""Tables for the tests of Canasta."""

from __future__ import annotations

from typing import Any

from game_tables import TablesOf, given_in

from banakil_env.games import canasta

_tables = TablesOf(canasta)
play, legal, lines, random_states = _tables.play, _tables.legal, _tables.lines, _tables.random_states


def at(*said: str) -> Any:
    """The state of these lines: a hand that is left out holds one Jack, four play, the pile is 5c."""
    given = {"players": "4", "pile": "5c"} | given_in(said)
    hands = {f"hand {seat}": card for seat, card in zip(range(int(given["players"])), ("Jc", "Jd", "Jh", "Js"))}
    return _tables.of(hands | given)
