"""The rules of one table, for a player there: all of its rules, none of other variants, and how to reply."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banakil_env.core import engine
from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.games import find
from banakil_env.kit.about import About, read_about
from banakil_env.kit.rules_pages import Page, TableFacts, number, read_page
from banakil_env.kit.switches import Rules
from banakil_env.text.examples import example_for

HOW_TO_REPLY = (
    "You play at one seat of this table. At each of your decisions you are told what you see. Think as long as you "
    "like, and end your reply with one line `MOVE: ` and your move, written as in the list of moves. You may give "
    "several moves of your turn at once, with `;` between them, such as `MOVE: {example}` with another hand."
)
_CARDS = (
    "A card is written as its rank and its suit: `7h` is the seven of hearts, `Td` the ten of diamonds. The ranks are "
    "2 3 4 5 6 7 8 9 T J Q K A, the suits c (clubs), d (diamonds), h (hearts) and s (spades)."
)


def rules_text(game: str | Game, rules: str | Rules | None = None, **options: Any) -> str:
    """The rules of a table in plain words, by the value of each switch; other variants are not mentioned.

    Args:
        game: the game.
        rules: a preset's name followed by switches, or a `Rules`; None for the first preset.
        options: options of the table, as environments take them: `num_players`, `episode`, `partners`.

    Raises:
        ValueError: there is no such game, or an option has an invalid value.
        TypeError: there is no such option.
    """
    found = find(game)
    state = found.new(**({} if rules is None else {"rules": rules}), **options)[0]
    return rules_text_of(found, state)


@functools.cache
def about(game: str | Game) -> About:
    """The description of a game for people who choose a game; empty if the game has no file `about.toml`."""
    file = _file_of(find(game), "about.toml")
    return About() if file is None else read_about(file)


def rules_text_of(game: Game, state: Any) -> str:
    """The rules, in plain words, of the table of a state; see `rules_text`."""
    players = int(state.num_players)
    partners = players > 2 and interpreted(engine.side_of)(state, 0) == interpreted(engine.side_of)(state, 2)
    return _text(game, game.rules_of(state), TableFacts(players, bool(partners), bool(state.episode)))


def system_text(game: Game, state: Any) -> str:
    """The text for a player before its first decision: the rules of the table of a state, and how to reply."""
    return f"{rules_text_of(game, state)}\n{HOW_TO_REPLY.format(example=example_for(game, state).text)}"


@functools.lru_cache(maxsize=64)
def _text(game: Game, rules: Rules, table: TableFacts) -> str:
    """The rules as text: the heading, the sections of the game, and the rules of every game."""
    page = page_of(game)
    sections = _plain_sections(game, rules) if page is None else page.sections_for(rules, table)
    jokers = "JK" in " ".join(game.actions.texts) and getattr(rules, "jokers", None) != 0
    joker = " A Joker is `JK`." if jokers else ""
    length = "a match of several rounds" if table.match else "a single round"
    last = "and 1" if table.players == 2 else f"to {table.players - 1}"
    head = (
        f"# {game.title}: the rules of this table\n"
        f"{number(table.players).capitalize()} players sit at seats 0 {last}, numbered in the order of play, and play "
        f"{length}. Every decision is one move. An illegal move is refused and changes nothing; there are no "
        f"penalties. {_CARDS}{joker}"
    )
    return "\n\n".join([head, *sections]) + "\n"


@functools.cache
def page_of(game: Game) -> Page | None:
    """The page of rules of a game, from the file `rules.md` in the folder of its rules; None if there is none."""
    file = _file_of(game, "rules.md")
    return None if file is None else read_page(file, game.rules)


def _file_of(game: Game, name: str) -> Path | None:
    """A file in the folder of the game's rules; None if it does not exist."""
    module = getattr(sys.modules.get(game.rules.__module__), "__file__", None)
    file = Path(module).with_name(name) if module else None
    return file if file is not None and file.exists() else None


def _plain_sections(game: Game, rules: Rules) -> Sequence[str]:
    """Sections on every switch with its value, and on every kind of move, made of the notes in their declarations."""
    switches = [f"- {each.note}: {each.text(getattr(rules, name))}" for name, each in rules.switches().items()]
    moves = [f"- `{block.texts[0]}`: {block.note}" for block in game.actions.blocks]
    return ["\n".join(["## Rules", *switches]), "\n".join(["## How moves are written", *moves])]
