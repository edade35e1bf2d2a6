"""The table of a game's actions: the index, the text and the cards or meld of each action.

A game declares its actions in blocks, in order. All of the following are derived from the blocks: offsets, texts,
parsing, the function that carries an action out (`core/effects.py`), the documentation and the description of an action
for networks (`Action`). A game has one table for all its rules and numbers of players.
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

# Every game describes what its actions do by these verbs. `also` discards a further card, `choose` names the meld for a
# card, `knock` and `drop` end the round and show the hand, `show` shows a hand that wins at once, `stop` ends a turn
# without a discard.
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
        name: the block's name, unique in its table, such as `open_run`.
        note: what the actions do, for the documentation.
        texts: the text of each action.
        cards: the faces that each action names; empty if the actions name none.
        pattern: the pattern of wild cards of each action that opens a meld; 0 throughout in a block without patterns.
            Two actions of one block with the same pattern differ in their cards alone.
        subject: what the action refers to apart from cards. "": nothing. "meld": the meld whose number is the action's
            place in the block. "depth": the card at that depth of the pile (the block's first action: the top card).
            The observation alone identifies the meld or the card.
        middle: the face at the middle place of each run that an action opens, even if a wild card is put at that place;
            empty if the actions open no runs.
        verb: one of VERBS; "": the first word of the texts is the verb.
        yes: whether each answer is a yes; empty if the actions are not answers.
        effect: the name of the function in the game's `moves.py` that carries these actions out; "": the block's name.
            The function takes the state and the place of the action among the actions of the effect. Neighboring blocks
            with the same effect count as one block. A function for a single action takes the state alone.
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
        """The verb of the block's actions, one of VERBS.

        Raises:
            ValueError: neither `verb` nor the first word of the texts is one of VERBS.
        """
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
    """One action: its index, text and block, and its place in the block."""

    index: int
    text: str
    block: Block
    place: int

    @property
    def verb(self) -> str:
        """The first word of the action's text, such as draw or discard. `Block.family_verb` is always one of VERBS."""
        return self.text.split()[0]

    @property
    def cards(self) -> tuple[int, ...]:
        """The faces that the action names."""
        return self.block.cards[self.place] if self.block.cards else NO_CARDS

    @property
    def pattern(self) -> int:
        """The number of the pattern of wild cards in an opening; 0 for other actions."""
        return self.block.pattern[self.place] if self.block.pattern else 0


@dataclass(frozen=True)
class Effect:
    """Neighboring actions that are carried out by the same function.

    Attributes:
        function: the name of the function.
        block: the name of the first block of these actions.
        first: the index of the first action.
        count: the number of actions.
    """

    function: str
    block: str
    first: int
    count: int


class ActionTable(Sequence[Action]):
    """The actions of a game, numbered 0..n-1.

    Attributes:
        blocks: the blocks of actions, in order.
        texts: the text of each action.
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
        """The action as a plain `int`.

        Any integer in the range of the table is accepted (`operator.index`), NumPy's too. Booleans, fractions, masked
        numbers and arrays raise an error.

        Raises:
            UnknownAction: not an integer, or not in the table.
        """
        try:
            index = operator.index(action)
        except TypeError:
            index = -1
        if isinstance(action, (bool, np.ma.MaskedArray)) or np.ndim(action) or not 0 <= index < len(self.texts):
            raise UnknownAction(
                f"no action has the index {_short(action)}: indices are whole numbers from 0 to {len(self.texts) - 1}"
            )
        return index

    def text(self, action: Any) -> str:
        """The text of an action, such as `discard 7h`.

        Raises:
            UnknownAction: the index is not in the table.
        """
        return self.texts[self.check(action)]

    def named(self, text: str) -> int | None:
        """The index of the action with this text (in upper or lower case); None if there is no such action."""
        return self._index.get(" ".join(str(text).split()).lower())

    def parse(self, text: str) -> int:
        """The index of the action with this text (upper and lower case are the same).

        Raises:
            UnknownAction: no action has this text; the message names similar texts.
        """
        action = self.named(text)
        if action is None:
            hint = did_you_mean(str(text), self.texts, most=3, nearness=0.5)
            examples = ", ".join(dict.fromkeys(block.texts[0] for block in self.blocks))
            raise UnknownAction(f"no action is called {_short(text)}{hint}. Examples of actions: {examples}")
        return action


def _short(value: Any) -> str:
    """The representation of a value, at most 80 characters long."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
