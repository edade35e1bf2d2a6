"""The default features of a game: float32 columns derived from the roles of the observation's fields.

`features_of` makes the writer of the columns: one compiled loop over small tables, which describe the fields of one
observation. The columns have five parts, each in the order of the fields:

1. flags, counts, scaled numbers and cells of melds, of one byte each: copied and scaled, adjacent fields in one loop;
2. the same for numbers that are wider or signed, which are read one by one;
3. one-hot groups and faces: one column of each group is 1;
4. depths in a pile, as planes over the faces;
5. columns that a game computes itself (`extra`), such as "completes a sequence".

After these come two optional parts for networks that use them: the hand that remains after each discard (`rests`), and
the effect of taking the offered card (`offers`). Hidden fields have no columns. A game that needs other columns writes
them itself and returns them in the same `Features` class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import lowest
from banakil_env.core.features import OF_CARDS, OF_FACES, PLAIN, Columns, FaceTable, Features
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, MELD_CELLS, ONE_HOT, Fields, Number
from banakil_env.core.jit import bind, compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.rests import OFFERS, RESTS

ONE = np.float32(1)

# Tables of one game, which `features_of` binds; see `_Layout.tables`.
places: Any = None
scales: Any = None
runs: Any = None
wide: Any = None
piles: Any = None
cells_first = depths_first = extra_first = rests_first = offers_first = wide_first = max_depth = no_face = 0

Extra = Callable[[Any, Any, int], None]


@inlined
def _number_at(row: Any, at: int, size: int, signed: int) -> Any:
    """The number of `size` bytes, least significant byte first, at offset `at` of an observation's bytes."""
    number = np.int64(row[at])
    for i in range(1, size):
        number |= np.int64(row[at + i]) << 8 * i
    if signed and size < 8 and number >> (8 * size - 1):
        number -= np.int64(1) << 8 * size
    return number


@inlined
def _copy(cells: Any, scales: Any, out: Any) -> None:
    """Convert bytes to floats and multiply each by its scale. Without a branch, so that the compiler vectorizes it."""
    for i in range(cells.shape[0]):
        out[i] = np.float32(cells[i]) * scales[i]


@inlined
def _write_planes(cells: Any, step: int, copy: int, there: Any, nearness: Any) -> None:
    """Write two planes over the faces for copy number `copy` of each face.

    Args:
        cells: the depths of the pile, `step` cells per face.
        there: overwritten with 1 for a copy in the pile, else 0.
        nearness: overwritten with 1 / the depth of the copy, or 0.
    """
    for face in range(there.shape[0]):
        depth = np.float32(cells[face * step + copy])
        there[face] = np.float32(depth > 0)
        nearness[face] = np.float32(depth > 0) / max(depth, ONE)


@compiled
def _no_extra(seen: Any, out: Any, first: int) -> None:
    """Write nothing: the placeholder for games without extra columns."""


_no_rests = _no_offers = _no_extra


def _write_features(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of one observation; see `core.features.Features.write`."""
    for run in range(runs.shape[0]):
        at, first, count = runs[run, 0], runs[run, 1], runs[run, 2]
        _copy(row[at : at + count], scales[first : first + count], out[first : first + count])
    for i in range(wide.shape[0]):
        out[wide_first + i] = np.float32(_number_at(row, wide[i, 0], wide[i, 1], wide[i, 2])) * scales[wide_first + i]
    out[cells_first:depths_first] = 0
    for i in range(places.shape[0]):
        cell = _number_at(row, places[i, 0], places[i, 1], places[i, 2]) - places[i, 3]
        if 0 <= cell < places[i, 4]:
            out[places[i, 5] + cell] = ONE
    for pile in range(piles.shape[0]):
        at, faces, copies, first = piles[pile, 0], piles[pile, 1], piles[pile, 2], piles[pile, 3]
        cells = row[at : at + faces * copies]
        for copy in range(copies):
            there = out[first + 2 * copy * faces : first + (2 * copy + 1) * faces]
            nearness = out[first + (2 * copy + 1) * faces : first + (2 * copy + 2) * faces]
            if copies == 1:  # with a literal in place of the variable the compiler vectorizes the loop
                _write_planes(cells, 1, 0, there, nearness)
            elif copies == 2:
                _write_planes(cells, 2, copy, there, nearness)
            else:
                _write_planes(cells, copies, copy, there, nearness)
    if max_depth:
        faces_at = scratch(256)  # face by depth, for any byte; entry 0 collects the cards that are not in the pile
        faces_at[: max_depth + 1] = no_face
        at, copies = piles[0, 0], piles[0, 2]
        for face in range(piles[0, 1]):
            for copy in range(copies):
                faces_at[row[at + face * copies + copy]] = face
        for depth in range(max_depth):
            depths[depth] = faces_at[depth + 1]
    if extra_first < out.shape[0]:
        out[extra_first:] = 0
        _no_extra(seen, out, extra_first)
    if rests_first < out.shape[0]:
        _no_rests(seen, out, rests_first)
    if offers_first < out.shape[0]:
        _no_offers(seen, out, offers_first)


def features_of(
    fields: Fields,
    name: str,
    *,
    num_faces: int,
    num_cards: int | None = None,
    version: int = 1,
    about: Mapping[str, str] | None = None,
    extra: Extra | None = None,
    extra_columns: tuple[Columns, ...] = (),
    rests: Extra | None = None,
    rests_columns: tuple[Columns, ...] = RESTS,
    offers: Extra | None = None,
    faces: FaceTable | None = None,
) -> Features:
    """The features of an observation with these fields.

    Args:
        fields: the fields of the observation. Numbers of a nested record `rules` are called `rules_<name>`.
        name: the name of the game; it becomes a part of the names of the compiled functions.
        num_faces: the number of faces of the pack.
        num_cards: the number of faces with suit and rank, which come first; None means all faces.
        version: the version of the columns.
        about: the subject of a field's columns, by the name of the field, where its shape does not show it. By default
            a field is about faces or cards if the last axis of its shape (for depths: the first) has their number.
        extra: compiled `extra(seen, out, first)`, which writes the game's additional columns into `out` from index
            `first` on; these cells are zero before. `seen` is a record of the observation.
        extra_columns: the groups of columns that `extra` writes.
        rests: as `extra`, for the columns at the end of `Features.with_rests` (`kit.rests`); None if the game has none.
        rests_columns: the groups of columns that `rests` writes.
        offers: as `extra`, for the columns OFFERS at the end of `Features.with_offers`; needs `rests`.
        faces: the faces for a suit-symmetric network; None if there is no such network.

    Raises:
        ValueError: a role does not fit its field, two groups have the same name, or `extra` has no columns.
    """
    if (extra is None) != (not extra_columns):
        raise ValueError(f"{name}: extra and extra_columns come together or not at all")
    made = _Layout(fields, num_faces, num_faces if num_cards is None else num_cards, about or {})
    columns = (*made.columns, *extra_columns)
    if len({group.name for group in columns}) < len(columns):
        raise ValueError(f"{name}: two groups of columns have one name: {', '.join(group.name for group in columns)}")
    tables = made.tables()
    of_rests = 0 if rests is None else sum(group.count for group in rests_columns)
    tables["rests_first"] = sum(group.count for group in columns)
    tables["offers_first"] = tables["rests_first"] + of_rests
    given = tables | {"no_face": num_faces, "_no_extra": extra or _no_extra}
    write = bind(_write_features, f"{name}_write_features", **given)
    found = Features(version, columns, write, num_faces, tables["max_depth"], faces)
    if rests is not None:
        columns, given = (*columns, *rests_columns), given | {"_no_rests": rests}
        write = bind(_write_features, f"{name}_write_with_rests", **given)
        found = dataclasses.replace(found, with_rests=dataclasses.replace(found, columns=columns, write=write))
    if offers is not None:
        columns, given = (*columns, *OFFERS), given | {"_no_offers": offers}
        write = bind(_write_features, f"{name}_write_with_offers", **given)
        wider = dataclasses.replace(found, columns=columns, write=write, with_rests=None)
        found = dataclasses.replace(found, with_offers=wider)
    return found


class _Layout:
    """The groups of columns of an observation, and the tables that the compiled loop reads."""

    def __init__(self, fields: Fields, num_faces: int, num_cards: int, about: Mapping[str, str]) -> None:
        self._num_faces, self._num_cards, self._about = num_faces, num_cards, about
        hidden = {name for name, field in fields.items() if field.role == HIDDEN}
        seen = [n for n in fields.numbers if n.field.role != HIDDEN and n.name.partition(".")[0] not in hidden]
        self._copied, self._wide, self._cells, self._piles = [], [], [], []
        for number in seen:
            role, kind = number.field.role, number.field.number
            if role in (ONE_HOT, FACE):
                self._cells.append(number)
            elif role == DEPTHS:
                self._piles.append(self._checked_pile(number))
            elif kind == np.uint8:
                self._copied.append(number)
            else:
                self._wide.append(number)
        self.columns = tuple(map(self._columns, [*self._copied, *self._wide, *self._cells, *self._piles]))

    def _checked_pile(self, number: Number) -> Number:
        field = number.field
        if field.number != np.uint8 or len(field.shape) not in (1, 2):
            raise ValueError(f"{number.name}: depths are bytes of shape (faces,) or (faces, copies), not {field.shape}")
        if field.shape[0] > self._num_faces:
            raise ValueError(f"{number.name}: depths of {field.shape[0]} faces, and there are {self._num_faces}")
        return number

    def _columns(self, number: Number) -> Columns:
        """The group of columns of one field."""
        field, count = number.field, number.count
        note, axis = field.note, field.shape[-1] if field.shape else 0
        if field.role == ONE_HOT:
            count *= self._span(number)
            axis, note = 0, f"one-hot: {note}"
        elif field.role == FACE:
            count *= self._num_faces
            axis, note = self._num_faces, f"one-hot: {note}"
        elif field.role == DEPTHS:
            count *= 2
            axis, note = field.shape[0], f"for each copy: whether it is there, then 1 / depth; {note}"
        elif (scale := _scale(number)) != 1:
            note = f"{note}; / {scale:g}"
        lowest, highest = (0.0, 1.0) if field.role in (ONE_HOT, FACE, DEPTHS) else _bounds(number)
        sizes = {self._num_cards: OF_CARDS, self._num_faces: OF_FACES}  # equal numbers: OF_FACES is used
        about = self._about.get(number.name, sizes.get(axis, PLAIN))
        return Columns(number.name.replace(".", "_"), note, count, about, lowest, highest)

    def _span(self, number: Number) -> int:
        """The number of columns for one number of a one-hot field or a face."""
        field = number.field
        return self._num_faces if field.role == FACE else field.highest - field.lowest + 1

    def tables(self) -> dict[str, Any]:
        """The tables of the loop, by name.

        Offsets count bytes of the observation. An entry `..._first` is the index of a column.
        """
        runs: list[list[int]] = []
        column = 0
        for number in self._copied:
            if runs and runs[-1][0] + runs[-1][2] == number.offset:
                runs[-1][2] += number.count
            else:
                runs.append([number.offset, column, number.count])
            column += number.count
        wide_first = column
        wide = [row for number in self._wide for row in _places(number)]
        cells_first = column = wide_first + len(wide)
        places = []
        for number in self._cells:
            span = self._span(number)
            lowest = 1 if number.field.role == FACE else number.field.lowest
            for row in _places(number):
                places.append([*row, lowest, span, column])
                column += span
        depths_first = column
        piles = []
        for number in self._piles:
            faces, copies = (*number.field.shape, 1)[:2]
            piles.append([number.offset, faces, copies, column])
            column += 2 * faces * copies
        scales = [_factor(n) for n in [*self._copied, *self._wide] for _ in range(n.count)]
        return {
            "runs": _table(runs, 3),
            "wide": _table(wide, 3),
            "wide_first": wide_first,
            "cells_first": cells_first,
            "places": _table(places, 6),
            "depths_first": depths_first,
            "piles": _table(piles, 4),
            "scales": np.array(scales, np.float32),
            "max_depth": self._piles[0].field.highest if self._piles else 0,
            "extra_first": column,
        }


def _scale(number: Number) -> float:
    """The divisor of a field's numbers: the scale of the field, or the highest value of counts and cells of melds."""
    field = number.field
    if field.scale == 1 and field.role in (COUNTS, MELD_CELLS):
        return max(field.highest, 1)
    return field.scale


def _factor(number: Number) -> np.float32:
    """The factor that converts a field's number to its column."""
    return np.float32(1 / _scale(number))


def _bounds(number: Number) -> tuple[float, float]:
    """The lowest and the highest value in a field's column, rounded to float32 as the loop rounds."""
    field = number.field
    lowest, highest = (np.float32(bound) * _factor(number) for bound in (field.lowest, field.highest))
    return float(lowest), float(highest)


def _places(number: Number) -> list[list[int]]:
    """For each number of a field: its offset, its size in bytes, and 1 if it is signed."""
    kind = number.field.number
    return [[number.offset + kind.itemsize * i, kind.itemsize, int(kind.kind == "i")] for i in range(number.count)]


def _table(rows: list[list[int]], width: int) -> npt.NDArray[np.int64]:
    return np.array(rows, np.int64).reshape(-1, width)


# Columns of cards for the `extra` functions of games ------------------------------------------------------------------


@compiled
def write_face_columns(masks: Any, faces: int, out: Any, first: int) -> None:
    """Write 1 for every card of some masks (a tuple of int64). Each mask has `faces` columns, one after the other."""
    for i, cards in enumerate(masks):
        while cards:
            out[first + i * faces + lowest(cards)] = ONE
            cards &= cards - 1
