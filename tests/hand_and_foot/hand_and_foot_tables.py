"""Tables for the tests of Hand and Foot."""

from __future__ import annotations

from typing import Any

from game_tables import TablesOf, given_in

from banakil_env.games import hand_and_foot
from banakil_env.kit.books.kinds import FACES

FIVE_PILES = (
    "4c 4c 4c 4c 4c 4d 4d | 5c 5c 5c 5c 5d 5d 5d | 6c 6c 6c 6c 6c 2c 2c | 8c 8c 8c 8c 8c 2d 2d | 2h 2h 2h 2h 2h 2s 2s"
)
FOOT = "4h 5h 6h 8h 9h Th Jh Qh Kh Ah Ah"


_tables = TablesOf(hand_and_foot)
play, legal, lines, random_states = _tables.play, _tables.legal, _tables.lines, _tables.random_states


def at(*given: str) -> Any:
    """The state of these lines: a hand that is left out holds one Jack, the pile is 5c."""
    hands = {f"hand {seat}": card for seat, card in enumerate(("Jc", "Jd", "Jh", "Js"))}
    return _tables.of(hands | {"pile": "5c"} | given_in(given))


def whole_pack() -> list[str]:
    """The names of all cards."""
    return [name for name in FACES.names for _ in range(10 if name == "JK" else 5)]


def left_but(*used: str) -> list[str]:
    """The pack without these cards."""
    pack = whole_pack()
    for card in " ".join(used).split():
        pack.remove(card)
    return pack
