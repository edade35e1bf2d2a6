"""The table of a game's actions: the index and text of each action, and the card or meld that it is about.

A game declares its actions in blocks, in order. Offsets, texts, parsing, what carries an action out
(`core/effects.py`), the documentation and the descriptions for networks (`Action`) are made from the blocks. One table
serves all rules and numbers of players of a game.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banakil_env.core.hints import did_you_mean

NO_CARDS: tuple[int, ...] = ()

# The verbs of the family: what an action does, by the same word in every game. `also` discards a further card,
# `choose` names the meld for a card, `knock` and `drop` end the round with the hand shown, `show` shows a hand that
# wins at once, `stop` ends a turn without a discard.
VERBS = (
    *("draw", "take", "open", "add", "swap", "discard", "also", "choose"),
    *("call", "pass", "ask", "answer", "knock", "drop", "show", "stop"),
)


class UnknownAction(ValueError):
    """An index or text that names no action."""


@dataclass(frozen=True)
class Block:
    """Consecutive actions whose texts have the same form.

    Attributes:
        name: of the block, unique in its table: `open_run`.
        note: what such an action does, for the documentation.
        texts: of every action.
        cards: of every action, the faces that it names; empty where it names none.
        pattern: of every action that opens a meld, its pattern of wild cards; 0 throughout in a block without patterns.
            Two actions of one block with the same pattern differ in their cards alone.
        subject: what the action is about apart from cards: "" nothing, "meld" the meld of that number, "depth" the card
            at that depth of the pile (the first action of the block: the top card), known from the observation alone.
        middle: of every action that opens a run, the face at its middle place, even where a wild card lies there; empty
            where the actions open no run.
        verb: a verb of the family, of VERBS; "": the first word of the texts is one.
        yes: of every answer, whether it is a yes; empty where the actions answer nothing.
        effect: the function of the game's `moves.py` that carries these actions out; "": the one called as the block.
            It takes the state, and the place of the action in its block. Neighbouring blocks with the same effect are
            one block to it. A function for a single action takes the state alone.
    """

    name: str
    note: str
    texts: tuple[str, ...]
    cards: tuple[tuple[int, ...], ...] = ()
    pattern: tuple[int, ...] = ()
    subject: str = ""
    middle: tuple[int, ...] = ()
    verb: str = ""
    yes: tuple[bool, ...] = ()
    effect: str = ""

    @property
    def family_verb(self) -> str:
        """The verb of its actions, out of VERBS. ValueError: neither `verb` nor the first word of the texts is one."""
        verb = self.verb or self.texts[0].split()[0]
        if verb not in VERBS:
            raise ValueError(
                f"{self.name}: {verb!r} is not a verb of the family; give the block a verb, one of {', '.join(VERBS)}"
            )
        return verb

    def __post_init__(self) -> None:
        if self.subject not in ("", "meld", "depth"):
            raise ValueError(f"{self.name}: an action is about '', 'meld' or 'depth', not {self.subject!r}")
        for name in ("cards", "pattern", "middle", "yes"):
            given = getattr(self, name)
            if given and len(given) != len(self.texts):
                raise ValueError(f"{self.name}: {len(given)} {name} for {len(self.texts)} actions")


@dataclass(frozen=True)
class Action:
    """One action: its block, its place in the block, and the cards, pattern or meld that it names."""

    index: int
    text: str
    block: Block
    place: int

    @property
    def verb(self) -> str:
        """The first word of its text: draw, take, open, add, discard, ...; `Block.family_verb` is the family's word."""
        return self.text.split()[0]

    @property
    def cards(self) -> tuple[int, ...]:
        """The faces that it names."""
        return self.block.cards[self.place] if self.block.cards else NO_CARDS

    @property
    def pattern(self) -> int:
        """The number of the pattern of wild cards in an opening."""
        return self.block.pattern[self.place] if self.block.pattern else 0


@dataclass(frozen=True)
class Effect:
    """Neighbouring actions that the same function carries out.

    Attributes:
        function: its name. block: the first of their blocks.
        first: the index of the first of the actions. count: how many there are.
    """

    function: str
    block: str
    first: int
    count: int


class ActionTable(Sequence[Action]):
    """The actions of a game, 0..n-1.

    Attributes:
        blocks: in their order. texts: of every action.
    """

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self.texts = tuple(text for block in blocks for text in block.texts)
        self._first: dict[str, int] = {}
        self._index: dict[str, int] = {}
        for block in blocks:
            if block.name in self._first:
                raise ValueError(f"two blocks are called {block.name!r}")
            self._first[block.name] = len(self._index)
            for text in block.texts:
                if text.lower() in self._index:
                    raise ValueError(f"two actions are called {text!r}")
                self._index[text.lower()] = len(self._index)
        self._actions = tuple(
            Action(self._first[block.name] + place, text, block, place)
            for block in blocks
            for place, text in enumerate(block.texts)
        )

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, index: Any) -> Any:
        return self._actions[index]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions)

    def first(self, block: str) -> int:
        """The index of the first action of a block."""
        return self._first[block]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of the blocks (`Block.effect`), in the order of the actions."""
        found: list[Effect] = []
        for function, blocks in itertools.groupby(self.blocks, lambda block: block.effect or block.name):
            names, texts = zip(*((block.name, block.texts) for block in blocks), strict=True)
            found.append(Effect(function, names[0], self._first[names[0]], sum(map(len, texts))))
        return tuple(found)

    def check(self, action: Any) -> int:
        """The action as a plain number of the table. UnknownAction: not an action.

        Any whole number of the table is accepted (`operator.index`), NumPy's too; truth values, fractions, masked
        numbers and arrays raise an error.
        """
        try:
            index = operator.index(action)
        except TypeError:
            index = -1
        if isinstance(action, (bool, np.ma.MaskedArray)) or np.ndim(action) or not 0 <= index < len(self.texts):
            raise UnknownAction(
                f"no action has the index {_short(action)}: they are whole numbers from 0 to {len(self.texts) - 1}"
            )
        return index

    def text(self, action: Any) -> str:
        """The text of an action, such as `discard 7h`. UnknownAction: the index is not in the table."""
        return self.texts[self.check(action)]

    def named(self, text: str) -> int | None:
        """The index of the action that `text` names, in upper or lower case; None: there is no such action."""
        return self._index.get(" ".join(str(text).split()).lower())

    def parse(self, text: str) -> int:
        """The index of the action that `text` names, in upper or lower case. UnknownAction: there is none; the error
        names similar texts.
        """
        action = self.named(text)
        if action is None:
            hint = did_you_mean(str(text), self.texts, most=3, nearness=0.5) or "."
            examples = ", ".join(dict.fromkeys(block.texts[0] for block in self.blocks))
            raise UnknownAction(f"no action is called {_short(text)}{hint} Actions are such as {examples}")
        return action


def _short(value: Any) -> str:
    """The given value as text, cut short if long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
