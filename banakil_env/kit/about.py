"""Reads the file `about.toml` in a game's folder: a description for people who choose a game or learn to play it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class HowToPlay:
    """The rules of a game in half a page, for its main table, in the order in which a person explains a game.

    Attributes:
        goal: what a player tries to do.
        turn: what a player does in a turn.
        end: how a round ends.
        scoring: how points are scored, in two sentences.
        tip: one piece of advice for beginners.
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
        sentence: what the game is, in one sentence.
        turns: how many turns a player has in a round, approximately. Measured at the standing tables.
        cards: melds for a small picture of the game, as texts (`"7h 8h 9h"`).
        presets: one sentence for each preset of the rules, by the preset's name.
        how_to_play: the rules in half a page; None if the file does not have them.
    """

    sentence: str = ""
    turns: int = 0
    cards: tuple[str, ...] = ()
    presets: Mapping[str, str] = field(default_factory=dict)
    how_to_play: HowToPlay | None = None


def read_about(file: Path) -> About:
    """Read the description from a file. TypeError: a key is missing or unknown."""
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
    """The text on one line, without the line breaks of the file."""
    return " ".join(text.split())
