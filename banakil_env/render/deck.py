"""All cards of a pack in one SVG file, for web pages that place cards themselves: `<use href="deck.svg#card-7h">`."""

from __future__ import annotations

from banakil_env.render.cards import HEIGHT, WIDTH, Cards
from banakil_env.render.drawing import Drawing
from banakil_env.render.suits import SYMBOLS, WITHOUT_SUIT
from banakil_env.render.themes import THEMES

RANKS = "23456789TJQKA"


def deck(four_colors: bool = False) -> str:
    """The SVG file: symbols `card-7h` for every card, `card-JK`, `card-W` and `back`, each with the box `0 0 46 64`."""
    drawing = Drawing()
    cards = Cards(drawing, THEMES["light"], four_colors)
    for card in (*(rank + suit for rank in RANKS for suit in SYMBOLS), *WITHOUT_SUIT, None):
        cards.define(card)
    return drawing.text(WIDTH, HEIGHT, "none", "Cards", "All cards, to be used one by one")
