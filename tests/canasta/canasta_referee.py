"""A second reading of the rules of Canasta, to prove the engine right.

Slow and plain, written from the numbered rules (C1 to C11) and their text contract alone. Cards are texts. The
questions "can this turn still be ended?" and "can this player go out?" are answered by trying all continuations of
the turn, on a `Look`: the turn with suits left out. Whether a large hand can go out is tried rank by rank; the tests
show that both ways agree.

How the referee reads what the rules leave open:

* `last` is accepted with all red Threes on the other side, as the cases have it, although play cannot lead there.
* `turn` is written in every position that is not over, also when it has its default value.
* Lines are written in the order of the contract's table of keys; `dealer` stays when the game is over.
* A take that does not reach the value of the first meld is `opening, taking`, also when the rest of the pile is empty.
* Two players, a stock of a red Three and then one other card: one card is drawn, and the turn is not `last`, because
  the last card of the stock is no red Three.
* C4.5 is read to the letter: after `open 3 3 3` at most one card may be left, red Threes of the pile not counted. So
  four black Threes can be melded only by a player who has no other card left.
* A player who has melded black Threes must go out: such a player cannot `stop`.
* Going out counts as concealed whenever the side had no melds before the turn, also when it has none at all.
* Without melds, four red Threes count minus 800 (`red_threes_against`).
* A round that ends by `turns` in a match: points are zeros, `round` and `dealer` move on, the end of the match is
  looked for. `match` comes before `rounds`.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import NamedTuple, Self

from referee_texts import Allowed, TextReferee, parse_rules, read_lines

KINDS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "JK")
RANKS = KINDS[:12]  # what a meld can be of; "3" stands for black Threes
NATURALS = KINDS[1:12]  # 4 to A
WILD = ("2", "JK")
VALUES = dict(zip(KINDS, (5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50)))
RED_THREES = ("3d", "3h")
PACK = tuple(rank + suit for rank in KINDS[:13] for suit in "cdhs" for _ in range(2)) + ("JK",) * 4

ACTIONS = (
    "draw",
    "pass",
    "take add",
    *(f"take {rank} {other}" for rank in NATURALS for other in (rank, *WILD)),
    *(f"open {rank} {rank} {other}" for rank in NATURALS for other in (rank, *WILD)),
    "open 3 3 3",
    *(f"add {rank}" for rank in NATURALS),
    "add 3",
    *(f"add {wild} to {rank}" for rank in NATURALS for wild in WILD),
    *(f"discard {kind}" for kind in KINDS),
    "stop",
    "ask",
    "yes",
    "no",
)

# C10.2, in the order of the table
SWITCHES: dict[str, Allowed] = {
    "canastas": ("usual", "0", "1", "2", "3"),
    "ask": ("yes", "no"),
    "must_take": ("able", "fits", "never"),
    "frozen_before_meld": ("yes", "no"),
    "lone_take": ("yes", "no"),
    "red_threes_against": ("yes", "no"),
    "target": range(1, 10**9),
    "max_turns": range(1, 10**9),
    "max_rounds": range(1, 10**9),
}
DENEXA = {
    "canastas": "usual",
    "ask": "yes",
    "must_take": "able",
    "frozen_before_meld": "no",
    "lone_take": "yes",
    "red_threes_against": "no",
    "target": "5000",
    "max_turns": "200",
    "max_rounds": "100",
}
CLASSIC = {"must_take": "fits", "frozen_before_meld": "yes", "lone_take": "no", "red_threes_against": "yes"}
PRESETS = {"denexa": DENEXA, "classic": DENEXA | CLASSIC}
PHASES = ("draw", "play", "answer")
WORDS = ("opening", "taking", "concealed", "yes", "no", "last")


# Cards ----------------------------------------------------------------------------------------------------------------


def kind_of(card: str) -> str:
    return card if card == "JK" else card[0]


def c_order(card: str) -> tuple[int, str]:
    """C1.5."""
    return KINDS.index(kind_of(card)), card


def tidy(cards: list[str]) -> list[str]:
    return sorted(cards, key=c_order)


def is_wild(card: str) -> bool:
    return kind_of(card) in WILD


def value_of(cards: list[str]) -> int:
    """C1.3, of cards among which no red Three is."""
    return sum(VALUES[kind_of(card)] for card in cards)


def minimum(score: int) -> int:
    """C5.1: what the first meld of a side with this match score must reach."""
    if score < 0:
        return 15
    if score < 1500:
        return 50
    if score < 3000:
        return 90
    return 120


# Melds, as lists of kinds ---------------------------------------------------------------------------------------------


def is_meld(kinds: list[str]) -> bool:
    """C4.1, C4.5."""
    naturals = [kind for kind in kinds if kind not in WILD]
    wilds = len(kinds) - len(naturals)
    if len(kinds) < 3 or len(set(naturals)) != 1:
        return False
    if naturals[0] == "3":
        return wilds == 0 and len(kinds) <= 4
    return len(naturals) >= 2 and wilds <= 3


def fits(meld: list[str], kind: str) -> bool:
    """Whether a meld takes one card more of this kind (C4.3)."""
    return is_meld([*meld, kind])


def canasta(kinds: list[str]) -> str | None:
    """C4.4: `natural`, `mixed` or no canasta."""
    if len(kinds) < 7:
        return None
    return "mixed" if any(kind in WILD for kind in kinds) else "natural"


# Looking ahead in one turn --------------------------------------------------------------------------------------------


class Look(NamedTuple):
    """A turn in phase `play`, as far as it matters to how the turn can go on. Tuples of kinds are in order."""

    hand: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]  # of the side, one for each of RANKS, empty where there is no meld
    waiting: tuple[str, ...]  # what comes into the hand when the first meld reaches its value (C5.4), no red Threes
    first: int  # the value the first meld has still to reach as a whole; 0 once it has been reached
    canastas: int  # needed to go out
    last: bool  # C8.3

    @property
    def opening(self) -> bool:
        return self.first > 0 and any(self.melds)

    @property
    def may_go_out(self) -> bool:
        """Whether an empty hand would be going out (C7.1)."""
        return not self.opening and sum(canasta(list(meld)) is not None for meld in self.melds) >= self.canastas

    @property
    def black_threes_melded(self) -> bool:
        return bool(self.melds[0])


def ordered(kinds: list[str]) -> tuple[str, ...]:
    return tuple(sorted(kinds, key=KINDS.index))


def has(cards: tuple[str, ...], wanted: list[str]) -> bool:
    return all(cards.count(kind) >= wanted.count(kind) for kind in wanted)


def laid(look: Look, rank: str, from_hand: list[str], upcard: list[str] | None = None) -> Look:
    """These cards in the side's meld of that rank; if this reaches the value, what waits is in the hand (C5.4)."""
    hand = list(look.hand)
    for kind in from_hand:
        hand.remove(kind)
    place = RANKS.index(rank)
    melds = list(look.melds)
    melds[place] = ordered([*melds[place], *from_hand, *(upcard or [])])
    waiting, first = list(look.waiting), look.first
    if sum(VALUES[kind] for meld in melds for kind in meld) >= first:
        hand, waiting, first = hand + waiting, [], 0
    return look._replace(hand=ordered(hand), melds=tuple(melds), waiting=tuple(waiting), first=first)


@lru_cache(maxsize=1 << 17)
def plays(look: Look) -> dict[str, Look]:
    """All openings and additions that the melds allow (C4), whatever may become of the turn afterwards."""
    found = {}
    for rank, meld in zip(RANKS, look.melds):
        if not meld:
            for other in (rank, *WILD):
                cards = [rank, rank, other]
                if is_meld(cards) and has(look.hand, cards):
                    after = laid(look, rank, cards)
                    # C4.5: black Threes are the last but one card at most.
                    if rank != "3" or len(after.hand) + len(after.waiting) <= 1:
                        found["open " + " ".join(cards)] = after
        else:
            for kind in (rank, *WILD):
                if kind in look.hand and fits(list(meld), kind):
                    found[f"add {kind}" if kind == rank else f"add {kind} to {rank}"] = laid(look, rank, [kind])
    return found


# Up to this size of hand, going out is decided by trying the continuations one by one.
SMALL_HAND = 9


@lru_cache(maxsize=1 << 18)
def can_go_out(look: Look) -> bool:
    """Whether the player can go out in this turn, by own actions alone."""
    if look.first == 0 and len(look.hand) > SMALL_HAND:
        return can_go_out_by_ranks(look)
    if not look.hand:
        return look.may_go_out
    if len(look.hand) == 1 and not look.last and look.may_go_out:
        return True  # the discard
    return any(can_go_out(after) for after in plays(look).values())


@lru_cache(maxsize=1 << 18)
def can_stay_in(look: Look) -> bool:
    """Whether the player can end this turn without going out: by a discard that leaves a card, or by `stop`."""
    if look.black_threes_melded:
        return False
    if not look.opening and len(look.hand) >= (1 if look.last else 2):
        return True
    return any(can_stay_in(after) for after in plays(look).values())


def can_go_out_by_ranks(look: Look) -> bool:
    """The same as `can_go_out`, once the first meld is done: all outcomes of the turn rather than all ways to them.

    One card, or none, is left for the discard. All others are melded: the naturals in the melds of their ranks, and
    the wild cards in all possible numbers with them.
    """
    assert look.first == 0
    for left in [None] if look.last else [None, *sorted(set(look.hand))]:
        hand = list(look.hand)
        if left is not None:
            hand.remove(left)
        threes = hand.count("3")
        if threes and not look.black_threes_melded and threes != 3 and not (threes == 4 and left is None):
            continue  # C4.5: one card at most is left when three of them have been laid down
        if threes and look.black_threes_melded and threes + len(look.melds[0]) > 4:
            continue
        wilds = sum(kind in WILD for kind in hand)
        naturals = tuple(hand.count(rank) for rank in NATURALS)
        lying = tuple((len(meld), sum(kind in WILD for kind in meld)) for meld in look.melds[1:])
        if spread(naturals, lying, wilds, look.canastas):
            return True
    return False


@lru_cache(maxsize=1 << 17)
def spread(naturals: tuple[int, ...], lying: tuple[tuple[int, int], ...], wilds: int, canastas: int) -> bool:
    """Whether all these naturals and wild cards can be melded with that many canastas, rank after rank.

    Args:
        naturals: cards in hand of each rank.
        lying: for each rank the size of the side's meld, and the number of wild cards in it.
        wilds: wild cards in hand.
        canastas: still needed in these ranks.
    """
    if not naturals:
        return wilds == 0 and canastas <= 0
    size, wilds_lying = lying[0]
    for more in range(min(wilds, 3 - wilds_lying) + 1):
        new_size = size + naturals[0] + more
        if new_size == 0 or (size > 0) or (naturals[0] >= 2 and new_size >= 3):
            if spread(naturals[1:], lying[1:], wilds - more, canastas - (new_size >= 7)):
                return True
    return False


# The game -------------------------------------------------------------------------------------------------------------


class Referee(TextReferee):
    """One position. `legal` and `apply` follow the rules; `from_text` and `to_text` the contract."""

    pack, presets = PACK, PRESETS
    tidy, kind_of = staticmethod(tidy), staticmethod(kind_of)

    words: set[str]
    melds: list[dict[str, list[str]]]  # by side, then rank
    red_threes: list[list[str]]  # by side

    # Text -------------------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a position. All hands must be given; a stock that is left out is the rest of the pack in order."""
        lines = read_lines(text)
        self = cls()
        self.rules = parse_rules(lines.pop("rules", ""), SWITCHES, PRESETS)
        seats = [int(key.split()[1]) for key in lines if key.split()[0] in ("hand", "known")]
        players = int(lines.pop("players", max(seats) + 1 if seats else 4))
        if players not in (2, 4):
            raise ValueError(f"players: 2 or 4, not {players}")
        self._read_counters(lines, players)
        self._read_numbers(lines, "scores", "points")
        self._read_hands(lines)
        self.melds = [parse_melds(lines.pop(f"melds {side}", "")) for side in range(2)]
        self.red_threes = [tidy(lines.pop(f"red threes {side}", "").split()) for side in range(2)]
        self.seat, self.phase, self.words = (self.dealer + 1) % players, "draw", set()
        turn = lines.pop("turn", "")
        if turn:
            seat, self.phase, *words = turn.removeprefix("seat ").split(", ")
            self.seat, self.words = int(seat), set(words)
        self._read_rest(lines)
        self._check()
        if turn and self.over:
            raise ValueError("turn: the game is over")
        return self

    def to_text(self) -> str:
        lines = [*self._first_lines(), *self._number_lines("scores", "points")]
        if not self.over:
            words = [word for word in WORDS if word in self.words]
            lines.append("turn: " + ", ".join([f"seat {self.seat}", self.phase, *words]))
        lines += self._lines_of("hand", self.hands, empty=True) + self._lines_of("known", self.known)
        for side, melds in enumerate(self.melds):
            if melds:
                lines.append(f"melds {side}: " + " | ".join(" ".join(melds[rank]) for rank in RANKS if rank in melds))
        lines += self._lines_of("red threes", self.red_threes)
        return "\n".join(line.rstrip() for line in [*lines, *self._last_lines()]) + "\n"

    def all_cards(self) -> list[str]:
        cards = [*self.pile, *self.stock]
        for group in (*self.hands, *self.red_threes):
            cards += group
        for melds in self.melds:
            for meld in melds.values():
                cards += meld
        return cards

    def _check(self) -> None:
        """Refuse what cannot be."""
        self._check_cards()
        if any(card in RED_THREES for hand in self.hands for card in hand):
            raise ValueError("a red Three in a hand")
        if any(card not in RED_THREES for cards in self.red_threes for card in cards):
            raise ValueError("red threes: another card")
        for numbers in (self.scores, self.points):
            if len(numbers) != self.players or numbers != numbers[:2] * (self.players // 2):
                raise ValueError("scores and points: a number a seat, the same for partners")
        if not (0 <= self.seat < self.players and 0 <= self.dealer < self.players):
            raise ValueError("turn, dealer: no such seat")
        if self.over:
            return
        if self.phase not in PHASES or not self.words <= set(WORDS):
            raise ValueError("turn: unknown phase or word")
        if not self._words_fit():
            raise ValueError("turn: the words do not fit the table")
        if not self.legal():
            raise ValueError("nothing is legal")

    def _words_fit(self) -> bool:
        words, melds = self.words, self.melds[self.side]
        value = sum(value_of(meld) for meld in melds.values())
        if self.phase == "draw" and words:
            return False
        if self.phase == "answer" and (self.players == 2 or words & {"opening", "taking", "yes", "no"}):
            return False
        if "opening" in words and ("concealed" in words or not melds or value >= self._minimum()):
            return False
        if "taking" in words and "opening" not in words:
            return False
        if "concealed" in words and (not melds or value < self._minimum()):
            return False
        if words & {"yes", "no"} and (self.players == 2 or {"yes", "no"} <= words):
            return False
        return not ("last" in words and self.stock)

    # What is legal ----------------------------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        return self.seat % 2

    def _minimum(self) -> int:
        return minimum(self.scores[self.side])

    def _canastas_needed(self) -> int:
        usual = 2 if self.players == 2 else 1
        return usual if self.rules["canastas"] == "usual" else int(self.rules["canastas"])

    def look(self) -> Look:
        """The turn of the seat to move, with the suits left out."""
        melds = self.melds[self.side]
        waiting = [card for card in self.pile if card not in RED_THREES] if "taking" in self.words else []
        return Look(
            hand=ordered([kind_of(card) for card in self.hands[self.seat]]),
            melds=tuple(ordered([kind_of(card) for card in melds.get(rank, [])]) for rank in RANKS),
            waiting=ordered([kind_of(card) for card in waiting]),
            first=self._minimum() if not melds or "opening" in self.words else 0,
            canastas=self._canastas_needed(),
            last="last" in self.words,
        )

    def legal(self) -> set[str]:
        """The texts of all legal actions; none once the game is over."""
        if self.over:
            return set()
        if self.phase == "answer":
            return {"yes", "no"}
        return self._legal_draw() if self.phase == "draw" else self._legal_play()

    def _legal_draw(self) -> set[str]:
        takes = set(self._takes())
        if self.stock:
            return {"draw"} | takes
        must = self.rules["must_take"]
        if takes and (must == "never" or (must == "fits" and "take add" not in takes)):
            return takes | {"pass"}
        return takes

    def _frozen(self) -> bool:
        """C6.2, for the side to move."""
        if self.rules["frozen_before_meld"] == "yes" and not self.melds[self.side]:
            return True
        return any(is_wild(card) or card in RED_THREES for card in self.pile)

    def _takes(self) -> dict[str, Look]:
        """The legal ways to take the pile (C6)."""
        if not self.pile or is_wild(self.pile[-1]) or kind_of(self.pile[-1]) == "3":
            return {}
        if self.rules["lone_take"] == "no" and len(self.pile) == 1 and len(self.hands[self.seat]) == 1:
            return {}
        rank = kind_of(self.pile[-1])
        if self._frozen():
            ways = {f"take {rank} {rank}": [rank, rank]}
        elif rank in self.melds[self.side]:
            ways = {"take add": []}
        else:
            ways = {f"take {rank} {other}": [rank, other] for other in (rank, *WILD)}
        rest = [kind_of(card) for card in self.pile[:-1] if card not in RED_THREES]
        look = self.look()._replace(waiting=ordered(rest))
        takes = {}
        for action, cards in ways.items():
            if has(look.hand, cards):
                after = laid(look, rank, cards, [rank])
                if can_stay_in(after) or can_go_out(after):
                    takes[action] = after
        return takes

    def _legal_play(self) -> set[str]:
        look = self.look()

        def good(after: Look) -> bool:
            """Whether the turn can be ended after this, and as the partner wants it."""
            if "yes" in self.words:
                return can_go_out(after)
            if "no" in self.words:
                return can_stay_in(after)
            return can_stay_in(after) or can_go_out(after)

        found = {action for action, after in plays(look).items() if good(after)}
        if look.opening:
            return found
        may_stay = "yes" not in self.words and not look.black_threes_melded
        if look.last:
            if may_stay and look.hand:
                found.add("stop")
        elif len(look.hand) == 1:
            if look.may_go_out and "no" not in self.words:
                found.add(f"discard {look.hand[0]}")
        elif may_stay:
            found |= {f"discard {kind}" for kind in look.hand}
        asking = self.players == 4 and self.rules["ask"] == "yes" and not self.words & {"yes", "no"}
        if asking and can_go_out(look) and can_stay_in(look):
            found.add("ask")
        return found

    # What an action does ----------------------------------------------------------------------------------------------

    def apply(self, action: str, after: str | None = None) -> None:
        """Carry out a legal action.

        Args:
            action: its text.
            after: the engine's position after the action. `rng` is read from it, and a new deal, which is checked.

        Raises:
            ValueError: the action is not legal.
            AssertionError: the deal in `after` is not possible, or the position around it is wrong.
        """
        if action not in self.legal():
            raise ValueError(f"{action} is not legal")
        verb, *words = action.split()
        deals = False
        if verb == "draw":
            self._draw()
        elif verb == "take":
            deals = self._take(words)
        elif verb == "open":
            deals = self._lay(words[0], self._play(words))
        elif verb == "add":
            deals = self._lay(words[-1], self._play(words[:1]))
        elif verb == "discard":
            deals = self._discard(words[0])
        elif verb in ("pass", "stop"):
            deals = self._finish("exhausted")
        else:
            self._talk(verb)
        if after is not None:
            self.rng = read_lines(after).get("rng", self.rng)
        if deals:
            self._next_round(after)

    def _draw(self) -> None:
        """C3.1, C2.2, C8.3."""
        wanted = 2 if self.players == 2 else 1
        card = ""
        while wanted and self.stock:
            card = self.stock.pop(0)
            if card in RED_THREES:
                self._to_red_threes(card)
            else:
                self.hands[self.seat] = tidy([*self.hands[self.seat], card])
                wanted -= 1
        self.phase = "play"
        if not self.stock and card in RED_THREES:
            self.words.add("last")

    def _to_red_threes(self, card: str) -> None:
        self.red_threes[self.side] = tidy([*self.red_threes[self.side], card])

    def _take(self, words: list[str]) -> bool:
        upcard = self.pile.pop()
        cards = [] if words == ["add"] else self._play(words)
        self.phase = "play"
        self.words.add("taking")
        return self._lay(kind_of(upcard), [upcard, *cards])

    def _lay(self, rank: str, cards: list[str]) -> bool:
        """Put cards into the side's meld of the rank. Return whether a new deal follows."""
        melds = self.melds[self.side]
        if not melds:
            self.words.add("opening")
        melds[rank] = tidy([*melds.get(rank, []), *cards])
        if "opening" in self.words and sum(value_of(meld) for meld in melds.values()) >= self._minimum():
            self.words.remove("opening")
            self.words.add("concealed")
        if "taking" in self.words and "opening" not in self.words:
            self.words.remove("taking")
            self._take_rest()
        if not self.hands[self.seat]:
            return self._finish("out")
        return False

    def _take_rest(self) -> None:
        """C6.5: the pile without its upcard comes into the hand."""
        for card in self.pile:
            if card in RED_THREES:
                self._to_red_threes(card)
            else:
                self.hands[self.seat] = tidy([*self.hands[self.seat], card])
                self.known[self.seat] = tidy([*self.known[self.seat], card])
        self.pile = []

    def _discard(self, kind: str) -> bool:
        self.pile += self._play([kind])
        if not self.hands[self.seat]:
            return self._finish("out")
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            return self._finish("turns")
        self.seat, self.phase, self.words = (self.seat + 1) % self.players, "draw", set()
        if not self.stock and not self._takes():
            return self._finish("exhausted")
        return False

    def _talk(self, word: str) -> None:
        """C7.4: the question goes to the partner, the answer back."""
        self.seat = (self.seat + 2) % 4
        self.phase = "answer" if word == "ask" else "play"
        if word != "ask":
            self.words.add(word)

    # The end of a round -----------------------------------------------------------------------------------------------

    def _side_points(self, side: int, how: str) -> int:
        """C9.1 to C9.3."""
        points = 0
        for meld in self.melds[side].values():
            points += value_of(meld)
            points += {"natural": 500, "mixed": 300, None: 0}[canasta([kind_of(card) for card in meld])]
        for seat in range(side, self.players, 2):
            points -= value_of(self.hands[seat])
        reds = len(self.red_threes[side])
        bonus = 800 if reds == 4 else 100 * reds
        if self.rules["red_threes_against"] == "yes" and not self.melds[side]:
            bonus = -bonus
        points += bonus
        if how == "out" and side == self.side:
            concealed = "concealed" in self.words or not self.melds[side]
            points += 200 if concealed else 100
        return points

    def _finish(self, how: str) -> bool:
        """End the round. Return whether a new deal follows."""
        sides = [0, 0] if how == "turns" else [self._side_points(side, how) for side in range(2)]
        self.points = [sides[seat % 2] for seat in range(self.players)]
        self.scores = [score + points for score, points in zip(self.scores, self.points)]
        if self.episode == "round":
            self.ending = f"out, seat {self.seat}" if how == "out" else how
            return False
        self.rounds += 1
        first, second = self.scores[:2]
        if max(first, second) >= int(self.rules["target"]) and first != second:
            self.ending = f"match, seat {0 if first > second else 1}"
        elif self.rounds >= int(self.rules["max_rounds"]):
            self.ending = "rounds"
        return not self.over

    def _next_round(self, after: str | None) -> None:
        """C9.6, and the deal: the one that `after` shows, or one of our own."""
        self.dealer = (self.dealer + 1) % self.players
        self.seat, self.phase, self.words, self.turns = (self.dealer + 1) % self.players, "draw", set(), 0
        self.known = [[] for _ in range(self.players)]
        self.melds = [{}, {}]
        if after is None:
            self._deal(random.Random(f"{self.rng} {self.rounds} {self.scores}"))
            return
        engine = self._dealt_in(after)
        assert engine.players == self.players, "players"
        for seat, hand in enumerate(engine.hands):
            assert len(hand) == hand_size(self.players), f"hand {seat} has {len(hand)} cards after the deal"
        *covered, upcard = engine.pile or [""]
        possible = upcard and not is_wild(upcard) and upcard not in RED_THREES
        assert possible, f"the deal cannot leave {upcard or 'no card'} on top of the pile"
        assert all(is_wild(card) or card in RED_THREES for card in covered), "the deal turns up too many cards"
        self.hands, self.red_threes, self.pile, self.stock = engine.hands, engine.red_threes, engine.pile, engine.stock
        self._agree_on_the_rest(engine)

    def _deal(self, shuffler: random.Random) -> None:
        """C2.1, C2.2, with a shuffle of our own."""
        stock = list(PACK)
        shuffler.shuffle(stock)
        first = (self.dealer + 1) % self.players
        order = [(first + turn) % self.players for turn in range(self.players)]
        self.hands = [[stock.pop(0) for _ in range(hand_size(self.players))] for _ in range(self.players)]
        self.red_threes, self.pile = [[], []], []
        while not self.pile or is_wild(self.pile[-1]) or self.pile[-1] in RED_THREES:
            self.pile.append(stock.pop(0))
        for seat in order:
            reds = [card for card in self.hands[seat] if card in RED_THREES]
            while reds:
                self.hands[seat].remove(reds[0])
                self.red_threes[seat % 2].append(reds[0])
                self.hands[seat].append(stock.pop(0))
                reds = [card for card in self.hands[seat] if card in RED_THREES]
        self.hands = [tidy(hand) for hand in self.hands]
        self.red_threes = [tidy(cards) for cards in self.red_threes]
        self.stock = stock


def hand_size(players: int) -> int:
    return 15 if players == 2 else 11


def parse_melds(text: str) -> dict[str, list[str]]:
    melds: dict[str, list[str]] = {}
    for part in text.split("|") if text else []:
        cards = part.split()
        naturals = [kind_of(card) for card in cards if not is_wild(card)]
        if not is_meld([kind_of(card) for card in cards]) or any(card in RED_THREES for card in cards):
            raise ValueError(f"{part.strip()} is not a meld")
        if naturals[0] in melds:
            raise ValueError(f"two melds of {naturals[0]}")
        melds[naturals[0]] = tidy(cards)
    return melds


def new_position(players: int = 4, rules: str = "denexa", episode: str = "round", seed: int = 0) -> str:
    """A first deal, shuffled by `random.Random`."""
    game = Referee()
    game.rules, game.players, game.episode = parse_rules(rules, SWITCHES, PRESETS), players, episode
    game.dealer, game.rounds, game.turns, game.seat = players - 1, 0, 0, 0
    game.scores, game.points = [0] * players, [0] * players
    game.phase, game.words, game.ending, game.rng = "draw", set(), "", str(seed)
    game.known, game.melds = [[] for _ in range(players)], [{}, {}]
    game._deal(random.Random(seed))
    return game.to_text()
