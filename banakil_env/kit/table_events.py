"""Returns the events of one action as `Event` objects, including the end of a round and the next deal, for any game.

Compiled code writes the events into a log (`kit/event_writer.py`). The functions here read it and add texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from banakil_env.core import history as H
from banakil_env.core.engine import round_of
from banakil_env.core.events import MATCH_OVER, NAME, ROUND_OVER, SAY, Event
from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import kernels_of, writable
from banakil_env.core.past import past_entries
from banakil_env.kit.books.kinds import KINDS as BOOKS
from banakil_env.kit.cards import Faces, common_face_of
from banakil_env.kit.two_sides import NUM_SIDES

# Enough rows for the events of one action, such as a deal, a taken pile or shown hands.
LOG_SIZE = H.log_size(2048, private=False)


def events_of(game: Game, faces: Faces, before: Any, action: int, after: Any) -> list[Event]:
    """The events of one action, in order.

    Args:
        game: the game of the states.
        faces: the cards of the game.
        before: the state before the action, one record; it is not changed.
        action: a legal action in this state.
        after: the state after the action, one record; it is not changed.
    """
    log, works = np.zeros(LOG_SIZE, np.int64), np.zeros(1, game.state)
    log[H.LISTED] = 1
    first, last = (writable(np.asarray(state).reshape(1)) for state in (before, after))
    past_entries(game).note_one(first, action, last, works, log)
    num_seats, said = int(before.num_players), game.actions[action].text
    names = dict(zip(map(common_face_of, faces.names), faces.names, strict=True))
    events = [_event(rows, names, num_seats, said) for rows in _whole_events(H.rows_in(log))]
    return [_with_words(event, game, first[0], action, last[0]) for event in events]


def _whole_events(rows: list[H.Row]) -> Iterator[list[H.Row]]:
    """Group the rows of a log by event: an event of several cards has one row per card."""
    at = 0
    while at < len(rows):
        count = max(1, rows[at].number)
        yield rows[at : at + count]
        at += count


def _event(rows: list[H.Row], names: Mapping[int, str], num_seats: int, said: str) -> Event:
    """Make one event from its rows.

    Args:
        names: the texts of the cards by common face.
        num_seats: the number of seats.
        said: the text of the action.
    """
    row, everybody = rows[0], (1 << num_seats) - 1
    seats = tuple(seat for seat in range(num_seats) if row.seen >> seat & 1)
    known = None if row.seen & everybody == everybody else seats
    speaks = row.verb in (SAY, NAME)
    cards = tuple(names[each.face] for each in rows if each.face is not None)
    if row.verb == NAME:
        cards = tuple(said.split()[1:])
    return Event(
        row.verb,
        row.seat,
        cards,
        place_text(row.source, row.seat),
        place_text(row.target, row.seat),
        seen_by=None if speaks else known,
        said=said if speaks else "",
        noticed_by=known if speaks else None,
    )


def place_text(place: int, seat: int | None) -> str:
    """The name of a place in events, from its number in a history.

    Args:
        place: the number of the place.
        seat: the seat of the event, for places that belong to a seat.
    """
    if place >= H.RANK:
        return f"meld of {BOOKS[place - H.RANK]}s"
    if place >= H.MELD:
        return f"meld {place - H.MELD}"
    name = H.PLACES[place]
    if place == H.IN_FOOT:
        return f"{name} {seat}"
    return f"{name} {seat % NUM_SIDES}" if place == H.IN_REDS and seat is not None else name


def _with_words(event: Event, game: Game, before: Any, action: int, after: Any) -> Event:
    """Return the event; if it is the end of a round or match, with its text and points added."""
    if event.kind == MATCH_OVER:
        last = game.outcome(after)
        return Event(MATCH_OVER, None, said=last.text, points=last.scores)
    if event.kind == ROUND_OVER:
        ended = end_of_round(game, before, action)
        outcome = game.outcome(after if ended is None else ended)
        return Event(ROUND_OVER, None, said=outcome.text, points=outcome.points)
    return event


def end_of_round(game: Game, before: Any, action: int) -> Any:
    """The state at the end of the round that the action ends, before the next deal; None if the round continues."""
    if game.search is None:
        return None
    states = np.asarray(before).reshape(1).copy()
    interpreted(round_of)(states[0])
    kernels_of(game).apply_one(states, action)
    return None if game.scene(states[0], None).to_move is not None else states[0]
