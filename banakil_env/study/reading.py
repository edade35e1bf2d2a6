"""How does a command read a game? A position text or a game record, from a file or from standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Game, PositionError
from banakil_env.games import GAMES, find, pettingzoo_id
from banakil_env.kit.records import Move, RecordError, replay_moves, replay_states

STANDARD_INPUT = "-"
DEFAULT_GAME = "banakil"


class ReadError(ValueError):
    """A file that holds neither a position nor a game record, or not the move that was asked for."""


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        game: which game it is.
        states: each an array of one: that of a position; of a record the start, and one more after each move.
        moves: those of the record; none of a position.
    """

    game: Game
    states: list[npt.NDArray[Any]]
    moves: list[Move]

    def at(self, move: int | None) -> tuple[int, Any]:
        """How many moves have been made, and the state then; None: all of them.

        ReadError: there are not so many.
        """
        last = len(self.states) - 1
        if move is not None and not 0 <= move <= last:
            has = (
                f"the record has {last} moves: --at is a number from 0 (the start) to {last}"
                if last
                else ("a position has no moves: leave out --at")
            )
            raise ReadError(f"there is no move {move}; {has}")
        number = last if move is None else move
        return number, self.states[number][0]


def read(source: str, game: str | None = None) -> Reading:
    """Read a position text or a game record.

    Args:
        source: a file; "-" for standard input.
        game: whose position it is; None: of the game that a record names, else Banakil.

    Raises:
        ReadError: there is no such file, or what it holds cannot be read, and why. ValueError: there is no such game.
    """
    return read_text(_text_of(source), game, "standard input" if source == STANDARD_INPUT else source)


def read_text(text: str, game: str | None = None, where: str = "the text", most: int | None = None) -> Reading:
    """Read the text of a position or a game record.

    Args:
        game: whose position it is; see `read`. where: what the text is called in errors.
        most: moves of a record that is read; None: any number.

    Raises:
        ReadError: it cannot be read, and why. ValueError: there is no such game.
    """
    named = _game_of_record(text)
    found = find(game or named or DEFAULT_GAME)
    moves = sum(line.count(";") + 1 for line in text.splitlines() if line[:1].isdigit())
    if most is not None and moves > most:
        raise ReadError(f"{where} has {moves} moves; at most {most} are read")
    try:
        if named is None:
            return Reading(found, [found.texts.from_text(text)], [])
        return Reading(found, replay_states(found, text), replay_moves(found, text))
    except (PositionError, RecordError) as error:
        raise ReadError(
            f"{where} is no {'position' if named is None else 'record'} of {found.title}: {error}"
        ) from None


def _text_of(source: str) -> str:
    try:
        content = sys.stdin.buffer.read() if source == STANDARD_INPUT else Path(source).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise ReadError(
            f"{source} cannot be read: {error.strerror}; a file is expected, or - for standard input"
        ) from None
    except UnicodeDecodeError:
        raise ReadError(f"{source} is no text in UTF-8") from None


def _game_of_record(text: str) -> str | None:
    """The game that the first line of a record names; None: the text is a position."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    first = next(filter(None, lines), "")
    if not first.startswith("game:"):
        return None
    said = first.removeprefix("game:").strip()
    name = said.rpartition("-v")[0]
    if name not in GAMES:
        known = ", ".join(pettingzoo_id(game).partition("/")[2] for game in GAMES)
        raise ReadError(f"the record is of {said!r:.80}; there are {known}")
    return name
