"""A second reading of the rules of Mille, to prove the engine right.

Slow and plain, written from the numbered rules (M1 to M9) and their text contract alone. Cards are texts. Nothing looks
ahead in this game (M3.4).

How the referee reads what the rules leave open:

* Lines are written in the order of the contract's table of keys; `dealer` stays when the game is over.
* `turn` is written in every position that is not over, also when it has its default value.
* A match that runs out of rounds has no winner, so nothing is paid: `payment` is zeros.
* A round of a match that ends by `turns` has the points zero; `round` and `dealer` move on, and the end of the match is
  looked for. `match` comes before `rounds`, `turns` before `exhausted`.
* Without stock, with something to take: the take is forced, as there is no `pass` (M5.3).
* In a single round the marks are added to those of the position, as the points are to the scores.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement
from typing import Self

from referee_texts import Allowed, TextReferee, parse_rules, read_lines

PLAYERS = 2
HAND_SIZE = 15
STOCK_SIZE = 73
RANKS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2")
NATURALS = RANKS[:12]  # what a meld with wild cards can be of
KINDS_OF = {rank: (rank,) for rank in RANKS} | {"J": ("J", "Jd"), "Q": ("Q", "Qs")}  # M1.4
KINDS = tuple(kind for rank in RANKS for kind in KINDS_OF[rank])
VALUES = {"2": 20, "A": 15, "Jd": 50, "Qs": 100} | dict.fromkeys("TJQK", 10) | dict.fromkeys("3456789", 5)  # M1.3
PACK = tuple(rank + suit for rank in RANKS for suit in "cdhs" for _ in range(2))  # M1.1


def naturals_of(rank: str, count: int) -> list[tuple[str, ...]]:
    """All ways to hold `count` naturals of a rank, as kinds; the pack has two Jd and two Qs."""
    ways = combinations_with_replacement(KINDS_OF[rank], count)
    return [kinds for kinds in ways if all(kinds.count(kind) <= 2 for kind in ("Jd", "Qs"))]


# M4.4; the group of a meld of Twos is last
OPENINGS = [
    (*naturals, *["2"] * twos) for twos in range(3) for rank in NATURALS for naturals in naturals_of(rank, 3 - twos)
]
OPENINGS.append(("2", "2", "2"))
PAIRS = [pair for rank in NATURALS for pair in naturals_of(rank, 2)]  # M5.1
ACTIONS = (
    "draw",
    *("take " + " ".join(pair) for pair in PAIRS),
    *("open " + " ".join(cards) for cards in OPENINGS),
    *(f"add {kind}" for kind in KINDS if kind != "2"),
    *(f"add 2 to {rank}" for rank in RANKS),
    *(f"discard {kind}" for kind in KINDS),
)

NUMBERS = ("scores", "points", "naturals", "chapeaux", "payment")  # keys with a number a seat

# M8
SWITCHES: dict[str, Allowed] = {
    "clean": ["anyone", "out"],
    "target": range(1, 10**9),
    "skunk": range(10**9),
    "double_skunk": ["match", "hand"],
    "max_turns": range(1, 10**9),
    "max_rounds": range(1, 10**9),
}
DENEXA = {
    "clean": "anyone",
    "target": "1200",
    "skunk": "600",
    "double_skunk": "match",
    "max_turns": "300",
    "max_rounds": "100",
}
PRESETS = {"denexa": DENEXA}


# Cards and melds ----------------------------------------------------------------------------------------------------


def kind_of(card: str) -> str:
    """M1.4."""
    return card if card in ("Jd", "Qs") else card[0]


def tidy(cards: list[str]) -> list[str]:
    """C-order, M1.5."""
    return sorted(cards, key=lambda card: (RANKS.index(card[0]), card))


def value_of(cards: list[str]) -> int:
    return sum(VALUES[kind_of(card)] for card in cards)


def is_meld(cards: list[str]) -> bool:
    """M4.1, M4.2: at most one rank in addition to the Twos."""
    return len(cards) >= 3 and len({card[0] for card in cards if card[0] != "2"}) <= 1


def rank_of(cards: list[str]) -> str:
    """The rank of a meld; 2: the meld of Twos."""
    return next((card[0] for card in cards if card[0] != "2"), "2")


def has_wild(cards: list[str]) -> bool:
    return rank_of(cards) != "2" and any(card[0] == "2" for card in cards)


Melds = dict[str, list[str]]  # of a player, by rank


def parse_melds(text: str) -> Melds:
    melds: Melds = {}
    for part in text.split("|") if text else []:
        cards = tidy(part.split())
        if not is_meld(cards) or rank_of(cards) in melds:
            raise ValueError(f"{part.strip()} is not a meld, or a second one of its rank")
        melds[rank_of(cards)] = cards
    return melds


# Scoring ------------------------------------------------------------------------------------------------------------


def is_natural_of_eight(meld: list[str]) -> bool:
    """M6.2."""
    return len(meld) == 8 and not has_wild(meld)


def is_clean(melds: Melds) -> bool:
    """M6.3."""
    return bool(melds) and not any(has_wild(meld) for meld in melds.values())


def score(melds: Melds, hand: list[str], may_be_clean: bool = True) -> tuple[int, int]:
    """M6.4, M6.5: a player's points, and the naturals."""
    clean = may_be_clean and is_clean(melds)
    points = sum(value_of(meld) * (2 if is_natural_of_eight(meld) else 1) for meld in melds.values())
    naturals = sum(is_natural_of_eight(meld) for meld in melds.values())
    return points * (2 if clean else 1) - value_of(hand), naturals + clean


def payment(
    scores: list[int], naturals: list[int], chapeaux: list[int], skunk: int, last: list[int] | None = None
) -> int:
    """M7.4: what the loser of a match pays to the winner, in units of the smaller stake.

    `last`: the points of the last round, where these make a double skunk and the match score does not.
    """
    winner = 0 if scores[0] > scores[1] else 1
    loser = 1 - winner
    hundreds = [(points + 50) // 100 for points in scores]
    units = 3 + 3 * naturals[winner] + 3 * chapeaux[loser] + hundreds[winner] - hundreds[loser]
    if (scores if last is None else last)[loser] < 0:
        return 3 * units
    return 2 * units if scores[loser] < skunk else units


# The game -----------------------------------------------------------------------------------------------------------


class Referee(TextReferee):
    """One position. `legal` and `apply` follow the rules; `from_text` and `to_text` the contract."""

    pack, presets = PACK, PRESETS
    tidy, kind_of = staticmethod(tidy), staticmethod(kind_of)

    naturals: list[int]
    chapeaux: list[int]
    payment: list[int]
    melds: list[Melds]
    _after: str | None  # what chance has done is read from it

    # Text ------------------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a position. Both hands must be given; a stock that is left out is the rest of the pack in order."""
        lines = read_lines(text)
        self = cls()
        self.rules = parse_rules(lines.pop("rules", ""), SWITCHES, PRESETS)
        if int(lines.pop("players", PLAYERS)) != PLAYERS:
            raise ValueError("players: 2 (M1.2)")
        self._read_counters(lines, PLAYERS)
        self._read_numbers(lines, *NUMBERS)
        self._read_hands(lines)
        self.melds = [parse_melds(lines.pop(f"melds {seat}", "")) for seat in range(PLAYERS)]
        turn = lines.pop("turn", f"seat {1 - self.dealer}, draw")
        seat, _, self.phase = turn.removeprefix("seat ").partition(", ")
        self.seat = int(seat)
        self._read_rest(lines)
        self._check()
        return self

    def to_text(self) -> str:
        lines = [*self._first_lines(), *self._number_lines(*NUMBERS)]
        if not self.over:
            lines.append(f"turn: seat {self.seat}, {self.phase}")
        lines += self._lines_of("hand", self.hands, empty=True) + self._lines_of("known", self.known)
        for seat, melds in enumerate(self.melds):
            if melds:
                lines.append(f"melds {seat}: " + " | ".join(" ".join(melds[rank]) for rank in RANKS if rank in melds))
        return "\n".join(line.rstrip() for line in [*lines, *self._last_lines()]) + "\n"

    def all_cards(self) -> list[str]:
        cards = [*self.pile, *self.stock]
        for group in (*self.hands, *(meld for melds in self.melds for meld in melds.values())):
            cards += group
        return cards

    def _check(self) -> None:
        """Refuse what cannot be."""
        self._check_cards()
        if any(len(getattr(self, key)) != PLAYERS for key in NUMBERS):
            raise ValueError("scores and the like: a number a seat")
        if not (0 <= self.seat < PLAYERS and 0 <= self.dealer < PLAYERS) or self.phase not in ("draw", "play"):
            raise ValueError("turn, dealer: no such seat or phase")
        if not self.over and not self.legal():
            raise ValueError("nothing is legal")

    # What is legal ---------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """The texts of all legal actions; none once the game is over."""
        if self.over:
            return set()
        if self.phase == "draw":
            return self._takes() | ({"draw"} if self.stock else set())  # M3.1
        return self._plays() | {f"discard {kind_of(card)}" for card in self.hands[self.seat]}  # M3.3

    def _holds(self, kinds: tuple[str, ...]) -> bool:
        held = Counter(map(kind_of, self.hands[self.seat]))
        return all(held[kind] >= kinds.count(kind) for kind in kinds)

    def _takes(self) -> set[str]:
        """M5.1, M5.2."""
        if not self.pile or self.pile[-1][0] == "2":
            return set()
        pairs = [pair for pair in PAIRS if pair[0][0] == self.pile[-1][0] and self._holds(pair)]
        return {"take " + " ".join(pair) for pair in pairs}

    def _plays(self) -> set[str]:
        """M3.2, M4.3, M4.4."""
        own = self.melds[self.seat]
        found = {"open " + " ".join(kinds) for kinds in OPENINGS if kinds[0][0] not in own and self._holds(kinds)}
        for rank in own:
            found |= {f"add {kind}" for kind in KINDS_OF[rank] if rank != "2" and self._holds((kind,))}
            if self._holds(("2",)):
                found.add(f"add 2 to {rank}")
        return found

    # What an action does ---------------------------------------------------------------------------------------------

    def apply(self, action: str, after: str | None = None) -> None:
        """Carry out a legal action.

        Args:
            action: its text.
            after: the engine's position after the action. `rng` is read from it, a stock shuffled again, and a new
                deal; these are checked.

        Raises:
            ValueError: the action is not legal.
            AssertionError: what chance has done in `after` is not possible, or a new deal's position is wrong.
        """
        if action not in self.legal():
            raise ValueError(f"{action} is not legal")
        self._after = after
        verb, *words = action.split()
        if verb == "draw":
            self.hands[self.seat] = tidy([*self.hands[self.seat], self.stock.pop(0)])
            self.phase = "play"
        elif verb == "take":
            self._take(words)
        elif verb == "open":
            self._lay(words[0][0], self._play(words))
        elif verb == "add":
            self._lay(words[-1][0], self._play(words[:1]))
        else:
            self.pile += self._play(words)
            self._end_turn()
        if after is not None:
            self.rng = read_lines(after).get("rng", self.rng)

    def _take(self, kinds: list[str]) -> None:
        """M5.1."""
        cards = [self.pile.pop(), *self._play(kinds)]
        self.hands[self.seat] = tidy([*self.hands[self.seat], *self.pile])
        self.known[self.seat] = tidy([*self.known[self.seat], *self.pile])
        self.pile, self.phase = [], "play"
        self._lay(cards[0][0], cards)

    def _lay(self, rank: str, cards: list[str]) -> None:
        own = self.melds[self.seat]
        own[rank] = tidy([*own.get(rank, []), *cards])
        if not self.hands[self.seat]:  # M6.1
            self._finish("out")

    def _end_turn(self) -> None:
        """After a discard (M3.3, M5.3, M9)."""
        if not self.hands[self.seat]:
            self._finish("out")
            return
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            self._finish("turns")
            return
        if not self.stock:
            self._shuffle_pile()
        self.seat, self.phase = 1 - self.seat, "draw"
        if not self.legal():
            self._finish("exhausted")

    def _shuffle_pile(self) -> None:
        """M5.3: the upcard stays, the cards beneath it are the stock, in the order that `after` shows."""
        cards, self.pile = self.pile[:-1], self.pile[-1:]
        if self._after is None:
            random.Random(f"{self.rng} {self.turns} {self.rounds}").shuffle(cards)
        else:
            stock = read_lines(self._after)["stock"].split()
            assert Counter(stock) == Counter(cards), "the cards beneath the upcard are the new stock"
            cards = stock
        self.stock = cards

    # The end of a round ----------------------------------------------------------------------------------------------

    def _finish(self, how: str) -> None:
        """End the round (M6, M7)."""
        self.points = [0, 0]
        if how != "turns":  # M6.6
            for seat in range(PLAYERS):
                out = how == "out" and seat == self.seat
                may_be_clean = self.rules["clean"] == "anyone" or out
                self.points[seat], naturals = score(self.melds[seat], self.hands[seat], may_be_clean)
                self.naturals[seat] += naturals
                self.chapeaux[seat] += self.points[seat] < 0
        self.scores = [before + points for before, points in zip(self.scores, self.points)]
        if self.episode == "round":
            self.ending = f"out, seat {self.seat}" if how == "out" else how
            return
        self.rounds += 1
        first, second = self.scores
        if max(first, second) >= int(self.rules["target"]) and first != second:  # M7.1
            winner = 0 if first > second else 1
            self.ending = f"match, seat {winner}"
            last = self.points if self.rules["double_skunk"] == "hand" else None
            paid = payment(self.scores, self.naturals, self.chapeaux, int(self.rules["skunk"]), last)
            self.payment = [paid if seat == winner else -paid for seat in range(PLAYERS)]
        elif self.rounds >= int(self.rules["max_rounds"]):
            self.ending = "rounds"
        else:
            self._next_round()

    def _next_round(self) -> None:
        """M7.2, and the deal: the one that `after` shows, or one of our own."""
        self.dealer = 1 - self.dealer
        self.seat, self.phase, self.turns = 1 - self.dealer, "draw", 0
        self.known, self.melds = [[], []], [{}, {}]
        if self._after is None:
            self._deal(random.Random(f"{self.rng} {self.rounds} {self.scores}"))
            return
        engine = self._dealt_in(self._after)
        sizes = [len(engine.hands[0]), len(engine.hands[1]), len(engine.pile), len(engine.stock)]
        assert sizes == [HAND_SIZE, HAND_SIZE, 1, STOCK_SIZE], f"{sizes} cards in hands, pile and stock after the deal"
        self.hands, self.pile, self.stock, self.rng = engine.hands, engine.pile, engine.stock, engine.rng
        self._agree_on_the_rest(engine)

    def _deal(self, dice: random.Random) -> None:
        """M2.1, with a shuffle of our own."""
        cards = list(PACK)
        dice.shuffle(cards)
        self.hands = [tidy(cards[:HAND_SIZE]), tidy(cards[HAND_SIZE : 2 * HAND_SIZE])]
        self.pile, self.stock = cards[2 * HAND_SIZE : 2 * HAND_SIZE + 1], cards[2 * HAND_SIZE + 1 :]


def new_position(rules: str = "denexa", episode: str = "round", seed: int = 0) -> str:
    """A first deal, shuffled by `random.Random`."""
    game = Referee()
    game.rules, game.players, game.episode = parse_rules(rules, SWITCHES, PRESETS), PLAYERS, episode
    game.dealer, game.rounds, game.turns, game.ending, game.rng = PLAYERS - 1, 0, 0, "", str(seed)
    for key in NUMBERS:
        setattr(game, key, [0, 0])
    game.seat, game.phase, game.known, game.melds = 0, "draw", [[], []], [{}, {}]
    game._deal(random.Random(seed))
    return game.to_text()
