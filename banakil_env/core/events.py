"""Events at a table, and the seats that saw them: one record for every kind of event, the same in all games.

`Game.events` gives the events of one action (core/table_events.py); all public knowledge is derived from events.

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
# Cards of a hand are shown and stay there; a card is named and waits for its meld; something is said.
SHOW, NAME, SAY = "show", "name", "say"
ROUND_OVER, MATCH_OVER = "round over", "match over"
KINDS = (
    *(DEAL, DRAW, TAKE, MELD, ADD, SWAP, DISCARD, LAY, PICK_UP, TURN_UP, RESHUFFLE, GATHER),
    *(SHOW, NAME, SAY, ROUND_OVER, MATCH_OVER),
)

# Places of cards. Other places are called as in the scene: "meld 3", "laid", "red threes 0".
HAND, STOCK, PILE, TABLE = "hand", "stock", "pile", "table"


@dataclass(frozen=True)
class Event:
    """One thing that has happened.

    Attributes:
        kind: one of KINDS.
        seat: the seat that did it, or whose hand it concerns; None: no seat (an upcard, a new stock, a round's end).
        cards: those that moved, were shown or were named; None for each that the observer did not see.
        source, target: where they came from and where they went: "hand" (of `seat`), "stock", "pile", "meld 3", an area
            of the scene, "table" (everything that lies there); "" where no card moves.
        seen_by: the seats that saw the cards; None: everybody.
        noticed_by: the seats that noticed the event at all; None: everybody. An answer to a question that only one seat
            knows of is noticed by that seat alone.
        said: SAY and NAME: the text of the action. ROUND_OVER, MATCH_OVER: how it ended, in words.
        points: by seat, in the game's own sign; ROUND_OVER: of the round; MATCH_OVER: the scores.
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
        """The event as one seat saw it, or an onlooker without a hand (`seat` None); None: the seat did not
        notice it.
        """
        if self.noticed_by is not None and seat not in self.noticed_by:
            return None
        if self.seen_by is None or seat in self.seen_by:
            return self
        return dataclasses.replace(self, cards=(None,) * len(self.cards))


def seen_events(events: Iterable[Event], seat: int | None) -> list[Event]:
    """The events that a seat noticed, as it saw them; see `Event.seen_from`."""
    return [seen for event in events if (seen := event.seen_from(seat)) is not None]
