"""Writes the arrays of `observation="cards"`: one compiled loop over small tables, which are bound for each game.

The fields of an observation that hold cards are found by their names, which mean the same in every game. The other
facts about a game are in its `Looks`: its faces, the number of cards of each, and how its melds are written. From
these, `common_layout` makes the writer and the vectors of the actions.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import ActionTable
from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.common_layout import CommonLayout
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, FLAG, HIDDEN, Fields, Number
from banakil_env.core.jit import bind, bind_inlined, inlined
from banakil_env.core.scratch import scratch
from banakil_env.kit.common import channels as C
from banakil_env.kit.common import columns as K
from banakil_env.kit.common.channels import CARD, CARDS_ARRAY, MELDS_ARRAY, ONE
from banakil_env.kit.common.combining import completing_run, completing_set, in_runs, in_sets
from banakil_env.kit.common.described import ACTION_COLUMNS, described
from banakil_env.kit.common.faces import NAMES, NUM_FACES
from banakil_env.kit.switches import Rules

VERSION = 1

# Fields with counts of cards, by name: the channel for the counts, and whether these cards are no longer unseen (they
# are neither in the stock nor in an unknown hand).
_COUNTED = {"pile": (C.PILE, True), "discards": (C.PILE, True), "laid_off": (C.LAID, False)}
_FLAGGED = {"fits": C.TAKES, "exchanges": C.EXCHANGES}
_FACES = {
    "taken": C.TAKEN,
    "banned": C.BANNED,
    "named": C.NAMED,
    "named_card": C.NAMED,
    "must": C.MUST,
    "indicator": C.INDICATOR,
    "laid": C.LAID,
}
# Fields with depths: of the whole pile, of a part of the pile whose cards another field counts, and of the stock.
_WHOLE_PILE, _PILE_ENDS, _STOCK = range(3)
_DEPTHS = {"pile": _WHOLE_PILE, "upcards": _PILE_ENDS, "ends": _PILE_ENDS, "stock": _STOCK}
# The fields that `Looks.write_own` writes.
_OWN = (
    *("runs", "sets", "table", "laid", "naturals", "twos", "jokers"),
    *("melds", "wild", "complete", "clean", "dirty", "top"),
)

_NEARNESS = np.array([0, *(1 / depth for depth in range(1, 512))], np.float32)
_DEEP = np.float32(1 / C.DEPTHS_UNIT)


@dataclass(frozen=True)
class Ways:
    """The properties of a game that do not depend on its switches; `columns.WAYS` describes each."""

    runs: bool = True
    sets: bool = True
    books: bool = False
    twins: bool = False
    ace_low: bool = True
    ace_high: bool = False
    add_to_own: bool = True
    add_to_others: bool = True
    melds_laid: bool = True
    take_top: bool = True
    take_some: bool = False
    take_all: bool = False


@dataclass(frozen=True, eq=False)
class Looks:
    """How a game is represented in the common layout.

    Attributes:
        face_of: int64, the common face of each face of the game.
        copies: compiled `copies(seen, face)`, the number of cards of a face in the game's pack.
        write_own: compiled `write_own(seen, left, cards, melds, table)`, which writes the melds on the table
            (`kit/common/melds.py`) and the facts that only this game has. `left` (int64, by common face) counts the
            cards that are not seen yet; the function subtracts the cards that it writes.
        ways: the properties of the game.
        wild: the mask of the common faces that are wild.
        partners: whether four players always form two sides.
        own_faces: the meaning of a common face, by its text, if it does not represent the card with this text.
    """

    face_of: npt.NDArray[np.int64]
    copies: Callable[[Any, int], int]
    write_own: Callable[..., None]
    ways: Ways = Ways()
    wild: int = 0
    partners: bool = False
    own_faces: Mapping[str, str] = field(default_factory=dict)


# The loop ------------------------------------------------------------------------------------------------------------

# Names that are bound for each game; see `_Tables`.
face_of: Any = None
copies: Any = None
write_own: Any = None
write: Any = None
ways: Any = None
counted: Any = None
flagged: Any = None
named: Any = None
deep: Any = None
table_numbers: Any = None
table_factors: Any = None
table_cells: Any = None
rules_numbers: Any = None
rules_factors: Any = None
rules_cells: Any = None
columns_of_cells: Any = None
hand_at = hand_faces = known_at = known_seats = players_at = players_fixed = partners_at = wild = 0
always_partners = runs = sets = twins = ace_low = ace_high = False
_SEAT, _PARTNER = K.TABLE_AT["seat_0"], K.TABLE_AT["partner_0"]
_NUM_WAYS = len(K.WAYS)


@inlined
def _number_at(row: Any, at: int, size: int, signed: int) -> Any:
    """The number of `size` bytes, least significant byte first, at offset `at` of an observation's bytes."""
    number = np.int64(row[at])
    for i in range(1, size):
        number |= np.int64(row[at + i]) << 8 * i
    if signed and size < 8 and number >> (8 * size - 1):
        number -= np.int64(1) << 8 * size
    return number


def _completing(one: Any, two: Any) -> tuple[Any, Any]:
    """The cards that complete a run, and those that complete a set, with two of `one`; `two` has those held twice."""
    of_runs, of_sets = 0, 0
    if runs:
        of_runs = completing_run(one, ace_low, ace_high)
    if sets:
        of_sets = completing_set(one, two if twins else 0)
    return of_runs, of_sets


@inlined
def _mark(cards: Any, mask: Any, channel: int) -> None:
    """Write 1 into a channel for the faces of a mask."""
    while mask:
        cards[lowest(mask), channel] = ONE
        mask &= mask - 1


def _write_hand(row: Any, left: Any, cards: Any) -> None:
    """Write the observer's hand, and which cards combine with it."""
    one, two, three = 0, 0, 0
    held = read_bits(row, hand_at, hand_faces)
    while held:
        i = lowest(held)
        held &= held - 1
        face, count = face_of[i], int(row[hand_at + i])
        bit = 1 << face
        one |= bit
        two |= bit * (count > 1)
        three |= bit * (count > 2)
        left[face] -= count
        cards[face, C.HAND] = ONE
        cards[face, C.HAND_COUNT] = np.float32(count) * CARD
    one, two, three = one & ~wild, two & ~wild, three & ~wild
    of_runs, of_sets = _completing(one, two)
    _mark(cards, of_runs, C.COMPLETES_RUN)
    _mark(cards, of_sets, C.COMPLETES_SET)
    if runs:
        _mark(cards, in_runs(one, ace_low, ace_high), C.HELD_RUN)
    if sets:
        _mark(cards, in_sets(one, two if twins else 0, three), C.HELD_SET)


def _write_known(row: Any, players: int, left: Any, cards: Any) -> None:
    """Write the known cards of each hand, and the cards that the next seat can combine with its known cards."""
    for seat in range(players):
        at = known_at + seat * hand_faces
        one, two, held = 0, 0, read_bits(row, at, hand_faces)
        while held:
            i = lowest(held)
            held &= held - 1
            face, count = face_of[i], int(row[at + i])
            cards[face, C.KNOWN_MINE + seat] = np.float32(count) * CARD
            left[face] -= count * (seat > 0)
            one |= 1 << face
            two |= int(count > 1) << face
        if seat == 1 and one:
            of_runs, of_sets = _completing(one & ~wild, two & ~wild)
            _mark(cards, of_runs | of_sets, C.WOULD_BE_TAKEN)


def _write_heaps(row: Any, left: Any, cards: Any) -> None:
    """Write the pile, a public stock, and the cards that fields about the turn name."""
    for k in range(counted.shape[0]):
        at, channel, seen = counted[k, 0], counted[k, 2], counted[k, 3]
        there = read_bits(row, at, hand_faces) & (1 << counted[k, 1]) - 1
        while there:
            i = lowest(there)
            there &= there - 1
            count = int(row[at + i])
            left[face_of[i]] -= count * seen
            cards[face_of[i], channel] = np.float32(count) * CARD if seen else ONE
    for k in range(flagged.shape[0]):
        at = flagged[k, 0]
        there = read_bits(row, at, hand_faces) & (1 << flagged[k, 1]) - 1
        while there:
            cards[face_of[lowest(there)], flagged[k, 2]] = ONE
            there &= there - 1
    for k in range(deep.shape[0]):
        at, many, where = deep[k, 0], deep[k, 2], deep[k, 3]
        for i in range(deep[k, 1]):
            face, nearest, count = face_of[i], 0, 0
            for copy in range(many):
                depth = int(row[at + i * many + copy])
                if depth:
                    nearest = depth if count == 0 else min(nearest, depth)
                    count += 1
            if count == 0:
                continue
            if where == _STOCK:
                cards[face, C.STOCK_NEAR] = _NEARNESS[nearest]
            else:
                cards[face, C.PILE_NEAR] = _NEARNESS[nearest]
                cards[face, C.PILE_DEPTH] = np.float32(nearest) * _DEEP
            if where == _WHOLE_PILE:
                cards[face, C.PILE] = np.float32(count) * CARD
            if where != _PILE_ENDS:
                left[face] -= count
    for k in range(named.shape[0]):
        face = int(row[named[k, 0]]) - 1
        if face >= 0:
            cards[face_of[face], named[k, 1]] = ONE
            left[face_of[face]] -= named[k, 2]


@inlined
def _write_numbers(row: Any, players: int, numbers: Any, factors: Any, cells: Any, columns: Any, out: Any) -> None:
    """Write the numbers of the array `table` or `rules`: scaled numbers, then one-hot groups, one cell for each value.

    Args:
        players: the number of players; numbers about seats without a player are left out.
        numbers, factors, cells, columns: what to write, as tables of `_Tables`.
        out: the row of the array.
    """
    for k in range(numbers.shape[0]):
        if numbers[k, 4] < players:
            number = _number_at(row, numbers[k, 0], numbers[k, 1], numbers[k, 2])
            out[numbers[k, 3]] += np.float32(number) * factors[k]
    for k in range(cells.shape[0]):
        cell = _number_at(row, cells[k, 0], cells[k, 1], cells[k, 2]) - cells[k, 3]
        if 0 <= cell < cells[k, 4]:
            out[columns[cells[k, 5] + cell]] = ONE


def _write(seen: Any, row: Any, cards: Any, melds: Any, table: Any, rules: Any) -> None:
    """Write an observation in the common layout; see `core.common_layout.CommonLayout.write`."""
    cards[:, :] = 0
    melds[:, :] = 0
    table[:] = 0
    rules[:] = 0
    left = scratch(NUM_FACES)
    left[:] = 0
    for i in range(face_of.shape[0]):
        left[face_of[i]] += copies(seen, i)
    for face in range(NUM_FACES):
        cards[face, C.PACK] = np.float32(left[face]) * CARD
        cards[face, C.WILD] = np.float32(left[face] > 0 and wild >> face & 1)
    players = int(row[players_at]) if players_at >= 0 else players_fixed
    _write_hand(row, left, cards)
    _write_known(row, players, left, cards)
    _write_heaps(row, left, cards)
    write_own(seen, left, cards, melds, table)
    for face in range(NUM_FACES):
        cards[face, C.UNSEEN] = np.float32(left[face] > 0)
        cards[face, C.UNSEEN_COUNT] = np.float32(max(left[face], 0)) * CARD
    for seat in range(players):
        table[_SEAT + seat] = ONE
    if players == 4 and (always_partners or (partners_at >= 0 and row[partners_at])):
        table[_PARTNER + 2] = ONE
    _write_numbers(row, players, table_numbers, table_factors, table_cells, columns_of_cells, table)
    for i in range(_NUM_WAYS):
        rules[i] = ways[i]
    _write_numbers(row, players, rules_numbers, rules_factors, rules_cells, columns_of_cells, rules)


def _write_full(full: Any, row: Any, cards: Any, melds: Any, table: Any, rules: Any) -> None:
    """Write a full observation: as `_write`, but with all hands known, and with the order of the stock."""
    seen = full.observation
    for seat in range(1, known_seats):
        for face in range(hand_faces):
            seen.known[seat, face] = full.hands[seat, face]
    write(seen, row, cards, melds, table, rules)
    for depth in range(seen.stock_size, 0, -1):  # from the bottom, so that the nearest card of a face remains
        cards[face_of[full.stock[depth - 1] - 1], C.STOCK_NEAR] = _NEARNESS[depth]


def _write_full_with_feet(full: Any, row: Any, cards: Any, melds: Any, table: Any, rules: Any) -> None:
    """Write a full observation of a game with feet: as `_write_full`, and the cards of the feet."""
    _write_full(full, row, cards, melds, table, rules)
    for seat in range(known_seats):
        for i in range(full.feet.shape[1]):
            cards[face_of[i], C.FOOT_OTHER if seat else C.FOOT_MINE] += np.float32(full.feet[seat, i]) * CARD


# The tables of one game ----------------------------------------------------------------------------------------------


def common_layout(
    name: str,
    looks: Looks,
    seen: Fields,
    full: np.dtype[Any],
    actions: ActionTable,
    rules: type[Rules],
    seats: tuple[int, ...],
    *,
    low_wins: bool = False,
) -> CommonLayout:
    """The common layout of a game.

    Args:
        name: the name of the game.
        looks: facts that the fields do not show.
        seen: the fields of the observation.
        full: the dtype of the full state (`Game.full_state`).
        actions: the action table of the game.
        rules: the class of the game's rules.
        seats: the possible numbers of players.
        low_wins: whether fewer points are better.

    Raises:
        ValueError: the common layout does not know the name of a field or switch.
    """
    tables = _Tables(name, looks, seen, rules, seats, low_wins)
    bound = tables.bound
    pieces: dict[str, Any] = {}
    for piece in (_completing, _write_hand, _write_known, _write_heaps):
        pieces[piece.__name__] = bind_inlined(piece, f"{name}_common{piece.__name__}", **_of(piece, bound | pieces))
    write = bind(_write, f"{name}_write_common", **_of(_write, bound | pieces))
    pieces["write"] = write
    write_full = bind(_write_full, f"{name}_write_full_common", **_of(_write_full, bound | pieces))
    if full.fields is not None and "feet" in full.fields:
        pieces["_write_full"] = write_full
        with_feet = _of(_write_full_with_feet, bound | pieces)
        write_full = bind(_write_full_with_feet, f"{name}_write_full_with_feet", **with_feet)
    return CommonLayout(
        version=VERSION,
        arrays=(CARDS_ARRAY, MELDS_ARRAY, K.TABLE_ARRAY, K.RULES_ARRAY),
        faces=NAMES,
        face_of=looks.face_of,
        own_faces=looks.own_faces,
        used=tables.used,
        write=write,
        write_full=write_full,
        describe=functools.partial(described, actions, looks.face_of, looks.ways.books),
        action_columns=ACTION_COLUMNS,
    )


def _of(piece: Callable[..., Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """The items of `names` that the function `piece` uses."""
    return {name: value for name, value in names.items() if name in piece.__code__.co_names}


class _Tables:
    """The tables that the loop is bound to for one game. Offsets count bytes of the observation."""

    def __init__(
        self, name: str, looks: Looks, seen: Fields, rules: type[Rules], seats: tuple[int, ...], low_wins: bool
    ) -> None:
        self._name, self._looks, self._rules, self._seats = name, looks, rules, seats
        self._numbers = {number.name: number for number in seen.numbers}
        self._cells: list[int] = []
        hand, known = self._numbers["hand"], self._numbers["known"]
        self._faces = hand.count
        own = looks.ways
        self.bound: dict[str, Any] = {
            "face_of": looks.face_of,
            "copies": looks.copies,
            "write_own": looks.write_own,
            "wild": looks.wild,
            "always_partners": looks.partners,
            "hand_at": hand.offset,
            "hand_faces": hand.count,
            "known_at": known.offset,
            "known_seats": known.field.shape[0],
            "players_at": self._at("num_players"),
            "players_fixed": seats[0],
            "partners_at": self._at("partners"),
            "ways": np.array([low_wins, *(getattr(own, each.name) for each in fields(own))], np.float32),
            **{each: getattr(own, each) for each in ("runs", "sets", "twins", "ace_low", "ace_high")},
        }
        self._find_cards()
        self._find_numbers()
        self.bound["columns_of_cells"] = np.array(self._cells or [0], np.int64)

    def _at(self, name: str) -> int:
        return self._numbers[name].offset if name in self._numbers else -1

    def _find_cards(self) -> None:
        """Find the fields that hold cards, except the hand and known cards."""
        counted, flagged, named, deep = [], [], [], []
        for name, number in self._numbers.items():
            of, role = number.field, number.field.role
            if name in _COUNTED and role == COUNTS:
                counted.append([number.offset, number.count, *map(int, _COUNTED[name])])
            elif name in _FLAGGED and role == FLAG:
                flagged.append([number.offset, number.count, _FLAGGED[name]])
            elif name in _FACES and role == FACE:
                # A field with a row of cards holds cards laid in this turn, which are counted nowhere else.
                named += [[number.offset + i, _FACES[name], int(bool(of.shape))] for i in range(number.count)]
            elif name in _DEPTHS and role == DEPTHS:
                deep.append([number.offset, of.shape[0], math.prod(of.shape[1:]), _DEPTHS[name]])
        for name, rows, width in (("counted", counted, 4), ("flagged", flagged, 3), ("named", named, 3)):
            self.bound[name] = np.array(rows, np.int64).reshape(-1, width)
        self.bound["deep"] = np.array(deep, np.int64).reshape(-1, 4)

    def _find_numbers(self) -> None:
        """Find the numbers of the table and the rules."""
        found: dict[str, list[K.Source]] = {"table": [], "rules": []}
        for number in self._numbers.values():
            if self._is_about_cards(number):
                continue
            for source in K.sources_of(number, self._seats[-1], self._rules):
                found[self._array_of(number, source)].append(source)
        self.used = {
            "table": tuple(name for source in found["table"] for name in source.names),
            "rules": tuple(K.WAYS) + tuple(name for source in found["rules"] for name in source.names),
        }
        for array, at in (("table", K.TABLE_AT), ("rules", K.RULES_AT)):
            numbers = [each for each in found[array] if len(each.names) == 1 and each.factor]
            self.bound[f"{array}_numbers"] = np.array(
                [[each.at, each.size, each.signed, at[each.names[0]], each.by_seat] for each in numbers], np.int64
            ).reshape(-1, 5)
            self.bound[f"{array}_factors"] = np.array([each.factor for each in numbers], np.float32)
            rows = []
            for each in found[array]:
                if len(each.names) > 1:
                    rows.append([each.at, each.size, each.signed, each.lowest, len(each.names), len(self._cells)])
                    self._cells += [at[name] for name in each.names]
            self.bound[f"{array}_cells"] = np.array(rows, np.int64).reshape(-1, 6)

    def _is_about_cards(self, number: Number) -> bool:
        """Whether a field is written by another part of the loop."""
        name, of = number.name, number.field
        if name.startswith("rules.") or (of.role not in (HIDDEN, FACE, COUNTS, DEPTHS) and name == "phase"):
            return False
        if name == "num_players" or name.startswith("meld_") or of.role in (HIDDEN, FACE, COUNTS, DEPTHS):
            return True
        return name in (*_FLAGGED, *_OWN) and ((bool(of.shape) and of.shape[-1] > C.MOST_SEATS) or name == "top")

    def _array_of(self, number: Number, source: K.Source) -> str:
        """The array of a number, `table` or `rules`. ValueError: neither array has its columns."""
        for array, at in (("table", K.TABLE_AT), ("rules", K.RULES_AT)):
            if all(name in at for name in source.names) and (array == "rules" or "." not in number.name):
                return array
        raise ValueError(
            f"{self._name}: the common layout has no columns {', '.join(source.names)} for {number.name}; add them to "
            "TABLE or RULES of kit/common/columns.py, or name the column that means the same in OTHER_NAMES"
        )
