"""A second reading of the rules of Contract Rummy, to prove the engine right.

Slow, plain and independent: written from the numbered rules (`N5.2`) and from the examples, without a look at the
engine. Cards are texts, melds are tuples of texts, and a play is legal if the turn can still be ended after the play,
which a search through the plays that follow decides.

Points that the rules leave open, and how they are read here:

* N2.1 `take` needs a pile. The pile is never empty at that point in play, only in positions set up by hand.
* N2.5 The order of a call: the upcard goes to the hand, then the penalty card is drawn, from a stock renewed with the
  cards under the new upcard where there is none.
* N4.2 A run on the table needs two natural cards, wherever they lie; with `jokers=any` one. A meld of one natural card
  and three or more Jokers begins with the word `set` if it is a set, and is a run without it.
* N6.5 Every run that takes a card is a choice, two equal runs too.
* N7.2 While the three runs are opened and grown, two of them may be continuous; with the last card none may be.
* N7.2 There is no exchange in contract 7: the Joker would need a fourth meld.
* N8.1 A turn that ends the round by going out, or for want of a stock, is not counted in `turns`. So a seat that goes
  out in the last turn is out.
* N8.3 A round without a score leaves `points` at zeros.
* N9.1 A match is decided when contract 7 has been scored, also in the last of `max_rounds` deals.
* N9.3 At the end of a match, `round` counts the last deal; `dealer` and `contract` stay those of the last deal. In an
  episode of one round `round` does not change.
* N12 A card that waits for its meld gets no entry in `known`.
* At the end of a round or match, `known`, `calls`, `melds` and `turns` stay; `first` and `owes` are gone.
* `rules` begins with the preset, names no switch twice, and writes numbers without signs or leading zeros.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Self

from referee_contracts import ContractsReferee
from referee_texts import Allowed, parse_rules, read_lines, read_melds

RANKS = "A23456789TJQK"
PLACES = "A23456789TJQKA"  # of runs, numbered from 1
SUITS = "cdhs"
NATURALS = tuple(rank + suit for suit in SUITS for rank in RANKS)
FACES = (*NATURALS, "JK")
CONTRACTS = {1: (2, 0), 2: (1, 1), 3: (0, 2), 4: (3, 0), 5: (2, 1), 6: (1, 2), 7: (0, 3)}  # sets and runs (N1.3)
LAST_CONTRACT = 7

Cards = tuple[str, ...]


def pack(players: int) -> list[str]:
    """N1.1"""
    return [*NATURALS, *NATURALS, *["JK"] * (players - 1)]


def cards_dealt(contract: int) -> int:
    """N1.3"""
    return 10 if contract <= 3 else 12


def value(card: str) -> int:
    """N8.2"""
    if card == "JK" or card[0] == "A":
        return 15
    if card[0] in "TJQK":
        return 10
    return int(card[0])


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=FACES.index)


def without(hand: Cards, cards: Iterable[str]) -> Cards:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


# Rules


# N11
SWITCHES: dict[str, Allowed] = {
    "contract": [*map(str, range(1, LAST_CONTRACT + 1)), "any"],
    "calls": [*map(str, range(10)), "none"],
    "own_discard": ["no", "yes"],
    "jokers": ["few", "any"],
    "max_turns": range(1, 10**9),
    "max_rounds": range(1, 10**9),
}
DENEXA = {
    "contract": "1",
    "calls": "none",
    "own_discard": "no",
    "jokers": "few",
    "max_turns": "300",
    "max_rounds": "21",
}
PRESETS = {"denexa": DENEXA}


def read_rules(text: str, players: int, episode: str) -> dict[str, str]:
    """The switches by name. Raises ValueError."""
    rules = parse_rules(text, SWITCHES, PRESETS)
    if not 3 <= players <= 5:
        raise ValueError(f"{players} players")
    if episode not in ("round", "match"):
        raise ValueError(f"episode {episode}")
    if episode == "match" and rules["contract"] != "1":
        raise ValueError("a match begins with contract 1")
    return rules


# Melds: N3, N4


def naturals(cards: Iterable[str]) -> list[str]:
    return [card for card in cards if card not in ("JK", "set")]


def cards_in(meld: Cards) -> Cards:
    """The meld without the word that says that it is a set."""
    return meld[meld[0] == "set" :]


def marked(cards: Cards) -> Cards:
    """A set, with the word in front where it could be taken for a run."""
    return ("set", *cards) if len(cards) > 3 and len(naturals(cards)) == 1 else cards


@lru_cache(None)
def run_at(cards: Cards) -> tuple[str, int] | None:
    """The suit and the first place of the cards if they are a run as they lie, each Joker standing for its place."""
    suits = {card[1] for card in naturals(cards)}
    if len(cards) < 4 or len(suits) != 1:
        return None
    for low in range(1, len(PLACES) - len(cards) + 2):
        if all(card == "JK" or card[0] == PLACES[low - 1 + i] for i, card in enumerate(cards)):
            return suits.pop(), low
    return None


def place_of(run: Cards) -> tuple[str, int]:
    """`run_at` of cards that are a run."""
    found = run_at(run)
    assert found is not None, f"no run: {run}"
    return found


@lru_cache(None)
def kind(cards: Cards) -> str | None:
    """`set`, `run`, or None for no meld, with the Jokers that are allowed without `jokers=any`."""
    return shape(cards) if len(naturals(cards)) >= 2 else None


@lru_cache(None)
def shape(cards: Cards) -> str | None:
    """`set`, `run`, or None for no meld; one natural card is enough."""
    ranks = {card[0] for card in naturals(cards)}
    if cards[0] == "set":
        return "set" if len(cards) > 4 and len(ranks) == 1 else None
    if len(naturals(cards)) == 1 and len(cards) > 3:
        return "run" if run_at(cards) else None
    if len(cards) >= 3 and len(ranks) == 1:
        return "set"
    return "run" if run_at(cards) else None


def continuous(one: Cards, two: Cards) -> bool:
    """Whether one of two runs begins with the place after the other's last, in one suit (N5.2)."""
    suit, low = place_of(one)
    other, other_low = place_of(two)
    return suit == other and (other_low == low + len(one) or low == other_low + len(two))


def grown(meld: Cards, play: str) -> Cards | None:
    """The meld after `add 8h`, `add JK low` or `swap 7h`; None if the meld does not take the card (N6.2, N6.3)."""
    verb, card, *end = play.split()
    if shape(meld) == "set":
        if verb == "swap" or end == ["low"] or (card != "JK" and card[0] != naturals(meld)[0][0]):
            return None
        return marked(tuple(in_order((*cards_in(meld), card))))
    suit, low = place_of(meld)
    high = low + len(meld) - 1
    if verb == "swap":
        for place in range(high, low - 1, -1):  # the high one first
            if meld[place - low] == "JK" and card == PLACES[place - 1] + suit:
                return (*meld[: place - low], card, *meld[place - low + 1 :])
        return None
    fits_high = high < 14 and (end == ["high"] if card == "JK" else card == PLACES[high] + suit)
    fits_low = low > 1 and (end == ["low"] if card == "JK" else card == PLACES[low - 2] + suit)
    if fits_high:
        return (*meld, card)
    if fits_low:
        return (card, *meld)
    return None


def all_openings() -> list[Cards]:
    """Every opening there is, in the order of the actions (N4.2)."""
    melds: list[Cards] = []
    for rank in RANKS:
        of_rank = [rank + suit for suit in SUITS]
        melds += [cards for cards in combinations_with_replacement(of_rank, 3) if len(set(cards)) > 1]
        melds += [(*cards, "JK") for cards in combinations_with_replacement(of_rank, 2)]
    for suit in SUITS:
        for low in range(1, 12):
            cards = [PLACES[low - 1 + i] + suit for i in range(4)]
            for number in range(3):
                for jokers in combinations(range(4), number):
                    melds.append(tuple("JK" if i in jokers else card for i, card in enumerate(cards)))
    return melds


def lone_openings() -> list[Cards]:
    """The openings with one natural card, which `jokers=any` adds, in the order of the actions."""
    melds: list[Cards] = [(card, "JK", "JK") for card in NATURALS]
    for suit in SUITS:
        for low in range(1, 12):
            cards = [PLACES[low - 1 + i] + suit for i in range(4)]
            for jokers in combinations(range(4), 3):
                melds.append(tuple("JK" if i in jokers else card for i, card in enumerate(cards)))
    return melds


OPENINGS = all_openings()
LONE_OPENINGS = lone_openings()


def copies(cards: Cards) -> frozenset[tuple[str, int]]:
    """The cards with their copies numbered: `7c 7c` as the first and the second of its face."""
    return frozenset((card, cards[:i].count(card)) for i, card in enumerate(cards))


COPIES = [(cards, copies(cards)) for cards in OPENINGS]
LONE_COPIES = [(cards, copies(cards)) for cards in LONE_OPENINGS]


@lru_cache(20_000)
def openings(hand: Cards, lone: bool = False) -> list[Cards]:
    """The openings that the hand has the cards for; `lone`: with `jokers=any`."""
    have = copies(hand)
    return [cards for cards, need in (COPIES + LONE_COPIES if lone else COPIES) if need <= have]


# Can the turn still be ended? N5.5


@lru_cache(200_000)
def can_meet(sets: int, runs: int, laid: tuple[Cards, ...], hand: Cards, lone: bool = False) -> bool:
    """Whether these sets and runs can still be opened in addition to the melds of this turn (contracts 1 to 6)."""
    if sets == runs == 0:
        return True
    return any(
        can_meet(*lacking, (*laid, cards), without(hand, cards), lone)
        for cards, lacking in contract_openings(sets, runs, laid, hand, lone)
    )


def contract_openings(
    sets: int, runs: int, laid: tuple[Cards, ...], hand: Cards, lone: bool
) -> Iterator[tuple[Cards, tuple[int, int]]]:
    """Openings of a kind still lacking, not continuous with a run already laid; with what is lacking then."""
    for cards in openings(hand, lone):
        if shape(cards) == "set" and sets > 0:
            yield cards, (sets - 1, runs)
        elif shape(cards) == "run" and runs > 0:
            if not any(shape(other) == "run" and continuous(cards, other) for other in laid):
                yield cards, (sets, runs - 1)


@lru_cache(200_000)
def can_lay_all(laid: tuple[Cards, ...], hand: Cards, lone: bool = False) -> bool:
    """Whether the hand can be laid down whole, as three runs with those already laid (N7)."""
    return any(
        not any(continuous(one, two) for one, two in combinations(runs, 2))
        for runs in layouts(laid, 3 - len(laid), hand, lone)
    )


def layouts(laid: tuple[Cards, ...], new: int, hand: Cards, lone: bool) -> Iterator[tuple[Cards, ...]]:
    """All ways to lay the whole hand: by growing the laid runs and a number of new ones.

    Where the runs lie in the end is all that counts: first they are opened, then they grow in any order, and nothing
    on the way depends on another run.
    """
    suits = {card[1] for card in naturals(hand)}
    if len(suits - {place_of(run)[0] for run in laid}) > new:  # a suit without a run
        return
    if laid:
        ways = set(lengthened(laid[0], hand))
        laid = laid[1:]
    elif new:
        if not suits:
            return
        ways = set(runs_with(naturals(hand)[0], hand, lone))  # that card has to lie in one of them
        new -= 1
    else:
        if not hand:
            yield ()
        return
    for run, rest in sorted(ways):
        for others in layouts(laid, new, rest, lone):
            yield (run, *others)


def runs_with(card: str, hand: Cards, lone: bool) -> Iterator[tuple[Cards, Cards]]:
    """All runs from the hand in which this card lies, and the rest of the hand."""
    for opening in openings(hand, lone):
        if shape(opening) == "run" and place_of(opening)[0] == card[1]:
            for run, rest in lengthened(opening, without(hand, opening)):
                if card in run:
                    yield run, rest


def lengthened(run: Cards, hand: Cards) -> Iterator[tuple[Cards, Cards]]:
    """The run with any number of cards of the hand at its low end, then any number at its high end."""
    for longer, rest in lengthened_at(0, run, hand):
        yield from lengthened_at(1, longer, rest)


def lengthened_at(end: int, run: Cards, hand: Cards) -> Iterator[tuple[Cards, Cards]]:
    yield run, hand
    suit, low = place_of(run)
    place = low + len(run) if end else low - 1
    if 1 <= place <= 14:
        for card in (PLACES[place - 1] + suit, "JK"):
            if card in hand:
                yield from lengthened_at(end, (*run, card) if end else (card, *run), without(hand, [card]))


@lru_cache(200_000)
def can_pay(owes: int, runs: tuple[Cards, ...], hand: Cards, lone: bool = False) -> bool:
    """Whether all owed Jokers can still go into openings of this turn, with these runs on the table (N6.4).

    Tried are openings with Jokers and exchanges. Other plays take cards out of the hand and bring nothing that would
    help: a Joker that is added and exchanged again has cost a natural card and is owed then.
    """
    if owes == 0:
        return True
    for cards in openings(hand, lone):
        jokers = cards.count("JK")
        if jokers:
            now = tuple(sorted((*runs, cards))) if shape(cards) == "run" else runs
            if can_pay(max(0, owes - jokers), now, without(hand, cards), lone):
                return True
    for i, run in enumerate(runs):
        for card in sorted(set(naturals(hand))):
            longer = grown(run, f"swap {card}")
            if longer:
                now = tuple(sorted((*runs[:i], longer, *runs[i + 1 :])))
                if can_pay(owes + 1, now, tuple(in_order((*without(hand, [card]), "JK"))), lone):
                    return True
    return False


class Referee(ContractsReferee):
    """One game. `legal()` names the actions of the seat to move, `apply` carries one out."""

    presets, tidy, last_contract = PRESETS, staticmethod(in_order), LAST_CONTRACT

    took: int | None  # the seat that took the card before this one in the series (N2.6)
    owes: int  # Jokers in the hand that must open a meld

    def __init__(self) -> None:
        self.dice = random.Random(0)  # shuffles where no text after the action is given
        self.given: Referee | None = None  # the engine's position after the action, while the action is applied

    def cards_of(self, meld: Cards) -> Cards:
        return cards_in(meld)

    @classmethod
    def blank(cls, players: int, rules: str, episode: str) -> Self:
        """A first round in which nothing has been dealt."""
        self = cls()
        self.rules, self.pack = read_rules(rules, players, episode), pack(players)
        self.players, self.episode, self.dealer, self.rounds, self.turns = players, episode, players - 1, 0, 0
        self.contract = int(self.rules["contract"].replace("any", "1"))
        self.scores, self.points, self.calls = ([0] * players for _ in range(3))
        self.known, self.melds, self.ending, self.rng = [[] for _ in range(players)], [], "", "0"
        self._begin_turn(0)
        return self

    # Text

    @classmethod
    def from_text(cls, text: str) -> Self:
        lines = read_lines(text)
        self = cls()
        self._read_counters(lines, int(lines.pop("players")))
        self.rules = read_rules(lines.pop("rules"), self.players, self.episode)
        self.pack = pack(self.players)
        self.contract = int(lines.pop("contract"))
        self._read_numbers(lines, "scores", "calls", "points")
        if ("turn" in lines) == ("over" in lines):
            raise ValueError("either turn or over")
        self._begin_turn(0)
        if "turn" in lines:
            self._read_turn(lines.pop("turn"))
        self._read_hands(lines)
        self.melds = read_melds(lines, self.players)
        self._read_rest(lines)
        self._check()
        return self

    def _read_turn(self, text: str) -> None:
        words = [word.strip() for word in text.split(",")]
        self.seat = self.mover = int(words.pop(0).removeprefix("seat "))
        self.phase, _, self.named = words.pop(0).partition(" ")
        if self.phase not in ("draw", "call", "play", "choose") or (self.phase == "choose") != bool(self.named):
            raise ValueError(f"turn: what is {text}?")
        for word in words:
            name, _, number = word.partition(" ")
            if name == "active" and self.phase == "call":
                self.mover = int(number)
            elif name == "took" and self.phase == "call":
                self.took = int(number)
            elif word == "first" and self.phase in ("play", "choose"):
                self.first = True
            elif name == "owes" and self.phase in ("play", "choose"):
                self.owes = int(number)
            else:
                raise ValueError(f"turn: what is {word}?")

    def _check(self) -> None:
        """What is true of every position. Raises ValueError."""
        self._check_cards()
        for _, meld in self.melds:
            if not (shape(meld) if self._lone() else kind(meld)):
                raise ValueError(f"no meld: {meld}")
            if shape(meld) == "set" and list(cards_in(meld)) != in_order(cards_in(meld)):
                raise ValueError(f"a set out of order: {meld}")
        if any(len(numbers) != self.players for numbers in (self.scores, self.calls, self.points)):
            raise ValueError("scores, calls and points: a number for every seat")
        if not {self.dealer, self.seat, self.mover} <= set(range(self.players)):
            raise ValueError("turn, dealer: no such seat")
        if self.contract not in CONTRACTS:
            raise ValueError(f"contract: {self.contract}")
        if self.phase == "call" and self.seat == self.mover:
            raise ValueError("turn: nobody is asked about the upcard of its own turn")
        if self.owes > self.hands[self.mover].count("JK"):
            raise ValueError("turn: more Jokers are owed than are in the hand")

    def _turn_text(self) -> str:
        words = [f"seat {self.seat}", f"{self.phase} {self.named}".strip()]
        if self.phase == "call":
            words.append(f"active {self.mover}")
            if self.took is not None:
                words.append(f"took {self.took}")
        if self.first:
            words.append("first")
        if self.owes:
            words.append(f"owes {self.owes}")
        return ", ".join(words)

    # What is legal

    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.phase == "draw":
            return {"draw", "take"} if self.pile else {"draw"}
        if self.phase == "call":
            return {"call", "pass"}
        if self.phase == "choose":
            return {f"meld {k}" for k in self._fitting(self.named)}
        hand = self.hands[self.seat]
        discards = {f"discard {card}" for card in hand}
        if self._down_before():
            legal = self._legal_openings(openings(tuple(in_order(hand)), self._lone())) | self._legal_growth(
                exchange=True
            )
            return legal if self.owes else legal | discards
        sets, runs = self._lacking()
        if sets or runs:
            opening = self._legal_openings(openings(tuple(in_order(hand)), self._lone()))
            return opening if self.first else opening | discards
        if self.contract == LAST_CONTRACT:
            return self._legal_growth(exchange=False)
        return discards

    def _lone(self) -> bool:
        """Whether one natural card is enough in a meld (N4.2)."""
        return self.rules["jokers"] == "any"

    def _down_before(self) -> bool:
        return any(owner == self.seat for owner, _ in self.melds) and not self.first

    def _lacking(self, melds: list[tuple[int, Cards]] | None = None) -> tuple[int, int]:
        """Sets and runs that the mover's contract still lacks."""
        kinds = [shape(meld) for owner, meld in (melds or self.melds) if owner == self.seat]
        sets, runs = CONTRACTS[self.contract]
        return sets - kinds.count("set"), runs - kinds.count("run")

    def _legal_openings(self, candidates: list[Cards]) -> set[str]:
        legal = set()
        for cards in candidates:
            rest = without(tuple(in_order(self.hands[self.seat])), cards)
            owes = max(0, self.owes - cards.count("JK"))
            if self._can_end(rest, [*self.melds, (self.seat, cards)], owes):
                legal.add(f"open {' '.join(cards)}")
        return legal

    def _legal_growth(self, exchange: bool) -> set[str]:
        hand = self.hands[self.seat]
        plays = [f"add {card}" for card in set(naturals(hand))]
        if hand.count("JK") > self.owes:
            plays += ["add JK low", "add JK high"]
        if exchange:
            plays += [f"swap {card}" for card in set(naturals(hand))]
        return {play for play in plays if self._fitting(play)}

    def _fitting(self, play: str) -> list[int]:
        """The numbers of the melds among which the mover chooses for this card: the first set, every run (N6.5)."""
        numbers = []
        set_found = False
        for k, (_, meld) in enumerate(self.melds):
            if grown(meld, play) is None or (shape(meld) == "set" and set_found):
                continue
            set_found = set_found or shape(meld) == "set"
            if self._can_end(*self._after_growth(play, k)):
                numbers.append(k)
        return numbers

    def _after_growth(self, play: str, k: int) -> tuple[Cards, list[tuple[int, Cards]], int]:
        """Hand, melds and owed Jokers after the play on meld k."""
        verb, card = play.split()[:2]
        owner, meld = self.melds[k]
        more = grown(meld, play)
        assert more is not None, f"{meld} does not take {play}"
        melds = [*self.melds[:k], (owner, more), *self.melds[k + 1 :]]
        hand = without(tuple(self.hands[self.seat]), [card])
        if verb == "swap":
            return tuple(in_order((*hand, "JK"))), melds, self.owes + 1
        return tuple(in_order(hand)), melds, self.owes

    def _can_end(self, hand: Cards, melds: list[tuple[int, Cards]], owes: int) -> bool:
        """Whether the mover's turn can be ended from here (N5.5)."""
        if self._down_before():
            there = tuple(sorted(meld for _, meld in melds if shape(meld) == "run"))
            return can_pay(owes, there, hand, self._lone())
        sets, runs = self._lacking(melds)
        laid = tuple(sorted(meld for owner, meld in melds if owner == self.seat))
        if self.contract == LAST_CONTRACT:
            return runs >= 0 and sets >= 0 and can_lay_all(laid, hand, self._lone())
        pairs = combinations([meld for meld in laid if shape(meld) == "run"], 2)
        if sets < 0 or runs < 0 or any(continuous(one, two) for one, two in pairs):
            return False
        return can_meet(sets, runs, laid, hand, self._lone())

    # What is done

    def apply(self, action: str, after: str | None = None) -> None:
        """Carry out the action. `after` is the engine's position after the action: the order of the cards is taken
        from there where chance decides it, and every letter of it is checked."""
        assert action in self.legal(), f"not legal: {action}"
        self.given = None
        if after is not None:
            try:
                self.given = Referee.from_text(after)
            except (ValueError, KeyError) as error:
                raise AssertionError(f"unreadable: {error!r}\n{after}") from error
        verb = action.partition(" ")[0]
        if verb == "draw":
            self._draw()
        elif verb == "take":
            self._take_upcard(self.seat)
            self.phase = "play"
        elif verb == "call":
            self._call()
        elif verb == "pass":
            self._ask(self.seat)
        else:
            self._carry_out(action)
        if self.given is not None:
            self.rng = self.given.rng
            self.given = None
            assert self.to_text() == after, f"after {action}: expected\n{self.to_text()}\nand not\n{after}"
        self._check()

    def _take_upcard(self, seat: int) -> None:
        card = self.pile.pop()
        self.hands[seat].append(card)
        self.known[seat].append(card)

    def _draw(self) -> None:
        """N2.3"""
        if not self.stock and len(self.pile) < 2:
            self._end_round("exhausted")
            return
        self._draw_from_stock(self.seat)
        self.took = None
        self._ask(self.mover)

    def _draw_from_stock(self, seat: int) -> None:
        if not self.stock:
            self._renew_stock(seat)
        self.hands[seat].append(self.stock.pop(0))

    def _renew_stock(self, seat: int) -> None:
        """N2.7. The seat draws the first card of the new stock in the same action."""
        *under, top = self.pile
        assert under
        if self.given is None:
            self.dice.shuffle(under)
            self.stock = under
        else:
            drawn = list((Counter(self.given.hands[seat]) - Counter(self.hands[seat])).elements())
            assert len(drawn) == 1, f"seat {seat} draws one card and not {drawn}"
            self.stock = [*drawn, *self.given.stock]
            assert sorted(self.stock) == sorted(under), "the new stock is not what lay under the upcard"
        self.pile = [top]

    def _ask(self, last: int) -> None:
        """Ask the next seat after `last` that may have the upcard; when there is none, the mover plays (N2.4-N2.7)."""
        n = self.players
        penalty = bool(self.stock) or len(self.pile) >= 3
        seat = (last + 1) % n
        while seat != self.mover and self.pile and penalty:
            limit = None if self.rules["calls"] == "none" else int(self.rules["calls"])
            discarded_it = self.took is None and self.turns > 0 and seat == (self.mover - 1) % n
            discarded_it = discarded_it and self.rules["own_discard"] == "no"
            if seat != self.took and not discarded_it and (limit is None or self.calls[seat] < limit):
                self.seat, self.phase = seat, "call"
                return
            seat = (seat + 1) % n
        self.seat, self.phase, self.took = self.mover, "play", None

    def _call(self) -> None:
        """N2.4, N2.5"""
        seat = self.seat
        self.calls[seat] += 1
        self._take_upcard(seat)
        self._draw_from_stock(seat)
        self.took = seat
        self._ask(self.mover)

    def _leave_hand(self, card: str) -> None:
        """The card goes out of the mover's hand, a known one first (N12)."""
        self.hands[self.seat].remove(card)
        if card in self.known[self.seat]:
            self.known[self.seat].remove(card)

    def _open(self, cards: Cards) -> None:
        self.first = not self._down_before()
        for card in cards:
            self._leave_hand(card)
        self.melds.append((self.seat, cards))
        self.owes = max(0, self.owes - cards.count("JK"))
        self._out_if_empty()

    def _grow(self, play: str, k: int) -> None:
        verb, card = play.split()[:2]
        _, self.melds, self.owes = self._after_growth(play, k)
        self._leave_hand(card)
        if verb == "swap":
            self.hands[self.seat].append("JK")
            self.known[self.seat].append("JK")
        self._out_if_empty()

    def _out_if_empty(self) -> None:
        if not self.hands[self.seat]:
            self._end_round(f"out, seat {self.seat}")

    def _discard(self, card: str) -> None:
        """N8.1, N8.3"""
        self._leave_hand(card)
        self.pile.append(card)
        if not self.hands[self.seat]:
            self._end_round(f"out, seat {self.seat}")
            return
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            self._end_round("turns")
            return
        self._begin_turn((self.seat + 1) % self.players)

    def _begin_turn(self, seat: int) -> None:
        self.seat = self.mover = seat
        self.phase, self.took, self.first, self.owes, self.named = "draw", None, False, 0, ""

    def _end_round(self, ending: str) -> None:
        """N8, N9"""
        scored = ending != "turns"
        self._begin_turn(self.seat)  # nothing of the turn is left
        self._score(ending, [sum(map(value, hand)) if scored else 0 for hand in self.hands], scored)

    def _deal_next(self) -> None:
        """N1.3, N1.4, of the contract and by the dealer already set."""
        n, number = self.players, cards_dealt(self.contract)
        self.melds, self.turns = [], 0
        self.known, self.calls = [[] for _ in range(n)], [0] * n
        if self.given is None:
            cards = pack(n)
            self.dice.shuffle(cards)
            self.hands = [in_order(cards[number * seat : number * (seat + 1)]) for seat in range(n)]
            self.pile, self.stock = [cards[number * n]], cards[number * n + 1 :]
        else:
            given = self.given
            assert [len(hand) for hand in given.hands] == [number] * n, f"{number} cards for each seat"
            assert len(given.pile) == 1, "one upcard"
            assert len(given.stock) == len(pack(n)) - number * n - 1
            self.hands = [list(hand) for hand in given.hands]
            self.pile, self.stock = list(given.pile), list(given.stock)
        self._begin_turn((self.dealer + 1) % n)


def new_position(players: int, rules: str, episode: str, seed: int) -> str:
    """The text of a first deal, shuffled here."""
    self = Referee.blank(players, rules, episode)
    self.dice = random.Random(seed)
    if self.rules["contract"] == "any":
        self.contract = self.dice.randint(1, LAST_CONTRACT)
    self._deal_next()
    return self.to_text()
