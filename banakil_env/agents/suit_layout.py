"""Finds the columns and actions that belong to a suit and a rank, in any game, for `suit_network.py`.

All of this follows from the declarations of the game's columns (`core.features.Columns`, `FaceTable`) and actions
(`core.actions.Block`). A *place* is a suit and a rank. The logit of an action that names one card is read at the card's
place, in a plane of its block. The logit of an opening of a run is read at the run's middle place, in a plane for each
pattern of wild cards. An action that names several cards gets the sum over their places, plus a number for their ranks
that belongs to no place. All other actions get only a number that belongs to no place.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents.sparse_suits import Where
from banakil_env.core.actions import Action
from banakil_env.core.features import NOWHERE, OF_CARDS, OF_FACES, OF_SUITS, FaceTable, Features
from banakil_env.core.game import Game

Array = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Seen:
    """The columns of a game, grouped by the inputs of the network that they go to.

    Attributes:
        cards: int64 (planes, places), the columns of cards with a place.
        suits: int64 (rows, suits), the columns of a suit without a rank.
        wilds: for each kind of cards without a place, int64 (planes of faces, faces); the columns of a plane are added
            up.
        plain: int64 (columns,), all other columns.
        where: the destination of every column.
    """

    cards: Array
    suits: Array
    wilds: tuple[Array, ...]
    plain: Array
    where: Where

    @property
    def num_plain(self) -> int:
        """The number of inputs that belong to no suit: one per plane of wild cards, and one per plain column."""
        return sum(len(planes) for planes in self.wilds) + len(self.plain)


@dataclass(frozen=True, eq=False)
class Said:
    """The places at which the logits of a game's actions are read.

    The network computes planes over the places and further numbers of the whole position. Both are flattened into one
    row: first the planes, then the numbers of the whole.

    Attributes:
        num_read: the number of planes.
        num_whole: the number of numbers of the whole.
        places: int64 (actions,), the index in that row for each action.
        sums: for each plane whose places are added up, its number, and float32 (places, actions), the places of each
            action.
        sum_of: int64 (actions,), the index of each action's sum; the number of sums if it has none.
        faces: int64 (faces + 1,), where the score of a face at a depth of the pile is read, for each face and for "no
            face": an index in the places of the plane `depth_plane`, then the kinds of wild cards, then a zero.
        depth_plane: the number of the plane for faces at a depth, the last plane.
        depth_whole: the first number of the whole for kinds of wild cards at a depth. A game in which no action refers
            to a depth has neither.
    """

    num_read: int
    num_whole: int
    places: Array
    sums: tuple[tuple[int, npt.NDArray[np.float32]], ...]
    sum_of: Array
    faces: Array
    depth_plane: int
    depth_whole: int

    def kinds(self, num_cells: int) -> tuple[Array, Array]:
        """The kind of each action, which does not depend on suit and rank, and its place: int64 (actions,) each.

        Actions whose logits are read in the same plane have the same kind. The place `num_cells` means no place.
        """
        behind = self.num_read * num_cells
        placed = self.places < behind
        kinds = np.where(placed, self.places // num_cells, self.places - behind + self.num_read)
        return kinds, np.where(placed, self.places % num_cells, num_cells)


def face_table(game: Game) -> FaceTable:
    """The faces of a game.

    Raises:
        ValueError: the game's features have no `FaceTable`.
    """
    if game.features.faces is None:
        raise ValueError(f"channels must be None: the features of {game.title} were given no FaceTable")
    return game.features.faces


@functools.cache
def seen_of(game: Game, features: Features) -> Seen:
    """The columns of a game, grouped by the inputs of the network that they go to.

    Args:
        game: the game.
        features: one of its layouts.
    """
    table = face_table(game)
    steps = {OF_FACES: len(table.cells), OF_CARDS: table.num_cells, OF_SUITS: table.suits}
    starts: dict[str, list[int]] = {about: [] for about in steps}
    cards: list[Any] = []
    plain: list[Any] = []
    faces = np.argsort(np.where(np.array(table.cells) == NOWHERE, len(table.cells), table.cells))[: table.num_cells]
    for group in features.columns:
        first = features.first[group.name]
        if group.about not in steps:
            plain += range(first, first + group.count)
            continue
        if group.count % steps[group.about]:
            raise ValueError(f"{game.name}: {group.count} columns of {group.name!r} are no planes or rows")
        for start in range(first, first + group.count, steps[group.about]):
            starts[group.about].append(start)
            if group.about != OF_SUITS:
                cards.append(start + (faces if group.about == OF_FACES else np.arange(table.num_cells)))
    wilds = [_offset(starts[OF_FACES], np.array(table.of_kind(kind))) for kind in range(table.num_kinds)]
    of_cards = np.array(cards, np.int64).reshape(-1, table.num_cells)
    of_suits = _offset(starts[OF_SUITS], np.arange(table.suits))
    columns = of_cards, of_suits, tuple(wilds), np.array(plain, np.int64)
    return Seen(*columns, _where(features.width, table, *columns))


def _offset(starts: list[int], places: Array) -> Array:
    return np.array(starts, np.int64)[:, None] + places


def _where(width: int, table: FaceTable, cards: Array, suits: Array, wilds: tuple[Array, ...], plain: Array) -> Where:
    """The destination of each of `width` columns, from the groups of columns that `Seen` describes."""
    inputs, of_suit, of_rank = (np.full(width, NOWHERE, np.int16) for _ in range(3))
    inputs[cards] = np.arange(len(cards))[:, None]
    of_suit[cards], of_rank[cards] = np.divmod(np.arange(table.num_cells), table.ranks)
    inputs[suits], of_suit[suits] = np.arange(len(suits))[:, None], np.arange(table.suits)
    first = 0
    for planes in wilds:
        inputs[planes] = first + np.arange(len(planes))[:, None]
        first += len(planes)
    inputs[plain] = first + np.arange(len(plain))
    return Where(inputs, of_suit, of_rank)


class _Numbers:
    """Assigns the numbers 0, 1, ... to keys, in the order in which the keys first appear."""

    def __init__(self) -> None:
        self.given: dict[Hashable, int] = {}

    def __call__(self, *key: Hashable) -> int:
        return self.given.setdefault(key, len(self.given))

    def __len__(self) -> int:
        return len(self.given)


@functools.cache
def said_of(game: Game) -> Said:
    """The places at which the logits of a game's actions are read."""
    table, read, whole = face_table(game), _Numbers(), _Numbers()
    of_place: dict[int, int] = {}  # for actions with a place: the index in the planes
    of_whole: dict[int, int] = {}  # for other actions: the number of the whole
    summed: dict[int, list[Action]] = {}  # by plane: the actions for which its places are added up
    for action in game.actions:
        block, cells = action.block, [table.cells[face] for face in action.cards]
        at = place_of(table, action)
        if at != NOWHERE:
            of_place[action.index] = read(block.name, action.pattern) * table.num_cells + at
        elif not cells:
            of_whole[action.index] = whole(block.name, action.place)
        else:
            of_whole[action.index] = whole(block.name, action.pattern, _apart_from_suits(table, action))
            if len(cells) > 1:
                summed.setdefault(read(block.name, "sum"), []).append(action)
    depth_plane, depth_whole = len(read), len(whole)
    if any(block.subject == "depth" for block in game.actions.blocks):
        read("depth")
        for kind in range(table.num_kinds):
            whole("depth", kind)
    behind = len(read) * table.num_cells
    places = [of_place[i] if i in of_place else behind + of_whole[i] for i in range(len(game.actions))]
    actions = [action for some in summed.values() for action in some]
    sum_of = np.full(len(game.actions), len(actions))
    sum_of[[action.index for action in actions]] = np.arange(len(actions))
    return Said(
        num_read=len(read),
        num_whole=len(whole),
        places=np.array(places),
        sums=tuple((plane, _cards_of(table, some)) for plane, some in summed.items()),
        sum_of=sum_of,
        faces=np.array([*_face_places(table), table.num_cells + table.num_kinds]),
        depth_plane=depth_plane,
        depth_whole=depth_whole,
    )


def place_of(table: FaceTable, action: Action) -> int:
    """The place of an action: that of its single card, or of the middle card of its run; NOWHERE if it has none."""
    if action.block.middle:
        return table.cells[action.block.middle[action.place]]
    return table.cells[action.cards[0]] if len(action.cards) == 1 else NOWHERE


def _apart_from_suits(table: FaceTable, action: Action) -> tuple[Any, ...]:
    """The ranks of the cards that an action names, and the kinds of its wild cards."""
    ranks = sorted(table.cells[face] % table.ranks for face in action.cards if table.cells[face] != NOWHERE)
    kinds = sorted(table.kinds[face] for face in action.cards if table.kinds[face] != NOWHERE)
    return tuple(ranks), tuple(kinds)


def _cards_of(table: FaceTable, actions: list[Action]) -> npt.NDArray[np.float32]:
    """The number of cards at each place that each action names, float32 (places, actions)."""
    out = np.zeros((table.num_cells, len(actions)), np.float32)
    for column, action in enumerate(actions):
        for face in action.cards:
            if table.cells[face] != NOWHERE:
                out[table.cells[face], column] += 1
    return out


def _face_places(table: FaceTable) -> list[int]:
    return [cell if cell != NOWHERE else table.num_cells + kind for cell, kind in zip(table.cells, table.kinds)]
