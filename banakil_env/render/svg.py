"""Draws the `Scene` of any game as SVG: seats around the middle, partners opposite each other.

The viewer's seat is at the bottom (seat 0 if all hands are open). Play proceeds to the left. The drawing shows only the
content of the scene. Letters and suits are paths, so it looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from banakil_env.core.scene import Scene
from banakil_env.render import blocks
from banakil_env.render.blocks import Block, Pen
from banakil_env.render.cards import Cards
from banakil_env.render.drawing import Drawing
from banakil_env.render.lettering import BOLD, clauses_of, lines_of, shortened
from banakil_env.render.text import draw as draw_text
from banakil_env.render.themes import theme_of

MARGIN, GAP = 12, 10
WIDTHS = {2: 860, 3: 860, 7: 1200, 8: 1200}  # by number of seats; the next line has the width for all others
WIDTH = 1080
SIDE = 286  # width of a seat at the left or right
TITLE_SIZE, SMALL = 19, 13.5
MIDDLE_HEIGHT = 128  # smallest height of the middle


def draw(
    scene: Scene,
    theme: str = "light",
    four_colors: bool = False,
    names: Sequence[str] | None = None,
    size: tuple[int, int] | None = None,
) -> str:
    """Draw a scene as SVG.

    Args:
        scene: the scene.
        theme: "light" or "dark".
        four_colors: clubs are green and diamonds blue.
        names: the names of the players, by seat; None for seats with numbers only.
        size: width and height of the picture, into which the table is fitted; None for the size of the table.

    Raises:
        ValueError: there is no such theme, or the number of names differs from the number of seats.
    """
    if names is not None and len(names) != len(scene.seats):
        raise ValueError(f"names has one name a seat, {len(scene.seats)} of them, not {len(names)}")
    colors, drawing = theme_of(theme), Drawing()
    pen = Pen(drawing, Cards(drawing, colors, four_colors), colors, scene, tuple(names or ()))
    width = WIDTHS.get(len(scene.seats), WIDTH)
    top = _head(pen, width)
    height = top + _table(pen, width, top) + MARGIN
    return drawing.text(width, height, colors.table, f"A table of {scene.title}", draw_text(scene), size)


def _head(pen: Pen, width: float) -> float:
    """Draw the game's title and facts of the round; returns the y coordinate below them."""
    scene, colors = pen.scene, pen.theme
    facts, inside = " · ".join(scene.facts), width - 2 * MARGIN
    title = pen.drawing.write(scene.title, MARGIN, 29, TITLE_SIZE, colors.text, BOLD) + 10
    room = inside - title
    both = pen.width_of(scene.rules, SMALL) + 20 + pen.width_of(facts, SMALL) <= room
    below = [] if both else lines_of(scene.rules, SMALL, inside)[:3]
    if both:
        pen.drawing.write(scene.rules, MARGIN + title, 28, SMALL, colors.faint)
    if pen.width_of(facts, SMALL) <= room:
        pen.drawing.write(facts, width - MARGIN, 28, SMALL, colors.faint, anchor="end")
    else:
        below = [*clauses_of(facts, SMALL, inside), *below]
    for row, line in enumerate(below):
        text = shortened(line, SMALL, inside)
        pen.drawing.write(text, MARGIN, 47 + 17 * row, SMALL, colors.faint)
    return 42 + 17 * len(below)


def _table(pen: Pen, width: float, top: float) -> float:
    """Draw all seats and the middle, from `top` down; returns their height."""
    first = pen.scene.viewer or 0
    left, above, right = places(len(pen.scene.seats), first)
    inside = width - 2 * MARGIN
    beside = SIDE if left else 0
    middle_width = inside - 2 * (beside + GAP) if beside else inside
    # The seats at the top share the width.
    each = (inside - GAP * (len(above) - 1)) / max(1, len(above))
    y, begun = top, top
    if above:
        y += _in_a_row([blocks.seat(pen, seat, each) for seat in above], MARGIN, y) + GAP
    columns = [[blocks.seat(pen, seat, SIDE) for seat in seats] for seats in (left, right)]
    middle = blocks.middle(pen, middle_width)
    height = max(MIDDLE_HEIGHT, middle.height, *(_height(column) for column in columns))
    for x, column in ((MARGIN, columns[0]), (width - MARGIN - SIDE, columns[1])):
        _stretched(column, x, y, height)
    middle.draw(MARGIN + (beside + GAP if beside else 0), y + (height - middle.height) / 2, middle.height)
    y += height + GAP
    own = blocks.seat(pen, first, inside, scale=blocks.OWN_SCALE)
    own.draw(MARGIN, y, own.height)
    return y + own.height - begun


def places(count: int, first: int) -> tuple[list[int], list[int], list[int]]:
    """The positions of the other seats around seat `first`: at the left, at the top and at the right.

    Seats at the left and the right are listed from top to bottom, at the top from left to right.

    >>> places(4, 0)
    ([1], [2], [3])
    """
    others = [(first + step) % count for step in range(1, count)]
    beside = (0, 0, 0, 0, 1, 1, 1, 2, 2)[count] if count < 9 else count // 4
    left, above, right = others[:beside], others[beside : len(others) - beside], others[len(others) - beside :]
    return left[::-1], above, right


def _height(column: Sequence[Block]) -> float:
    return sum(block.height for block in column) + GAP * (len(column) - 1)


def _in_a_row(row: Sequence[Block], x: float, y: float) -> float:
    """Draw blocks side by side, all with the height of the highest; returns this height."""
    height = max(block.height for block in row)
    for block in row:
        block.draw(x, y, height)
        x += block.width + GAP
    return height


def _stretched(column: Sequence[Block], x: float, y: float, height: float) -> None:
    """Draw blocks below each other; they share the remaining height."""
    if not column:
        return
    more = (height - _height(column)) / len(column)
    for block in column:
        block.draw(x, y, block.height + more)
        y += block.height + more + GAP
