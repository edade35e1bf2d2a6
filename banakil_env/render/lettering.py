"""Draws text as outlines of Roboto, so that a picture looks the same on every machine."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import NamedTuple

from banakil_env.render.suits import OUTLINES, SYMBOLS

REGULAR, BOLD = "regular", "bold"
UNITS = 1000  # units of the outlines per letter size
MISSING = "?"  # drawn in place of a character without an outline
ELLIPSIS = "…"

# Scales the outline of a suit, 100 units wide and high, to a bit more than a capital letter, and moves it to the base
# line.
_SUIT_PLACE = "translate(0 -735) scale(7.6)"
_FILE = Path(__file__).parent / "font" / "roboto.json"


class Glyph(NamedTuple):
    """The width of a character and its outline, in thousandths of the letter size, and the transform of the outline."""

    advance: int
    outline: str
    transform: str = ""


@functools.cache
def glyphs(weight: str) -> dict[str, Glyph]:
    """The glyphs of one weight, by character."""
    letters = {character: Glyph(*glyph) for character, glyph in json.loads(_FILE.read_text("utf-8"))[weight].items()}
    suits = {symbol: Glyph(720, OUTLINES[suit], _SUIT_PLACE) for suit, symbol in SYMBOLS.items()}
    return letters | suits


def glyph_of(character: str, weight: str) -> tuple[str, Glyph]:
    """The character that a picture shows for `character`, and its glyph; MISSING if the font lacks the character."""
    known = glyphs(weight)
    shown = character if character in known else MISSING
    return shown, known[shown]


def width_of(text: str, size: float, weight: str = REGULAR) -> float:
    """The width of a line of text of the given letter size."""
    return sum(glyph_of(character, weight)[1].advance for character in text) * size / UNITS


def lines_of(text: str, size: float, width: float, weight: str = REGULAR) -> list[str]:
    """Break a text into lines of at most `width`; a wider word gets a separate line."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


def clauses_of(text: str, size: float, width: float, weight: str = REGULAR) -> list[str]:
    """Like `lines_of`, but broken after commas and points where possible."""
    lines: list[str] = []
    for clause in re.split(r"(?<=[,·]) ", text):
        longer = f"{lines[-1]} {clause}" if lines else clause
        if lines and width_of(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines += lines_of(clause, size, width, weight)
    return lines


def shortened(text: str, size: float, width: float, weight: str = REGULAR) -> str:
    """The text, cut with an ellipsis if it is wider than `width`."""
    if width_of(text, size, weight) <= width:
        return text
    while text and width_of(text + ELLIPSIS, size, weight) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS
