"""Reads a position text or a game record, from a file or from standard input, for a command."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from banakil_env.core.files import read_within
from banakil_env.core.game import Game, PositionError
from banakil_env.games import DEFAULT_GAME, GAMES, find, pettingzoo_id
from banakil_env.kit.records import Move, RecordError, names_in, replay_all

STANDARD_INPUT = "-"
MOST_BYTES = 1 << 26  # bytes of a file; a long match has 200,000


class ReadError(ValueError):
    """A file that holds no position or game record, or a record without the requested move."""


@dataclass(frozen=True)
class Reading:
    """A position or a game record.

    Attributes:
        game: the game.
        states: arrays of one state: the position; or the start of a record and the state after each move.
        moves: the moves of the record; empty for a position.
        names: the names of the players by seat, from the record; () if it gives no names.
    """

    game: Game
    states: list[npt.NDArray[Any]]
    moves: list[Move]
    names: tuple[str, ...] = ()

    def at(self, move: int | None) -> tuple[int, Any]:
        """The number of moves made and the state after them. `move` None stands for all moves.

        Raises ReadError if the record has fewer moves.
        """
        last = len(self.states) - 1
        if move is not None and not 0 <= move <= last:
            has = (
                f"the record has {last} move{'s' * (last > 1)}: --at is a number from 0 (the start) to {last}"
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
        game: the game of a position; None for the game that a record names, or Banakil.

    Raises:
        ReadError: there is no such file, or it cannot be read; the text gives the reason.
        ValueError: there is no such game.
    """
    return read_text(_text_of(source), game, "standard input" if source == STANDARD_INPUT else source)


def read_text(text: str, game: str | None = None, where: str = "the text", most: int | None = None) -> Reading:
    """Read the text of a position or a game record.

    Args:
        text: the text.
        game: the game of a position; see `read`.
        where: the name of the text in errors.
        most: the largest number of moves of a record; None for no limit.

    Raises:
        ReadError: the text cannot be read; the message gives the reason.
        ValueError: there is no such game.
    """
    named = _game_of_record(text)
    found = find(game or named or DEFAULT_GAME)
    count = sum(line.count(";") + 1 for line in text.splitlines() if "0" <= line[:1] <= "9")
    if most is not None and count > most:
        raise ReadError(f"{where} has {count} moves; at most {most} are read")
    try:
        if named is None:
            return Reading(found, [found.texts.from_text(text)], [])
        states, moves = replay_all(found, text)
        names, seats = names_in(text), len(found.outcome(states[0][0]).points)
        return Reading(found, states, moves, names if len(names) == seats else ())
    except (PositionError, RecordError) as error:
        raise ReadError(
            f"{where} is not a {'position' if named is None else 'record'} of {found.title}: {error}"
        ) from None


def _text_of(source: str) -> str:
    try:
        content = sys.stdin.buffer.read() if source == STANDARD_INPUT else read_within(Path(source), MOST_BYTES)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise ReadError(
            f"{source} cannot be read: {error.strerror}; a file is expected, or - for standard input"
        ) from None
    except UnicodeDecodeError:
        raise ReadError(f"{source} is not a text in UTF-8") from None
    except ValueError as error:
        raise ReadError(f"{source} {error}") from None


def _game_of_record(text: str) -> str | None:
    """The game that the first line of a record names; None if the text is a position."""
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
