"""Events at a table and the seats that saw them, in one form for all games.

`Game.events` returns the events of one action (core/table_events.py). All public knowledge is derived from events.

    >>> [event.kind for event in game.events(before, action, after)]
    ['take', 'meld']
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from banakil_env.core.scene import Card

# Kinds of events in which cards move.
DEAL, DRAW, TAKE, MELD, ADD, SWAP, DISCARD = "deal", "draw", "take", "meld", "add", "swap", "discard"
LAY, PICK_UP, TURN_UP, RESHUFFLE, GATHER = "lay", "pick up", "turn up", "reshuffle", "gather"
# SHOW: cards of a hand are shown and stay in the hand. NAME: a card is named and waits for its meld. SAY: a seat says
# something.
SHOW, NAME, SAY = "show", "name", "say"
ROUND_OVER, MATCH_OVER = "round over", "match over"
KINDS = (
    *(DEAL, DRAW, TAKE, MELD, ADD, SWAP, DISCARD, LAY, PICK_UP, TURN_UP, RESHUFFLE, GATHER),
    *(SHOW, NAME, SAY, ROUND_OVER, MATCH_OVER),
)

# Places of cards. Other places have the same names as in the scene: "meld 3", "laid", "red threes 0".
HAND, STOCK, PILE, TABLE = "hand", "stock", "pile", "table"


@dataclass(frozen=True)
class Event:
    """One event at a table.

    Attributes:
        kind: one of KINDS.
        seat: the seat that acted, or whose hand is concerned; None: no seat, as for an upcard, a new stock or a round's
            end.
        cards: the cards that moved, were shown or were named; None for each card that the observer did not see.
        source, target: the places that the cards came from and went to: "hand" (the hand of `seat`), "stock", "pile",
            "meld 3", an area of the scene, "table" (all cards on the table); "" if no card moved.
        seen_by: the seats that saw the cards; None: all.
        noticed_by: the seats that noticed the event at all; None: all. For example, only one seat notices an answer to
            a question that only it knows of.
        said: for SAY and NAME the text of the action; for ROUND_OVER and MATCH_OVER a sentence about the result.
        points: by seat, with the game's sign: for ROUND_OVER the points of the round, for MATCH_OVER the scores.
    """

    kind: str
    seat: int | None
    cards: tuple[Card, ...] = ()
    source: str = ""
    target: str = ""
    seen_by: tuple[int, ...] | None = None
    said: str = ""
    points: tuple[int, ...] = ()
    noticed_by: tuple[int, ...] | None = None

    def seen_from(self, seat: int | None) -> Event | None:
        """The event as one seat saw it, or (`seat` None) as an onlooker without a hand saw it.

        Returns:
            The event, with None for each card that was not seen; None if the seat did not notice the event.
        """
        if self.noticed_by is not None and seat not in self.noticed_by:
            return None
        if self.seen_by is None or seat in self.seen_by:
            return self
        return dataclasses.replace(self, cards=(None,) * len(self.cards))


def seen_events(events: Iterable[Event], seat: int | None) -> list[Event]:
    """The events that a seat noticed, as the seat saw them; see `Event.seen_from`."""
    return [seen for event in events if (seen := event.seen_from(seat)) is not None]
