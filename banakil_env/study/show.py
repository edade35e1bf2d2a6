"""The command `banakil show`: draws a position, or a recorded game at any move, for one seat or with all hands open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from banakil_env.core.events import seen_events
from banakil_env.core.files import write_whole, written_whole
from banakil_env.core.kernels import legal_actions
from banakil_env.core.terminal import leave, say
from banakil_env.envs.pictures import FRAME
from banakil_env.play.session import Session
from banakil_env.render import as_svg
from banakil_env.render.columns import folded
from banakil_env.render.show import PICTURES
from banakil_env.render.show import show as show_table
from banakil_env.render.suits import with_symbols
from banakil_env.render.text import table
from banakil_env.render.video import VIDEOS, write_video
from banakil_env.study.reading import ReadError, Reading, read
from banakil_env.text.events import event_text
from banakil_env.web.shared import shared_page

PAGE = ".html"


def show(
    file: Annotated[str, typer.Argument(help="a position or a game record; - for standard input")],
    at: Annotated[int | None, typer.Option(help="for a record: the number of moves made; 0: the start")] = None,
    seat: Annotated[int | None, typer.Option(help="the view of this seat; all hands are open unless given")] = None,
    game: Annotated[str | None, typer.Option(help="whose position it is; a record names its game")] = None,
    symbols: Annotated[bool, typer.Option("--symbols", help="draw suits as symbols")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="write a picture, .svg or .png; or of a whole record a video, .mp4, .gif or .webp, or a page to step "
            "through in a browser, .html, which needs no server"
        ),
    ] = None,
    pace: Annotated[float, typer.Option(help="of a video: seconds per move")] = 1.0,
) -> None:
    """Draw a position, or a recorded game at any move."""
    try:
        reading = read(file, game)
        if out is None:
            say(picture(reading, at, seat, symbols), end="")
        else:
            save(reading, out, at, seat, pace)
            say(f"written: {out}")
    except (ValueError, ImportError, OSError) as error:
        leave(f"banakil show: {error}")


def save(reading: Reading, path: Path, at: int | None = None, seat: int | None = None, pace: float = 1.0) -> None:
    """Write one table as a picture, or a whole record as a video or a page. The suffix of the file decides which.

    Args:
        reading: the position or the record.
        path: the file.
        at: for a picture, the number of moves made, None for all; for a page, the move at which it opens, None for the
            start.
        seat: the seat whose view is drawn; None opens all hands. A page begins with this view and offers every other.
        pace: for a video, seconds per move, from 0.1 to 60.

    Raises:
        ReadError: the record has fewer moves, a position has no moves, or the suffix is unknown.
        ImportError: a library that draws pixels is not installed.
        ValueError: there is no such seat.
        OSError: the file cannot be written.
    """
    if path.suffix not in (*VIDEOS, *PICTURES, PAGE):
        endings = ", ".join((*PICTURES, *VIDEOS, PAGE))
        raise ReadError(f"{path} ends with none of {endings}: a picture, a video or a page is written")
    if path.suffix in PICTURES:
        show_table(reading.at(at)[1], seat, game=reading.game).save(path)
        return
    if path.suffix == PAGE:
        _save_page(reading, path, at or 0, seat)
        return
    if at is not None or not reading.moves:
        raise ReadError(f"a video shows a whole record: leave out --at, or write one table as {' or '.join(PICTURES)}")
    if not 0.1 <= pace <= 60:
        raise ReadError(f"--pace is a number of seconds from 0.1 to 60, not {pace:g}")
    look = {"size": FRAME, "names": reading.names or None}
    drawings = (as_svg(reading.game, state[0], seat, **look) for state in reading.states)
    with written_whole(path) as whole:
        write_video(whole, path.suffix, drawings, pace)


def _save_page(reading: Reading, path: Path, at: int, seat: int | None) -> None:
    """Write a whole record as a page. Raises the errors of `save`, or ReadError if the record is too long."""
    if not reading.moves:
        raise ReadError(f"a page shows a whole record: write a position as {' or '.join(PICTURES)}")
    actions = [move.action for move in reading.moves]
    session = Session.replayed(reading.game, reading.states[0], actions, reading.names)
    write_whole(path, shared_page(session, reading.at(at)[0], seat).encode())


def picture(reading: Reading, at: int | None = None, seat: int | None = None, symbols: bool = False) -> str:
    """The table after `at` moves, in lines of at most 80 characters, and the legal actions there.

    Args:
        reading: the position or the record.
        at: the number of moves; None for all.
        seat: the seat whose view is drawn; None opens all hands.
        symbols: whether suits are drawn as symbols.

    Raises:
        ReadError: the record has fewer moves.
        ValueError: there is no such seat.
    """
    number, state = reading.at(at)
    lines = [table(reading.game, state, seat)]
    if reading.moves:
        lines.insert(0, "\n".join(folded(_place(reading, number, seat), 80)) + "\n\n")
    to_move = reading.game.scene(state, seat).to_move
    if to_move is not None and seat in (None, to_move):
        texts = ", ".join(reading.game.actions.text(action) for action in legal_actions(reading.game, state))
        lines.append("\n" + "\n".join(folded(f"legal: {texts}", 80)) + "\n")
    return with_symbols("".join(lines), ten="T") if symbols else "".join(lines)


def _place(reading: Reading, number: int, seat: int | None) -> str:
    """The place in the record, in words: the moves before and after."""
    said = [f"after move {number} of {len(reading.moves)}"]
    if number:
        said.append(f"last: {_move(reading, number - 1)} ({_events(reading, number, seat)})")
    if number < len(reading.moves):
        said.append(f"next: {_move(reading, number)}")
    return "; ".join(said)


def _move(reading: Reading, number: int) -> str:
    move = reading.moves[number]
    return f"seat {move.seat}, {reading.game.actions.text(move.action)}"


def _events(reading: Reading, number: int, seat: int | None) -> str:
    """The effect of the move before this place, in words."""
    before, after = reading.states[number - 1][0], reading.states[number][0]
    events = reading.game.events(before, reading.moves[number - 1].action, after)
    return "; ".join(map(event_text, events if seat is None else seen_events(events, seat)))
