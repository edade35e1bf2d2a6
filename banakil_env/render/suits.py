"""The outlines of the suits and of the Joker's star, in squares of 100 units, made for this package.

It also has the letters and symbols of the suits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

JOKER = "JK"
WITHOUT_SUIT = (JOKER, "W")  # "W" is the wild card of packs with only one kind of wild card

OUTLINES: Mapping[str, str] = {
    "c": "M50 4a21 21 0 0 1 16 34.500a21.500 21.500 0 1 1 -11.500 34.500q1.500 14 10 23h-29q8.500 -9 10 -23"
    "a21.500 21.500 0 1 1 -11.500 -34.500a21 21 0 0 1 16 -34.500z",
    "d": "M50 3q13 26 35 47q-22 21 -35 47q-13 -26 -35 -47q22 -21 35 -47z",
    "h": "M50 95c-9 -20 -43 -38 -43 -66a23.500 23.500 0 0 1 43 -12a23.500 23.500 0 0 1 43 12c0 28 -34 46 -43 66z",
    "s": "M50 4c9 20 42 36 42 60a20.500 20.500 0 0 1 -37.500 11q1.500 13 10 21h-29q8.500 -8 10 -21"
    "a20.500 20.500 0 0 1 -37.500 -11c0 -24 33 -40 42 -60z",
    JOKER: "M50 3l13.500 31.500l34 3l-26 22l8 33.500l-29.500 -18l-29.500 18l8 -33.500l-26 -22l34 -3z",
}
SYMBOLS: Mapping[str, str] = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

# Matches a card, but not the seconds in the name of a player such as `search:2s`.
_CARD = re.compile(r"(?<![a-z]:)\b([2-9TJQKA])([cdhs])\b")


def parts_of(card: str) -> tuple[str, str]:
    """The text in the corner of a card, and the name of its outline.

    >>> parts_of("Th"), parts_of("JK"), parts_of("W")
    (('10', 'h'), ('JK', 'JK'), ('W', 'JK'))
    """
    if card[-1:] in SYMBOLS and len(card) > 1:
        return card[:-1].replace("T", "10"), card[-1]
    return card, JOKER


def with_symbols(text: str, ten: str = "10") -> str:
    """A text with suit symbols instead of letters and 10 instead of T. `ten="T"` keeps the length of the text.

    >>> with_symbols("discard Th")
    'discard 10♥'
    """
    return _CARD.sub(lambda found: found[1].replace("T", ten) + SYMBOLS[found[2]], text)
