"""Does the picture of a table show what there is, and to a seat no more than it may see?"""

from __future__ import annotations

from typing import Any

from tables import TABLES, walk

from banakil_env.games import banakil
from banakil_env.render.columns import WIDTH
from banakil_env.render.text import table as table_of

POSITION = """
turn: seat 0, draw
hand 0: 7h 3c 9d JK 2s
hand 1: Kd Kd As
known 1: Kd
melds 0: 7d 8d 9d | 3c 3d 3h
melds 1: 5s 6s 2c 8s
order: 0 1 0
pile: 4h Qh
stock: 6c 6d
"""
OPEN = """\
Banakil (pagat, 2 players), turn 1 of at most 300
Seat 0 is to draw or take

pile  1:Qh  2:4h
stock 2 cards, next 6c 6d

> seat 0, 5 cards
    hand   3c   9d   7h   2s JK
    melds  [0] 7d 8d 9d   [2] 3c 3d 3h
  seat 1, dealer, 3 cards
    hand   Kd Kd   As
    known  Kd
    melds  [1] 5s 6s 2c 8s
"""


def table(*arguments: Any, **options: Any) -> str:
    """A table of Banakil as text."""
    return table_of(banakil.GAME, *arguments, **options)


def position(text: str = POSITION) -> object:
    """The position; what is in no line lies under the pile."""
    return banakil.from_text(text.replace("stock: 6c 6d\n", ""))


def without_stock(picture: str) -> list[str]:
    return [line for line in picture.splitlines() if not line.startswith("stock")]


def test_the_whole_table() -> None:
    assert without_stock(table(position())) == without_stock(OPEN)


def test_a_seat_sees_its_own_hand_and_what_everybody_knows() -> None:
    expected = without_stock(OPEN)
    expected.remove("    hand   Kd Kd   As")
    assert without_stock(table(position(), 0)) == expected
    assert "stock 86 cards\n" in table(position(), 0)


def test_with_symbols() -> None:
    picture = table(position(), 0, symbols=True)
    assert "hand   3♣   9♦   7♥   2♠ JK" in picture
    assert "[1] 5♠ 6♠ 2♣ 8♠" in picture


def test_the_banned_card_is_told_to_its_holder_only() -> None:
    state = banakil.from_text("turn: seat 0, play, banned Qh\nhand 0: Qh 3c\nhand 1: 5d")
    assert "; Qh may not be discarded" in table(state, 0)
    assert "; it took Qh" in table(state, 1)


def test_the_end_says_how_and_for_how_much() -> None:
    state = banakil.from_text("turn: seat 0, play\nhand 0: 9h\nmelds 0: 7d 8d 9d\nhand 1: Kd")
    banakil.apply(state, banakil.parse_action("discard 9h"))
    assert "Over: seat 0 is out; points of the round by seat: 23 -20" in table(state)


def test_no_line_is_wider_than_a_terminal() -> None:
    for state in walk(TABLES["jawaker individuals"], 6, 600):
        assert max(map(len, table(state).splitlines())) <= WIDTH
