"""Cards in games where only ranks matter, with several packs and Jokers: kinds, stacks, values, and blocks of actions.

A *kind* is a rank as actions name it: the black Three, 4 to A, the Two, the Joker. The cards of one kind are a *stack*:
a number of four bytes, each of which counts the cards of one suit (c d h s, from the lowest byte on; Jokers are counted
in the first). A *book* is a meld of one rank, owned by a side: a stack of naturals, a stack of Twos, and a number of
Jokers. Twos and Jokers are wild. Red Threes are never held: they are laid down at once, and counted by suit.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import lowest
from banakil_env.core.features import one_suit
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.cards import JOKER_TEXT, SUITS, Faces

RANKS = "3456789TJQKA2"
KINDS = (*RANKS, JOKER_TEXT)
NUM_KINDS = len(KINDS)
THREE, FOUR, ACE, TWO, JOKER = 0, 1, 11, 12, 13
NO_KIND = -1
RED_THREE = NUM_KINDS  # the additional kind where the color of a Three matters, as in a pile

# Faces are ordered by rank, then by suit, with the Joker last: a face is 4 * kind + suit.
NUM_SUITS = len(SUITS)
NUM_FACES = len(RANKS) * NUM_SUITS + 1
JOKER_FACE, LOWEST_WILD = NUM_FACES - 1, TWO * NUM_SUITS
RED_FACES = (1, 2)  # 3d and 3h
FACE_TABLE = one_suit(TWO, wilds=2)
FACES = Faces([rank + suit for rank in RANKS for suit in SUITS] + [JOKER_TEXT], copies=2)

# The value of a card of each kind: 4 to 7 and black Threes 5, 8 to K 10, Ace and Two 20, Joker 50.
VALUES = np.array([5] * 5 + [10] * 6 + [20] * 2 + [50], np.int64)

_EACH_SUIT = 0x01010101
ALL_SUITS = 0xFFFFFFFF  # all bits of a stack
RED_SUITS = 0x00FFFF00  # the bits of its diamonds and hearts


# Cards and stacks ----------------------------------------------------------------------------------------------------


@inlined
def kind_of(face: int) -> int:
    """The kind of a face other than a red Three."""
    return face >> 2


@inlined
def one_card(face: int) -> int:
    """The stack with one card of this face."""
    return 1 << 8 * (face & 3)


@inlined
def is_red_three(face: int) -> bool:
    """Whether the face is a Three of diamonds or hearts."""
    return 1 <= face <= 2


@inlined
def size_of(stack: int) -> int:
    """The number of cards in a stack. The multiplication adds up the four bytes in the highest byte."""
    return stack * _EACH_SUIT >> 24 & 0xFF


@inlined
def suit_to_play(stack: int, known: int) -> int:
    """The suit of the card that leaves a non-empty stack of a hand.

    It is the lowest suit of the known cards, or of all cards if none of them is known.
    """
    return lowest(known if known else stack) >> 3


@compiled
def value_of_stacks(stacks: Any) -> int:
    """The total value of the cards in a row of stacks that begins with the Threes."""
    value = 0
    for kind in range(stacks.shape[0]):
        value += VALUES[kind] * size_of(stacks[kind])
    return value


@compiled
def size_of_stacks(stacks: Any) -> int:
    """The number of cards in a row of stacks."""
    size = 0
    for kind in range(stacks.shape[0]):
        size += size_of(stacks[kind])
    return size


def faces_of(stacks: Any) -> list[int]:
    """The faces in a row of stacks, in ascending order, for texts and pictures."""
    counts = stacks.tolist() if isinstance(stacks, np.ndarray) else map(int, stacks)
    return [face for kind, stack in enumerate(counts) if stack for face in _faces_of_stack(kind, stack)]


@functools.lru_cache(maxsize=1 << 14)
def _faces_of_stack(kind: int, stack: int) -> tuple[int, ...]:
    """The faces of one stack, in ascending order. Cached, since the same stacks occur again and again."""
    return tuple(NUM_SUITS * kind + suit for suit in range(NUM_SUITS) for _ in range(stack >> 8 * suit & 0xFF))


def add_faces(stacks: Any, faces: Any) -> None:
    """Add cards, given as faces, to a row of stacks."""
    for face in faces:
        stacks[face // NUM_SUITS] += 1 << 8 * (face % NUM_SUITS)


# Actions -------------------------------------------------------------------------------------------------------------

_WILDS = (TWO, JOKER)
BOOK_KINDS = tuple(range(FOUR, ACE + 1))  # the kinds that books are made of
NUM_BOOKS = len(BOOK_KINDS)

# Pairs of two cards of the hand, for each kind: a natural pair, a natural and a Two, a natural and a Joker.
NUM_PATTERNS = 3
PAIRS = tuple((kind, other) for kind in BOOK_KINDS for other in (kind, *_WILDS))


def _said(kinds: tuple[int, ...]) -> str:
    return " ".join(KINDS[kind] for kind in kinds)


def pair_block(name: str, note: str, *, with_own: bool) -> Block:
    """The block of actions that name two cards for a meld, `take 7 2`: two of a rank, or one and a wild card.

    With `with_own`, the actions name one more card of the rank: `open 7 7 2`.
    """
    cards = tuple((kind, kind, other) if with_own else (kind, other) for kind, other in PAIRS)
    texts = tuple(f"{name} {_said(each)}" for each in cards)
    return Block(name, note, texts, cards, tuple(range(NUM_PATTERNS)) * NUM_BOOKS, effect="meld" if with_own else name)


def kind_block(verb: str, note: str, kinds: tuple[int, ...], effect: str = "") -> Block:
    """The block of actions that name one kind, such as `discard K`."""
    texts, cards = tuple(f"{verb} {KINDS[kind]}" for kind in kinds), tuple((kind,) for kind in kinds)
    return Block(verb, note, texts, cards, effect=effect)


def add_wild_block(*, joker_melds: bool) -> Block:
    """The block of actions that add a Two or a Joker to a meld.

    Args:
        joker_melds: whether wild cards can also be added to a meld of wild cards, which texts call W.
    """
    told = [(KINDS[kind], (kind,)) for kind in BOOK_KINDS] + [("W", ())] * joker_melds
    return Block(
        "add_wild",
        "add a wild card to a meld",
        tuple(f"add {KINDS[wild]} to {name}" for name, _ in told for wild in _WILDS),
        tuple((wild, *kind) for _, kind in told for wild in _WILDS),
        effect="meld",
    )
