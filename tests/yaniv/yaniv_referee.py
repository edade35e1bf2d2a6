"""A second reading of the rules of Yaniv, to prove the engine right.

Slow, plain and independent: written from the numbered rules and their text contract alone, sharing neither code nor
idea with the package. Cards are texts, a hand is a list of texts. A further card may be laid if some order of the other
cards in hand completes a discard, which is found by trying all of them.

The referee cannot know how cards are shuffled. It reads their order from the engine's position after the action, and
checks all that is determined.

Points that the rules leave open, and how they are read here:

* Y2.1 A call ends the round, but is not counted in `turns`.
* Y2.6, Y7.2 The stock is also renewed when the turn that draws its last card is the last one of a single round.
* Y5.1 Halving applies to the scores of a single round too.
* Y5.2 A round without a call has 0 points for every seat, whatever `points` held before.
* Y6.1 Nobody goes out in a single round. Who is out is determined after each round of a match, scored or not.
* Y6.3, Y7.2 A match that has ended keeps the table as it lies: `dealer` and `turns` stay, `round` has counted the last
  round, and a seat that went out in the last round still has its hand.
* A single round is not counted in `round`.
* Texts: `rules`, `players`, `turn`, every hand (an empty one too), `pile`, `stock` and `rng` are always written.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations
from random import Random

import referee_texts
from referee_texts import Allowed, read_lines, write_rules

RANKS = "A23456789TJQK"
SUITS = "cdhs"
FACES = [rank + suit for suit in SUITS for rank in RANKS] + ["JK"]
VALUES = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{rank: int(rank) for rank in "23456789"}}

YES_NO = ("yes", "no")
# Y7 in its order.
SWITCHES: dict[str, Allowed] = {
    "packs": ("auto", "1", "2"),
    "call_limit": range(0, 21),
    "tie": ("caller", "asaf"),
    "asaf_zero": YES_NO,
    "penalty": range(0, 101),
    "halving": YES_NO,
    "target": range(20, 1001, 4),
    "first": ("left", "winner"),
    "max_turns": range(1, 10001),
    "max_rounds": range(1, 1001),
}
DENEXA = {
    **{"packs": "auto", "call_limit": "5", "tie": "caller", "asaf_zero": "no", "penalty": "30", "halving": "yes"},
    **{"target": "200", "first": "left", "max_turns": "200", "max_rounds": "200"},
}
PRESETS = {
    "denexa": DENEXA,
    "asaf": DENEXA | {"call_limit": "7", "tie": "asaf", "asaf_zero": "yes", "first": "winner"},
}
# The keys of a position, but for those of a single seat.
KEYS = {"rules", "players", "episode", "dealer", "round", "turns", "scores", "turn", "out"}
KEYS |= {"pile", "last", "laid", "stock", "over", "points", "rng"}


# Cards and discards: Y1, Y3


def in_order(cards: list[str]) -> list[str]:
    """The cards in the order of faces."""
    return sorted(cards, key=FACES.index)


def total(cards: list[str]) -> int:
    """Y1.4."""
    return sum(0 if card == "JK" else VALUES[card[0]] for card in cards)


@cache
def is_set(cards: tuple[str, ...]) -> bool:
    """Y3.2, Y3.5: whether the cards, laid in this order, are a set."""
    if len(cards) < 2 or "JK" in cards or len({card[0] for card in cards}) != 1:
        return False
    ends_lie_right = FACES.index(cards[0]) <= FACES.index(cards[-1])
    middle = list(cards[1:-1])
    return ends_lie_right and middle == in_order(middle)


@cache
def is_run(cards: tuple[str, ...]) -> bool:
    """Y3.3, Y3.4: whether the cards, laid in this order, are a run: one suit, one stretch of ranks, Jokers anywhere."""
    suits = {card[1] for card in cards if card != "JK"}
    if len(cards) < 3 or len(suits) != 1:
        return False
    for low in range(len(RANKS) - len(cards) + 1):
        places = zip(cards, RANKS[low : low + len(cards)])
        if all(card == "JK" or card[0] == rank for card, rank in places):
            return True
    return False


def is_discard(cards: tuple[str, ...]) -> bool:
    """Y3: whether the cards, laid in this order, are one whole discard."""
    return len(cards) == 1 or is_set(cards) or is_run(cards)


def begins_discard(laid: list[str], hand: list[str]) -> bool:
    """Y2.5: whether what is laid is a discard, or becomes one with cards of the hand laid behind it in some order."""
    for count in range(len(hand) + 1):
        for more in set(permutations(hand, count)):
            if is_discard((*laid, *more)):
                return True
    return False


def parse_rules(text: str) -> dict[str, str]:
    """The value of every switch: Y7. Raises ValueError."""
    return referee_texts.parse_rules(text, SWITCHES, PRESETS)


def pack_of(rules: dict[str, str], players: int) -> list[str]:
    """Y1.2: all cards, in the order of faces, for a game that began with this number of seats."""
    packs = {"auto": 2 if players >= 4 else 1, "1": 1, "2": 2}[rules["packs"]]
    return in_order([*FACES, "JK"] * packs)


# The table


class Referee:
    """A game set up from the text of a position; `legal` and `apply` speak in the texts of actions.

    `points` and `scores` are lists by seat, of the last round and of the match. Low wins.
    """

    rules: dict[str, str]
    players: int
    episode: str
    dealer: int
    round: int
    turns: int
    scores: list[int]
    points: list[int]
    out: list[int]
    hands: list[list[str]]
    known: list[list[str]]
    pile: list[str]  # bottom to top, without what is laid in this turn
    last: int
    laid: list[str]
    stock: list[str]  # the next card first
    ending: str  # how the game ended; empty while it goes on
    seat: int
    phase: str
    rng: str | None
    random: Random  # for shuffles of which no text tells

    @classmethod
    def from_text(cls, text: str) -> Referee:
        """The game at a complete position. Raises ValueError for a text that is not a position."""
        lines = read_lines(text)
        self = cls()
        self.rules = parse_rules(lines.get("rules", "denexa"))
        self.players = n = number_of_players(lines)
        seats = range(n)
        unknown = set(lines) - KEYS - {f"{word} {seat}" for word in ("hand", "known") for seat in seats}
        if unknown:
            raise ValueError(f"no lines of this game: {unknown}")
        self.episode = lines.get("episode", "round")
        self.dealer = int(lines.get("dealer", n - 1))
        self.round = int(lines.get("round", 0))
        self.turns = int(lines.get("turns", 0))
        self.scores = _numbers(lines.get("scores", "0 " * n), n)
        self.points = _numbers(lines.get("points", "0 " * n), n)
        self.out = sorted(int(word) for word in lines.get("out", "").split())
        self.hands = [lines.get(f"hand {seat}", "").split() for seat in seats]
        self.known = [lines.get(f"known {seat}", "").split() for seat in seats]
        self.pile = lines.get("pile", "").split()
        self.last = int(lines.get("last", 1))
        self.laid = lines.get("laid", "").split()
        self.stock = lines.get("stock", "").split()
        self.ending = lines.get("over", "")
        self.rng = lines.get("rng")
        self.random = Random(text)
        if not 2 <= n <= 5 or not {self.dealer, *self.out} <= set(seats) or not len(set(self.out)) == len(self.out) < n:
            raise ValueError(f"players: {n}, dealer: {self.dealer}, out: {self.out}")
        turn = lines.get("turn", f"seat {self._next_in_game(self.dealer)}, play")
        seat, self.phase = (word.strip() for word in turn.split(","))
        self.seat = int(seat.removeprefix("seat "))
        if self.seat not in seats:
            raise ValueError(f"no such seat: {turn}")
        self._refuse_impossible_tables()
        return self

    def _refuse_impossible_tables(self) -> None:
        seats = range(self.players)
        cards = [card for place in (*self.hands, self.pile, self.laid, self.stock) for card in place]
        pack = pack_of(self.rules, self.players)
        if Counter(cards) != Counter(pack):
            raise ValueError(f"missing {Counter(pack) - Counter(cards)}, too many {Counter(cards) - Counter(pack)}")
        in_game = self._in_game()
        endings = ["match", "rounds"] if self.episode == "match" else ["yaniv", "turns"]
        wrong = {
            "episode": self.episode not in ("round", "match"),
            "out in a single round": bool(self.out) and self.episode == "round",
            "known cards that are not in hand": any(Counter(self.known[s]) - Counter(self.hands[s]) for s in seats),
            "last": not 1 <= self.last <= len(self.pile),
            "phase": self.phase not in ("play", "draw", "over") or (self.phase == "over") != bool(self.ending),
            "laid": bool(self.laid) != (self.phase == "draw"),
            "over": self.ending != "" and self.ending.split(",")[0] not in endings,
        }
        if not self.ending:
            wrong |= {
                "one seat in the game": len(in_game) < 2,
                "the seat to move is out": self.seat in self.out,
                "cards of a seat that is out": any(self.hands[s] for s in self.out),
                "no cards": any(not self.hands[s] for s in in_game if s != self.seat or self.phase == "play"),
                "no stock": not self.stock,
                "no discard begins like this": not begins_discard(self.laid, self.hands[self.seat]),
                "turns": self.turns >= int(self.rules["max_turns"]),
            }
        if any(wrong.values()):
            raise ValueError("; ".join(what for what, is_so in wrong.items() if is_so))

    def to_text(self) -> str:
        """The position: every line that differs from its default, and some always."""
        n = self.players
        lines: list[tuple[str, str, str | None]] = [  # key, value, the value that is left out
            ("rules", write_rules(self.rules, PRESETS), None),
            ("players", str(n), None),
            ("episode", self.episode, "round"),
            ("dealer", str(self.dealer), str(n - 1)),
            ("round", str(self.round), "0"),
            ("turns", str(self.turns), "0"),
            ("scores", " ".join(map(str, self.scores)), " ".join("0" * n)),
            ("turn", f"seat {self.seat}, {self.phase}", None),
            ("out", " ".join(map(str, self.out)), ""),
            *((f"hand {seat}", " ".join(in_order(self.hands[seat])), None) for seat in range(n)),
            *((f"known {seat}", " ".join(in_order(self.known[seat])), "") for seat in range(n)),
            ("pile", " ".join(self.pile), None),
            ("last", str(self.last), "1"),
            ("laid", " ".join(self.laid), ""),
            ("stock", " ".join(self.stock), None),
            ("over", self.ending, ""),
            ("points", " ".join(map(str, self.points)), " ".join("0" * n)),
            ("rng", self.rng or "", "" if self.rng is None else None),
        ]
        return "".join(f"{key}: {value}".rstrip() + "\n" for key, value, omitted in lines if value != omitted)

    @property
    def over(self) -> bool:
        return self.ending != ""

    # Y2: the turn

    def legal(self) -> set[str]:
        """The texts of all legal actions; none when the game is over."""
        if self.over:
            return set()
        return self._legal_play() if self.phase == "play" else self._legal_draw()

    def _legal_play(self) -> set[str]:
        hand = self.hands[self.seat]
        actions = {f"discard {face}" for face in hand}
        if total(hand) <= int(self.rules["call_limit"]):
            actions.add("yaniv")
        return actions

    def _legal_draw(self) -> set[str]:
        actions = set()
        for face in set(self.hands[self.seat]):
            rest = list(self.hands[self.seat])
            rest.remove(face)
            if begins_discard([*self.laid, face], rest):
                actions.add(f"also {face}")
        if is_discard(tuple(self.laid)):
            actions |= {"draw", "take last"}
            ends = self.pile[-self.last :]
            if ends[0] != ends[-1]:  # Y2.4: two ends, and not of one face
                actions.add("take first")
        return actions

    def apply(self, action: str, after: str | None = None) -> None:
        """Carry out one legal action.

        `after` is the engine's position after the action: it tells how cards were shuffled, and everything else in it
        is checked. Without it the referee shuffles itself. Raises ValueError for an illegal action, AssertionError
        where `after` is wrong.
        """
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal: {sorted(self.legal())}")
        told = None
        if after is not None:
            try:
                told = Referee.from_text(after)
            except ValueError as error:
                raise AssertionError(f"after {action!r} the text is not a position: {error}\n{after}") from error
        word, _, rest = action.partition(" ")
        if word in ("discard", "also"):
            self._lay(rest)
        elif word == "draw":
            self.hands[self.seat].append(self.stock.pop(0))
            self._end_turn(told)
        elif word == "take":
            card = self.pile.pop(-self.last if rest == "first" else -1)
            self.hands[self.seat].append(card)
            self.known[self.seat].append(card)
            self._end_turn(told)
        else:
            self._call(told)
        if told is not None:
            self.rng = told.rng
            mine, its = read_lines(self.to_text()), read_lines(told.to_text())
            different = {key: (mine.get(key), its.get(key)) for key in mine | its if mine.get(key) != its.get(key)}
            assert not different, f"after {action!r} (referee, engine): {different}\n{after}"

    def _lay(self, face: str) -> None:
        self.hands[self.seat].remove(face)
        if face in self.known[self.seat]:  # a card that everybody knows is laid first
            self.known[self.seat].remove(face)
        self.laid.append(face)
        self.phase = "draw"

    def _end_turn(self, told: Referee | None) -> None:
        self.pile += self.laid
        self.last, self.laid = len(self.laid), []
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            self.points = [0] * self.players
            self._end_round("turns", None, told)
        else:
            self.seat, self.phase = self._next_in_game(self.seat), "play"
        if not self.stock:
            self._renew_stock(told)

    def _renew_stock(self, told: Referee | None) -> None:
        """Y2.6: all discards but the one just laid are the new stock."""
        self.stock, self.pile = self.pile[: -self.last], self.pile[-self.last :]
        if told is None:
            self.random.shuffle(self.stock)
        else:
            assert Counter(told.stock) == Counter(self.stock), f"the new stock: {told.stock}, not of {self.stock}"
            self.stock = list(told.stock)

    # Y4, Y5: the call and the score

    def _call(self, told: Referee | None) -> None:
        caller, in_game = self.seat, self._in_game()
        totals = {seat: total(self.hands[seat]) for seat in in_game}
        lowest_other = min(totals[seat] for seat in in_game if seat != caller)
        beaten = lowest_other < totals[caller] or (lowest_other == totals[caller] and self.rules["tie"] == "asaf")
        self.points = [totals.get(seat, 0) for seat in range(self.players)]  # 0 for seats that are out
        if not beaten:
            self.points[caller] = 0
            winner = caller
        else:
            self.points[caller] += int(self.rules["penalty"])
            others = [seat for seat in self._after(caller) if seat in in_game and seat != caller]
            lowest = [seat for seat in others if totals[seat] == lowest_other]
            winner = lowest[0]
            if self.rules["asaf_zero"] == "yes":
                for seat in lowest:
                    self.points[seat] = 0
        for seat in in_game:
            self.scores[seat] = self._halved(self.scores[seat] + self.points[seat])
        self._end_round(f"yaniv, seat {caller}", winner, told)

    def _halved(self, score: int) -> int:
        """Y5.1: one step at most."""
        target = int(self.rules["target"])
        if self.rules["halving"] == "yes":
            if score == target:
                return target // 2
            if score == target // 2:
                return target // 4
        return score

    # Y6: the match

    def _end_round(self, how: str, winner: int | None, told: Referee | None) -> None:
        """End the round and, in a match, deal the next one; `winner` is the winner of the round, if it was scored."""
        if self.episode == "round":
            self.ending, self.phase = how, "over"
            return
        self.round += 1
        stay = [seat for seat in self._in_game() if self.scores[seat] <= int(self.rules["target"])]
        if not stay:  # Y6.4
            lowest = min(self.scores[seat] for seat in self._in_game())
            stay = [seat for seat in self._in_game() if self.scores[seat] == lowest]
        self.out = [seat for seat in range(self.players) if seat not in stay]
        if len(stay) == 1:
            self.ending, self.phase = f"match, seat {stay[0]}", "over"
        elif self.round >= int(self.rules["max_rounds"]):
            self.ending, self.phase = "rounds", "over"
        else:
            self._choose_dealer(winner)
            self._deal(told)

    def _choose_dealer(self, winner: int | None) -> None:
        if self.rules["first"] == "left" or winner is None:
            self.dealer = self._next_in_game(self.dealer)
            return
        first = winner if winner not in self.out else self._next_in_game(winner)
        self.dealer = next(seat for seat in self._in_game() if self._next_in_game(seat) == first)

    def _deal(self, told: Referee | None) -> None:
        """Y1.5: five cards to every seat in the game, the upcard, and the stock."""
        self.turns = 0
        self.seat, self.phase = self._next_in_game(self.dealer), "play"
        self.known = [[] for _ in range(self.players)]
        self.last, self.laid = 1, []
        if told is None:
            cards = pack_of(self.rules, self.players)
            self.random.shuffle(cards)
            self.hands = [[cards.pop() for _ in range(5)] if s not in self.out else [] for s in range(self.players)]
            self.pile, self.stock = [cards.pop()], cards
            return
        for seat in range(self.players):  # that all cards together are the pack has been checked as the text was read
            size = len(told.hands[seat])
            assert size == (0 if seat in self.out else 5), f"{size} cards dealt to seat {seat}"
        assert len(told.pile) == 1, f"the pile of a new deal: {told.pile}"
        self.hands = [list(hand) for hand in told.hands]
        self.pile, self.stock = list(told.pile), list(told.stock)

    # Seats

    def _in_game(self) -> list[int]:
        return [seat for seat in range(self.players) if seat not in self.out]

    def _after(self, seat: int) -> list[int]:
        """All seats in order of play, whether in the game or not; the seat itself comes last."""
        return [(seat + step) % self.players for step in range(1, self.players + 1)]

    def _next_in_game(self, seat: int) -> int:
        return next(other for other in self._after(seat) if other not in self.out)


# Texts


def number_of_players(lines: dict[str, str]) -> int:
    """The line `players`, or one more than the highest seat that has a line, at least two."""
    seats = [int(key.split()[1]) for key in lines if key.startswith(("hand ", "known "))]
    return int(lines.get("players", max([1, *seats]) + 1))


def _numbers(text: str, count: int) -> list[int]:
    numbers = [int(word) for word in text.split()]
    if len(numbers) != count:
        raise ValueError(f"{count} numbers, not {text}")
    return numbers


def complete(text: str) -> str:
    """The position with hands, pile and stock filled in where they are left out, by the shuffle of its `seed`."""
    lines = read_lines(text)
    players = number_of_players(lines)
    pack = Counter(pack_of(parse_rules(lines.get("rules", "denexa")), players))
    for key, value in lines.items():
        if key.split()[0] in ("hand", "pile", "laid", "stock"):
            pack -= Counter(value.split())  # a card too many is found when the text is read
    rest = in_order(list(pack.elements()))
    seed = lines.pop("seed", "0")
    Random(seed).shuffle(rest)
    out = lines.get("out", "").split()
    for seat in range(players):
        if f"hand {seat}" not in lines:
            lines[f"hand {seat}"] = " ".join(rest.pop() for _ in range(0 if str(seat) in out else 5))
    if "pile" not in lines:
        lines["pile"] = rest.pop()
    if "stock" not in lines:
        lines["stock"] = " ".join(rest)
    lines.setdefault("rng", seed)
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


def new_position(players: int, rules: str, episode: str, seed: int) -> str:
    """The text of a new game, dealt by the referee's own shuffle."""
    lines = [f"rules: {rules}", f"players: {players}", f"episode: {episode}", f"seed: {seed}"]
    return Referee.from_text(complete("\n".join(lines))).to_text()
