"""Describes each action as a vector: a verb that all games share, the cards that it names, a meld, a place, a number.

Everything is read from the action table: a block has the verb (`Block.verb`), and the words of an action's text give
the rest. So the text and the vector of an action name the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import VERBS, Action, ActionTable
from banakil_env.core.common_layout import Column
from banakil_env.kit.common.channels import CARDS_UNIT, DEPTHS_UNIT, MOST_MELDS
from banakil_env.kit.common.faces import JOKER, NAMES, NUM_RANKS, NUM_SUITS

_LONGEST_OPENING = 4  # the most cards of a run that an action opens
_PLACES = ("low", "high", "first", "last", "add", "all")
_RANKS = {name[0]: rank for rank, name in enumerate(NAMES[:NUM_RANKS])}

ACTION_COLUMNS = (
    *(Column(f"verb={verb}", "the verb of the action") for verb in VERBS),
    *(Column(f"card_{name}", f"cards of the face that it names; / {CARDS_UNIT}") for name in NAMES),
    *(Column(f"for_{name}", f"a wild card stands for the face, or is in its book; / {CARDS_UNIT}") for name in NAMES),
    *(Column(f"meld_{meld}", "the meld, a row of the array `melds`") for meld in range(MOST_MELDS)),
    *(Column(f"place={word}", "the word is in the text of the action") for word in _PLACES),
    Column("yes", "an answer: yes"),
    Column("no", "an answer: no"),
    *(Column(f"joker_{place}", "a run: its card at this place is a Joker") for place in range(_LONGEST_OPENING)),
    Column("run", "opens a run"),
    Column("set", "opens a set or a book"),
    Column("number", f"cards that are taken from the pile; / {DEPTHS_UNIT}", 72 / DEPTHS_UNIT),
)
_AT = {column.name: place for place, column in enumerate(ACTION_COLUMNS)}
_CARD, _FOR, _MELD = _AT[f"card_{NAMES[0]}"], _AT[f"for_{NAMES[0]}"], _AT["meld_0"]


def described(actions: ActionTable, face_of: npt.NDArray[np.int64], books: bool) -> npt.NDArray[np.float32]:
    """The vectors of a game's actions, float32 (actions, len(ACTION_COLUMNS)).

    Args:
        actions: the action table of the game.
        face_of: int64, the common face of each face of the game.
        books: whether the game's actions name kinds instead of cards with suits.
    """
    out = np.zeros((len(actions), len(ACTION_COLUMNS)), np.float32)
    for action in actions:
        _describe(action, out[action.index], face_of, books)
    return out


def _describe(action: Action, out: npt.NDArray[np.float32], face_of: npt.NDArray[np.int64], books: bool) -> None:
    block = action.block
    out[_AT[f"verb={block.family_verb}"]] = 1
    if block.yes:
        out[_AT["yes" if block.yes[action.place] else "no"]] = 1
    if block.subject == "meld":
        out[_MELD + action.place] = 1
        return
    for word in action.text.split()[1:]:
        if f"place={word}" in _AT:
            out[_AT[f"place={word}"]] = 1
    if block.subject == "depth":
        out[_AT["number"]] = (action.place + 1) / DEPTHS_UNIT
        return
    cards = list(_cards_in(action, books))
    for face, stands_for in cards:
        for each in face:
            out[_CARD + each] += 1 / CARDS_UNIT / len(face)
        for each in stands_for:
            out[_FOR + each] += 1 / CARDS_UNIT / len(stands_for)
    if block.middle:
        out[_AT["run"]] = 1
        middle = int(face_of[block.middle[action.place]])
        for place, (face, stands_for) in enumerate(cards):
            if not stands_for and _is_wild(face, books):
                suit, rank = divmod(middle, NUM_RANKS)
                rank = (rank + place - (len(cards) - 1) // 2) % NUM_RANKS
                out[_FOR + NUM_RANKS * suit + rank] += 1 / CARDS_UNIT
                out[_AT[f"joker_{place}"]] = face == (JOKER,)
    elif block.family_verb == "open" and cards:
        suited = {face[0] // NUM_RANKS for face, _ in cards if not _is_wild(face, books)}
        ranks = {face[0] % NUM_RANKS for face, _ in cards if not _is_wild(face, books)}
        is_run = len(ranks) > 1 and len(suited) == 1
        out[_AT["run" if is_run else "set"]] = 1


def _is_wild(face: tuple[int, ...], books: bool) -> bool:
    """Whether the word with these faces names a wild card without a suit."""
    return not books and (len(face) > 1 or face == (JOKER,))


def _cards_in(action: Action, books: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """For each card in an action's text: the common faces that it can be, and the faces that it represents."""
    words = action.text.split()
    after = words.index("to") if "to" in words else len(words)
    place = _faces_of(words[after + 1], books) if after < len(words) else ()
    for word in words[1:after]:
        card, _, stands_for = word.partition("=")
        faces = _faces_of(card, books)
        if faces:
            yield faces, _faces_of(stands_for, books) if stands_for else place


def _faces_of(word: str, books: bool) -> tuple[int, ...]:
    """The common faces that a word of an action can be; () if the word names no card."""
    if word in NAMES:
        return (NAMES.index(word),)
    if word == "W":
        return (JOKER,)
    if word not in _RANKS:
        return ()
    rank = _RANKS[word]
    return (rank,) if books else tuple(NUM_RANKS * suit + rank for suit in range(NUM_SUITS))
