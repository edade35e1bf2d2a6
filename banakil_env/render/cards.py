"""Draws cards: the rank and suit in the corner that a neighboring card leaves visible, and a large suit below.

This module draws all cards; `suits` has the outlines of the suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from banakil_env.core.scene import Card
from banakil_env.render.drawing import Drawing, number, used
from banakil_env.render.lettering import BOLD, width_of
from banakil_env.render.suits import OUTLINES, parts_of
from banakil_env.render.themes import FOUR_COLORS, TWO_COLORS, Theme

WIDTH, HEIGHT, RADIUS = 46, 64, 5
STRIP = 21  # visible width of a card under its right neighbour
NARROW_STRIP = 17  # the least visible width that shows rank and suit
MIDDLE = 9.75  # center of the corner text, from the left edge
INDEX = 40  # visible height of a card under the next row
RANK_SIZE, SMALL_SUIT, LARGE_SUIT, CORNER = 18, 13, 21, 15.5
BACK = "back"


@dataclass(frozen=True)
class Placed:
    """A card to be drawn: its text (None for a card face down) and, for a wild card, the card that it stands for."""

    card: Card
    stands_for: str | None = None


class Cards:
    """Draws cards on a sheet; each different card is defined on the sheet once."""

    def __init__(self, drawing: Drawing, theme: Theme, four_colors: bool = False) -> None:
        self._drawing, self._theme = drawing, theme
        self._colors = FOUR_COLORS if four_colors else TWO_COLORS

    def put(self, placed: Placed, x: float, y: float, scale: float = 1.0) -> None:
        """Draw one card with its upper left corner at (x, y)."""
        self._drawing.use(self.define(placed.card), x, y, scale)
        if placed.stands_for is not None:
            self._drawing.add(
                f'<rect x="{number(x + 1)}" y="{number(y + 1)}" width="{number(WIDTH * scale - 2)}"'
                f' height="{number(HEIGHT * scale - 2)}" rx="{number(RADIUS * scale)}" fill="none"'
                f' stroke="{self._theme.wild}" stroke-width="2"/>'
            )

    def row(self, row: Sequence[Placed], x: float, y: float, strip: float, scale: float = 1.0) -> float:
        """Draw overlapping cards, each with `strip` visible under the next; returns their total width."""
        for place, placed in enumerate(row):
            self.put(placed, x + place * strip * scale, y, scale)
        # After all cards, so above them: the corner below the index is empty on each card.
        for place, placed in enumerate(row):
            if placed.stands_for is not None:
                self._say_what(placed.stands_for, x + place * strip * scale, y, scale)
        return row_width(len(row), strip, scale)

    def define(self, card: Card) -> str:
        """Define a card on the sheet, and return the name of its symbol."""
        name = BACK if card is None else f"card-{card}"
        if not self._drawing.knows(name):
            self._drawing.define(name, self._back() if card is None else self._face(card))
        return name

    def _face(self, card: str) -> str:
        text, kind = parts_of(card)
        self._define_suits([kind])
        size = RANK_SIZE if len(text) == 1 else RANK_SIZE * 0.86
        width = min(width_of(text, size, BOLD), CORNER)
        letters = self._drawing.letters(text, MIDDLE - width / 2, 18.5, size, BOLD, width)
        small = used(f"suit-{kind}", MIDDLE - SMALL_SUIT / 2, 22.5, SMALL_SUIT / 100)
        large = used(f"suit-{kind}", WIDTH - LARGE_SUIT - 2.5, HEIGHT - LARGE_SUIT - 4, LARGE_SUIT / 100)
        return f'{self._sheet()}<g fill="{self._colors[kind]}">{letters}{small}{large}</g>'

    def _sheet(self) -> str:
        return outline(self._theme.card, self._theme.card_edge)

    def _back(self) -> str:
        theme, lines = self._theme, []
        for step in range(-3, 5):
            lines.append(f"M{8 + 10 * step} 8l48 48M{8 + 10 * step} 56l48 -48")
        inner = f'x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}"'
        self._drawing.define("back-window", f'<clipPath id="back-clip"><rect {inner} rx="3"/></clipPath>')
        return (
            f"{outline(theme.back, theme.back_edge)}"
            f'<path d="{"".join(lines)}" stroke="{theme.back_line}" stroke-width="1.2" clip-path="url(#back-clip)"/>'
            f'<rect {inner} rx="3" fill="none" stroke="{theme.back_line}" stroke-width="1.2"/>'
        )

    def _define_suits(self, kinds: Iterable[str]) -> None:
        for kind in kinds:
            self._drawing.define(f"suit-{kind}", f'<path d="{OUTLINES[kind]}"/>')

    def _say_what(self, stands_for: str, x: float, y: float, scale: float) -> None:
        """Write the card that a wild card stands for into its lower left corner."""
        theme, drawing = self._theme, self._drawing
        rank, kind = parts_of(stands_for)
        self._define_suits([kind])
        size, left, top = 11 * scale, x + 2 * scale, y + 42 * scale
        width = width_of(rank, size, BOLD)
        drawing.box(left, top, width + size + 3, 15 * scale, theme.wild, radius=2.5)
        drawing.write(rank, left + 1.5, top + 11.5 * scale, size, theme.wild_text, BOLD)
        suit = used(f"suit-{kind}", left + 1.5 + width, top + 2.8 * scale, size * 0.9 / 100)
        drawing.add(f'<g fill="{theme.wild_text}">{suit}</g>')


def outline(fill: str, edge: str) -> str:
    """SVG of a card's outline, with these colors of the face and the edge."""
    return (
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="{RADIUS}" fill="{fill}" stroke="{edge}"/>'
    )


def row_width(count: int, strip: float, scale: float = 1.0) -> float:
    """The width of a row of overlapping cards."""
    return ((count - 1) * strip + WIDTH) * scale if count else 0.0
