"""What does `banakil show` do? It draws a position, or a recorded game at any move, as one seat sees it or all open."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from banakil_env.core.kernels import legal_actions
from banakil_env.render.columns import folded
from banakil_env.render.text import table
from banakil_env.study.reading import Reading, read


def show(
    file: Annotated[str, typer.Argument(help="a position or a game record; - for standard input")],
    at: Annotated[int | None, typer.Option(help="of a record: after so many moves; 0: the start")] = None,
    seat: Annotated[int | None, typer.Option(help="as this seat sees it; all hands are open unless said")] = None,
    game: Annotated[str | None, typer.Option(help="whose position it is; a record names its game")] = None,
    symbols: Annotated[bool, typer.Option("--symbols", help="draw suits as symbols")] = False,
) -> None:
    """Draw a position, or a recorded game at any move."""
    try:
        print(picture(read(file, game), at, seat, symbols), end="")
    except ValueError as error:
        sys.exit(f"banakil show: {error}")


def picture(reading: Reading, at: int | None = None, seat: int | None = None, symbols: bool = False) -> str:
    """The table after `at` moves, in lines of at most 80 characters, and what is legal then.

    Args:
        seat: whose view; None opens all hands.

    Raises:
        ReadError: there are not so many moves. ValueError: there is no such seat.
    """
    number, state = reading.at(at)
    lines = [table(reading.game, state, seat, symbols)]
    if reading.moves:
        lines.insert(0, "\n".join(folded(_place(reading, number), 80)) + "\n\n")
    to_move = reading.game.scene(state, seat).to_move
    if to_move is not None and seat in (None, to_move):
        texts = ", ".join(reading.game.actions.text(action) for action in legal_actions(reading.game, state))
        lines.append("\n" + "\n".join(folded(f"legal: {texts}", 80)) + "\n")
    return "".join(lines)


def _place(reading: Reading, number: int) -> str:
    """Where in the record this is: the moves before and after."""
    said = [f"after move {number} of {len(reading.moves)}"]
    if number:
        said.append(f"last: {_move(reading, number - 1)}")
    if number < len(reading.moves):
        said.append(f"next: {_move(reading, number)}")
    return "; ".join(said)


def _move(reading: Reading, number: int) -> str:
    move = reading.moves[number]
    return f"seat {move.seat}, {reading.game.actions.text(move.action)}"
