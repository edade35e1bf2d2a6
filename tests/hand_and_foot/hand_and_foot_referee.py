"""A second reading of the rules of Hand and Foot, to prove the engine right.

Slow and plain, written from the numbered rules (HF1 to HF12) and their text contract alone. Cards are texts.

How the referee reads what the rules leave open:

* Lines are written in the order of the contract's table of keys; `dealer` stays when the game is over.
* `turn` is written in every position that is not over, also when it has its default value.
* Feet are written in C-order, as all cards but those of the pile and the stock.
* A take that does not reach the value of the first meld is `opening, taking`, also when the pile has no other card.
* `last` needs a red Three as the last card drawn of the stock. A red Three that is replaced by the last card of the
  stock, no red Three, makes no last turn (HF9.3).
* HF9.4, a single card that may not be discarded: where the player could go out, `ask` is legal, as `no` is followed by
  `stop`; so `stop` itself waits for the answer (it is for when nothing else is legal).
* HF9.4: that turn passes on and counts (HF12.2).
* A match round that ends by `turns` has the points zero; `round` and `dealer` move on, and the fourth ends the match.
* `round` is 0 to 3 while the game goes on: HF5.1 knows no more.
"""

from __future__ import annotations

import random
from typing import Self

from hand_and_foot_melds import (
    KINDS,
    PILE_BONUS,
    PILE_KINDS,
    RANKS,
    SIZE_OF_PILE,
    VALUES,
    WILD,
    Look,
    can_go_out,
    can_stay_in,
    is_meld,
    laid,
    openings_of,
    ordered,
    pile_kind,
    plays,
    rank_of,
    takes_of,
)
from referee_texts import Allowed, TextReferee, parse_rules, read_lines

PLAYERS = 4
HAND_SIZE = 11  # and that of a foot
STOCK_SIZE = 181  # HF2.4, red Threes of the hands not yet replaced
ROUNDS = 4  # HF10.3
TAKEN = 6  # cards that come up with the upcard, HF6.1
MINIMUM = (50, 90, 120, 150)  # HF5.1
RED_THREES = ("3d", "3h")
PACK = tuple(rank + suit for rank in KINDS[:13] for suit in "cdhs" for _ in range(5)) + ("JK",) * 10  # HF1.1

ACTIONS = (
    "draw",
    "pass",
    *("take " + " ".join(cards) for kind in KINDS for cards in takes_of(kind)),
    *("open " + " ".join(cards) for rank in RANKS for cards in openings_of(rank)),
    *(f"add {rank}" for rank in RANKS if rank != "W"),
    *(f"add {wild} to {rank}" for rank in RANKS for wild in WILD),
    *(f"discard {kind}" for kind in KINDS),
    "stop",
    "ask",
    "yes",
    "no",
)

# HF11
SWITCHES: dict[str, Allowed] = {
    "piles": [f"{clean}/{dirty}/{wild}" for clean in range(4) for dirty in range(4) for wild in range(3)],
    "ask": ["yes", "no"],
    "must_take": ["never", "able"],
    "deal_bonus": range(101),
    "max_turns": range(1, 10**9),
}
PRESETS = {"denexa": {"piles": "2/2/1", "ask": "yes", "must_take": "never", "deal_bonus": "0", "max_turns": "300"}}
PHASES = ("draw", "play", "answer")
WORDS = ("opening", "taking", "yes", "no", "last")
ANSWERS = {"yes", "no"}


# Cards ----------------------------------------------------------------------------------------------------------------


def kind_of(card: str) -> str:
    return card if card == "JK" else card[0]


def kinds_of(cards: list[str]) -> list[str]:
    return [kind_of(card) for card in cards]


def tidy(cards: list[str]) -> list[str]:
    """C-order, HF1.5."""
    return sorted(cards, key=lambda card: (KINDS.index(kind_of(card)), card))


def value_of(cards: list[str]) -> int:
    """HF1.3, HF10.1: a red Three among them counts 100."""
    return sum(100 if card in RED_THREES else VALUES[kind_of(card)] for card in cards)


Melds = dict[str, list[list[str]]]  # of a side: by rank, in the order of opening, an incomplete one last


def cards_of(melds: Melds) -> list[str]:
    return [card for of_rank in melds.values() for meld in of_rank for card in meld]


def incomplete(melds: Melds, rank: str) -> list[str]:
    """The meld of a rank to which cards are added (HF4.4); empty if there is none."""
    of_rank = melds.get(rank, [])
    return of_rank[-1] if of_rank and len(of_rank[-1]) < SIZE_OF_PILE else []


def parse_melds(text: str) -> Melds:
    melds: Melds = {}
    for part in text.split("|") if text else []:
        cards = tidy(part.split())
        if any(card in RED_THREES for card in cards) or not is_meld(kinds_of(cards)):
            raise ValueError(f"{part.strip()} is not a meld")
        rank = rank_of(kinds_of(cards))
        if len(cards) < SIZE_OF_PILE and incomplete(melds, rank):
            raise ValueError(f"two incomplete melds of {rank}")
        melds.setdefault(rank, []).append(cards)
        melds[rank].sort(key=len, reverse=True)  # the incomplete one last; piles stay in their order
    return melds


def write_melds(melds: Melds) -> str:
    return " | ".join(" ".join(meld) for rank in RANKS for meld in melds.get(rank, []))


# The game -------------------------------------------------------------------------------------------------------------


class Referee(TextReferee):
    """One position. `legal` and `apply` follow the rules; `from_text` and `to_text` the contract."""

    pack, presets = PACK, PRESETS
    tidy, kind_of = staticmethod(tidy), staticmethod(kind_of)

    deal_bonus: list[int]  # 1 for the seats that have it
    words: set[str]
    feet: list[list[str]]  # empty once taken up
    melds: list[Melds]  # by side
    red_threes: list[list[str]]  # by side
    _deals: bool  # whether the action in hand ended a round of a match after which another is dealt

    # Text -------------------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a position. All hands must be given; a stock that is left out is the rest of the pack in order."""
        lines = read_lines(text)
        self = cls()
        self.rules = parse_rules(lines.pop("rules", ""), SWITCHES, PRESETS)
        if int(lines.pop("players", PLAYERS)) != PLAYERS:
            raise ValueError("players: 4 (HF1.2)")
        self._read_counters(lines, PLAYERS)
        self._read_numbers(lines, "scores", "points", "deal bonus")
        self._read_hands(lines)
        self.feet = [tidy(lines.pop(f"foot {seat}", "").split()) for seat in range(PLAYERS)]
        self.melds = [parse_melds(lines.pop(f"melds {side}", "")) for side in range(2)]
        self.red_threes = [tidy(lines.pop(f"red threes {side}", "").split()) for side in range(2)]
        self.seat, self.phase, self.words = (self.dealer + 1) % PLAYERS, "draw", set()
        turn = lines.pop("turn", "")
        if turn:
            seat, self.phase, *words = turn.removeprefix("seat ").split(", ")
            self.seat, self.words = int(seat), set(words)
        self._read_rest(lines)
        if turn and self.over:
            raise ValueError("turn: the game is over")
        self._check()
        return self

    def to_text(self) -> str:
        lines = [*self._first_lines(), *self._number_lines("scores", "points", "deal bonus")]
        if not self.over:
            words = [word for word in WORDS if word in self.words]
            lines.append("turn: " + ", ".join([f"seat {self.seat}", self.phase, *words]))
        lines += self._lines_of("hand", self.hands, empty=True)
        lines += self._lines_of("foot", self.feet) + self._lines_of("known", self.known)
        lines += [f"melds {side}: " + write_melds(melds) for side, melds in enumerate(self.melds) if melds]
        lines += self._lines_of("red threes", self.red_threes)
        return "\n".join(line.rstrip() for line in [*lines, *self._last_lines()]) + "\n"

    def all_cards(self) -> list[str]:
        cards = [*self.pile, *self.stock]
        for group in (*self.hands, *self.feet, *self.red_threes, *map(cards_of, self.melds)):
            cards += group
        return cards

    def _check(self) -> None:
        """Refuse what cannot be."""
        self._check_cards()
        if any(card in RED_THREES for group in (*self.hands, self.pile) for card in group):
            raise ValueError("a red Three in a hand or in the pile")
        if any(card not in RED_THREES for cards in self.red_threes for card in cards):
            raise ValueError("red threes: another card")
        for numbers in (self.scores, self.points):
            if len(numbers) != PLAYERS or numbers[:2] != numbers[2:]:
                raise ValueError("scores and points: a number a seat, the same for partners")
        if len(self.deal_bonus) != PLAYERS or not set(self.deal_bonus) <= {0, 1}:
            raise ValueError("deal bonus: 0 or 1 for every seat")
        if not (0 <= self.seat < PLAYERS and 0 <= self.dealer < PLAYERS):
            raise ValueError("turn, dealer: no such seat")
        if self.over:
            return
        if not 0 <= self.rounds < ROUNDS:
            raise ValueError("round: 0 to 3")
        if self.phase not in PHASES or not self._words_fit():
            raise ValueError("turn: unknown phase, or words that do not fit the table")
        if any(not hand and (seat == self.seat or not self.feet[seat]) for seat, hand in enumerate(self.hands)):
            raise ValueError("a hand without cards: HF7.2 has been carried out, or the round is over")
        if not self.legal():
            raise ValueError("nothing is legal")

    def _words_fit(self) -> bool:
        allowed = {"draw": set(), "answer": {"last"}, "play": set(WORDS)}[self.phase]
        melded = value_of(cards_of(self.melds[self.side]))
        if not self.words <= allowed or (
            self.rules["ask"] == "no" and (self.phase == "answer" or self.words & ANSWERS)
        ):
            return False
        if "opening" in self.words and (melded == 0 or melded >= self._minimum()):
            return False
        if "taking" in self.words and "opening" not in self.words:
            return False
        return not (self.words >= ANSWERS or ("last" in self.words and self.stock))

    # What is legal ----------------------------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        return self.seat % 2

    def _minimum(self) -> int:
        return MINIMUM[self.rounds]

    def look(self) -> Look:
        """The turn of the seat to move, with the suits left out."""
        melds = self.melds[self.side]
        done = [pile_kind(kinds_of(meld)) for of_rank in melds.values() for meld in of_rank]
        missing = 0
        if not melds or "opening" in self.words:
            missing = self._minimum() - value_of(cards_of(melds))
        return Look(
            hand=ordered(kinds_of(self.hands[self.seat])),
            melds=tuple(ordered(kinds_of(incomplete(melds, rank))) for rank in RANKS),
            piles=tuple(done.count(kind) for kind in PILE_KINDS),
            waiting=ordered(kinds_of(self.pile[-TAKEN:])) if "taking" in self.words else (),
            missing=missing,
            begun=bool(melds),
            foot=bool(self.feet[self.seat]),
            partner_foot=bool(self.feet[(self.seat + 2) % PLAYERS]),
            needed=tuple(int(number) for number in self.rules["piles"].split("/")),
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
        """HF3.1, HF9.1."""
        takes = set(self.takes())
        if self.stock:
            return {"draw"} | takes
        return takes | {"pass"} if takes and self.rules["must_take"] == "never" else takes

    def takes(self) -> dict[str, Look]:
        """The legal ways to take from the pile (HF6), and the turn after each of them."""
        if not self.pile:
            return {}
        *below, upcard = kinds_of(self.pile)
        look = self.look()._replace(waiting=ordered(below[-TAKEN:]))
        found = {}
        for cards in takes_of(upcard):
            after = laid(look, rank_of([upcard]), cards, [upcard])
            if after is not None and self._can_end(after):
                found["take " + " ".join(cards)] = after
        return found

    def _can_end(self, look: Look) -> bool:
        """HF3.5, HF8.3: whether the turn can be ended legally, and as the partner wants it."""
        if "yes" in self.words:
            return can_go_out(look)
        return can_stay_in(look) or (self.rules["ask"] == "no" and can_go_out(look))

    def _legal_play(self) -> set[str]:
        look = self.look()
        found = {action for action, after in plays(look).items() if self._can_end(after)}
        if look.opening:
            return found  # HF5.3
        allowed_out = "yes" in self.words or self.rules["ask"] == "no"
        if look.last:
            if "yes" not in self.words:
                found.add("stop")  # HF9.3
        elif len(look.hand) == 1 and not look.foot:  # HF3.4
            if look.may_go_out and allowed_out:
                found.add(f"discard {look.hand[0]}")
        elif "yes" not in self.words:
            found |= {f"discard {kind}" for kind in look.hand}
        stuck = len(look.hand) == 1 and not (look.foot or look.last or self.stock)
        unasked = self.rules["ask"] == "yes" and not self.words & ANSWERS
        if unasked and can_go_out(look) and (can_stay_in(look) or stuck):
            found.add("ask")  # HF8.3
        return found or ({"stop"} if stuck else set())  # HF9.4

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
        self._deals = False
        if verb == "draw":
            self._draw()
        elif verb == "take":
            self._take(words)
        elif verb == "open":
            self._lay(rank_of(words), self._play(words))
        elif verb == "add":
            self._lay(words[-1], self._play(words[:1]))
        elif verb == "discard":
            self.pile += self._play(words)
            self._end_turn()
        elif verb == "stop" and "last" not in self.words:  # HF9.4
            self._end_turn()
        elif verb in ("pass", "stop"):
            self._finish("exhausted")
        else:
            self._talk(verb)
        if after is not None:
            self.rng = read_lines(after).get("rng", self.rng)
        if self._deals:
            self._next_round(after)

    def _draw(self) -> None:
        """HF3.1."""
        for _ in range(2):
            self._from_stock()
        self.phase = "play"

    def _from_stock(self) -> None:
        """HF2.5, HF9.3: the next card that is no red Three comes into the hand, if there is one."""
        while self.stock:
            card = self.stock.pop(0)
            if card not in RED_THREES:
                self.hands[self.seat] = tidy([*self.hands[self.seat], card])
                return
            self.red_threes[self.side] = tidy([*self.red_threes[self.side], card])
            if not self.stock:
                self.words.add("last")

    def _take_up_foot(self) -> None:
        """HF7.1, HF7.3."""
        foot, self.feet[self.seat] = self.feet[self.seat], []
        red = [card for card in foot if card in RED_THREES]
        self.hands[self.seat] = [card for card in foot if card not in RED_THREES]
        self.red_threes[self.side] = tidy([*self.red_threes[self.side], *red])
        for _ in red:
            self._from_stock()

    def _take(self, kinds: list[str]) -> None:
        """HF6.1."""
        upcard = self.pile.pop()
        self.phase = "play"
        self.words.add("taking")
        self._lay(rank_of([kind_of(upcard)]), [upcard, *self._play(kinds)])

    def _lay(self, rank: str, cards: list[str]) -> None:
        """Put cards into the side's meld of the rank, and see what follows from it."""
        melds = self.melds[self.side]
        if not melds:
            self.words.add("opening")
        old = incomplete(melds, rank)
        if old:
            melds[rank][-1] = tidy([*old, *cards])
        else:
            melds.setdefault(rank, []).append(tidy(cards))
        if value_of(cards_of(melds)) >= self._minimum():
            self.words.discard("opening")
        if "taking" in self.words and "opening" not in self.words:  # HF5.4
            self.words.remove("taking")
            up, self.pile = self.pile[-TAKEN:], self.pile[:-TAKEN]
            self.hands[self.seat] = tidy([*self.hands[self.seat], *up])
            self.known[self.seat] = tidy([*self.known[self.seat], *up])
        if not self.hands[self.seat]:
            if self.feet[self.seat]:
                self._take_up_foot()
            else:
                self._finish("out")

    def _end_turn(self) -> None:
        """After a discard: out, or the turn passes to the next seat (HF7.2, HF9.2, HF12.2)."""
        if not self.hands[self.seat] and not self.feet[self.seat]:
            self._finish("out")
            return
        self.turns += 1
        if self.turns >= int(self.rules["max_turns"]):
            self._finish("turns")
            return
        self.seat, self.phase, self.words = (self.seat + 1) % PLAYERS, "draw", set()
        if not self.hands[self.seat]:
            self._take_up_foot()
        if "last" in self.words:
            self.phase = "play"
        elif not self.stock and not self.takes():
            self._finish("exhausted")

    def _talk(self, word: str) -> None:
        """HF8.3: the question goes to the partner, the answer back."""
        self.seat = (self.seat + 2) % PLAYERS
        self.phase = "answer" if word == "ask" else "play"
        if word != "ask":
            self.words.add(word)

    # The end of a round -----------------------------------------------------------------------------------------------

    def _side_points(self, side: int, how: str) -> int:
        """HF10.1, HF10.2."""
        points = value_of(cards_of(self.melds[side])) + 100 * len(self.red_threes[side])
        for of_rank in self.melds[side].values():
            points += sum(PILE_BONUS.get(pile_kind(kinds_of(meld)) or "", 0) for meld in of_rank)
        for seat in (side, side + 2):
            points -= value_of(self.hands[seat]) + value_of(self.feet[seat])
            points += 100 * self.deal_bonus[seat]  # HF2.3
        if how == "out" and side == self.side:
            points += 100
        return points

    def _finish(self, how: str) -> None:
        """End the round."""
        self.points = [0 if how == "turns" else self._side_points(seat % 2, how) for seat in range(PLAYERS)]
        self.scores = [score + points for score, points in zip(self.scores, self.points)]
        if self.episode == "round":
            self.ending = f"out, seat {self.seat}" if how == "out" else how
            return
        self.rounds += 1
        if self.rounds < ROUNDS:
            self._deals = True
        elif self.scores[0] == self.scores[1]:
            self.ending = "match, draw"
        else:
            self.ending = f"match, seat {0 if self.scores[0] > self.scores[1] else 1}"

    def _next_round(self, after: str | None) -> None:
        """HF10.3, and the deal: the one that `after` shows, or one of our own."""
        self.dealer = (self.dealer + 1) % PLAYERS
        self.seat, self.phase, self.words, self.turns = (self.dealer + 1) % PLAYERS, "draw", set(), 0
        self.known, self.melds = [[] for _ in range(PLAYERS)], [{}, {}]
        if after is None:
            self._deal(random.Random(f"{self.rng} {self.rounds} {self.scores}"))
            return
        engine = self._dealt_in(after)
        for cards in (*engine.hands, *engine.feet):
            assert len(cards) == HAND_SIZE, f"{len(cards)} cards after the deal: {cards}"
        laid_down = sum(len(cards) for cards in engine.red_threes)
        assert len(engine.stock) == STOCK_SIZE - laid_down, f"{len(engine.stock)} cards in the stock after the deal"
        assert len(engine.pile) == 1, "the pile begins with one card"
        assert kind_of(engine.pile[0]) not in WILD, "the deal turns up no wild card (HF2.4)"
        chance = int(self.rules["deal_bonus"])
        assert chance > 0 or not any(engine.deal_bonus), "no bonus for the deal"
        assert chance < 100 or all(engine.deal_bonus), "a bonus for every deal"
        for name in ("hands", "feet", "red_threes", "pile", "stock", "deal_bonus"):
            setattr(self, name, getattr(engine, name))
        self._agree_on_the_rest(engine)

    def _deal(self, dice: random.Random) -> None:
        """HF2, with a shuffle of our own."""
        self.stock = list(PACK)
        dice.shuffle(self.stock)
        self.pile = [next(card for card in self.stock if kind_of(card) not in WILD and card not in RED_THREES)]
        self.stock.remove(self.pile[0])
        self.hands, self.feet = ([self._cut(HAND_SIZE) for _ in range(PLAYERS)] for _ in range(2))
        self.red_threes = [[], []]
        for turn in range(PLAYERS):
            self.seat = (self.dealer + 1 + turn) % PLAYERS
            red = [card for card in self.hands[self.seat] if card in RED_THREES]
            self.hands[self.seat] = tidy([card for card in self.hands[self.seat] if card not in RED_THREES])
            self.red_threes[self.side] = tidy([*self.red_threes[self.side], *red])
            for _ in red:
                self._from_stock()
        self.seat = (self.dealer + 1) % PLAYERS
        chance = int(self.rules["deal_bonus"])
        self.deal_bonus = [int(dice.randrange(100) < chance) for _ in range(PLAYERS)]

    def _cut(self, size: int) -> list[str]:
        cards, self.stock = self.stock[:size], self.stock[size:]
        return tidy(cards)


def new_position(rules: str = "denexa", episode: str = "round", seed: int = 0) -> str:
    """A first deal, shuffled by `random.Random`."""
    game = Referee()
    game.rules, game.players, game.episode = parse_rules(rules, SWITCHES, PRESETS), PLAYERS, episode
    game.dealer, game.rounds, game.turns = PLAYERS - 1, 0, 0
    game.scores, game.points = [0] * PLAYERS, [0] * PLAYERS
    game.phase, game.words, game.ending, game.rng = "draw", set(), "", str(seed)
    game.known, game.melds = [[] for _ in range(PLAYERS)], [{}, {}]
    game._deal(random.Random(seed))
    return game.to_text()
