"""A second implementation of 500 Rummy, written from its rules page alone: slow, plain, and without the engine's code.

Readings where the rules page leaves room, besides those of `referee_base`:

* F8.2: the round that ends when the last card of the stock is drawn does not count that turn in `turns`.
* F3.4: an opening pays for the card taken if it holds a card of that face, a Joker of any place if the card is a Joker.
* F6.4: of two equal melds one is chosen too.
* F7.4: the seat that called chooses among all depths of F7.1 and may not draw from the stock.
* F10.1: after a tie the target has to be reached still, or again, when a later round ends.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from referee_base import PACK, BaseReferee, Meld, require
from rummy500_melds import OPENINGS, hand_value, is_meld, longer, values

NEEDS = {action: Counter(word[:2] for word in words) for action, words in OPENINGS.items()}
OPENINGS_WITH = {card: [action for action, needs in NEEDS.items() if card in needs] for card in (*PACK, "JK")}
MOST_TAKEN = 72  # F12.1


class Referee(BaseReferee):
    SWITCHES: ClassVar = {  # F11, in its order
        "calls": ("yes", ("yes", "no")),
        "stock_out": ("now", ("now", "turn")),
        "jokers": (2, (0, 1, 2)),
        "hand_cards": (7, range(7, 14)),
        "target": (500, range(1, 1000001)),
        "max_turns": (300, range(1, 100001)),
        "max_rounds": (100, range(1, 100001)),
    }
    PRESETS: ClassVar = {
        "denexa": {},
        "quiet": {"calls": "no"},
        "turn": {"stock_out": "turn"},
        "plain": {"jokers": 0, "calls": "no", "stock_out": "turn"},
    }
    SEATS = range(2, 9)
    PHASES = ("draw", "play", "call", "take")
    ENDS = ("out, SEAT", "exhausted", "turns")

    def pack(self) -> Counter[str]:
        """F1.1."""
        packs = 1 if self.players <= 4 else 2
        return Counter([*PACK, *["JK"] * self.rules["jokers"]] * packs)

    def hand_size(self) -> int:
        """F2.1."""
        return int(self.rules["hand_cards"])

    # F3, F7.4: drawing and taking

    def _legal_draw(self) -> set[str]:
        return {"draw"} | self._takes(self.hands[self.seat])

    def _legal_take(self) -> set[str]:
        return self._takes([])

    def _takes(self, hand: list[str]) -> set[str]:
        """F3.2, or F7.1 without a hand: the depths at which the deepest card can be used at once."""
        depths = range(1, min(len(self.pile), MOST_TAKEN) + 1)
        return {f"take {k}" for k in depths if self._used_at_once(self.pile[-k], [*hand, *self.pile[-k:]])}

    def _used_at_once(self, card: str, cards: list[str]) -> bool:
        """F3.3: the card is one of the cards."""
        return bool(self._openings(card, cards) or self._additions(card))

    def _openings(self, card: str, cards: list[str]) -> set[str]:
        """The openings of some cards that hold a card of this face."""
        there = Counter(cards)
        return {
            action for action in OPENINGS_WITH[card] if NEEDS[action].keys() <= there.keys() and NEEDS[action] <= there
        }

    def _additions(self, card: str) -> set[str]:
        names = ["add JK low", "add JK high"] if card == "JK" else [f"add {card}"]
        return {name for name in names if self._places(name)}

    def _places(self, name: str) -> list[int]:
        """F6.2, F6.4: the melds that take the card of an `add`."""
        _, *words = name.split()
        return [place for place, meld in enumerate(self.melds) if longer(meld, *words)]

    def _do_draw(self, _: str) -> None:
        self.into_hand([self.stock.pop(0)], everybody_knows=False)
        self.phase = "play"
        if not self.stock and self.rules["stock_out"] == "now":  # F8.2
            self._end_scored("exhausted")

    def _do_take(self, depth: str) -> None:
        """F3.2, F3.4."""
        cards = self.pile[-int(depth) :]
        del self.pile[-int(depth) :]
        self.into_hand(cards, everybody_knows=True)
        self.phase, self.must = "play", cards[0]

    # F6: playing

    def _legal_play(self) -> set[str]:
        hand = self.hands[self.seat]
        found: set[str] = set()
        for card in {self.must} if self.must else set(hand):
            found |= self._openings(card, hand) | self._additions(card)
            if not self.must:
                found.add(f"discard {card}")
        return found

    def _legal_choose(self) -> set[str]:
        return {f"meld {place}" for place in self._places(self.named)}

    def _do_open(self, words: str) -> None:
        self.melds.append(OPENINGS[f"open {words}"])
        self.owners.append(self.seat)
        self._played([word[:2] for word in words.split()])

    def _do_add(self, words: str) -> None:
        """F6.4."""
        name = f"add {words}"
        places = self._places(name)
        if len(places) > 1:
            self.phase, self.named = "choose", name
        else:
            self._lay_off(name, places[0])

    def _do_meld(self, place: str) -> None:
        self._lay_off(self.named, int(place))

    def _lay_off(self, name: str, place: int) -> None:
        """F6.3."""
        _, card, *end = name.split()
        mark = "" if self.owners[place] == self.seat else f"@{self.seat}"
        self.melds[place] = longer(self.melds[place], card, end[0] if end else "", mark)
        self._played([card])

    def _played(self, cards: list[str]) -> None:
        """F6.6: a seat whose hand is empty is out."""
        self.out_of_hand(cards)
        self.phase, self.named, self.must = "play", "", ""
        if not self.hands[self.seat]:
            self._end_turn()

    def _do_discard(self, card: str) -> None:
        self.out_of_hand([card])
        self.pile.append(card)
        self._end_turn()

    # F7: calls

    def _ask(self, seats: list[int]) -> None:
        """F7.1: the question goes to the first of the seats; F7.3: when all have passed, the next has its turn."""
        discarder = self.seat if self.asker is None else self.asker
        if seats:
            self._clear_turn(seats[0])
            self.phase, self.asker = "call", discarder
        else:
            self.begin_turn(self.following(discarder)[0])

    def _legal_call(self) -> set[str]:
        return {"call", "pass"}

    def _do_pass(self, _: str) -> None:
        assert self.asker is not None
        order = self.following(self.asker)
        self._ask(order[order.index(self.seat) + 1 :])

    def _do_call(self, _: str) -> None:
        """F7.4."""
        self.begin_turn(self.seat)
        self.phase = "take"

    # F8, F9: the end of a round

    def _end_turn(self) -> None:
        """F8.4."""
        self.turns += 1
        if not self.hands[self.seat]:
            self._end_scored(f"out, seat {self.seat}")
        elif not self.stock:
            self._end_scored("exhausted")
        elif self.turns >= self.rules["max_turns"]:
            self.end_round("turns", [0] * self.players)
        elif self.rules["calls"] == "yes" and self.players > 2 and self._takes([]):  # F7.1, F7.2
            self._ask(self.following(self.seat))
        else:
            self.begin_turn(self.following(self.seat)[0])

    def _end_scored(self, how: str) -> None:
        """F9: what each seat has laid, less its hand."""
        points = [-sum(map(hand_value, hand)) for hand in self.hands]
        for owner, meld in zip(self.owners, self.melds):
            for word, value in zip(meld, values(meld)):
                _, _, layer = word.partition("@")
                points[int(layer or owner)] += value
        self.end_round(how, points)

    def match_winner(self) -> int | None:
        """F10.1."""
        return self.leader() if max(self.scores) >= self.rules["target"] else None

    # Texts

    def read_meld(self, words: list[str], owner: int) -> Meld:
        meld = tuple(words)
        require(is_meld(meld), f"no meld: {words}")
        layers = [word.partition("@")[2] for word in words]
        others = {str(seat) for seat in range(self.players) if seat != owner}
        require(set(layers) <= {"", *others} and layers.count("") >= 3, f"laid by whom: {words}")
        return meld
