"""Events as sentences: one writer for all games, for logs, records and conversations.

>>> from banakil_env.core.events import Event
>>> event_text(Event("take", 2, ("7h", "8h"), "pile", "hand"))
'Seat 2 takes the top two cards of the pile (7h 8h)'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from banakil_env.core import events as E
from banakil_env.core.events import Event

# Kinds of events that reveal hidden cards: moves that were planned before such an event must be decided again.
REVEALING = (E.DRAW, E.PICK_UP, E.DEAL, E.RESHUFFLE)

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def event_text(event: Event, names: Sequence[str] = ()) -> str:
    """An event as a sentence, without a full stop.

    Args:
        event: the event as the reader saw it (`Event.seen_from`).
        names: the names of the seats; without names they are "Seat 0", "Seat 1", ...
    """
    if event.seat is None:
        return _of_the_table(event, names)
    return f"{_name(event.seat, names)} {_DEEDS[event.kind](event)}"


def deeds_text(events: Iterable[Event], seat: int | None, names: Sequence[str] = ()) -> str:
    """The events of one seat, without its name: `takes 7h from the pile; melds 7h 8h 9h as meld 3`.

    Events of other seats, and events without a seat, are full sentences.
    """
    return "; ".join(
        _DEEDS[event.kind](event) if event.seat == seat is not None else event_text(event, names) for event in events
    )


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else f"Seat {seat}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _shown(event: Event) -> str:
    """The cards of an event that the reader saw."""
    return " ".join(card for card in event.cards if card is not None)


def _counted(event: Event) -> str:
    """The number of cards, and the cards if the reader saw them: `a card`, `two cards (7h 8h)`."""
    count, shown = len(event.cards), _shown(event)
    return ("a card" if count == 1 else f"{_number(count)} cards") + f" ({shown})" * bool(shown)


def _cards(event: Event) -> str:
    """The cards, or their number if the reader did not see them."""
    return _shown(event) or _counted(event)


def _place(name: str) -> str:
    """A place in words: `meld 3`; `the meld of 7` for a meld without a number, since `7s` would be a card."""
    return f"the {name.removesuffix('s')}" if name.startswith("meld of ") else name


def _taken(event: Event) -> str:
    if len(event.cards) == 1:
        return f"takes {_cards(event)} from the pile"
    return f"takes the top {_number(len(event.cards))} cards of the pile ({_shown(event)})"


def _melded(event: Event) -> str:
    numbered = event.target.removeprefix("meld ").isdigit()
    return f"melds {_cards(event)}" + f" as {event.target}" * numbered


def _discarded(event: Event) -> str:
    """A discard in words, from the seat's hand or of cards that the seat laid down one by one before."""
    return f"discards {_cards(event)}" if event.source == E.HAND else f"puts {_cards(event)} on the pile"


def _swapped(event: Event) -> str:
    if event.target == E.HAND:
        return f"takes {_cards(event)} out of {_place(event.source)}"
    return f"puts {_cards(event)} in the place of a wild card of {_place(event.target)}"


# The writer of the words for each kind of event that has a seat.
_DEEDS: Mapping[str, Callable[[Event], str]] = {
    E.DEAL: lambda event: f"is dealt {_counted(event)}" + ("" if event.target == E.HAND else ", face down"),
    E.DRAW: lambda event: f"draws {_counted(event)}",
    E.TAKE: _taken,
    E.MELD: _melded,
    E.ADD: lambda event: f"adds {_cards(event)} to {_place(event.target)}",
    E.SWAP: _swapped,
    E.DISCARD: _discarded,
    E.LAY: lambda event: f"lays {_cards(event)}",
    E.PICK_UP: lambda event: f"takes up {_counted(event)}" + " of the foot" * event.source.startswith("foot "),
    E.TURN_UP: lambda event: f"has {_cards(event)} face up",
    E.SHOW: lambda event: f"shows {_cards(event)}",
    E.NAME: lambda event: f'says "{event.said}"',
    E.SAY: lambda event: f'says "{event.said}"',
}


def _of_the_table(event: Event, names: Sequence[str]) -> str:
    """An event without a seat, as a sentence."""
    by_seat = ", ".join(f"{_name(seat, names)} {points}" for seat, points in enumerate(event.points))
    match event.kind:
        case E.ROUND_OVER:
            return f"The round is over: {event.said}. Points: {by_seat}"
        case E.MATCH_OVER:
            return f"The game is over: {event.said}. Scores: {by_seat}"
        case E.RESHUFFLE:
            return f"{_number(len(event.cards)).capitalize()} cards of the pile become the new stock"
        case E.GATHER:
            return "All cards are dealt again"
        case _:
            return f"{_cards(event)} is turned up"
