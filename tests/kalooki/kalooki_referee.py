"""A second reading of the rules of Kalooki, to prove the engine right.

Slow and plain, written from the numbered rules (K1 to K12) and their text contract alone. Whether a turn can still be
ended (K5.3) is decided by trying the openings one by one.

How the referee reads what the rules leave open:

* K2.1 `take` and the questions about the upcard need a pile. In play there always is one.
* K2.8 After `allow` the mover's own draw may renew the stock: the card bared by the call stays.
* K6.5 Of several fours that take a card each is a choice, equal ones too.
* K7.1, K7.3 A seat that goes out is out, also in the last turn: that turn is not counted.
* K7.2 holds for a seat that is not down, too. In play its hand always has natural cards.
* K7.3 A seat that goes out without any meld, possible in positions set up by hand only, has bent the table.
* K8.3 An unscored round leaves `points` at zeros.
* K9 The ninth contract ends a match also in the last of `max_rounds` deals. `dealer` and `contract` stay those of the
  last deal when the match is over, and `round` counts that deal.
* K12 A card that waits for its meld gets no entry in `known`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Self

from kalooki_melds import (
    CONTRACTS,
    FACES,
    LAST_CONTRACT,
    NATURALS,
    OPENINGS,
    PACK,
    THREES,
    Cards,
    can_end,
    can_meet,
    cards_dealt,
    grown,
    in_order,
    is_four,
    is_three,
    mark_of,
    naturals,
    openings,
    suit_of,
    value,
    without,
)
from referee_contracts import ContractsReferee
from referee_texts import Allowed, parse_rules, read_lines, read_melds

MOST_MELDS = 36
GROWTHS = (*(f"add {card}" for card in NATURALS), "add JK low", "add JK high", *(f"swap {card}" for card in NATURALS))
ACTIONS = (
    *("draw", "take", "call", "pass", "allow", "refuse"),
    *("open " + " ".join(cards) for cards in OPENINGS),
    *GROWTHS,
    *(f"discard {card}" for card in FACES),
    *(f"meld {number}" for number in range(MOST_MELDS)),
)

# K11
SWITCHES: dict[str, Allowed] = {
    "contract": [*map(str, range(1, LAST_CONTRACT + 1)), "any"],
    "calls": [*map(str, range(10)), "none"],
    "own_discard": ["no", "yes"],
    "threes": ["any", "different"],
    "max_turns": range(1, 10**9),
    "max_rounds": range(1, 10**9),
}
DENEXA = {
    "contract": "1",
    "calls": "3",
    "own_discard": "no",
    "threes": "any",
    "max_turns": "300",
    "max_rounds": "27",
}
PRESETS = {"denexa": DENEXA, "super": DENEXA | {"threes": "different"}}
PHASES = ("draw", "call", "answer", "play", "choose")


def read_rules(text: str, players: int, episode: str) -> dict[str, str]:
    """The switches by name. Raises ValueError."""
    rules = parse_rules(text, SWITCHES, PRESETS)
    if not 3 <= players <= 5:
        raise ValueError(f"players: 3 to 5, not {players}")
    if episode not in ("round", "match"):
        raise ValueError(f"episode: round or match, not {episode}")
    if episode == "match" and rules["contract"] != "1":
        raise ValueError("rules: a match begins with contract 1")
    return rules


class Referee(ContractsReferee):
    """One position. `legal` and `apply` follow the rules; `from_text` and `to_text` the contract."""

    pack, presets, tidy, last_contract = PACK, PRESETS, staticmethod(in_order), LAST_CONTRACT

    caller: int  # in phase `answer`
    renewed: bool
    _after: str | None  # what chance has done is read from it

    # Text -------------------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a position in which all cards are given."""
        lines = read_lines(text)
        self = cls()
        named = [int(key.split()[1]) for key in lines if key[-1].isdigit()]
        n = int(lines.pop("players", max([2, *named]) + 1))
        self._read_counters(lines, n)
        self.rules = read_rules(lines.pop("rules", ""), n, self.episode)
        self.contract = int(lines.pop("contract", self.rules["contract"].replace("any", "1")))
        self._read_numbers(lines, "scores", "calls", "points")
        self._begin_turn((self.dealer + 1) % n)
        if "turn" in lines:
            self._read_turn(lines.pop("turn"))
        for seat in range(n):
            lines.setdefault(f"hand {seat}", "")
        self._read_hands(lines)
        melds = read_melds(lines, n)
        self.melds = [(owner, in_order(meld) if is_three(meld) else meld) for owner, meld in melds]
        self.renewed = lines.pop("renewed", "0") == "1"
        self._read_rest(lines)
        self._check()
        return self

    def _read_turn(self, text: str) -> None:
        seat, phase, *words = text.removeprefix("seat ").split(", ")
        self.seat = self.mover = int(seat)
        self.phase, _, self.named = phase.partition(" ")
        if self.phase not in PHASES or (self.phase == "choose") != (self.named in GROWTHS):
            raise ValueError(f"turn: what is {phase}?")
        for word in words:
            name, _, number = word.partition(" ")
            if name == "active" and self.phase == "call":
                self.mover = int(number)
            elif name == "caller" and self.phase == "answer":
                self.caller = int(number)
            elif word == "first" and self.phase in ("play", "choose"):
                self.first = True
            else:
                raise ValueError(f"turn: what is {word}?")

    def _turn_text(self) -> str:
        words = [f"seat {self.seat}", f"{self.phase} {self.named}".strip()]
        if self.phase == "call":
            words.append(f"active {self.mover}")
        if self.phase == "answer":
            words.append(f"caller {self.caller}")
        return ", ".join([*words, *(["first"] if self.first else [])])

    def _own_lines(self) -> list[tuple[str, object, object]]:
        return [("renewed", int(self.renewed), 0)]

    def _check(self) -> None:
        """Refuse what cannot be."""
        self._check_cards()
        for _, meld in self.melds:
            if not is_three(meld) and not is_four(meld):
                raise ValueError(f"{' '.join(meld)} is not a meld")
        if any(len(numbers) != self.players for numbers in (self.scores, self.calls, self.points)):
            raise ValueError("scores, calls and points: a number a seat")
        if not {self.seat, self.mover, self.caller, self.dealer} <= set(range(self.players)):
            raise ValueError("turn, dealer: no such seat")
        if self.contract not in CONTRACTS:
            raise ValueError(f"contract: {self.contract}")
        asking = self.phase in ("call", "answer")
        if (asking and not (self.pile and self.stock)) or (self.phase == "call" and self.seat == self.mover):
            raise ValueError("turn: nobody can be asked about the upcard")
        if self.first and not self._own_melds():
            raise ValueError("turn: first, without melds")
        if not self.over and not self.legal():
            raise ValueError("nothing is legal")

    # What is legal ----------------------------------------------------------------------------------------------------

    def _own_melds(self, seat: int | None = None) -> list[Cards]:
        seat = self.mover if seat is None else seat
        return [meld for owner, meld in self.melds if owner == seat]

    def _down_before(self) -> bool:
        """Whether the mover was down when the turn began."""
        return bool(self._own_melds()) and not self.first

    def _lacking(self) -> tuple[int, int]:
        """K5.1: threes and fours that the mover's contract still asks."""
        if self._down_before():
            return 0, 0
        laid = [is_three(meld) for meld in self._own_melds()]
        threes, fours = CONTRACTS[self.contract]
        return max(0, threes - laid.count(True)), max(0, fours - laid.count(False))

    def legal(self) -> set[str]:
        """The texts of all legal actions; none once the game is over."""
        if self.over:
            return set()
        if self.phase == "draw":  # K2.1
            return {"draw"} if self._down_before() or not self.pile else {"draw", "take"}
        if self.phase == "call":
            return {"call", "pass"}
        if self.phase == "answer":
            return {"allow", "refuse"}
        if self.phase == "choose":
            return {f"meld {number}" for number in self._fitting(self.named)}
        return self._legal_play()

    def _legal_play(self) -> set[str]:
        found = {
            "open " + " ".join(OPENINGS[number])
            for number in openings(self.hands[self.mover])
            if self._may_open(number)
        }
        if self._lacking() == (0, 0):
            found |= {play for play in GROWTHS if self._fitting(play)}  # K6.1
        elif self.first:
            return found  # K5.2
        hand = self.hands[self.mover]
        found |= {f"discard {card}" for card in naturals(hand)}  # K7.1
        return found or ({"discard JK"} if hand else set())  # K7.2

    def _may_open(self, number: int) -> bool:
        """K3.4, K3.5, K5: whether this opening, which the hand holds, is legal."""
        different = self.rules["threes"] == "different"
        marks = set()
        for meld in self._own_melds():
            if is_four(meld):
                marks.add(suit_of(meld))
            elif different:
                marks.add(meld[0][0])
        mark = mark_of(number, different)
        if mark in marks:
            return False
        if mark:
            marks.add(mark)
        cards = OPENINGS[number]
        rest, table = without(self.hands[self.mover], cards), tuple(sorted([*(meld for _, meld in self.melds), cards]))
        threes, fours = self._lacking()
        if threes == fours == 0:  # K5.4
            return can_end(rest, table)
        threes, fours = (threes - 1, fours) if number < THREES else (threes, fours - 1)
        return threes >= 0 and fours >= 0 and can_meet(threes, fours, rest, frozenset(marks), table, different)

    def _fitting(self, play: str) -> list[int]:
        """The numbers of the melds that a card may go to: the first three, and every four (K6.5, K6.6)."""
        card = play.split()[1]
        if card not in self.hands[self.mover]:
            return []
        rest, numbers, three_found = without(self.hands[self.mover], [card]), [], False
        for number, (_, meld) in enumerate(self.melds):
            longer = grown(meld, play)
            if longer is None or (three_found and is_three(meld)):
                continue
            three_found = three_found or is_three(meld)
            others = [other for k, (_, other) in enumerate(self.melds) if k != number]
            if can_end(rest, [*others, longer]):
                numbers.append(number)
        return numbers

    # What an action does ----------------------------------------------------------------------------------------------

    def apply(self, action: str, after: str | None = None) -> None:
        """Carry out a legal action.

        Args:
            action: its text.
            after: the engine's position after the action. `rng` is read from it, a stock renewed, and a new deal; these
                are checked.

        Raises:
            ValueError: the action is not legal.
            AssertionError: what chance has done in `after` is not possible, or a new deal's position is wrong.
        """
        if action not in self.legal():
            raise ValueError(f"{action} is not legal")
        self._after = after
        verb = action.partition(" ")[0]
        if verb in ("take", "refuse"):
            self._take_upcard(self.mover)  # K2.2, K2.5
            self.phase = "play"
        elif verb == "draw":
            self._ask_for_the_stock()
        elif verb == "pass":
            self._ask_after(self.seat)
        elif verb == "call":
            self._call()
        elif verb == "allow":
            self._let(self.caller)
        else:
            self._carry_out(action)
        if after is not None:
            self.rng = read_lines(after).get("rng", self.rng)

    # The draw: K2

    def _take_upcard(self, seat: int) -> None:
        card = self.pile.pop()
        self.hands[seat] = in_order((*self.hands[seat], card))
        self.known[seat] = in_order((*self.known[seat], card))

    def _ask_for_the_stock(self) -> None:
        """K2.3."""
        if self._stock_is_there():
            self._ask_after(self.mover)

    def _stock_is_there(self) -> bool:
        """K2.8: renews the stock where that is needed; if it cannot be, the round is over."""
        if self.stock:
            return True
        if self.renewed or len(self.pile) < 2:
            self._finish("exhausted")
            return False
        under, self.pile, self.renewed = self.pile[:-1], self.pile[-1:], True
        if self._after is None:
            random.Random(f"{self.rng} {self.turns} {self.rounds}").shuffle(under)
            self.stock = under
        else:  # the mover may have drawn the first card of the new stock in the same action
            left = read_lines(self._after)["stock"].split()
            drawn = list((Counter(under) - Counter(left)).elements())
            assert len(drawn) <= 1, f"the new stock lacks {drawn}"
            self.stock = drawn + left
            assert Counter(self.stock) == Counter(under), "the new stock is not what lay under the upcard"
        return True

    def _ask_after(self, last: int) -> None:
        """K2.4: the next seat that may be asked is asked; when there is none, the mover draws (K2.7)."""
        limit = self.rules["calls"]
        seat = (last + 1) % self.players
        while seat != self.mover and self.pile:
            discarded_it = self.turns > 0 and seat == (self.mover - 1) % self.players
            calls_left = limit == "none" or self.calls[seat] < int(limit)
            if calls_left and (not discarded_it or self.rules["own_discard"] == "yes") and not self._own_melds(seat):
                self.seat, self.phase = seat, "call"
                return
            seat = (seat + 1) % self.players
        self._draw()

    def _draw(self) -> None:
        self.seat = self.mover
        if self._stock_is_there():
            self._draw_card(self.mover)
            self.phase = "play"

    def _draw_card(self, seat: int) -> None:
        self.hands[seat] = in_order((*self.hands[seat], self.stock.pop(0)))

    def _call(self) -> None:
        """K2.5, K2.6."""
        if self._down_before():
            self._let(self.seat)
        else:
            self.caller, self.seat, self.phase = self.seat, self.mover, "answer"

    def _let(self, caller: int) -> None:
        """K2.5: the call takes effect."""
        self.calls[caller] += 1
        self._take_upcard(caller)
        self._draw_card(caller)
        self._draw()

    # The play: K5 to K7

    def _leave_hand(self, card: str) -> None:
        """The card goes out of the mover's hand, a known one first (K12)."""
        self.hands[self.mover] = without(self.hands[self.mover], [card])
        if card in self.known[self.mover]:
            self.known[self.mover] = without(self.known[self.mover], [card])

    def _open(self, cards: Cards) -> None:
        self.first = not self._down_before()
        for card in cards:
            self._leave_hand(card)
        self.melds.append((self.mover, cards))
        self._out_if_empty()

    def _grow(self, play: str, number: int) -> None:
        owner, meld = self.melds[number]
        longer = grown(meld, play)
        assert longer is not None
        self.melds[number] = (owner, longer)
        self._leave_hand(play.split()[1])
        self._out_if_empty()

    def _out_if_empty(self) -> None:
        """K7.3."""
        if not self.hands[self.mover]:
            self._finish("out" if self._down_before() else "bent")

    def _discard(self, card: str) -> None:
        """K7.1, K7.4."""
        self._leave_hand(card)
        self.pile.append(card)
        if not self.hands[self.mover]:
            self._out_if_empty()
            return
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            self._finish("turns")
        else:
            self._begin_turn((self.mover + 1) % self.players)

    def _begin_turn(self, seat: int) -> None:
        self.seat = self.mover = self.caller = seat
        self.phase, self.named, self.first = "draw", "", False

    # The end of a round -----------------------------------------------------------------------------------------------

    def _finish(self, how: str) -> None:
        """K7.3, K7.4, K8, K9."""
        factor = {"out": 1, "bent": 2}.get(how, 0)
        points = [factor * sum(map(value, hand)) for hand in self.hands]
        self._score(f"{how}, seat {self.mover}" if factor else how, points, scored=factor > 0)

    def _deal_next(self) -> None:
        """The deal (K1.3, K1.4): the one that `after` shows, or one of our own."""
        self._clear_table()
        if self._after is None:
            self._deal(random.Random(f"{self.rng} {self.rounds} {self.scores}"))
            return
        engine = self._dealt_in(self._after)
        sizes = [*map(len, engine.hands), len(engine.pile)]
        assert sizes == [cards_dealt(self.contract)] * self.players + [1], f"{sizes} cards in hands and pile are dealt"
        self.hands, self.pile, self.stock, self.rng = engine.hands, engine.pile, engine.stock, engine.rng
        self._agree_on_the_rest(engine)

    def _clear_table(self) -> None:
        self.melds, self.turns, self.renewed = [], 0, False
        self.known, self.calls = [()] * self.players, [0] * self.players
        self._begin_turn((self.dealer + 1) % self.players)

    def _deal(self, dice: random.Random) -> None:
        """With a shuffle of our own."""
        cards, size = list(PACK), cards_dealt(self.contract)
        dice.shuffle(cards)
        self.hands = [in_order(cards[seat * size : (seat + 1) * size]) for seat in range(self.players)]
        self.pile, self.stock = cards[self.players * size :][:1], cards[self.players * size + 1 :]


def new_position(players: int, rules: str = "denexa", episode: str = "round", seed: int = 0) -> str:
    """A first deal, shuffled by `random.Random`."""
    game, dice = Referee(), random.Random(seed)
    game.rules, game.players, game.episode = read_rules(rules, players, episode), players, episode
    game.dealer, game.rounds, game.ending, game.rng = players - 1, 0, "", str(seed)
    game.scores, game.points = [0] * players, [0] * players
    contract = game.rules["contract"]
    game.contract = dice.randint(1, LAST_CONTRACT) if contract == "any" else int(contract)
    game._clear_table()
    game._deal(dice)
    return game.to_text()
