"""Which cards did one action move? The events between two scenes of one deal, for any game.

A `Scene` with open hands says where every card lies. What an action has moved is the difference between the scenes
before and after. Who saw a card follows from where the card came from, where it went, and which cards of a hand
everybody knows. Games do not write events themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from banakil_env.core.actions import Action
from banakil_env.core.events import (
    ADD,
    DISCARD,
    DRAW,
    HAND,
    LAY,
    MELD,
    NAME,
    PICK_UP,
    PILE,
    RESHUFFLE,
    SAY,
    SHOW,
    STOCK,
    SWAP,
    TABLE,
    TAKE,
    Event,
)
from banakil_env.core.scene import Card, Meld, Scene, SeatView

# The first words of actions that move cards; an action with another first word says something too: "pass", "knock".
_MOVING = ("draw", "take", "open", "add", "swap", "discard", "meld", "lay", "also")

Cards = Counter[Any]


@dataclass
class Play:
    """Cards that came to a place on the table: a meld, the pile, or another area."""

    kind: str
    target: str
    cards: Cards


class Moves:
    """The events between two scenes of one deal.

    Whatever the mover puts on the table goes through its hand: a card of the pile that is melded at once is taken and
    then melded. A card that came to a hand came from the pile if the pile has lost it and everybody knows where it is;
    otherwise from a meld or another area that has lost it; otherwise from the stock. Other cards that left the pile
    became a new stock.
    """

    def __init__(self, action: Action, first: Scene, last: Scene) -> None:
        self.action, self.mover = action, first.to_move
        self.seats = sorted(range(len(first.seats)), key=lambda seat: seat != self.mover)
        pairs = list(zip(first.seats, last.seats))
        self.known = [Counter(new.known) - Counter(old.known) for old, new in pairs]
        self.before = {area.name: area.cards for area in first.areas}
        after = {area.name: area.cards for area in last.areas}
        names = [*dict.fromkeys([*self.before, *after])]
        counted = {name: (Counter(self.before.get(name, ())), Counter(after.get(name, ()))) for name in names}
        self.left = {name: old - new for name, (old, new) in counted.items()}
        self.found: list[Event] = []
        self.aside = self._between_areas({name: new - old for name, (old, new) in counted.items()})
        self.plays, self.given = _melds_changed(first.melds, last.melds)
        put = [Play(DISCARD if name == PILE else LAY, name, came) for name, came in self.came.items() if came]
        # The seat that has taken up its own cards, such as a foot. It does so last, and may lay some of these cards.
        self.later = next((area.owner for area in first.areas if area.owner is not None and self.left[area.name]), None)
        self.laid = [play for play in put if play.kind == LAY] if self.later is not None else []
        self.plays += [play for play in put if play not in self.laid]
        self.inflow: list[Cards] = [new.held() - old.held() for old, new in pairs]
        if self.mover is not None:
            self._balance(pairs[self.mover])
        if self.later is not None:
            self.inflow[self.later] += sum((play.cards for play in self.laid), Counter())

    def _between_areas(self, came: dict[str, Cards]) -> list[Play]:
        """What went from an area to the pile, such as a discard that was laid card by card; `came` is what is left."""
        found = []
        for name, cards in self.left.items():
            moved = cards & came.get(PILE, Counter())
            if moved and name not in (STOCK, PILE):
                found.append(Play(DISCARD, name, moved))
                self.left[name] = cards - moved
                came[PILE] = came[PILE] - moved
        self.came = {name: cards for name, cards in came.items() if name != STOCK}
        return found

    def _balance(self, pair: tuple[SeatView, SeatView]) -> None:
        """What came to the hand of the mover: more cards than before, and those that it has put on the table."""
        assert self.mover is not None
        balance: Cards = pair[1].held()
        balance.subtract(pair[0].held())
        for play in self.plays:
            balance.update(play.cards)
        missing = -balance
        for play in self.plays:  # a card that counts as another from then on, such as a wild card laid as an Ace
            for card in missing if missing else ():
                other = next((each for each in play.cards if balance[each] > 0), None)
                if other is not None and missing[card]:
                    play.cards = play.cards - Counter([other]) + Counter([card])
                    balance.subtract([other])
                    missing.subtract([card])
        self.inflow[self.mover] = +balance

    def events(self) -> list[Event]:
        """The events, in the order in which they happened."""
        if not any(self.inflow) and not self.plays:
            self._note(NAME if self.action.cards else SAY, self.mover, self._named(), said=self.action.text)
        elif self.action.verb not in _MOVING:
            self._note(SAY, self.mover, said=self.action.text)
        taken = [event for seat in self.seats for event in self._taken(seat)]
        after_play = self.action.verb in _MOVING and self.action.verb != TAKE  # a pile that a first meld has earned
        self.found += [] if after_play else taken
        returned = self._from_elsewhere(self.mover, self.given)
        taker = self.mover if self.later is None else self.later
        picked = {name: self._from_elsewhere(taker, self.left[name]) for name in self.left if name not in (STOCK, PILE)}
        renewed = self.left.get(PILE, Counter())
        too_few = sum(sum(cards.values()) for cards in self.inflow) > len(self.before.get(STOCK, ()))
        if too_few:
            self._note(RESHUFFLE, None, renewed, PILE, STOCK)
        for seat in self.seats:
            if seat != self.later:
                self._draw(seat)
        swapped = bool(returned) or self.action.verb == "swap"  # a Joker may stay in its meld
        for play in self.plays:
            self._note(SWAP if swapped and play.kind == ADD else play.kind, self.mover, play.cards, HAND, play.target)
        for play in self.aside:
            self._note(play.kind, self.mover, play.cards, play.target, PILE)
        self.found += taken if after_play else []
        self._note(SWAP, self.mover, returned, next((play.target for play in self.plays), TABLE), HAND)
        for name, cards in picked.items():
            assert taker is not None
            self._note(PICK_UP, taker, cards, name, HAND, seen_by=(taker,))
        for play in self.laid:
            self._note(play.kind, taker, play.cards, HAND, play.target)
        if self.later is not None:
            self._draw(self.later)
        for seat in self.seats:
            self._note(SHOW, seat, self.known[seat])
        if not too_few:
            self._note(RESHUFFLE, None, renewed, PILE, STOCK)
        return self.found

    def _note(
        self, kind: str, seat: int | None, cards: Cards | None = None, source: str = "", target: str = "", **more: Any
    ) -> None:
        """An event, unless its list of cards is empty."""
        if cards is None or cards:
            self.found.append(Event(kind, seat, tuple((cards or Counter()).elements()), source, target, **more))

    def _named(self) -> Cards | None:
        """The cards named by an action that has moved no card."""
        words = self.action.text.split()[1:] if self.action.cards else []
        return Counter(words) if words else None

    def _taken(self, seat: int) -> list[Event]:
        """The cards from the pile. A seat that draws takes none, though the pile may have become the stock."""
        put = (
            Counter(card for play in self.plays for card in play.cards.elements()) if seat == self.mover else Counter()
        )
        taken = self.inflow[seat] & self.left.get(PILE, Counter()) & (self.known[seat] + put)
        if self.action.verb == DRAW or not taken:
            return []
        self.inflow[seat] -= taken
        self.known[seat] -= taken
        self.left[PILE] -= taken
        cards: list[Card] = []
        for card in reversed(self.before[PILE]):  # from the top card on, as far as they were taken
            if taken[card] > cards.count(card):
                cards.append(card)
        return [Event(TAKE, seat, tuple(reversed(cards)), PILE, HAND)]

    def _from_elsewhere(self, seat: int | None, lost: Cards) -> Cards:
        """What came to the hand of a seat of these cards, which a meld or an area has lost."""
        if seat is None:
            return Counter()
        came = self.inflow[seat] & lost
        self.inflow[seat] -= came
        self.known[seat] -= came
        return came

    def _draw(self, seat: int) -> None:
        """The rest came from the stock; everybody saw it if everybody knows it to be there."""
        cards = self.inflow[seat]
        seen = bool(cards) and not cards - self.known[seat]
        if seen:
            self.known[seat] -= cards
        self._note(DRAW, seat, cards, STOCK, HAND, seen_by=None if seen else (seat,))


def _melds_changed(first: Sequence[Meld], last: Sequence[Meld]) -> tuple[list[Play], Cards]:
    """What came to melds, and the cards that melds have given."""
    same = Counter((meld.owner, meld.number, meld.cards) for meld in first)
    same &= Counter((meld.owner, meld.number, meld.cards) for meld in last)
    old = _others(first, Counter(same))
    plays: list[Play] = []
    given: Cards = Counter()
    for meld in _others(last, Counter(same)):
        cards = Counter(meld.cards)
        before = next((each for each in old if _has_become(each, meld)), None)
        if before is None:
            plays.append(Play(MELD, place_of(meld), cards))
            continue
        old.remove(before)
        added = cards - Counter(before.cards)
        given += Counter(before.cards) - cards
        if added:
            plays.append(Play(ADD, place_of(meld), added))
    return plays, given


def _others(melds: Sequence[Meld], same: Cards) -> list[Meld]:
    """The melds that have changed."""
    found = []
    for meld in melds:
        key = (meld.owner, meld.number, meld.cards)
        if same[key]:
            same[key] -= 1
        else:
            found.append(meld)
    return found


def _has_become(old: Meld, new: Meld) -> bool:
    """Whether one meld can be the other after a change. Melds without numbers only grow."""
    if new.number is not None:
        return old.number == new.number
    return old.owner == new.owner and not Counter(old.cards) - Counter(new.cards)


def place_of(meld: Meld) -> str:
    """What a meld is called as a place: by its number, or by the rank of its first card that is no Joker."""
    if meld.number is not None:
        return f"meld {meld.number}"
    rank = next((card[:-1] for card in meld.cards if card != "JK"), "JK")
    return f"meld of {rank}s"
