"""What do the rules of a table say in plain words? What the texts of all games share.

Each game has a module `rules_text` with a function `sections(rules, table)`: the rules of one table, with every switch
at its value and nothing of other variants, as sections of plain sentences. `banakil_env.text.rules_text` joins them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True)
class TableFacts:
    """The options of a table apart from its rules: number of players, partners or not, a match or a single round."""

    players: int
    partners: bool
    match: bool


@dataclass(frozen=True)
class About:
    """The description of a game for people who choose one; `ABOUT` of a game's module `rules_text`.

    Attributes:
        sentence: what the game is. turns: approximate turns of one player in a round, from the standing tables.
        cards: melds for a small picture of the game, as texts (`"7h 8h 9h"`).
        presets: a sentence for each preset of the rules.
    """

    sentence: str = ""
    turns: int = 0
    cards: tuple[str, ...] = ()
    presets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HowToPlay:
    """A game in half a page, for people who have never played it; `HOW_TO_PLAY` of a game's module `rules_text`.

    It describes the main table of the game, in the order in which a person explains a game.

    Attributes:
        goal: what a player tries to do. turn: what a player does in a turn. end: how a round ends.
        scoring: who scores what, in two sentences. tip: one piece of advice for beginners.
    """

    goal: str
    turn: str
    end: str
    scoring: str
    tip: str


class RulesTextModule(Protocol):
    """The module `rules_text` of a game."""

    def sections(self, rules: object, table: TableFacts, /) -> Sequence[str]: ...


def section(title: str, *paragraphs: str) -> str:
    """A section: its heading and its paragraphs; empty paragraphs are left out."""
    return "\n".join([f"## {title}", *(" ".join(each.split()) for each in paragraphs if each.strip())])


def moves(*lines: tuple[str, str]) -> str:
    """The section about the notation of moves: each move, and what it does."""
    return "\n".join(["## How moves are written", *(f"- `{move}`: {meaning}" for move, meaning in lines if move)])


def number(count: int) -> str:
    """A number in words up to twelve, in digits beyond."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number of things: `one card`, `three cards`."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: `one clean pile, two dirty piles and one wild pile`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def limits(max_turns: int, max_rounds: int | None, table: TableFacts) -> str:
    """The limits after which play stops."""
    said = f"A round that has had {max_turns} turns ends at once, and nobody scores."
    if table.match and max_rounds is not None:
        said += f" A match is given up after {counted(max_rounds, 'round')}."
    return said


def match_to(target: int | None, deals: int | None, table: TableFacts) -> str:
    """The end of a match that the highest score wins: at a score, after some rounds, or at whichever comes first."""
    if not table.match:
        return "One round is played. The highest score wins."
    ends = []
    if target is not None:
        ends.append(f"when a score has reached {target} at the end of a round")
    if deals is not None:
        ends.append(f"after {counted(deals, 'round')}")
    first = ", whichever comes first" if len(ends) > 1 else ""
    return (
        f"Rounds are played and their points added up. The match ends {' or '.join(ends)}{first}. The highest score "
        "wins; if several share it, another round is played. The deal passes to the next seat after every round."
    )
