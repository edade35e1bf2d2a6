"""Descriptions of the position texts of any game: their lines, the words of the line `turn`, endings; their layout."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from banakil_env.core.game import Game
from banakil_env.kit.line_notes import Line
from banakil_env.kit.notation import CONTINUED


class Described(NamedTuple):
    """The parts of a game's position texts: lines, words of the line `turn`, phases, endings."""

    lines: Mapping[str, Line]
    words: Mapping[str, str]
    phases: Sequence[str]
    endings: Sequence[str]


def described(game: Game) -> Described:
    """The parts of a game's position texts, from the game's own module of texts."""
    positions = importlib.import_module(f"banakil_env.games.{game.name}.texts").POSITIONS
    ends = [
        text + ", seat S" * (number in positions.seat_endings) for number, text in positions.endings.items() if text
    ]
    return Described(positions.described_lines(), positions.described_words(), positions.phase_words(), ends)


def wrapped(text: str, width: int = 90) -> str:
    """A position text in lines of at most `width` characters, for a page. `from_text` reads the same position from it.

    A backslash at the end of a line says that the next line continues it.
    """
    end = f" {CONTINUED}"
    lines = [
        textwrap.wrap(line, width - len(end), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    ]
    return "".join(f"{end}\n".join(parts) + "\n" for parts in lines)
