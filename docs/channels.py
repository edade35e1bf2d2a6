"""Draws the array of `observation="cards"` for the position on the page of each game.

`docs/generate.py` writes the pictures. A row is a face of the game, a column is a channel. A darker cell is a higher
number.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from banakil_env.core.views import encode_cards
from banakil_env.games import find
from banakil_env.kit.plain import Plain

DOCS = Path(__file__).resolve().parent
CELL, ROW, LEFT, TOP = 15, 12, 34, 104
PALEST = 0.25  # shade of the lowest number above 0
STYLE = (
    "text{font:10px sans-serif;fill:#222}.face{text-anchor:end}.red{fill:#b71c1c}.cell{fill:#00695c}.line{stroke:#ddd}"
)


def position_of(name: str) -> str:
    """The text of the position on the page of a game."""
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    [text] = re.findall(r"```position\n(.*?)```", page, flags=re.DOTALL)[:1]
    return str(text)


def drawn(name: str) -> str:
    """The picture for a game, as SVG."""
    game = find(name)
    plain = Plain(game)
    state = plain.from_text(position_of(name))
    seen = plain.observe(state, plain.seat_to_move(state) or 0)["observation"]
    return svg_of(game.title, game.cards.faces, encode_cards(game, seen[None])["cards"][0], name)


def svg_of(title: str, faces: tuple[str, ...], cards: npt.NDArray[np.float32], name: str) -> str:
    """Draw an array `cards` as SVG, without the faces that the game does not have.

    Args:
        title: the title of the picture.
        faces: the names of the faces.
        cards: float32 (faces, channels), the array.
        name: the name of the game.
    """
    channels = [column.name for column in find(name).cards.arrays[0].columns]
    rows = np.flatnonzero(cards[:, channels.index("pack")])
    width, height = LEFT + CELL * len(channels) + 8, TOP + ROW * len(rows) + 8
    parts = []
    for place, channel in enumerate(channels):
        x = LEFT + CELL * place + CELL * 0.7
        parts.append(f'<text transform="translate({x:g} {TOP - 6}) rotate(-60)">{escape(channel)}</text>')
    for place in range(len(channels) + 1):
        x = LEFT + CELL * place
        parts.append(f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{TOP + ROW * len(rows)}" class="line"/>')
    for place, face in enumerate(rows):
        y = TOP + ROW * place
        red = " red" if faces[face][1:] in ("d", "h") else ""
        parts.append(f'<text x="{LEFT - 5}" y="{y + 10}" class="face{red}">{faces[face]}</text>')
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + CELL * len(channels)}" y1="{y}" y2="{y}" class="line"/>')
        for channel in np.flatnonzero(cards[face]):
            shade = PALEST + (1 - PALEST) * min(float(cards[face, channel]), 1.0)
            x = LEFT + CELL * int(channel)
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{ROW - 2}" class="cell" '
                f'fill-opacity="{shade:.2f}"/>'
            )
    said = f"What each face of {escape(title)} says, by channels"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{said}</title><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
