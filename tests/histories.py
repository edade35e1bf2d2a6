"""What a history must be, told from the events of `Game.events` in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banakil_env.core import history as H
from banakil_env.core.events import DEAL, KINDS, NAME, RESHUFFLE, SAY, Event
from banakil_env.kit.books.kinds import KINDS as BOOKS
from banakil_env.kit.cards import common_face_of

# Rows: who, verb, from, to, number, card, said. How many turns ago it was is tested apart.
Told = tuple[int, ...]


def told(events: Sequence[Event], seat: int, num_seats: int) -> list[Told]:
    """The rows that a seat has of these events, all cards included."""
    return [row for event in events for row in _rows(event, seat, num_seats)]


def _rows(event: Event, seat: int, num_seats: int) -> list[Told]:
    seen = event.seen_from(seat)
    if seen is None:
        return []
    who = 0 if event.seat is None else (event.seat - seat) % num_seats + 1
    verb = 1 + KINDS.index(event.kind)
    said = H.WORDS.index(event.said.split()[0]) + 1 if event.kind in (SAY, NAME) else 0
    cards = [card for card in seen.cards if event.kind != NAME or len(str(card)) < 3]  # "add JK high" names a place too
    begin = who, verb, _place(event.source), _place(event.target)
    if event.kind in (DEAL, RESHUFFLE):
        return [(*begin, min(len(cards), 255), 0, 0)]
    if not cards:
        return [(*begin, 0, 0, said)]
    left = range(len(cards), 0, -1)
    return [
        (*begin, number, 0 if card is None else 1 + common_face_of(card), said) for number, card in zip(left, cards)
    ]


def _place(name: str) -> int:
    if name.startswith("meld of "):
        return H.RANK + BOOKS.index(name.removeprefix("meld of ").removesuffix("s"))
    if name.startswith("meld "):
        return H.MELD + int(name.split()[1])
    return H.PLACES.index(name if name in H.PLACES else name.rstrip("0123456789 "))


def rows_of(history: Any) -> list[Told]:
    """The rows of a history without `turns ago`, and without those before the first event."""
    return [(*row[:5], row[6], row[7]) for row in history.tolist() if row[1]]


def in_groups(rows: Sequence[Told]) -> list[tuple[Any, ...]]:
    """Rows with the cards of each event in order: an event lists its cards in any order, those of a pile excepted."""
    groups, at = [], 0
    while at < len(rows):
        listed = rows[at][1] - 1 not in (KINDS.index(DEAL), KINDS.index(RESHUFFLE))
        count = max(1, rows[at][4]) if listed else 1
        group = rows[at : at + count]
        groups.append((*group[0][:5], group[0][6], *sorted(row[5] for row in group)))
        at += count
    return groups
