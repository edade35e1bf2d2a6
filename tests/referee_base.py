"""What the referees of Rummy, Tonk, 500 Rummy and Oklahoma Rummy share: cards, switches, texts, rounds and matches.

A game's referee adds its phases, its plays and its points. Nothing here is the engine's.

Readings where the rules pages leave room:

* Every turn counts in `turns`, the one that goes out included. A round that ends while a turn is going on (a drop in
  Tonk, the last card of the stock in 500 Rummy) does not count that turn.
* The points are added to `scores` in an episode of one round too; such a round does not count in `round`.
* The dealer of a game that is over is the dealer of its last round. The cards stay where they are.
* A match that has a winner in its last allowed round is not given up.
* Naming a card (`choose`) does not make it `known`; the card stays in its hand until `meld k`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

RANKS = "A23456789TJQK"
PLACES = RANKS + "A"  # of a run: the Ace is at either end
SUITS = "cdhs"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
FACES = (*PACK, "JK")

Meld = tuple[str, ...]  # the words of a position text, in order


# Texts


def require(condition: object, complaint: str) -> None:
    if not condition:
        raise ValueError(complaint)


def in_order(cards: Iterable[str]) -> list[str]:
    """Clubs, diamonds, hearts, spades, A 2 .. K within a suit, then Jokers."""
    return sorted(cards, key=FACES.index)


def spaced(things: Iterable[object]) -> str:
    return " ".join(str(thing) for thing in things)


def lines_of(text: str) -> dict[str, str]:
    """The lines of a position by key."""
    lines: dict[str, str] = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, colon, rest = line.partition(":")
            key = spaced(key.split())
            require(colon and key not in lines, f"no `key: value`, or a key that is there twice: {line}")
            lines[key] = rest.strip()
    return lines


def number(text: str, low: int, high: int) -> int:
    require(re.fullmatch("[0-9]+", text) and low <= int(text) <= high, f"no number from {low} to {high}: {text}")
    return int(text)


def numbers(text: str, count: int) -> list[int]:
    words = text.split()
    require(len(words) == count and all(re.fullmatch("-?[0-9]+", word) for word in words), f"not {count}: {text}")
    return [int(word) for word in words]


def read_cards(text: str) -> list[str]:
    for card in text.split():
        require(card in FACES, f"no card: {card}")
    return text.split()


class BaseReferee:
    """One game. `owners[k]` is the seat that opened meld `k`; the last card of `pile` is its top; `stock[0]` is next.

    `named` is the `add` that waits for its meld, `must` the card that has to be played next, `asker` the seat whose
    discard the others are asked about.
    """

    # The default, and what is allowed: values, ranges of numbers among them.
    SWITCHES: ClassVar[dict[str, tuple[object, Sequence[object]]]]
    PRESETS: ClassVar[dict[str, dict[str, object]]]  # what differs from the defaults
    SEATS: ClassVar[range]
    PHASES: ClassVar[tuple[str, ...]]
    ENDS: ClassVar[tuple[str, ...]]  # of a round, as patterns; SEAT stands for `seat S`

    rules: dict[str, Any]
    players: int
    episode: str
    dealer: int
    round: int
    turns: int
    scores: list[int]
    points: list[int]
    rng: str
    result: str  # the line `over`
    hands: list[list[str]]
    known: list[Counter[str]]
    melds: list[Any]
    owners: list[int]
    pile: list[str]
    stock: list[str]
    seat: int
    phase: str
    named: str
    must: str
    asker: int | None
    dice: random.Random
    told: BaseReferee | None  # the engine's position after the action that is being played

    # Of each game

    def pack(self) -> Counter[str]:
        raise NotImplementedError

    def hand_size(self) -> int:
        raise NotImplementedError

    def read_meld(self, words: list[str], owner: int) -> Any:
        """A meld from its words in a position. ValueError if there is no such meld."""
        raise NotImplementedError

    def meld_words(self, meld: Any, owner: int) -> Iterable[str]:
        """A meld as a position writes it; each word begins with the card that lies there."""
        return tuple(meld)

    def match_winner(self) -> int | None:
        """The seat that has won the match with the round that has just ended."""
        raise NotImplementedError

    def begin_round(self) -> None:
        """After a deal: the first decision."""
        self.begin_turn((self.dealer + 1) % self.players)

    def _read_own(self, lines: dict[str, str]) -> None:
        """Keys that only this game has."""

    def _own_lines(self) -> dict[str, str]:
        return {}

    # Rules as text

    @classmethod
    def read_rules(cls, text: str) -> dict[str, Any]:
        """A preset, then switches."""
        words = text.split()
        preset = words.pop(0) if words and "=" not in words[0] else next(iter(cls.PRESETS))
        require(preset in cls.PRESETS, f"no preset: {preset}")
        rules = {name: default for name, (default, _) in cls.SWITCHES.items()} | cls.PRESETS[preset]
        named = [word.partition("=")[0] for word in words]
        require(len(named) == len(set(named)), f"a switch is named twice: {text}")
        for word in words:
            name, _, chosen = word.partition("=")
            require(name in cls.SWITCHES, f"no switch: {word}")
            value: object = int(chosen) if re.fullmatch("[0-9]+", chosen) else chosen
            allowed = cls.SWITCHES[name][1]
            ranges = [each for each in allowed if isinstance(each, range)] if isinstance(allowed, tuple) else []
            require(value in allowed or any(value in each for each in ranges), f"no such value: {word}")
            rules[name] = value
        return rules

    @classmethod
    def write_rules(cls, rules: dict[str, Any]) -> str:
        """The preset that leaves fewest switches, the first of equals, and these."""
        forms: list[list[str]] = []
        for preset in cls.PRESETS:
            base = cls.read_rules(preset)
            forms.append([preset] + [f"{name}={rules[name]}" for name in cls.SWITCHES if rules[name] != base[name]])
        fewest = min(map(len, forms))
        return spaced(next(form for form in forms if len(form) == fewest))

    # Reading

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The position of a complete text. ValueError if the text is wrong or contradicts itself."""
        lines = lines_of(text)
        seats = [int(key.split()[1]) for key in lines if re.fullmatch("hand [0-9]", key)]
        players = int(lines.pop("players", str(max([1, *seats]) + 1)))
        self = cls.empty(players, lines.pop("rules", ""))
        self._read_counters(lines)
        self._read_cards(lines)
        self._read_own(lines)
        turn = lines.pop("turn", "seat 0, draw")
        if self.over:
            require("turn" not in lines_of(text), "a game that is over has no turn line")
        else:
            self._read_turn(turn)
        require(not lines, f"unknown keys: {', '.join(lines)}")
        require(self.over or self.legal(), "nothing is legal here")
        return self

    @classmethod
    def empty(cls, players: int, rules: str) -> Self:
        self = cls()
        self.rules = cls.read_rules(rules)
        require(players in cls.SEATS, f"no game for {players}")
        self.players = players
        needed = players * self.hand_size() + 2  # a card turned up and a stock
        require(needed <= self.pack().total(), f"{needed} cards are needed")
        self.dice = random.Random(0)
        self.told = None
        self.result = ""
        self._clear_turn(0)
        return self

    @classmethod
    def new(cls, players: int, rules: str, episode: str, seed: int) -> Self:
        """A new game, dealt here."""
        self = cls.empty(players, rules)
        self._read_counters({"episode": episode})
        self.dealer = players - 2  # the deal passes on
        self.dice.seed(seed)
        self.deal()
        return self

    def _read_counters(self, lines: dict[str, str]) -> None:
        zeros = "0 " * self.players
        self.episode = lines.pop("episode", "round")
        require(self.episode in ("round", "match"), "an episode is a round or a match")
        self.dealer = number(lines.pop("dealer", str(self.players - 1)), 0, self.players - 1)
        self.round = number(lines.pop("round", "0"), 0, 10**9)
        self.turns = number(lines.pop("turns", "0"), 0, 10**9)
        self.scores = numbers(lines.pop("scores", zeros), self.players)
        self.points = numbers(lines.pop("points", zeros), self.players)
        self.rng = lines.pop("rng", "0")
        require(re.fullmatch("[0-9]+", self.rng), "rng is a number")
        self.result = lines.pop("over", "")
        ends = self.ENDS if self.episode == "round" else ("match, SEAT", "rounds")
        allowed = "|".join(["", *ends]).replace("SEAT", f"seat [0-{self.players - 1}]")
        require(re.fullmatch(allowed, self.result), f"no such end of a {self.episode}: {self.result}")

    def _read_cards(self, lines: dict[str, str]) -> None:
        seats = range(self.players)
        for key in ["pile", "stock"] + [f"hand {seat}" for seat in seats]:
            require(key in lines, f"missing: {key}")
        self.pile, self.stock = read_cards(lines.pop("pile")), read_cards(lines.pop("stock"))
        self.hands = [in_order(read_cards(lines.pop(f"hand {seat}"))) for seat in seats]
        melds = []
        for seat in seats:
            texts = lines.pop(f"melds {seat}", "")
            melds.append([self.read_meld(text.split(), seat) for text in texts.split("|")] if texts else [])
        seat_by_seat = [seat for seat in seats for _ in melds[seat]]
        self.owners = numbers(lines.pop("order", spaced(seat_by_seat)), len(seat_by_seat))
        require(sorted(self.owners) == seat_by_seat, "order and melds differ")
        self.melds = [melds[owner].pop(0) for owner in self.owners]
        self.known = [Counter(read_cards(lines.pop(f"known {seat}", ""))) for seat in seats]
        require(not self.faulty_cards(), self.faulty_cards())
        require(self.over or all(self.hands), "a hand is empty but the game is not over")
        require(all(k <= Counter(hand) for k, hand in zip(self.known, self.hands)), "a known card is in its hand")

    def faulty_cards(self) -> str:
        """What is wrong with the cards, nothing if the whole pack is there."""
        words = [word for meld, owner in zip(self.melds, self.owners) for word in self.meld_words(meld, owner)]
        there = Counter([*self.pile, *self.stock, *(word[:2] for word in words)])
        for hand in self.hands:
            there.update(hand)
        missing, extra = self.pack() - there, there - self.pack()
        return f"missing {sorted(missing)}, too many {sorted(extra)}" if missing or extra else ""

    def _read_turn(self, text: str) -> None:
        seat, *words = [spaced(part.split()) for part in text.split(",")]
        require(re.fullmatch("seat [0-9]", seat), f"no turn: {text}")
        self._clear_turn(number(seat.split()[1], 0, self.players - 1))
        if words and words[0].split()[0] in (*self.PHASES, "choose"):
            phase = words.pop(0)
            self.phase, _, self.named = phase.partition(" ")
            require((self.phase == "choose") == self.named.startswith("add "), f"no phase: {phase}")
        for word in words:
            self._read_word(word)
        require((self.asker is None) == (self.phase != "call"), "after whose discard?")

    def _read_word(self, word: str) -> None:
        """What a `turn` line says besides the seat and the phase."""
        verb, _, what = word.partition(" ")
        if verb == "must" and self.phase in ("play", "choose"):
            require(what in self.hands[self.seat], f"not in the hand: {what}")
            self.must = what
        else:
            require(verb == "after" and self.phase == "call", f"not to be said of this turn: {word}")
            self.asker = number(what, 0, self.players - 1)

    # Writing

    def to_text(self) -> str:
        seats = range(self.players)
        lines = [f"rules: {self.write_rules(self.rules)}", f"players: {self.players}"]

        def line(key: str, text: object, default: object = None) -> None:
            if text != default:
                lines.append(f"{key}: {text}".strip())

        zeros = spaced([0] * self.players)
        line("episode", self.episode, "round")
        line("dealer", self.dealer, self.players - 1)
        line("round", self.round, 0)
        line("turns", self.turns, 0)
        line("scores", spaced(self.scores), zeros)
        if not self.over:
            line("turn", self._turn_text())
        for seat in seats:
            line(f"hand {seat}", spaced(in_order(self.hands[seat])))
        for seat in seats:
            own = [self.meld_words(meld, seat) for meld, owner in zip(self.melds, self.owners) if owner == seat]
            line(f"melds {seat}", " | ".join(spaced(words) for words in own), "")
        line("order", spaced(self.owners), spaced(sorted(self.owners)))
        for seat in seats:
            line(f"known {seat}", spaced(in_order(self.known[seat].elements())), "")
        for key, text in self._own_lines().items():
            line(key, text, "")
        line("pile", spaced(self.pile))
        line("stock", spaced(self.stock))
        line("over", self.result, "")
        line("points", spaced(self.points), zeros)
        line("rng", self.rng)
        return "\n".join(lines) + "\n"

    def _turn_text(self) -> str:
        return ", ".join([f"seat {self.seat}", f"{self.phase} {self.named}".strip(), *self._turn_words()])

    def _turn_words(self) -> list[str]:
        words = [f"must {self.must}"] if self.must else []
        return words + ([f"after {self.asker}"] if self.asker is not None else [])

    # Playing

    @property
    def over(self) -> bool:
        return self.result != ""

    def legal(self) -> set[str]:
        return set() if self.over else getattr(self, f"_legal_{self.phase}")()

    def apply(self, action: str, after: str | None = None) -> None:
        """Play a legal action; ValueError for any other.

        `after` is the engine's position after the action. The orders of a shuffle and of a new deal, and `rng`, are
        read from it; all the rest of it is compared with what the rules say. A difference is an AssertionError.
        """
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        try:
            self.told = None if after is None else type(self).from_text(after)
        except ValueError as error:
            raise AssertionError(f"after {action} the position is wrong: {error}\n{after}") from error
        verb, _, rest = action.partition(" ")
        getattr(self, f"_do_{verb}")(rest)
        if self.told:
            self.rng = self.told.rng
            mine, its = self.to_text(), self.told.to_text()
            assert mine == its, f"{action} leads to\n{mine}not to\n{its}"
        self.told = None

    def _clear_turn(self, seat: int) -> None:
        self.seat, self.phase = seat, "draw"
        self.named, self.must = "", ""
        self.asker = None

    def begin_turn(self, seat: int) -> None:
        self._clear_turn(seat)

    def following(self, seat: int) -> list[int]:
        """The other seats, in order of play."""
        return [(seat + i) % self.players for i in range(1, self.players)]

    def into_hand(self, cards: list[str], everybody_knows: bool) -> None:
        self.hands[self.seat] = in_order([*self.hands[self.seat], *cards])
        if everybody_knows:
            self.known[self.seat].update(cards)

    def out_of_hand(self, cards: Iterable[str]) -> None:
        """When a card leaves the hand, a known copy goes first."""
        for card in cards:
            self.hands[self.seat].remove(card)
            self.known[self.seat] -= Counter([card])

    def renew_stock(self) -> None:
        """The top card of the pile stays. The order of the others is chance, and the first of them is drawn next."""
        self.stock, self.pile = self.pile[:-1], self.pile[-1:]
        if self.told is None:
            self.dice.shuffle(self.stock)
            return
        drawn = list((Counter(self.told.hands[self.seat]) - Counter(self.hands[self.seat])).elements())
        stock = [*drawn, *self.told.stock]
        assert len(drawn) == 1, "not one card was drawn"
        assert Counter(stock) == Counter(self.stock), "the new stock is not the old pile"
        self.stock = stock

    # Rounds and matches

    def end_round(self, how: str, points: list[int]) -> None:
        self.points = points
        self.scores = [before + now for before, now in zip(self.scores, points)]
        if self.episode == "round":
            self.result = how
            return
        self.round += 1
        winner = self.match_winner()
        if winner is not None:
            self.result = f"match, seat {winner}"
        elif self.round >= self.rules["max_rounds"]:
            self.result = "rounds"
        else:
            self.deal()

    def leader(self) -> int | None:
        """The seat with the highest score, if no other has as much."""
        best = max(self.scores)
        return self.scores.index(best) if self.scores.count(best) == 1 else None

    def deal(self) -> None:
        """The next round: the deal passes to the next seat. The cards are read from the engine's, if there are any."""
        size = self.hand_size()
        self.dealer, self.turns = (self.dealer + 1) % self.players, 0
        self.owners, self.melds = [], []
        self.known = [Counter() for _ in range(self.players)]
        if self.told is None:
            cards = in_order(self.pack().elements())
            self.dice.shuffle(cards)
            self.hands = [in_order(cards.pop() for _ in range(size)) for _ in range(self.players)]
            self.pile, self.stock = [cards.pop()], cards
        else:
            assert [len(hand) for hand in self.told.hands] == [size] * self.players, "hands of the wrong size"
            assert len(self.told.pile) == 1, "one card is turned up"
            self.hands = [list(hand) for hand in self.told.hands]
            self.pile, self.stock = list(self.told.pile), list(self.told.stock)
        self.begin_round()
