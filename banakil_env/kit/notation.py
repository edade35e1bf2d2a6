"""Reads the lines of a position text by key, checks every value, and names the line in every error.

A position has one `key: value` per line, in any order. A backslash at the end of a line continues it on the next line.
Blank lines and text after `#` are ignored. A game defines the keys, reads the values with `Lines`, and checks the
resulting state with `finished`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.checking import fault_of
from banakil_env.core.game import Game, PositionError
from banakil_env.core.random import MAX_SEED
from banakil_env.kit.cards import Faces
from banakil_env.kit.switches import RulesError, whole_number

CONTINUED = "\\"  # at the end of a line that continues on the next line
MAX_CHARACTERS = 100_000  # in a position; the longest position of any game has a tenth of it


class Lines:
    """The lines of one position text.

    Args:
        text: the position text.
        keys: the allowed keys; those of single seats end with `S`, as in `hand S`.
        faces: the cards of the game.

    Raises:
        PositionError: a line has an unknown key, or a key occurs twice.
    """

    def __init__(self, text: str, keys: Sequence[str], faces: Faces) -> None:
        if not isinstance(text, str):
            raise PositionError(f"a position is a text, not {type(text).__name__}")
        if len(text) > MAX_CHARACTERS:
            raise PositionError(f"a position has at most {MAX_CHARACTERS} characters, not {len(text)}")
        self.faces = faces
        self.values: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        first, begun = 0, ""  # a line that continues: its number, and its text up to here
        for number, line in enumerate(text.splitlines(), 1):
            line = f"{begun} {line.split('#')[0].strip()}".strip()
            first = first if begun else number
            begun = line.removesuffix(CONTINUED).strip() if line.endswith(CONTINUED) else ""
            if line and not begun:
                self._take(first, line, keys)
        if begun:
            raise PositionError(f"line {first}: the text ends after a backslash, which continues a line on the next")

    def _take(self, number: int, line: str, keys: Sequence[str]) -> None:
        key, colon, value = line.partition(":")
        key = " ".join(key.lower().split())
        if not colon or re.sub(r" [0-9]$", " S", key) not in keys:
            raise PositionError(
                f"line {number}: {line!r:.80} does not begin with a key; the keys are {', '.join(keys)}"
            )
        if key in self.values:
            raise PositionError(f"line {number}: a second line {key!r}; the first is line {self._numbers[key]}")
        self._numbers[key], self.values[key] = number, value.strip()

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def fail(self, key: str, message: str) -> PositionError:
        """Make an error that names the line of a key."""
        where = f"line {self._numbers[key]}, {key}: " if key in self._numbers else f"{key}: "
        return PositionError(where + message)

    def parse(self, key: str, parse: Callable[[str], Any]) -> Any:
        """The value of a line, read by the function `parse`. Its ValueError becomes an error that names the line."""
        try:
            return parse(self.values[key])
        except PositionError:
            raise
        except (ValueError, RulesError) as error:
            raise self.fail(key, str(error)) from None

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """The whole number from `low` to `high` in a line; the default if the line is missing."""
        return self.within(key, self.values[key], low, high) if key in self.values else default

    def within(self, key: str, text: str, low: int, high: int) -> int:
        """Read a word of a line as a whole number from `low` to `high`. PositionError: any other text."""
        try:
            value = whole_number(text) if high < 10**18 else _large(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise self.fail(key, f"expected a whole number from {low} to {high}, not {text!r:.80}")
        return value

    def numbers(self, key: str, count: int, low: int, high: int) -> list[int]:
        """One number for each of `count` seats; zeros if the line is missing."""
        if key not in self.values:
            return [0] * count
        words = self.values[key].split()
        if len(words) != count:
            raise self.fail(key, f"expected {count} numbers, one per seat, not {self.values[key]!r:.80}")
        return [self.within(key, word, low, high) for word in words]

    def card(self, key: str, text: str) -> int:
        """The face named by a word of a line. PositionError: no such card."""
        try:
            return self.faces.parse(text)
        except ValueError as error:
            raise self.fail(key, str(error)) from None

    def cards(self, key: str) -> list[int]:
        """The faces in a line; [] if the line is missing."""
        return list(self.parse(key, self.faces.parse_all)) if key in self.values else []

    def one_of(self, key: str, default: str, words: Sequence[str]) -> str:
        """The value of a line; the default if the line is missing. PositionError: it is not one of these words."""
        value = self.values.get(key, default)
        if value not in words:
            raise self.fail(key, f"expected {' or '.join(words)}, not {value!r:.80}")
        return value

    def seat(self, key: str, text: str, players: int) -> int:
        """The seat named by a word of a line. PositionError: no such seat."""
        return self.within(key, text, 0, players - 1)

    def seats(self, key: str, players: int) -> list[int]:
        """The seats in a line, which must be present; [] for the word `none`."""
        words = self.values[key].split()
        return [] if words == ["none"] else [self.seat(key, word, players) for word in words]

    def players(self, numbers: Sequence[int], by_turn: bool = False) -> int:
        """The number of players: the line `players`, or one more than the highest seat that has a line.

        Args:
            numbers: the allowed numbers of players, ascending.
            by_turn: whether the seat in the line `turn` counts as a seat that has a line.
        """
        named = [int(key[-1]) for key in self.values if key[-2:-1] == " " and key[-1].isdigit()]
        at = re.match(r"seat\s+([0-9])\b", self.values.get("turn", "")) if by_turn else None
        if at and "players" not in self:
            named.append(int(at[1]))
            if named[-1] >= numbers[-1]:
                said = f"there are at most {numbers[-1]} players, seats 0 to {numbers[-1] - 1}"
                raise self.fail("turn", f"seat {at[1]} is named; {said}")
        least = max([numbers[0], *(seat + 1 for seat in named)])
        players = self.number("players", least, numbers[0], numbers[-1])
        if players not in numbers:
            raise self.fail("players", f"expected {' or '.join(map(str, numbers))}, not {players}")
        for key in self.values:
            if key[-2:-1] == " " and key[-1].isdigit() and int(key[-1]) >= players:
                raise self.fail(key, f"there are {players} players, seats 0 to {players - 1}")
        return players

    def rng(self) -> int:
        """The state of the generator, from the line `rng`; 0 if the line is missing."""
        return self.number("rng", 0, 0, MAX_SEED)


def _large(text: str) -> int:
    """Read a whole number of at most 20 ASCII digits, such as a generator's state. ValueError: any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise ValueError(text)
    return int(text)


def written(lines: Iterable[tuple[str, str]]) -> str:
    """The position text with these lines, given as pairs of key and value."""
    return "".join(f"{key}: {value}\n".replace(": \n", ":\n") for key, value in lines)


def finished(game: Game, states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Check the state that was read. PositionError: the state is impossible, or has no legal action."""
    fault = fault_of(game, states)
    if fault is not None:
        raise PositionError(f"no game can be in this position: {fault}")
    return states


def joined(values: Any) -> str:
    """The numbers as text, separated by blanks."""
    return " ".join(str(int(value)) for value in np.asarray(values).reshape(-1))
