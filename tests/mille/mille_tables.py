"""Tables for the tests of Mille."""

from __future__ import annotations

from typing import Any

from game_tables import TablesOf, given_in

from banakil_env.games import mille

_tables = TablesOf(mille)
play, legal, lines, random_states = _tables.play, _tables.legal, _tables.lines, _tables.random_states


def at(*given: str) -> Any:
    """The state of these lines: a hand that is left out holds one Four or Six, the pile is 5c."""
    return _tables.of({"hand 0": "4c", "hand 1": "6c", "pile": "5c"} | given_in(given))
