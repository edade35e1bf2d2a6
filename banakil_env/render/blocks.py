"""The parts of a drawn table: a seat with its hand and melds, and the middle with pile, stock and the decision.

A part is first measured and later drawn at its place (`Block`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.render.cards import HEIGHT, INDEX, NARROW_STRIP, STRIP, WIDTH, Cards, Placed, row_width
from banakil_env.render.drawing import Drawing
from banakil_env.render.lettering import BOLD, REGULAR, clauses_of, lines_of, shortened, width_of
from banakil_env.render.suits import with_symbols
from banakil_env.render.themes import Theme

PAD = 10
HEAD_SIZE, SIZE, SMALL = 15, 13.5, 12
HEAD = 26  # height of a seat's heading
OWN_SCALE = 1.15  # scale of the cards of the seat at the bottom
MELD_SCALE, MELD_GAP = 0.84, 12
LABEL_WIDTH, LABEL_LINE = 150, 14  # text below a meld: its largest width, and the height of a line
NOTE_LINE = 17  # height of a line of notes that do not fit into a heading
GROUP_GAP = 9  # gap between the groups of a hand
BACK_STRIP = 9.0
NEXT_CARDS = 8  # number of cards of an open stock that are shown
HEAP_GAP = 24
MELDS_APART = 34  # gap between a hand and the melds to its right


@dataclass(frozen=True)
class Block:
    """A part of the picture: its smallest size, and a function that draws it.

    The function takes the place (x, y) of the upper left corner and the height.
    """

    width: float
    height: float
    draw: Callable[[float, float, float], None]


@dataclass(frozen=True)
class Pen:
    """Everything that the parts of a picture are drawn with: the sheet, the cards, the theme, the scene, the names."""

    drawing: Drawing
    cards: Cards
    theme: Theme
    scene: Scene
    names: tuple[str, ...] = ()

    def width_of(self, text: str, size: float, weight: str = REGULAR) -> float:
        """The width of a line of text."""
        return width_of(text, size, weight)

    def name_of(self, seat: int) -> str:
        """The name of a seat."""
        return f"Seat {seat}" + (f" · {self.names[seat]}" if self.names else "")

    def has_partners(self) -> bool:
        """Whether there are partners."""
        return len({view.side for view in self.scene.seats}) < len(self.scene.seats)


# A seat -------------------------------------------------------------------------------------------------------------


def seat(pen: Pen, number: int, width: float, scale: float = 1.0) -> Block:
    """Measure a seat: its heading, its hand, and its cards on the table."""
    view = pen.scene.seats[number]
    inside = width - 2 * PAD
    before = [_labeled_area(pen, area) for area in pen.scene.areas if area.owner == number and area.size]
    melds = [*before, *(_meld(pen, meld) for meld in pen.scene.melds if meld.owner == number)]
    body = _hand_and_melds(pen, view, melds, inside, scale)
    indent = 6 if pen.has_partners() else 0
    head = _heading(pen, view, inside - indent)
    height = PAD + head.height + body.height + PAD

    def draw(x: float, y: float, given: float) -> None:
        theme, moves = pen.theme, pen.scene.to_move == number
        edge, line = (theme.mover, 3) if moves else (theme.panel_edge, 1)
        pen.drawing.box(x, y, width, given, theme.panel, edge, 10, line)
        if pen.has_partners():
            color = theme.sides[view.side % len(theme.sides)]
            pen.drawing.box(x + 5, y + 9, 5, 20, color, radius=2.5)
        head.draw(x + PAD + indent, y + PAD, head.height)
        body.draw(x + PAD, y + PAD + head.height, body.height)

    return Block(width, height, draw)


def _hand_and_melds(pen: Pen, view: SeatView, melds: Sequence[Block], width: float, scale: float) -> Block:
    """The hand, with the melds to its right if they fit, or below it."""
    hand = _hand(pen, view, width, scale)
    if not melds:
        return hand
    below = _stacked([hand, _flow(melds, width, MELD_GAP, 6)], 8)
    room = width - hand.width - MELDS_APART
    if room < max(meld.width for meld in melds):
        return below
    beside = _side_by_side(hand, _flow(melds, room, MELD_GAP, 6), MELDS_APART)
    return beside if beside.height <= below.height else below


def _side_by_side(left: Block, right: Block, gap: float) -> Block:
    def draw(x: float, y: float, given: float) -> None:
        left.draw(x, y, left.height)
        right.draw(x + left.width + gap, y, right.height)

    return Block(left.width + gap + right.width, max(left.height, right.height), draw)


def _heading(pen: Pen, view: SeatView, width: float) -> Block:
    """Name, notes and score of a seat. Notes that do not fit into the first line are put on further lines."""
    theme, drawing, scene = pen.theme, pen.drawing, pen.scene
    figures = [] if not scene.points else [("round", _figure(scene.points[view.seat]))]
    figures += [] if view.score is None else [("score", _figure(view.score))]
    right = width - sum(width_of(f, HEAD_SIZE, BOLD) + width_of(label, SMALL) + 14 for label, f in figures)
    pill = _pill_width("to move") if scene.to_move == view.seat else 0.0
    name = shortened(pen.name_of(view.seat), HEAD_SIZE, max(50, right - pill), BOLD)
    left = width_of(name, HEAD_SIZE, BOLD) + 8 + pill
    words = [*_relation(pen, view), *view.notes, f"{view.size} cards" if view.size != 1 else "1 card"]
    notes = with_symbols(" · ".join(words))
    beside = width_of(notes, SMALL) <= right - left
    lines = [] if beside else clauses_of(notes, SMALL, width)

    def draw(x: float, y: float, given: float) -> None:
        base, at = y + 14, x + width
        for label, figure in reversed(figures):
            at -= drawing.write(figure, at, base, HEAD_SIZE, theme.text, BOLD, "end") + 4
            at -= drawing.write(label, at, base, SMALL, theme.faint, anchor="end") + 10
        drawing.write(name, x, base, HEAD_SIZE, theme.text, BOLD)
        if pill:
            _pill(pen, "to move", x + left - pill, y, theme.mover, theme.mover_text)
        if beside:
            drawing.write(notes, x + left, base, SMALL, theme.faint)
        for row, line in enumerate(lines):
            drawing.write(line, x, base + NOTE_LINE * (row + 1), SMALL, theme.faint)

    return Block(width, HEAD + NOTE_LINE * len(lines), draw)


def _figure(points: int) -> str:
    return str(points).replace("-", "−")


def _pill_width(text: str) -> float:
    """The width of a label with a rounded frame, and of the gap after it."""
    return width_of(text, SMALL, BOLD) + 12 + 7


def _pill(pen: Pen, text: str, x: float, y: float, color: str, letters: str) -> None:
    pen.drawing.box(x, y + 0.5, _pill_width(text) - 7, 18, color, radius=9)
    pen.drawing.write(text, x + 6, y + 13.5, SMALL, letters, BOLD)


def _relation(pen: Pen, view: SeatView) -> list[str]:
    """The relation of a seat to the seat at the bottom, in words: partner or opponent; empty if there is none."""
    viewer = pen.scene.viewer
    if viewer == view.seat:
        return ["you"]
    if viewer is not None and view.side == pen.scene.seats[viewer].side:
        return ["partner"]
    return []


def _hand(pen: Pen, view: SeatView, width: float, scale: float) -> Block:
    if view.hand is not None:
        return _open_hand(pen, view.hand, width, scale)
    return _closed_hand(pen, view, width)


def _open_hand(pen: Pen, groups: Sequence[Sequence[str]], width: float, scale: float) -> Block:
    """The groups of an open hand side by side.

    If the width is too small they move closer together, then into rows that overlap.
    """
    cards = [[Placed(card) for card in group] for group in groups]
    count = sum(map(len, cards))
    if not count:
        return _words(pen, "no cards")
    gaps = GROUP_GAP * (len(cards) - 1)
    strip: float = STRIP
    if count > 1:
        room = (width - gaps * scale - WIDTH * scale) / ((count - 1) * scale)
        strip = min(STRIP + 6, max(NARROW_STRIP, room)) if room < STRIP else STRIP + 3 * (scale > 1)
    rows = _rows(cards, strip, width / scale)
    height = ((len(rows) - 1) * INDEX + HEIGHT) * scale

    def draw(x: float, y: float, given: float) -> None:
        for number, row in enumerate(rows):
            for placed, offset in row:
                pen.cards.put(placed, x + offset * scale, y + number * INDEX * scale, scale)

    return Block(_rows_width(rows) * scale, height, draw)


def _rows(groups: Sequence[Sequence[Placed]], strip: float, width: float) -> list[list[tuple[Placed, float]]]:
    """Arrange groups of cards in as many rows as the width requires: each row holds cards with their x positions.

    A group is split only if it is wider than a row.
    """
    rows: list[list[tuple[Placed, float]]] = [[]]
    x = 0.0
    for group in groups:
        needed = (len(group) - 1) * strip + WIDTH
        if rows[-1] and x + needed > width and (needed <= width or x + WIDTH + strip > width):
            rows.append([])
            x = 0.0
        for placed in group:
            if rows[-1] and x + WIDTH > width:
                rows.append([])
                x = 0.0
            rows[-1].append((placed, x))
            x += strip
        x += GROUP_GAP
    return rows


def _closed_hand(pen: Pen, view: SeatView, width: float) -> Block:
    """A hand of another player: known cards first, then the backs of the others."""
    known = [Placed(card) for card in view.known[: view.size]]
    hidden = [Placed(None)] * (view.size - len(known))
    if not view.size:
        return _words(pen, "no cards")
    rows = _rows([known], STRIP, width) if known else []
    room = width - (len(known) * STRIP + 30 if known else 0)
    under = bool(known) and (len(rows) > 1 or room < WIDTH + 60) and bool(hidden)
    room = width if under else room
    strip = min(BACK_STRIP, (room - WIDTH) / max(1, len(hidden) - 1))
    top = (len(rows) - 1) * INDEX if rows and not under else (len(rows) * INDEX if rows else 0)

    def draw(x: float, y: float, given: float) -> None:
        for number, row in enumerate(rows):
            for placed, offset in row:
                pen.cards.put(placed, x + offset, y + number * INDEX)
        pen.cards.row(hidden, x + start, y + (top if under else 0), strip)

    start = row_width(len(known), STRIP) + 6 if known and not under else 0
    wide = max(_rows_width(rows), start + row_width(len(hidden), strip))
    return Block(wide, (top if under else max(0, len(rows) - 1) * INDEX) + HEIGHT, draw)


def _rows_width(rows: Sequence[Sequence[tuple[Placed, float]]]) -> float:
    return max((row[-1][1] + WIDTH for row in rows if row), default=0.0)


def _words(pen: Pen, text: str) -> Block:
    def draw(x: float, y: float, given: float) -> None:
        pen.drawing.write(text, x, y + 15, SIZE, pen.theme.faint)

    return Block(width_of(text, SIZE), 22, draw)


def _meld(pen: Pen, meld: Meld) -> Block:
    """The cards of a meld, with its number and its notes below them."""
    stands_for = meld.stands_for or (None,) * len(meld.cards)
    row = [Placed(card, wild) for card, wild in zip(meld.cards, stands_for)]
    words = [f"{meld.number}"] if meld.number is not None else []
    label = " · ".join([*words, *([meld.note] if meld.note else [])])
    strip = STRIP if len(row) < 10 else NARROW_STRIP
    return _labeled(pen, row, with_symbols(label), strip)


def _labeled_area(pen: Pen, area: Area) -> Block:
    """The cards and the name of an area in front of a seat."""
    hidden = all(card is None for card in area.cards)
    label = f"{area.title} {area.size}" if hidden else area.title
    return _labeled(pen, [Placed(card) for card in area.cards], label, BACK_STRIP if hidden else STRIP)


def _labeled(pen: Pen, row: Sequence[Placed], label: str, strip: float) -> Block:
    """A row of cards with lines of text below it."""
    wide, size = row_width(len(row), strip, MELD_SCALE), SMALL
    lines = clauses_of(label, size, max(wide, LABEL_WIDTH)) if label else []
    width = max([wide, *(width_of(line, size) for line in lines)])

    def draw(x: float, y: float, given: float) -> None:
        pen.cards.row(row, x, y, strip, MELD_SCALE)
        for number, line in enumerate(lines):
            base = y + HEIGHT * MELD_SCALE + 12.5 + LABEL_LINE * number
            pen.drawing.write(line, x + 1, base, size, pen.theme.faint)

    return Block(width, HEIGHT * MELD_SCALE + (LABEL_LINE * len(lines) + 2 if lines else 4), draw)


def _flow(parts: Sequence[Block], width: float, gap: float, row_gap: float) -> Block:
    """Parts in rows, placed like the words of a text."""
    rows: list[list[tuple[Block, float]]] = [[]]
    x = 0.0
    for part in parts:
        if rows[-1] and x + part.width > width:
            rows.append([])
            x = 0.0
        rows[-1].append((part, x))
        x += part.width + gap
    heights = [max((part.height for part, _ in row), default=0.0) for row in rows]

    def draw(x: float, y: float, given: float) -> None:
        for row, height in zip(rows, heights):
            for part, offset in row:
                part.draw(x + offset, y, part.height)
            y += height + row_gap

    return Block(width, sum(heights) + row_gap * (len(rows) - 1), draw)


# The middle ---------------------------------------------------------------------------------------------------------


def middle(pen: Pen, width: float) -> Block:
    """The middle: the decision or the result, the stock, the pile and the other heaps."""
    said = _banner(pen, width)
    heaps = [area for area in pen.scene.areas if area.owner is None]
    stock = [_stock(pen, area) for area in heaps if area.name == "stock"]
    others = [area for area in heaps if area.name != "stock"]
    beside = sum(block.width for block in stock) + HEAP_GAP if stock else 0.0
    spread = _stacked([_heap(pen, area, width - beside) for area in others], 4)
    height = max([spread.height, *(block.height for block in stock)])

    def draw(x: float, y: float, given: float) -> None:
        said.draw(x, y, said.height)
        y += said.height + 10
        for block in stock:
            block.draw(x, y, block.height)
        spread.draw(x + beside, y, spread.height)

    return Block(width, said.height + 10 + height, draw)


def _banner(pen: Pen, width: float) -> Block:
    """The decision or the result, on a colored band."""
    scene, theme = pen.scene, pen.theme
    if scene.to_move is None:
        text = f"Over: {scene.result}" if scene.result else "Over"
    else:
        text = with_symbols(f"{pen.name_of(scene.to_move)} is to {scene.decision}")
    lines = lines_of(text, SIZE + 1.5, width - 28, BOLD)
    height = 13 + 19 * len(lines)

    def draw(x: float, y: float, given: float) -> None:
        if scene.to_move is None:
            pen.drawing.box(x, y, width, height, theme.panel, theme.panel_edge, 8)
        else:
            pen.drawing.box(x, y, width, height, theme.mover, radius=8)
        for row, line in enumerate(lines):
            color = theme.text if scene.to_move is None else theme.mover_text
            pen.drawing.write(line, x + 14, y + 20.5 + 19 * row, SIZE + 1.5, color, BOLD)

    return Block(width, height, draw)


def _stock(pen: Pen, area: Area) -> Block:
    """A heap of cards face down, with its size; for an open heap also the next cards."""
    shown = [Placed(card) for card in area.cards[::-1][:NEXT_CARDS] if card is not None]
    strip = NARROW_STRIP
    following = row_width(len(shown), strip, MELD_SCALE)
    width = max(WIDTH + 8, following, 86)
    label = _label(pen, area, width)

    def draw(x: float, y: float, given: float) -> None:
        label.draw(x, y, label.height)
        y += label.height
        for depth in range(min(area.size, 3)):
            pen.cards.put(Placed(None), x + 2 * depth, y + 2 - 2 * depth)
        if not area.size:
            pen.drawing.box(x + 0.5, y + 2.5, WIDTH - 1, HEIGHT - 1, "none", pen.theme.faint, 5)
        if shown:
            below = y + 2 + HEIGHT
            pen.drawing.write("next", x, below + 15, SMALL, pen.theme.faint)
            pen.cards.row(shown, x, below + 21, strip, MELD_SCALE)

    return Block(width, label.height + 2 + HEIGHT + (22 + HEIGHT * MELD_SCALE if shown else 0), draw)


def _heap(pen: Pen, area: Area, width: float) -> Block:
    """A heap face up: cards in rows from the bottom to the top.

    If there are many cards, their depths from the top are written below them.
    """
    cards = [Placed(card) for card in area.cards]
    strip = STRIP if row_width(len(cards), STRIP) <= 3 * width else NARROW_STRIP
    rows = _rows([cards], strip, width)
    pitch = HEIGHT + 18
    label = _label(pen, area, width)

    def draw(x: float, y: float, given: float) -> None:
        label.draw(x, y, label.height)
        y += label.height
        if not cards:
            pen.drawing.box(x + 0.5, y + 2.5, WIDTH - 1, HEIGHT - 1, "none", pen.theme.faint, 5)
        depth = len(cards)
        for number, row in enumerate(rows):
            top = y + number * pitch
            for placed, offset in row:
                pen.cards.put(placed, x + offset, top)
                if area.name == "pile" and (depth % 5 == 0 or depth == 1 or offset == 0):
                    word = "top" if depth == 1 else str(depth)
                    pen.drawing.write(word, x + offset + 4, top + HEIGHT + 12, SMALL - 1, pen.theme.faint)
                depth -= 1

    return Block(width, label.height + len(rows) * pitch, draw)


def _label(pen: Pen, area: Area, width: float) -> Block:
    """The name, size and note of a heap. A note that does not fit into the line is put below it."""
    drawing, theme = pen.drawing, pen.theme
    title, note = area.title.capitalize(), with_symbols(area.note)
    left = width_of(title, SIZE, BOLD) + 6 + width_of(str(area.size), SIZE) + 6
    beside = width_of(f"· {note}", SIZE) <= width - left
    lines = clauses_of(note, SIZE, width) if note and not beside else []

    def draw(x: float, y: float, given: float) -> None:
        at = x + drawing.write(title, x, y + 13, SIZE, theme.text, BOLD) + 6
        drawing.write(str(area.size), at, y + 13, SIZE, theme.text)
        if note and beside:
            drawing.write(f"· {note}", x + left, y + 13, SIZE, theme.faint)
        for row, line in enumerate(lines):
            drawing.write(line, x, y + 13 + NOTE_LINE * (row + 1), SIZE, theme.faint)

    return Block(width, 20 + NOTE_LINE * len(lines), draw)


def _stacked(parts: Sequence[Block], gap: float) -> Block:
    def draw(x: float, y: float, given: float) -> None:
        for part in parts:
            part.draw(x, y, part.height)
            y += part.height + gap

    width = max((part.width for part in parts), default=0.0)
    return Block(width, sum(part.height for part in parts) + gap * max(0, len(parts) - 1), draw)
