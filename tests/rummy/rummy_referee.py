"""A second implementation of Rummy, written from its rules page alone: slow, plain, and without the engine's code.

Cards are texts, a meld is a set of cards, and what the rest of a turn allows is found by trying everything.

Readings where the rules page leaves room, besides those of `referee_base`:

* R3.3: the `turn` line shows the banned card to the end of the turn, even when that card lies on the table.
* R3.4: an empty stock is renewed by the `draw` that needs it. `stock_out=turn` needs one card on the pile.
* R3.5: `seen` lasts until a shuffle or a new deal, even while the stock is empty.
* R7.1: a seat that discards its only card, having put nothing on the table in the round, goes rummy. This can only
  follow from a position that was set up.
* R8.4: every turn counts in `turns`, the one that goes out included.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, ClassVar

from referee_base import PACK, RANKS, BaseReferee, in_order, number, require, spaced

Cards = frozenset[str]
HAND_SIZE = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}


def value(card: str) -> int:
    """R1.3."""
    return min(RANKS.index(card[0]) + 1, 10)


def is_meld(cards: Iterable[str]) -> bool:
    """R4.1. The cards are different ones, for there is one pack."""
    cards = list(cards)
    if len(cards) < 3:
        return False
    if len({card[0] for card in cards}) == 1:
        return True
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    return len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


# The 44 runs and 52 sets of three cards, by the text of the action.
OPENINGS = {f"open {spaced(cards)}": frozenset(cards) for cards in combinations(PACK, 3) if is_meld(cards)}


class Referee(BaseReferee):
    """`fresh` says whether the seat to move had put nothing on the table before this turn (R7.1).

    `played` are the seats that have put cards on the table in this round, `opened` the melds of this turn, `banned` the
    card that was taken in it; `seen` says that the order of the stock is known (R3.5).
    """

    SWITCHES: ClassVar = {  # R11, in its order
        "melds": ("one", ("one", "any")),
        "last_card": ("any", ("any", "discard")),
        "stock_out": ("shuffle", ("shuffle", "turn", "end")),
        "rummy_factor": (2, range(1, 11)),
        "target": (100, ("none", range(1, 1000001))),
        "deals": ("none", ("none", range(1, 1001))),
        "max_turns": (300, range(1, 100001)),
        "max_rounds": (100, range(1, 100001)),
    }
    PRESETS: ClassVar = {
        "denexa": {},
        "memory": {"stock_out": "turn"},
        "free": {"melds": "any"},
        "block": {"stock_out": "end", "last_card": "discard"},
    }
    SEATS = range(2, 7)
    PHASES = ("draw", "play")
    ENDS = ("(out|rummy), SEAT", "exhausted", "turns")

    played: frozenset[int] = frozenset()  # seats
    seen = False
    banned: str  # the face that may not be discarded in this turn
    opened: int  # melds of this turn

    def pack(self) -> Counter[str]:
        return Counter(PACK)

    def hand_size(self) -> int:
        return HAND_SIZE[self.players]

    # Texts

    @classmethod
    def read_rules(cls, text: str) -> dict[str, Any]:
        """R11.1: a match has an end."""
        rules = super().read_rules(text)
        require(rules["target"] != "none" or rules["deals"] != "none", "such a match has no end (R11.1)")
        return rules

    def read_meld(self, words: list[str], owner: int) -> Cards:
        require(is_meld(words), f"no meld: {words}")
        return frozenset(words)

    def meld_words(self, meld: Cards, owner: int) -> Iterable[str]:
        return in_order(meld)

    def _read_own(self, lines: dict[str, str]) -> None:
        played = lines.pop("played", self._seats(set(self.owners)))
        self.played = frozenset(number(seat, 0, self.players - 1) for seat in played.split() if played != "none")
        require(self.played >= set(self.owners), "a seat with a meld has played")
        seen = lines.pop("seen", "no")
        require(seen in ("yes", "no"), "seen is yes or no")
        self.seen = seen == "yes"

    def _own_lines(self) -> dict[str, str]:
        played = self._seats(self.played)
        told = played if played != self._seats(set(self.owners)) else ""
        return {"played": told, "seen": "yes" if self.seen else ""}

    def _seats(self, seats: Iterable[int]) -> str:
        return spaced(sorted(seats)) or "none"

    def _read_turn(self, text: str) -> None:
        super()._read_turn(text)
        require(not self.named or self.named.split()[1] in self.hands[self.seat], "the named card is in the hand")
        own = self.owners.count(self.seat)
        if self.fresh:
            require(self.opened == own, "in one turn, yet other melds of this seat than those of this turn")
        else:
            require(self.opened <= own, "a meld of this turn is not there")
            require(self.opened < 2 or self.rules["melds"] == "any", "a second meld by a seat that had played before")

    def _read_word(self, word: str) -> None:
        require(self.phase != "draw", f"nothing was done yet in this turn: {word}")
        if word.startswith("banned ") and not self.banned:
            self.banned = word.split()[1]
            table = set().union(self.hands[self.seat], *self.melds)
            require(self.banned in table, "the banned card is in the hand or on the table")
        elif re.fullmatch("melds [1-9][0-9]*", word) and not self.opened:
            self.opened = int(word.split()[1])
        else:
            require(word == "in one turn" and self.seat in self.played, f"not to be said of this turn: {word}")
            self.fresh = True

    def _turn_words(self) -> list[str]:
        words = [f"banned {self.banned}"] if self.banned else []
        words += [f"melds {self.opened}"] if self.opened else []
        return words + (["in one turn"] if self.fresh and self.seat in self.played else [])

    # What is legal

    def _legal_draw(self) -> set[str]:
        """R3.1, R3.2, R3.4."""
        needed_on_pile = {"shuffle": 2, "turn": 1, "end": 53}[self.rules["stock_out"]]
        found = {"take"} if self.pile else set()
        return found | {"draw"} if self.stock or len(self.pile) >= needed_on_pile else found

    def _legal_play(self) -> set[str]:
        """R5, R6, R7."""
        hand, table = frozenset(self.hands[self.seat]), frozenset(self.melds)
        found = {f"add {card}" for card in hand if self._places(card)}
        found |= {f"discard {card}" for card in hand if self._may_discard(card, hand, self.opened)}
        if self._may_open(self.opened):
            for action, cards in OPENINGS.items():
                if cards <= hand and self._sound(hand - cards, table | {cards}, self.opened + 1, {}):
                    found.add(action)
        return found

    def _legal_choose(self) -> set[str]:
        return {f"meld {place}" for place in self._places(self.named.split()[1])}

    def _places(self, card: str) -> list[int]:
        """The melds on which the card may be laid off (R5.2, R5.3)."""
        hand, table = frozenset(self.hands[self.seat]), frozenset(self.melds)
        found = []
        for place, meld in enumerate(self.melds):
            longer = meld | {card}
            if is_meld(longer) and self._sound(hand - {card}, table - {meld} | {longer}, self.opened, {}):
                found.append(place)
        return found

    def _bound_to_go_out(self, opened: int) -> bool:
        """R7.2: a second meld commits the seat to getting rid of every card in this turn."""
        return self.rules["melds"] == "one" and opened >= 2

    def _may_open(self, opened: int) -> bool:
        """R5.1, R7.2, without what comes after the opening."""
        return opened == 0 or self.rules["melds"] == "any" or self.fresh

    def _may_discard(self, card: str, hand: Cards, opened: int) -> bool:
        """R6.1, R7.2."""
        return card != self.banned and (len(hand) == 1 or not self._bound_to_go_out(opened))

    def _sound(self, hand: Cards, table: frozenset[Cards], opened: int, tried: dict[Any, bool]) -> bool:
        """R6.2, R6.3: whether a play to the table may lead to this hand and these melds."""
        if not hand:
            return bool(self.rules["last_card"] == "any")
        return self._can_end(hand, table, opened, tried)

    def _can_end(self, hand: Cards, table: frozenset[Cards], opened: int, tried: dict[Any, bool]) -> bool:
        """R6.3: whether some continuation of the turn ends it, by trying all of them."""
        now = (hand, table, opened)
        if now not in tried:
            tried[now] = any(self._may_discard(card, hand, opened) for card in hand) or any(
                self._sound(*after, tried) for after in self._plays(hand, table, opened)
            )
        return tried[now]

    def _plays(
        self, hand: Cards, table: frozenset[Cards], opened: int
    ) -> Iterator[tuple[Cards, frozenset[Cards], int]]:
        """What every lay-off and opening leaves: the hand, the melds on the table, the melds opened in this turn."""
        for card in hand:
            for meld in table:
                if is_meld(meld | {card}):
                    yield hand - {card}, table - {meld} | {meld | {card}}, opened
        if self._may_open(opened):
            for cards in OPENINGS.values():
                if cards <= hand:
                    yield hand - cards, table | {cards}, opened + 1

    # What happens

    def _clear_turn(self, seat: int) -> None:
        super()._clear_turn(seat)
        self.banned, self.opened, self.fresh = "", 0, seat not in self.played

    def begin_round(self) -> None:
        self.played, self.seen = frozenset(), False
        super().begin_round()

    def _do_draw(self, _: str) -> None:
        if not self.stock and self.rules["stock_out"] == "turn":  # R3.5
            self.stock, self.pile, self.seen = self.pile, [], True
        elif not self.stock:
            self.renew_stock()
            self.seen = False
        self.into_hand([self.stock.pop(0)], everybody_knows=self.seen)
        self.phase = "play"

    def _do_take(self, _: str) -> None:
        self.banned = self.pile.pop()
        self.into_hand([self.banned], everybody_knows=True)
        self.phase = "play"

    def _do_open(self, cards: str) -> None:
        self.owners.append(self.seat)
        self.melds.append(frozenset(cards.split()))
        self.opened += 1
        self._played(cards.split())

    def _do_add(self, card: str) -> None:
        places = self._places(card)
        self.named = f"add {card}"
        if len(places) == 1:
            self._do_meld(str(places[0]))
        else:
            self.phase = "choose"

    def _do_meld(self, place: str) -> None:
        card = self.named.split()[1]
        self.melds[int(place)] |= {card}
        self.phase, self.named = "play", ""
        self._played([card])

    def _played(self, cards: list[str]) -> None:
        """Cards went from the hand to the table."""
        self.played |= {self.seat}
        self.out_of_hand(cards)
        if not self.hands[self.seat]:
            self._end_turn()

    def _do_discard(self, card: str) -> None:
        self.out_of_hand([card])
        self.pile.append(card)
        self._end_turn()

    def _end_turn(self) -> None:
        """R8, in the order of R8.4."""
        self.turns += 1
        points = [0] * self.players
        if not self.hands[self.seat]:
            factor = self.rules["rummy_factor"] if self.fresh else 1
            points[self.seat] = factor * sum(value(card) for hand in self.hands for card in hand)  # R9
            self.end_round(f"{'rummy' if self.fresh else 'out'}, seat {self.seat}", points)
        elif self.turns >= self.rules["max_turns"]:
            self.end_round("turns", points)
        elif self.rules["stock_out"] == "end" and not self.stock:
            self.end_round("exhausted", points)
        else:
            self.begin_turn(self.following(self.seat)[0])

    def match_winner(self) -> int | None:
        """R10.2."""
        target, deals = self.rules["target"], self.rules["deals"]
        enough = (target != "none" and max(self.scores) >= target) or (deals != "none" and self.round >= deals)
        return self.leader() if enough else None
