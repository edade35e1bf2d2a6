"""Lists legal moves as vectors with the same meaning in every game: the input of the network that plays all games.

A move is described by the parts of `Game.described`: plain columns (verb, place, number, ...), the cards that it names,
the cards that its wild cards represent, and a meld. Cards are given as numbers of faces instead of columns, so that a
network can add up its vectors of these faces. This module does not need PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import Game
from banakil_env.kit.common.channels import (
    CARDS_UNIT,
    DEPTHS_UNIT,
    HAND_COUNT,
    HELD_RUN,
    HELD_SET,
    KNOWN,
    MELD,
    MELD_COLUMNS,
    MOST_MELDS,
    OTHERS,
    PILE,
    PILE_DEPTH,
    PILE_NEAR,
    SUIT_AT,
    TAKEN,
    TAKES,
    UNSEEN_COUNT,
    WOULD_BE_TAKEN,
)
from banakil_env.kit.common.described import ACTION_COLUMNS
from banakil_env.kit.common.faces import NAMES, NUM_FACES, NUM_SUITS

_AT = {column.name: place for place, column in enumerate(ACTION_COLUMNS)}
_CARDS, _STANDS_FOR, _MELDS = _AT[f"card_{NAMES[0]}"], _AT[f"for_{NAMES[0]}"], _AT["meld_0"]
_GIVEN_OTHERWISE = {*range(_CARDS, _CARDS + NUM_FACES), *range(_STANDS_FOR, _STANDS_FOR + NUM_FACES)}
_GIVEN_OTHERWISE |= set(range(_MELDS, _MELDS + MOST_MELDS))
_FROM_THE_PILE = [_AT[f"verb={verb}"] for verb in ("take", "call")]

PLAIN = np.array([place for place in range(len(ACTION_COLUMNS)) if place not in _GIVEN_OTHERWISE])
# All columns of a meld except its suits: suits are symmetric.
MELD_PLAIN = np.array([at for at in range(len(MELD_COLUMNS)) if not SUIT_AT <= at < SUIT_AT + NUM_SUITS])

# The channels by which the vectors of faces are summed for the table: weights such as the number in my hand.
POOLED: tuple[int, ...] = (
    HAND_COUNT,
    HELD_RUN,
    HELD_SET,
    KNOWN,
    PILE,
    PILE_NEAR,
    MELD,
    MELD + OTHERS,
)
POOLED += (TAKES, WOULD_BE_TAKEN, TAKEN, UNSEEN_COUNT)


class Faces(NamedTuple):
    """The faces of some moves in one list.

    Attributes:
        numbers: int64, `53 * row + face` for each face.
        counts: float32, the number of cards of each face.
        begins: int64, the index at which the faces of each move begin.
    """

    numbers: npt.NDArray[np.int64]
    counts: npt.NDArray[np.float32]
    begins: npt.NDArray[np.int64]


class Moves(NamedTuple):
    """The legal moves in the rows of a batch of observations, in the order of rows and actions; m is their number.

    Attributes:
        rows: int64 (m,), the row of each move.
        actions: int64 (m,), the action of each move.
        columns: int64 (m,), the place of each move among the moves of its row.
        plain: float32 (m, len(PLAIN)), the plain columns.
        melds: float32 (m, len(MELD_PLAIN)), the columns of the meld that the move names, else 0.
        cards: the faces that the move names, including the known card that it takes from the pile.
        stands_for: the faces that its wild cards represent.
    """

    rows: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    plain: npt.NDArray[np.float32]
    melds: npt.NDArray[np.float32]
    cards: Faces
    stands_for: Faces

    def places_of(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The place of each row's action among the legal moves of the row, int64 (n,)."""
        places: npt.NDArray[np.int64] = self.columns[self.actions == actions[self.rows]]
        return places


@dataclass(frozen=True, eq=False)
class _Listed:
    """The faces of all actions in one list. `begins` and `lengths` give the part of each action."""

    faces: npt.NDArray[np.int64]
    counts: npt.NDArray[np.float32]
    begins: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def of(cls, counts: npt.NDArray[np.float32]) -> _Listed:
        actions, faces = np.nonzero(counts)
        lengths = np.bincount(actions, minlength=len(counts))
        return cls(faces, counts[actions, faces] * CARDS_UNIT, _begins(lengths), lengths)

    def of_action(self, action: int) -> list[tuple[int, float]]:
        """The faces of one action, each with its number of cards."""
        part = slice(self.begins[action], self.begins[action] + self.lengths[action])
        return list(zip(self.faces[part].tolist(), self.counts[part].tolist()))

    def at(self, actions: npt.NDArray[np.int64], rows: npt.NDArray[np.int64], more: Any = None) -> Faces:
        """The faces of some actions in some rows.

        Args:
            actions: the actions.
            rows: the row of each action.
            more: None, or two arrays: indices of actions that get one more face, ascending, and these faces.
        """
        lengths = self.lengths[actions]
        begins = _begins(lengths)
        chosen = np.repeat(self.begins[actions] - begins, lengths) + np.arange(lengths.sum())
        numbers, counts = np.repeat(NUM_FACES * rows, lengths) + self.faces[chosen], self.counts[chosen]
        if more is not None:
            places, faces = more
            numbers = np.insert(numbers, begins[places], NUM_FACES * rows[places] + faces)
            counts = np.insert(counts, begins[places], np.float32(1))
            lengths[places] += 1
            begins = _begins(lengths)
        return Faces(numbers, counts, begins)


def _begins(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.cumsum(lengths) - lengths


class MoveLister:
    """Lists the legal actions of some games as vectors.

    Args:
        games: the games; a batch can have rows of all of them.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        described = np.concatenate([game.described for game in games])
        sizes = [game.num_actions for game in games]
        self._first = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        self._plain = np.ascontiguousarray(described[:, PLAIN])
        self._cards = _Listed.of(described[:, _CARDS : _CARDS + NUM_FACES])
        self._stands_for = _Listed.of(described[:, _STANDS_FOR : _STANDS_FOR + NUM_FACES])
        melds = described[:, _MELDS : _MELDS + MOST_MELDS]
        self._meld = np.where(melds.any(1), melds.argmax(1), -1)
        depths = np.rint(described[:, _AT["number"]] * DEPTHS_UNIT).astype(np.int64)
        takes_top = described[:, _FROM_THE_PILE].any(1)
        self._depth = np.where(takes_top, np.maximum(depths, 1), depths)

    def described(self) -> Iterator[tuple[Any, list[tuple[int, float]], list[tuple[int, float]], int, int]]:
        """Yield the parts of every action of all games.

        They are its plain columns; the faces that it names; the faces that its wild cards represent; its meld, or -1;
        and the depth of the pile that it takes from, or 0.
        """
        for action, (meld, depth) in enumerate(zip(self._meld.tolist(), self._depth.tolist())):
            yield self._plain[action], self._cards.of_action(action), self._stands_for.of_action(action), meld, depth

    def legal(
        self,
        masks: npt.NDArray[np.int8],
        cards: npt.NDArray[np.float32],
        melds: npt.NDArray[np.float32],
        games: npt.NDArray[np.int64] | None = None,
    ) -> Moves:
        """The legal moves of each row.

        Args:
            masks: int8 (n, actions), padded with zeros after the actions of a row's game.
            cards: the array `cards` of the rows, in the common layout.
            melds: the array `melds` of the rows, in the common layout.
            games: int64 (n,), the index of each row's game in the list; None if all rows are of one game.
        """
        rows, actions = np.nonzero(masks)
        at = actions if games is None else actions + self._first[games[rows]]
        lengths = np.bincount(rows, minlength=len(masks))
        columns = np.arange(len(rows)) - np.repeat(_begins(lengths), lengths)
        meld, plain_melds = self._meld[at], np.zeros((len(rows), len(MELD_PLAIN)), np.float32)
        naming = np.flatnonzero(meld >= 0)
        if len(naming):
            plain_melds[naming] = melds[rows[naming], meld[naming]][:, MELD_PLAIN]
        return Moves(
            rows,
            actions,
            columns,
            self._plain[at],
            plain_melds,
            self._cards.at(at, rows, _taken(cards, rows, self._depth[at])),
            self._stands_for.at(at, rows),
        )


def _taken(cards: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], depths: npt.NDArray[np.int64]) -> Any:
    """Find the moves that take a known card from the pile. Returns their indices, and the faces of these cards.

    Args:
        cards: the array `cards` of the common layout.
        rows: the row of each move.
        depths: the depth of the pile that each move takes from, or 0.
    """
    at = np.rint(cards[:, :, PILE_DEPTH] * DEPTHS_UNIT).astype(np.int64)
    face_at = np.full((len(cards), int(max(at.max(initial=0), depths.max(initial=0))) + 1), -1)
    lying = np.nonzero(at)
    face_at[lying[0], at[lying]] = lying[1]
    places = np.flatnonzero(depths)
    faces = face_at[rows[places], depths[places]]
    return places[faces >= 0], faces[faces >= 0]
