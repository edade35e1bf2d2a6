"""Draws the `Scene` of any game as lines of text, for terminals.

A table is drawn with all hands open, or as one seat sees it: then only the size and the publicly known cards of other
hands are shown. The scene holds only the information that its viewer has.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Game
from banakil_env.core.scene import Area, Scene, SeatView
from banakil_env.render.columns import WIDTH, folded
from banakil_env.render.scenes import scene_of
from banakil_env.render.suits import with_symbols

NEXT_CARDS = 8  # number of cards of an open stock that are shown


def table(game: Game, state: Any, seat: int | None = None, symbols: bool = False) -> str:
    """A table as text, about ten lines.

    Args:
        game: the game.
        state: one record of its state.
        seat: the seat whose view is drawn; None opens all hands and shows the next cards of the stock.
        symbols: `7♥` instead of `7h`, for terminals that have these characters.

    Raises:
        ValueError: there is no such seat.
    """
    text = draw(scene_of(game, state, seat))
    return with_symbols(text, ten="T") if symbols else text


def draw(scene: Scene) -> str:
    """A scene as text."""
    lines = [", ".join([f"{scene.title} ({scene.rules})", *scene.facts]), _turn_line(scene)]
    lines = [part for line in lines for part in folded(line, WIDTH)] + [""]
    for area in scene.areas:
        lines += _area_lines(area)
    lines.append("")
    for seat in scene.seats:
        lines += _seat_lines(scene, seat)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _turn_line(scene: Scene) -> str:
    if scene.to_move is None:
        points = " ".join(str(points) for points in scene.points)
        return f"Over: {scene.result}; points of the round by seat: {points}"
    return f"Seat {scene.to_move} is to {scene.decision}"


def _area_lines(area: Area) -> list[str]:
    """Lines for an area: the pile from the top down, each card with its depth; or the size of the stock.

    An open stock also has its next cards.
    """
    head, note = f"{area.name + ' ':<6}", f", {area.note}" if area.note else ""
    shown = [card for card in area.cards if card is not None]
    if area.name == "stock":
        texts = shown[::-1][:NEXT_CARDS]
        following = f", next {' '.join(texts)}{' ...' if area.size > len(texts) else ''}" if texts else ""
        return [f"{head}{area.size} cards{following}{note}"]
    texts = [f"{depth}:{text}" for depth, text in enumerate(shown[::-1], 1)]
    words = texts or ["(empty)" if not area.size else f"{area.size} cards"]
    lines = _wrapped(head, words)
    if len(lines[-1].rstrip()) + len(note) <= WIDTH:
        return [*lines[:-1], lines[-1].rstrip() + note]
    return [*lines[:-1], lines[-1].rstrip() + ",", *_wrapped(" " * len(head), area.note.split(" "), " ")]


def _seat_lines(scene: Scene, seat: SeatView) -> list[str]:
    mark = ">" if seat.seat == scene.to_move else " "
    notes = "".join(f", {note}" for note in seat.notes)
    score = f", score {seat.score}" if seat.score is not None else ""
    lines = [f"{mark} seat {seat.seat}{notes}{score}, {seat.size} cards"]
    if seat.hand is not None:
        lines += _wrapped("    hand   ", [" ".join(group) for group in seat.hand], "   ")
    if seat.known:
        lines += _wrapped("    known  ", list(seat.known), " ")
    melds = [
        ("" if meld.number is None else f"[{meld.number}] ")
        + " ".join(meld.cards)
        + (f" ({meld.note})" if meld.note else "")
        for meld in scene.melds
        if meld.owner == seat.seat
    ]
    return [*lines, *_wrapped("    melds  ", melds, "   ")] if melds else lines


def _wrapped(head: str, words: list[str], gap: str = "  ") -> list[str]:
    """The words after `head`, wrapped to lines of `WIDTH` characters."""
    lines, line = [], head
    for word in words:
        if len(line) > len(head) and len(line) + len(word) > WIDTH:
            lines.append(line)
            line = " " * len(head)
        line += word + gap
    return [*lines, line]
