"""A second implementation of Tonk, written from its rules page alone: slow, plain, and without code of the engine.

Cards are texts, a spread is a tuple of cards in its order.

Readings where the rules page leaves room, besides those of `referee_base`:

* T5.4, T5.5, T8.5: a drop is not a turn ended, so that a held seat that drops is still `held` at the end. A seat that
  is out has ended its turn, and its hold with it.
* T6.4: the card of a slap goes to a spread that lies on the table (T6.1); opening a new one with it is not enough.
* T6.4: the last card of a hand may go to a spread by a slap: that is tonked out (T8.1).
* T10.1, T10.2: a match that reaches `max_rounds` before `deals` is given up.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import ClassVar

from referee_base import PACK, PLACES, RANKS, SUITS, BaseReferee, Meld, in_order, require, spaced

# T4: spreads


def is_set(cards: Meld) -> bool:
    """T4.1."""
    return 3 <= len(cards) == len({*cards}) and len({card[0] for card in cards}) == 1


@cache
def is_run(cards: Meld) -> bool:
    """T4.1: in order, from low to high; the Ace is at either end."""
    return 3 <= len(cards) <= 13 and any(
        cards == tuple(PLACES[start + i] + suit for i in range(len(cards)))
        for suit in SUITS
        for start in range(len(PLACES) - len(cards) + 1)
    )


def is_spread(cards: Meld) -> bool:
    return is_set(cards) or is_run(cards)


@cache
def longer(spread: Meld, card: str) -> Meld | None:
    """T5.1: the spread with one more card, None if the card does not fit."""
    if is_set(spread):
        cards = tuple(in_order([*spread, card]))
        return cards if card not in spread and is_set(cards) else None
    for cards in ((*spread, card), (card, *spread)):  # an Ace that fits both ends goes high: T4.4
        if is_run(cards):
            return cards
    return None


def all_openings() -> dict[str, Meld]:
    """T4.2: every spread of three, by the text of its action."""
    runs = [tuple(PLACES[start + i] + suit for i in range(3)) for suit in SUITS for start in range(12)]
    sets = [cards for rank in RANKS for cards in combinations([rank + suit for suit in SUITS], 3)]
    return {"open " + spaced(cards): cards for cards in [*runs, *sets]}


OPENINGS = all_openings()


# T1.1, T9.2: counts


def value(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def full_count(cards: list[str]) -> int:
    return sum(map(value, cards))


def unmatched_count(cards: list[str]) -> int:
    """T9.2 `count=unmatched`: without spreads in the hand, by the division that leaves least."""
    counts = [full_count(cards)]
    for size in range(3, len(cards) + 1):
        for some in combinations(cards, size):
            if any(is_spread(order) for order in (tuple(in_order(some)), ace_high(some))):
                counts.append(unmatched_count([card for card in cards if card not in some]))
    return min(counts)


def ace_high(cards: tuple[str, ...]) -> Meld:
    return tuple(sorted(cards, key=lambda card: PLACES.rindex(card[0])))


class Referee(BaseReferee):
    SWITCHES: ClassVar = {  # T11, in its order
        "slaps": ("yes", ("yes", "no")),
        "hold": ("yes", ("yes", "no")),
        "count": ("hand", ("hand", "unmatched")),
        "high_tonk": (50, (50, 49, "none")),
        "low_tonk": (11, (0, *range(6, 16))),
        "stake": (1, range(1, 1001)),
        "deals": (10, range(1, 1001)),
        "max_turns": (200, range(1, 100001)),
        "max_rounds": (100, range(1, 100001)),
    }
    PRESETS: ClassVar = {
        "denexa": {},
        "quiet": {"slaps": "no"},
        "gin": {"count": "unmatched"},
        "plain": {"slaps": "no", "hold": "no", "high_tonk": 49, "low_tonk": 0},
    }
    SEATS = range(2, 5)
    PHASES = ("tonk", "draw", "play", "call")
    ENDS = ("(tonk|drop|caught|out|tonked|exhausted), SEAT", "draw", "exhausted", "turns")

    # T1, T2

    def pack(self) -> Counter[str]:
        return Counter(PACK)

    def hand_size(self) -> int:
        return 5

    def begin_round(self) -> None:
        """T2.2, T2.3, T2.6."""
        self.held: set[int] = set()
        self._ask_for_tonk([*self.following(self.dealer), self.dealer])

    def _ask_for_tonk(self, seats: list[int]) -> None:
        """The question goes to the first of the seats that has a tonk; if none has, play begins."""
        for seat in seats:
            if self._has_tonk(seat):
                self._clear_turn(seat)
                self.phase = "tonk"
                return
        self.begin_turn((self.dealer + 1) % self.players)

    def _has_tonk(self, seat: int) -> bool:
        """T2.2: all five cards count, whatever `count` says."""
        count, high = full_count(self.hands[seat]), self.rules["high_tonk"]
        return bool(count <= self.rules["low_tonk"] or (high != "none" and count >= high))

    def _legal_tonk(self) -> set[str]:
        return {"tonk", "pass"}

    def _do_tonk(self, _: str) -> None:
        """T2.4, T2.5."""
        if sum(map(self._has_tonk, range(self.players))) > 1:
            self._pay_out("draw", [])
        else:
            self._pay_out(f"tonk, seat {self.seat}", self._all_pay(self.seat, 2))

    def _do_pass(self, _: str) -> None:
        """T2.6; T6.5."""
        if self.phase == "tonk":
            order = [*self.following(self.dealer), self.dealer]
            self._ask_for_tonk(order[order.index(self.seat) + 1 :])
        else:
            order = self._asked(self.asker)
            self._ask_to_slap(self.asker, order[order.index(self.seat) + 1 :])

    # T3

    def _legal_draw(self) -> set[str]:
        """T3.4."""
        return {"drop", "draw", "take"}

    def _do_draw(self, _: str) -> None:
        self.into_hand([self.stock.pop(0)], everybody_knows=False)
        self.phase = "play"

    def _do_take(self, _: str) -> None:
        self.into_hand([self.pile.pop()], everybody_knows=True)
        self.phase = "play"

    # T4, T5, T7

    def _legal_play(self) -> set[str]:
        hand = self.hands[self.seat]
        if self.must:  # T6.4
            return {f"add {self.must}"}
        found = {f"discard {card}" for card in hand}
        if self.seat not in self.held:  # T5.4
            found |= {f"add {card}" for card in hand if self._fits(card)}
            found |= {action for action, cards in OPENINGS.items() if set(cards) <= set(hand)}
        return found

    def _legal_choose(self) -> set[str]:
        return {f"meld {place}" for place in self._fits(self.named.split()[1])}

    def _fits(self, card: str) -> list[int]:
        """T5.1: the spreads that take the card, anybody's."""
        return [place for place, spread in enumerate(self.melds) if longer(spread, card)]

    def _do_open(self, cards: str) -> None:
        """T4.2, T4.3."""
        self.melds.append(tuple(cards.split()))
        self.owners.append(self.seat)
        self.out_of_hand(cards.split())
        self._played()

    def _do_add(self, card: str) -> None:
        """T5.2."""
        places = self._fits(card)
        if len(places) > 1:
            self.phase, self.named = "choose", f"add {card}"
        else:
            self._hit(card, places[0])

    def _do_meld(self, place: str) -> None:
        self._hit(self.named.split()[1], int(place))

    def _hit(self, card: str, place: int) -> None:
        """T5.4: a hit at another's spread holds its owner."""
        self.melds[place] = longer(self.melds[place], card)
        self.out_of_hand([card])
        if self.rules["hold"] == "yes" and self.owners[place] != self.seat:
            self.held.add(self.owners[place])
        self._played()

    def _played(self) -> None:
        """After a spread or a hit; T8.1: tonked out."""
        self.phase, self.named, self.must = "play", "", ""
        if not self.hands[self.seat]:
            self.turns += 1
            self._pay_out(f"tonked, seat {self.seat}", self._all_pay(self.seat, 2))

    def _do_discard(self, card: str) -> None:
        """T7.1, and the end of the turn: T8.5."""
        self.out_of_hand([card])
        self.pile.append(card)
        self.turns += 1
        self.held.discard(self.seat)  # T5.5
        if not self.hands[self.seat]:
            self._pay_out(f"out, seat {self.seat}", self._all_pay(self.seat, 1))
        elif not self.stock:
            self._stock_is_empty()
        elif self.turns >= self.rules["max_turns"]:
            self._pay_out("turns", [])
        else:
            seats = self._asked(self.seat)
            if self.rules["slaps"] == "no" or not self._fits(card) or seats in ([], [self.following(self.seat)[0]]):
                self.begin_turn(self.following(self.seat)[0])  # nobody is asked: T6.1, T6.3
            else:
                self._ask_to_slap(self.seat, seats)

    # T6: slaps

    def _asked(self, discarder: int | None) -> list[int]:
        """T6.2: who may slap a discard, in order."""
        assert discarder is not None
        return [seat for seat in self.following(discarder) if seat not in self.held]

    def _ask_to_slap(self, discarder: int | None, seats: list[int]) -> None:
        """The question goes to the first of the seats; T6.5: when all have passed, the next seat has its turn."""
        assert discarder is not None
        if seats:
            self._clear_turn(seats[0])
            self.phase, self.asker = "call", discarder
        else:
            self.begin_turn(self.following(discarder)[0])

    def _legal_call(self) -> set[str]:
        return {"call", "pass"}

    def _do_call(self, _: str) -> None:
        """T6.4."""
        self.begin_turn(self.seat)
        self.must = self.pile[-1]
        self._do_take("")

    # T8, T9: the end of the round

    def _count(self, seat: int) -> int:
        """T9.2."""
        return (full_count if self.rules["count"] == "hand" else unmatched_count)(self.hands[seat])

    def _lowest(self, seats: list[int]) -> list[int]:
        lowest = min(map(self._count, seats))
        return [seat for seat in seats if self._count(seat) == lowest]

    def _stock_is_empty(self) -> None:
        """T9.3."""
        lowest = self._lowest([*range(self.players)])
        if len(lowest) == 1:
            self._pay_out(f"exhausted, seat {lowest[0]}", self._all_pay(lowest[0], 1))
        else:
            self._pay_out("exhausted", [])

    def _do_drop(self, _: str) -> None:
        """T9.4, T9.5."""
        others = self.following(self.seat)
        catchers = [seat for seat in others if self._count(seat) <= self._count(self.seat)]
        if not catchers:
            self._pay_out(f"drop, seat {self.seat}", self._all_pay(self.seat, 1))
            return
        payments = [(self.seat, seat, 1) for seat in catchers]
        for seat in self._lowest(others):
            payments += self._all_pay(seat, 1)
        self._pay_out(f"caught, seat {self.seat}", payments)

    def _all_pay(self, winner: int, stakes: int) -> list[tuple[int, int, int]]:
        return [(seat, winner, stakes) for seat in self.following(winner)]

    def _pay_out(self, how: str, payments: list[tuple[int, int, int]]) -> None:
        """Who pays whom how many stakes."""
        points = [0] * self.players
        for giver, taker, stakes in payments:
            points[giver] -= stakes * self.rules["stake"]
            points[taker] += stakes * self.rules["stake"]
        self.end_round(how, points)

    def match_winner(self) -> int | None:
        """T10.1."""
        return self.leader() if self.round >= self.rules["deals"] else None

    # Texts

    def read_meld(self, words: list[str], owner: int) -> Meld:
        require(is_spread(tuple(words)), f"no spread: {words}")
        return tuple(words)

    def _read_own(self, lines: dict[str, str]) -> None:
        self.held = {int(seat) for seat in lines.pop("held", "").split()}
        require(self.held <= {*range(self.players)}, "no such seat is held")

    def _own_lines(self) -> dict[str, str]:
        return {"held": spaced(sorted(self.held))}
