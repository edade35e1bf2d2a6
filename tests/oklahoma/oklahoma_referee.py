"""A second implementation of Oklahoma Rummy, written from its rules page alone: slow, plain, without the engine's code.

Readings where the rules page leaves room, besides those of `referee_base`:

* O3.3: `must` names the card with its suit, a Two as well; the opening then takes any Twos, by O5.3.
* O5.3: the Two of the lowest suit is used whether it is known or not; of equal Twos a known one goes first.
* O3.1: what is known of hands stays known when the pile is shuffled.
* O7.3: `pass` is legal for a hand of Queens of spades whether or not she fits a meld of the same seat.
* O8.2: with `stock_out=end` a round is over when a turn begins, even if that seat could have taken the pile.
* O10.1: after a tie the target has to be reached still, or again, when a later round ends.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from oklahoma_melds import OPENINGS, TWOS, filled, hand_value, is_meld, longer, value
from referee_base import PACK, BaseReferee, Meld, require


def face(card: str) -> str:
    """O5.3: in actions all Twos are one."""
    return card if card not in TWOS else "2"


# Of each opening: how many cards of each face it needs; and whether it holds the same natural card twice (O4.2).
NEEDS = {action: Counter(word.partition("=")[0] for word in words) for action, words in OPENINGS.items()}
TWICE = {action for action, needs in NEEDS.items() if max(needs[each] for each in PACK) == 2}


class Referee(BaseReferee):
    SWITCHES: ClassVar = {  # O11, in its order
        "set_suits": ("any", ("any", "different")),
        "stock_out": ("shuffle", ("shuffle", "end")),
        "hand_cards": ("usual", ("usual", *range(7, 14))),
        "out_bonus": (100, range(1001)),
        "target": (1000, range(1, 1000001)),
        "max_turns": (300, range(1, 100001)),
        "max_rounds": (100, range(1, 100001)),
    }
    PRESETS: ClassVar = {
        "denexa": {},
        "strict": {"set_suits": "different", "stock_out": "end"},
        "eleven": {"hand_cards": 11},
    }
    SEATS = range(2, 9)
    PHASES = ("draw", "play")
    ENDS = ("out, SEAT", "exhausted", "turns")

    def pack(self) -> Counter[str]:
        """O1.1."""
        return Counter(PACK * 2)

    def hand_size(self) -> int:
        """O2.1."""
        usual = 11 if self.players == 8 else 13
        return usual if self.rules["hand_cards"] == "usual" else int(self.rules["hand_cards"])

    # O3: drawing and taking

    def _may_renew(self) -> bool:
        """O8.2."""
        return self.rules["stock_out"] == "shuffle" and len(self.pile) >= 2

    def _legal_draw(self) -> set[str]:
        found = {"draw"} if self.stock or self._may_renew() else set()
        if self.pile and self._openings([*self.hands[self.seat], self.pile[-1]], self.pile[-1]):
            found.add("take all")
        return found

    def _do_draw(self, _: str) -> None:
        if not self.stock:
            self.renew_stock()  # O3.1
        self.into_hand([self.stock.pop(0)], everybody_knows=False)
        self.phase = "play"

    def _do_take(self, _: str) -> None:
        """O3.3: the rest of the pile stays where it is until the meld lies there."""
        self.must = self.pile.pop()
        self.into_hand([self.must], everybody_knows=True)
        self.phase = "play"

    # O6, O7: playing and discarding

    def _legal_play(self) -> set[str]:
        hand = self.hands[self.seat]
        if self.must:
            return self._openings(hand, self.must)
        found = self._openings(hand)
        faces = {face(card) for card in hand}
        names = [name for each in faces for name in (["2 low", "2 high"] if each == "2" else [each])]
        found |= {f"add {name}" for name in names if self._places(name)}
        found |= {f"discard {each}" for each in faces - {"Qs"}}  # O7.1
        if faces == {"Qs"}:  # O7.3
            found.add("pass")
        return found

    def _openings(self, cards: list[str], must: str = "") -> set[str]:
        """O6.1, O3.3: the openings of these cards; with `must` those that hold a card of its face."""
        there = Counter(map(face, cards))
        return {
            action
            for action, needs in NEEDS.items()
            if needs.keys() <= there.keys()
            and needs <= there
            and (not must or face(must) in needs)
            and (self.rules["set_suits"] == "any" or action not in TWICE)
        }

    def _two(self) -> str:
        """O5.3: the Two that is used."""
        return min(card for card in self.hands[self.seat] if card in TWOS)

    def _longer(self, place: int, name: str) -> Meld | None:
        """O6.2: one's own meld with the card of an `add`, None if the card does not fit."""
        if self.owners[place] != self.seat:
            return None
        card, _, end = name.partition(" ")
        return longer(self.melds[place], self._two() if card == "2" else card, end, self.rules["set_suits"])

    def _places(self, name: str) -> list[int]:
        return [place for place in range(len(self.melds)) if self._longer(place, name)]

    def _legal_choose(self) -> set[str]:
        return {f"meld {place}" for place in self._places(self.named.removeprefix("add "))}

    def _do_open(self, text: str) -> None:
        words = OPENINGS[f"open {text}"]
        count = sum(word[0] == "2" for word in words)
        twos = [card for card in self.hands[self.seat] if card in TWOS]
        meld = filled(words, sorted(twos)[:count])
        self.melds.append(meld)
        self.owners.append(self.seat)
        self.out_of_hand(word[:2] for word in meld)
        if self.must:  # O3.3
            self.into_hand(self.pile, everybody_knows=True)
            self.pile = []
        self._played()

    def _do_add(self, name: str) -> None:
        """O6.3."""
        places = self._places(name)
        if len(places) > 1:
            self.phase, self.named = "choose", f"add {name}"
        else:
            self._add(name, places[0])

    def _do_meld(self, place: str) -> None:
        self._add(self.named.removeprefix("add "), int(place))

    def _add(self, name: str, place: int) -> None:
        self.melds[place] = self._longer(place, name)
        self.out_of_hand([self._two() if name[0] == "2" else name])
        self._played()

    def _played(self) -> None:
        """O7.2."""
        self.phase, self.named, self.must = "play", "", ""
        if not self.hands[self.seat]:
            self._end_turn()

    def _do_discard(self, each: str) -> None:
        """O7.1."""
        card = self._two() if each == "2" else each
        self.out_of_hand([card])
        self.pile.append(card)
        self._end_turn()

    def _do_pass(self, _: str) -> None:
        """O7.3."""
        self._end_turn()

    # O8, O9, O10: the end of a round and of a match

    def _end_turn(self) -> None:
        """O8.4."""
        self.turns += 1
        if not self.hands[self.seat]:
            self._end_scored(f"out, seat {self.seat}")
        elif self.turns >= self.rules["max_turns"]:
            self.end_round("turns", [0] * self.players)
        elif not self.stock and not self._may_renew():
            self._end_scored("exhausted")
        else:
            self.begin_turn(self.following(self.seat)[0])

    def _end_scored(self, how: str) -> None:
        """O9.5."""
        points = [-sum(map(hand_value, hand)) for hand in self.hands]
        for owner, meld in zip(self.owners, self.melds):
            points[owner] += value(meld)
        if how != "exhausted":
            points[self.seat] += self.rules["out_bonus"]
        self.end_round(how, points)

    def match_winner(self) -> int | None:
        """O10.1."""
        return self.leader() if max(self.scores) >= self.rules["target"] else None

    # Texts

    def read_meld(self, words: list[str], owner: int) -> Meld:
        require(is_meld(tuple(words), self.rules["set_suits"]), f"no meld: {words}")
        return tuple(words)
