"""A game for people who choose one or have never played it: the file `about.toml` in its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class HowToPlay:
    """A game on half a page: its main table, in the order in which a person explains a game.

    Attributes:
        goal: what a player tries to do. turn: what a player does in a turn. end: how a round ends.
        scoring: who scores what, in two sentences. tip: one piece of advice for beginners.
    """

    goal: str
    turn: str
    end: str
    scoring: str
    tip: str


@dataclass(frozen=True)
class About:
    """The description of a game.

    Attributes:
        sentence: what the game is. turns: approximate turns of one player in a round, from the standing tables.
        cards: melds for a small picture of the game, as texts (`"7h 8h 9h"`).
        presets: a sentence for each preset of the rules.
        how_to_play: the game on half a page; None: the file has none.
    """

    sentence: str = ""
    turns: int = 0
    cards: tuple[str, ...] = ()
    presets: Mapping[str, str] = field(default_factory=dict)
    how_to_play: HowToPlay | None = None


def read_about(file: Path) -> About:
    """The description in a file. TypeError: a key that is missing or unknown."""
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    how = said.pop("how_to_play", None)
    return About(
        sentence=_line(said.pop("sentence", "")),
        cards=tuple(said.pop("cards", ())),
        presets=_lines(said.pop("presets", {})),
        how_to_play=None if how is None else HowToPlay(**_lines(how)),
        **said,
    )


def _lines(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: _line(text) for name, text in texts.items()}


def _line(text: str) -> str:
    """The text in one line: the file wraps it."""
    return " ".join(text.split())
