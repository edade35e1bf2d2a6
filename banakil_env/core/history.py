"""The last events at a table as numbers: a log that compiled code writes, and the part of it that one seat has seen.

`engine.write_events` adds the events of an action to a log when the action is carried out. `write_history` writes the
last rows that a seat has noticed, the oldest first, WIDTH bytes each. A row describes one card: an event with three
cards takes three rows, and their column `number` is 3, 2 and 1. Seats that have not seen the cards get the same rows
without the cards. A deal and a reshuffle take one row, with the number of cards. If an episode has had fewer events,
rows of zeros come first.

The columns have the same meaning in every game, and so do the numbers of the cards.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.events import HAND, KINDS, PILE, STOCK, TABLE
from banakil_env.core.jit import compiled, inlined

# The first words of action texts in all games.
WORDS = (
    *("draw", "take", "open", "add", "swap", "discard", "meld", "lay", "also"),
    *("pass", "call", "allow", "refuse", "redeal", "keep", "knock", "big", "drop", "tonk", "yaniv"),
    *("ask", "yes", "no", "stop"),
)

# Places of cards. Melds that actions refer to by number are numbered from MELD on, melds known by their rank from RANK
# on.
PLACES = ("", HAND, STOCK, PILE, TABLE, "laid", "indicator", "foot", "red threes")
AT_HAND, AT_STOCK, AT_PILE, ON_TABLE, IN_LAID, IN_INDICATOR, IN_FOOT, IN_REDS = range(1, len(PLACES))
MELD, RANK = 16, 64
HIGHEST_PLACE = RANK + 15

WIDTH = 8
MAX_LENGTH = 256
MAX_SEATS = 8


class Column(NamedTuple):
    """A column of the rows of a history: its name, its meaning and its highest value."""

    name: str
    note: str
    highest: int


COLUMNS = (
    Column("who", "0: nobody, 1: the observer, 2: the next seat in the order of play, ...", MAX_SEATS),
    Column("verb", "1 + the place of the kind of the event in `core.events.KINDS`; 0: no event", len(KINDS)),
    Column("from", "where the cards came from: a place in `PLACES`, 16 + a meld by number, 64 + a meld by rank", 79),
    Column("to", "where the cards went, in the same numbers", 79),
    Column("number", "cards of the event, from this row on", 255),
    Column("turns ago", "turns ended since then", 255),
    Column(
        "card",
        "a card that the observer has seen: 1 + 13 * suit + rank (c d h s, A 2 ... K); 53: a Joker; 0: unseen",
        53,
    ),
    Column("said", "1 + the place of the word in `WORDS`, if something was said; 0: nothing", len(WORDS)),
)
_WHO, _VERB, _FROM, _TO, NUMBER_AT, _TURN, CARD_AT, _SAID = range(0, 64, 8)  # the shifts in the word of a row

# A log is a row of int64. It begins with five numbers: the number of rows written so far; the place of the next row;
# the number of turns that have ended (modulo 256); 1 + the number of the last row that not every seat has noticed; and
# whether the cards of deals and reshuffles are listed. A ring of rows follows, one word (int64) per row. In a log, the
# column `who` is 1 + a seat, and the column `turns ago` holds the number of the turn. Bits that the columns do not use
# hold a mask of the seats that have seen the card, and a flag for rows that only these seats have noticed.
_COUNT, _NEXT, TURNS, _PRIVATE, LISTED, _RING = range(6)
_SEEN_AT = np.array([4, 5, 6, 7, 14, 15, 23, 31], np.int64)  # the bit of each seat
_PRIVATE_ROW = 1 << 13
EVERYBODY = (1 << MAX_SEATS) - 1
_SEEN_BITS = sum(1 << int(bit) for bit in _SEEN_AT)
_KEPT = (1 << 63) - 1 & ~(_SEEN_BITS | _PRIVATE_ROW | 0xF << _WHO | 0xFF << _TURN | 0xFF << CARD_AT)


def log_size(length: int, private: bool) -> int:
    """The size (in int64 numbers) of a log for the last `length` rows; doubled if some rows can be private.

    At least half of all rows are noticed by every seat. So a seat that does not notice the private rows has `length`
    rows too.
    """
    return _RING + length * (1 + private) if length else 0


def words_of(history: Any) -> Any:
    """A view of histories with one number per row, int64 (..., length), into which compiled code writes.

    Args:
        history: uint8 (..., length, WIDTH).
    """
    return history.view(np.int64)[..., 0]


def are_sound(logs: Any) -> bool:
    """Whether compiled code can read logs, int64 (n, size), safely. The content of the rows is not checked."""
    if not logs.size:
        return True
    counts, places, rings = logs[:, _COUNT], logs[:, _NEXT], logs.shape[1] - _RING
    expected = np.where(counts < 0, -1, counts % rings)
    return bool((places == expected).all() and (logs[:, TURNS] >> 8 == 0).all() and (logs[:, _PRIVATE] >= 0).all())


@compiled
def clear_log(log: Any) -> None:
    """Remove all rows from a log."""
    log[_COUNT] = log[_NEXT] = log[TURNS] = log[_PRIVATE] = 0


@inlined
def end_turn(log: Any) -> None:
    """End the turn: rows added later belong to the next turn."""
    log[TURNS] = log[TURNS] + 1 & 0xFF


@inlined
def row_of(verb: int, seat: int, source: int, target: int, seen: int, turn: int) -> int:
    """A row as one int64, in which the number of cards, the card and the spoken word are 0.

    Args:
        verb: the index of the event's kind in `core.events.KINDS`.
        seat: the seat that acted; -1: nobody.
        source, target: places of cards.
        seen: the seats that saw the card, a mask.
        turn: the number of the turn.
    """
    spread = (seen & 0xF) << 4 | (seen >> 4 & 3) << 14 | (seen >> 6 & 1) << 23 | (seen >> 7 & 1) << 31
    return seat + 1 | verb + 1 << _VERB | source << _FROM | target << _TO | turn << _TURN | spread


@inlined
def add_row(log: Any, row: int) -> None:
    """Append a row to the log."""
    at = log[_NEXT]
    log[_RING + at] = row
    log[_COUNT] += 1
    log[_NEXT] = at + 1 if _RING + at + 1 < log.shape[0] else 0


@compiled
def add_said(log: Any, verb: int, seat: int, said: int, card: int, number: int, noticed: int, everybody: bool) -> None:
    """Append a row for a spoken word.

    Args:
        log: the log.
        verb: the index of the event's kind in `core.events.KINDS`.
        seat: the seat that speaks.
        said: 1 + the index of the word in WORDS.
        card: the named card, as in the column `card`.
        number: the number of named cards.
        noticed: the seats that notice the word, a mask.
        everybody: whether all seats notice it.
    """
    row = row_of(verb, seat, 0, 0, EVERYBODY if everybody else noticed, log[TURNS])
    row |= said << _SAID | number << NUMBER_AT | card << CARD_AT
    add_row(log, row if everybody else row | _PRIVATE_ROW)
    if not everybody:
        log[_PRIVATE] = log[_COUNT]


@inlined
def _seen_from(row: int, order: int, bit: int, turns: int) -> int:
    """A row as one seat sees it.

    Args:
        row: a row of the log.
        order: the observer's lookup table from `_order_for`.
        bit: the bit that tells whether the observer has seen the card.
        turns: the number of turns that have ended.
    """
    card = row & -(row >> bit & 1) & 0xFF << CARD_AT
    ago = turns - (row >> _TURN) & 0xFF
    return row & _KEPT | order >> 4 * (row & 0xF) & 0xF | ago << _TURN | card


@compiled
def _order_for(seat: int, num_seats: int) -> int:
    """A lookup table in one integer, four bits per entry, from the column `who` of a log to that of an observer.

    An observer sees itself as 1, the next seat in the order of play as 2, and so on; 0 remains nobody.
    """
    order = 0
    for other in range(num_seats):
        place = other - seat
        order |= (place + (num_seats if place < 0 else 0) + 1) << 4 * (other + 1)
    return order


@compiled
def write_history(log: Any, seat: int, num_seats: int, out: Any) -> None:
    """Write the last rows that a seat has noticed, the oldest first; `out` is int64, one number per row."""
    length, count, turns, after = out.shape[0], log[_COUNT], log[TURNS], _RING + log[_NEXT]
    order, bit = _order_for(seat, num_seats), _SEEN_AT[seat]
    there = min(count, length)
    if log[_PRIVATE] > count - there:
        _write_noticed(log, order, bit, out)
        return
    last = min(there, after - _RING)  # the rows directly before `after`; the others are at the end of the ring
    for i in range(length - there):
        out[i] = 0
    _write_rows(log[log.shape[0] - (there - last) :], there - last, order, bit, turns, out[length - there :])
    _write_rows(log[after - last :], last, order, bit, turns, out[length - last :])


@inlined
def _write_rows(rows: Any, count: int, order: int, bit: int, turns: int, out: Any) -> None:
    """Write the first `count` rows as one seat sees them; `_seen_from` describes `order`, `bit` and `turns`.

    All indices are nonnegative, so their sign is not checked.
    """
    for i in range(count):
        out[i] = _seen_from(rows[i], order, bit, turns)


@compiled
def _write_noticed(log: Any, order: int, bit: int, out: Any) -> None:
    """Like `write_history` for logs with private rows: copy the noticed rows from the newest to the oldest.

    `order` and `bit` as in `_seen_from`.
    """
    turns, at, to = log[TURNS], _RING + log[_NEXT], out.shape[0] - 1
    left = min(log[_COUNT], log.shape[0] - _RING)
    while to >= 0 and left:
        at = at - 1 if at > _RING else (log.shape[0] - 1)
        left -= 1
        row = log[at]
        if not row & _PRIVATE_ROW or row >> bit & 1:
            out[to] = _seen_from(row, order, bit, turns)
            to -= 1
    for i in range(to + 1):
        out[i] = 0


class Row(NamedTuple):
    """A row of a log as Python values, with everything that any seat knows.

    `seen` is a mask of the seats that saw the card or noticed the word.
    """

    seat: int | None
    verb: str
    source: int
    target: int
    number: int
    face: int | None
    seen: int
    private: bool


def rows_in(log: Any) -> list[Row]:
    """All rows of a log, the oldest first.

    A log is a ring buffer; this function is only correct as long as no row has been overwritten.
    """
    return [_read(row) for row in log[_RING : _RING + int(log[_COUNT])].tolist()]


def _read(row: int) -> Row:
    columns = [row >> shift & 0xFF for shift in range(0, 64, 8)]
    who, verb, source, target, number, _, card, _ = columns
    return Row(
        (who & 0xF) - 1 if who & 0xF else None,
        KINDS[(verb & 0x1F) - 1],
        source & 0x7F,
        target & 0x7F,
        number,
        card - 1 if card else None,
        sum((row >> int(bit) & 1) << seat for seat, bit in enumerate(_SEEN_AT)),
        bool(row & _PRIVATE_ROW),
    )
