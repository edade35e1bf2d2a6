"""A second reading of the rules of Banakil, to prove the engine right.

Slow, plain and independent: written from the numbered rules and from `docs/notation.md`, sharing neither code nor
idea with the package. Cards are texts, melds are tuples of texts, a meld is valid if some order of its cards is, a card
fits if it can be tried, and a play is legal if, once done on a copy, the turn can still be finished.

Points that the rules leave open, and how they are read here as in the engine:

* B2.4 The ban is on the face, for the rest of the turn: exactly one card was taken, and none of that face was in the
  hand before. It stays when the face comes back by an exchange, as only a Joker can.
* B2.5 An `add` or `swap` is offered if at least one meld takes the card legally. One such meld: played at once.
  Several: `meld k` is legal for exactly these. With free wilds, `add 2 high` and `add 2 low` stand only for the melds
  for which that is the word.
* B2.6 `known` counts cards of a face: one more for each card taken from the pile or exchanged (Jokers); one fewer,
  though never below none, when a card of that face leaves the hand. A card that waits for its meld is known: at least
  one.
* B4.3 A Joker stands for no suit in a set, with fixed wilds too. Adding one to three naturals is `add JK high`.
* B6.2, B6.3 After a discard with cards left: an empty stock ends the round, else the number of turns, else a void deal.
  A turn is counted when it ends, the one that goes out included.
* B7.3 With partners and nobody out (B9.11) each side adds both its players' points.
* B7.4 The points of a round are given to every seat of the side, and are added to the scores in an episode of one round
  too.
* B8.2 The match ends when a side has reached the target and one side alone has the highest total, else after
  `max_rounds`.
* B9.1 The sum includes the flat 40 of a *hand*.
* B9.3 Seats without a turn score 0 instead of -20 when somebody goes out in one turn.
* B9.6 A Two in any position makes room for its natural and goes to the low end; to the high end if the sequence begins
  at Three; where that is full it stays as the thirteenth card, written last, unless there is a Joker: then the natural
  does not fit.
* B9.8 The side gets 51 if a player of another side has melded, else 101; all others get 0.
* B9.9 A void deal keeps its dealer, scores nothing, and the turns go on counting.

After a new deal the cards cannot be known here: `dealt` is then true, and the snapshot holds sizes in their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import ceil
from typing import Any

RANKS = "3456789TJQKA"
SUITS = "cdhs"
TWOS = ("2c", "2d", "2h", "2s")
NATURALS = tuple(rank + suit for suit in SUITS for rank in RANKS)
WILDS = frozenset((*TWOS, "2", "JK"))  # `2` is a Two of any suit
PACK = sorted((*NATURALS, *TWOS, "JK") * 2)  # the full one

Meld = tuple[str, ...]

SWITCHES: dict[str, Any] = {
    "partner_scoring": "winner",
    "cutter_takes_wilds": False,
    "unplayed_score_zero": False,
    "upcard": True,
    "wilds": "free",
    "ace_value": 1.5,
    "hand_bonus": None,
    "discard_taken": False,
    "set_joker_exchange": True,
    "score_exhausted": False,
    "target": None,
    "max_turns": 300,
    "max_rounds": 100,
    "ranks": "3-A",
    "suits": 4,
    "copies": 2,
    "twos": True,
    "jokers": 2,
    "hand_cards": 18,
}
PRESETS: dict[str, dict[str, Any]] = {
    "pagat": {},
    "jawaker": {"upcard": False, "wilds": "fixed", "ace_value": 1.0, "hand_bonus": (51, 101), "target": 222},
    "gamefarm": {"discard_taken": True, "set_joker_exchange": False, "score_exhausted": True},
    "single": {"copies": 1, "hand_cards": 9},
    "mini": {
        "ranks": "3-7",
        "suits": 1,
        "copies": 1,
        "twos": False,
        "jokers": 1,
        "hand_cards": 2,
        "upcard": False,
        "max_turns": 4,
    },
}


# Melds: B3, B4, B9.5, B9.6


def is_two(card: str) -> bool:
    return card[0] == "2"


def is_wild(card: str) -> bool:
    return card in WILDS


def rank(card: str) -> int:
    return RANKS.index(card[0])


@lru_cache(None)
def is_set(cards: Meld) -> bool:
    """B4: three or four Threes or Aces of different suits, one of which may be a Joker."""
    naturals = [card for card in cards if card != "JK"]
    return (
        3 <= len(cards) <= 4
        and cards.count("JK") <= 1
        and any(all(card in [r + s for s in SUITS] for card in naturals) for r in "3A")
        and len(set(naturals)) == len(naturals)
    )


def lies_in_order(cards: Meld) -> bool:
    """Whether the cards are a sequence as they lie, each wild card standing for its position (B3.1, B9.5)."""
    if not 3 <= len(cards) <= 12 or WILDS.issuperset(cards):
        return False
    first = 0
    while cards[first] in WILDS:
        first += 1
    low, suit = rank(cards[first]) - first, cards[first][1]
    if low < 0 or low + len(cards) > 12:
        return False
    for place, card in enumerate(cards):
        if card not in WILDS and card != RANKS[low + place] + suit:
            return False
    return cards.count("JK") <= 1 and sum(map(is_two, cards)) <= 1


def arrangements(cards: Meld) -> list[Meld]:
    """The naturals by rank, with the wild cards in all the places there are."""
    lines = [tuple(sorted((card for card in cards if not is_wild(card)), key=rank))]
    for wild in (card for card in cards if is_wild(card)):
        lines = [(*line[:i], wild, *line[i:]) for line in lines for i in range(len(line) + 1)]
    return lines


@lru_cache(None)
def is_sequence(cards: Meld) -> bool:
    """B3.1, B3.2: valid if some arrangement is."""
    naturals = [card for card in cards if not is_wild(card)]
    if len({card[1] for card in naturals}) != 1 or len(set(naturals)) != len(naturals):
        return False
    if len(naturals) + 2 < len(cards) or len(cards) > 12:
        return False
    return any(lies_in_order(line) for line in arrangements(cards))


def is_thirteen(cards: Meld) -> bool:
    """B3.3: all twelve naturals of a suit and a Two; nothing that can be opened or added to, only come to."""
    naturals = tuple(sorted((card for card in cards if not is_wild(card)), key=rank))
    return len(cards) == 13 and sum(map(is_two, cards)) == 1 and "JK" not in cards and lies_in_order(naturals)


def is_meld(cards: Meld, fixed: bool) -> bool:
    """Whether the cards may lie on the table as a meld; the order counts if the wild cards are fixed."""
    if is_set(cards):
        return True
    if fixed:
        return lies_in_order(cards) or (is_thirteen(cards) and is_two(cards[-1]) and lies_in_order(cards[:-1]))
    return is_sequence(cards) or is_thirteen(cards)


def tidy(cards: Meld, fixed: bool) -> Meld:
    """One way to write each meld: sorted where the order means nothing."""
    return cards if fixed and not is_set(cards) else tuple(sorted(cards))


@lru_cache(None)
def grow(meld: Meld, card: str, end: str, fixed: bool) -> Meld | None:
    """The meld with the card added, or None if it does not fit. `end` is the word of a wild card: low or high."""
    if is_set(meld):
        more = (*meld, card)
        return tidy(more, fixed) if is_set(more) and end in ("", "high") else None
    if fixed:
        return _grow_fixed(meld, card, end)
    more = tidy((*meld, card), fixed)
    if is_wild(card):
        has_ace = any(c[0] == "A" for c in meld)
        return more if is_sequence(more) and end == ("low" if has_ace else "high") else None
    return more if is_sequence(more) or is_thirteen(more) else None


def _grow_fixed(meld: Meld, card: str, end: str) -> Meld | None:
    lower, higher = (card, *meld), (*meld, card)
    if end != "high" and lies_in_order(lower):
        return lower
    if end != "low" and lies_in_order(higher):
        return higher
    if is_wild(card):
        return None
    for i, two in enumerate(meld):  # B9.6: the natural under a Two
        inserted = (*meld[:i], card, *meld[i + 1 :])
        if is_two(two) and lies_in_order(inserted):
            for moved in ((two, *inserted), (*inserted, two)):
                if lies_in_order(moved):
                    return moved
            return (*inserted, two) if is_thirteen((*inserted, two)) else None
    return None


@lru_cache(None)
def exchange(meld: Meld, card: str, fixed: bool) -> Meld | None:
    """The meld with the natural card in place of its Joker (B5.3), or None."""
    if "JK" not in meld or is_wild(card):
        return None
    i = meld.index("JK")
    changed = tidy((*meld[:i], card, *meld[i + 1 :]), fixed)
    if is_set(meld):
        return changed if is_set(changed) else None
    return changed if (lies_in_order if fixed else is_sequence)(changed) else None


@lru_cache(None)
def openings(faces: Meld, fixed: bool) -> tuple[str, ...]:
    """The melds of three to be made of these faces (a Two is just `2`), as actions."""
    texts = []
    for three in combinations(faces, 3):
        lines = [line for line in arrangements(three) if lies_in_order(line)]
        if is_set(three):
            lines = [tuple(sorted(three, key=lambda card: (card == "JK", card[1])))]
        elif lines and not fixed:  # one way to say it: as high as can be, the Two before the Joker
            lines = [max(lines, key=lambda line: (_low(line), "JK" in line[line.index("2") :] if "2" in line else 0))]
        texts += ["open " + " ".join(line) for line in lines]
    return tuple(texts)


def _low(line: Meld) -> int:
    """The rank at which a sequence begins."""
    return next(rank(card) - i for i, card in enumerate(line) if not is_wild(card))


# The table


class Referee:
    """A game set up from the text of a position; `legal` and `apply` speak in the texts of actions."""

    def __init__(self, text: str):
        lines = _lines(text)
        self._read_rules(lines)
        n = self.players
        seats = range(n)
        self.hands = [lines.get(f"hand {s}", "").split() for s in seats]
        self.known = [Counter(lines.get(f"known {s}", "").split()) for s in seats]
        self.pile = lines.get("pile", "").split()
        self.stock = lines.get("stock", "").split()
        self.melds = self._read_melds(lines)  # (owner, cards) in the order of opening
        self.episode = lines.get("episode", "round")
        self.dealer = int(lines.get("dealer", n - 1))
        self.round = int(lines.get("round", 0))
        self.turns = int(lines.get("turns", 0))
        self.circling = int(lines.get("circling", 0))
        self.scores = [int(x) for x in lines.get("scores", "0 " * n).split()]
        self.points = [int(x) for x in lines.get("points", "0 " * n).split()]
        self.over = lines.get("over", "")
        self.dealt = False
        self._read_turn(lines.get("turn", "seat 0"))
        self.had_turn = self._read_had_turn(lines)
        self._legal: set[str] | None = None
        cards = sorted(sum(self.hands, self.pile + self.stock) + [c for _, meld in self.melds for c in meld])
        pack = pack_of(self.rules)
        if cards != pack:
            raise ValueError(f"missing {Counter(pack) - Counter(cards)}, too many {Counter(cards) - Counter(pack)}")

    def _read_rules(self, lines: dict[str, str]) -> None:
        words = lines.get("rules", "pagat").split()
        preset = [word for word in words if word in PRESETS] or ["pagat"]
        self.rules = {**SWITCHES, **PRESETS[preset[0]]}
        self.rules.update(_switch(word) for word in words if "=" in word)
        self.fixed = self.rules["wilds"] == "fixed"
        seats = [int(key.split()[1]) for key in lines if key[-1].isdigit()]
        seats.append(int(lines.get("turn", "seat 0").split(",")[0].split()[1]))
        self.players = int(lines.get("players", max(2, 1 + max(seats))))
        self.partners = self.players == 4 and "individuals" not in words
        self.target = self.rules["target"] or (303 if self.partners else 150 if self.players == 2 else 203)

    def _read_melds(self, lines: dict[str, str]) -> list[tuple[int, Meld]]:
        rows: list[list[Meld]] = [[] for _ in range(self.players)]
        for seat, row in enumerate(rows):
            for meld in filter(str.strip, lines.get(f"melds {seat}", "").split("|")):
                cards = tuple(meld.split())
                if not is_meld(cards, self.fixed):
                    raise ValueError(f"not a meld: {meld}")
                row.append(tidy(cards, self.fixed))
        order = [int(s) for s in lines.get("order", "").split()] or [s for s, row in enumerate(rows) for _ in row]
        return [(seat, rows[seat].pop(0)) for seat in order]

    def _read_turn(self, text: str) -> None:
        seat, *words = (word.strip() for word in text.split(","))
        self.seat = int(seat.split()[1])
        self.phase, self.pending, self.banned, self.taken = "draw", "", "", ""
        for word in words:
            first, _, rest = word.partition(" ")
            if first in ("draw", "play", "choose"):
                self.phase, self.pending = first, rest
            elif first in ("banned", "taken"):
                setattr(self, first, rest)
        self.played = "played" in words
        self.one_turn = "in one turn" in words or not self._has_melded(self.seat)

    def _read_had_turn(self, lines: dict[str, str]) -> set[int]:
        if "had turn" in lines:
            return {int(s) for s in lines["had turn"].split() if s.isdigit()}
        if self.turns >= self.players:
            return set(range(self.players))
        first = (self.dealer + 1) % self.players
        return {(first + i) % self.players for i in range((self.seat - first) % self.players)}

    # What may be done

    def legal(self) -> set[str]:
        """The texts of all legal actions."""
        if self._legal is None:
            self._legal = set() if self.over or self.dealt else getattr(self, f"_legal_{self.phase}")()
        return self._legal

    def _legal_draw(self) -> set[str]:
        takes = {f"take {k}" for k in range(1, min(70, len(self.pile)) + 1)}
        return takes | {"draw"} if self.stock else takes

    def _legal_play(self) -> set[str]:
        discards = {f"discard {card}" for card in self.hands[self.seat] if card != self.banned}
        return discards | {action for action, meld in self._plays() if self._finishes(action, meld)}

    def _legal_choose(self) -> set[str]:
        return {f"meld {k}" for k in self._places(self.pending)}

    def _plays(self) -> Iterator[tuple[str, int | None]]:
        """All plays to the table, B2.5 aside: the action, and the number of the meld for an addition or exchange."""
        hand = self.hands[self.seat]
        faces = {"2" if is_two(card) else card for card in hand}
        wild = tuple(card for card in ("2", "JK") if card in faces)
        groups = [[card for card in faces if card[-1] == suit and not is_wild(card)] for suit in SUITS]
        groups += [[r + s for s in SUITS if r + s in faces] for r in "3A"]
        for group in groups:
            for action in openings(tuple(sorted(group)) + wild, self.fixed):
                yield action, None
        if not self._has_melded(self.seat):  # B5.1
            return
        for face in faces:
            for action in (f"add {face} low", f"add {face} high") if is_wild(face) else (f"add {face}", f"swap {face}"):
                for k in self._changes(action):
                    yield action, k

    def _changes(self, action: str) -> dict[int, Meld]:
        """What the addition or exchange makes of each meld where it is possible, B2.5 aside."""
        word, face, *ends = action.split()
        card, end = self._card(face), "".join(ends)
        changes = {}
        for k, (owner, meld) in enumerate(self.melds):
            if not self._same_side(owner, self.seat):
                continue
            if word == "add":
                changed = grow(meld, card, end, self.fixed)
            elif is_set(meld) and not self.rules["set_joker_exchange"]:
                changed = None
            else:
                changed = exchange(meld, card, self.fixed)
            if changed:
                changes[k] = changed
        return changes

    def _places(self, action: str) -> list[int]:
        """The melds at which the addition or exchange is legal."""
        return [k for k in self._changes(action) if self._finishes(action, k)]

    def _finishes(self, action: str, k: int | None) -> bool:
        """B2.5: whether the turn can be finished after this play."""
        if not self.banned:
            return True
        if len(self.hands[self.seat]) > 5:  # three cards played at most, two of the banned face: another is left
            return True
        after = self._copy()
        after._play(action, k)
        return after._can_finish()

    def _can_finish(self) -> bool:
        hand = self.hands[self.seat]
        if not hand or any(card != self.banned for card in hand):
            return True
        for action, k in list(self._plays()):
            after = self._copy()
            after._play(action, k)
            if after._can_finish():
                return True
        return False

    def _card(self, face: str) -> str:
        """The card that is played for a face: of several Twos the banned one, then the lowest suit."""
        if face != "2":
            return face
        twos = sorted(card for card in self.hands[self.seat] if is_two(card))
        return self.banned if self.banned in twos else twos[0]

    def _copy(self) -> Referee:
        twin = object.__new__(Referee)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.known = [Counter(known) for known in self.known]
        twin.melds = list(self.melds)
        return twin

    # What happens then

    def apply(self, action: str) -> None:
        """Carry out one legal action."""
        if action not in self.legal():
            raise ValueError(f"{action!r} is not legal: {sorted(self.legal())}")
        self._legal = None
        word, *rest = action.split()
        if word == "draw":
            self.hands[self.seat].append(self.stock.pop(0))
            self.phase = "play"
        elif word == "take":
            self._take(int(rest[0]))
        elif word == "discard":
            self._discard(rest[0])
        elif word == "meld":
            self._to_table(self.pending, int(rest[0]))
        elif word == "open":
            self._to_table(action, None)
        elif len(places := self._places(action)) == 1:
            self._to_table(action, places[0])
        else:
            card = self._card(rest[0])
            self.known[self.seat][card] = max(1, self.known[self.seat][card])
            self.phase, self.pending = "choose", action

    def _take(self, k: int) -> None:
        hand, cards = self.hands[self.seat], self.pile[-k:]
        if k == 1:
            may_discard = cards[0] in hand or self.rules["discard_taken"]
            self.banned, self.taken = ("", cards[0]) if may_discard else (cards[0], "")
        del self.pile[-k:]
        hand.extend(cards)
        self.known[self.seat].update(cards)
        self.phase = "play"

    def _to_table(self, action: str, k: int | None) -> None:
        self._play(action, k)
        self.phase, self.pending = "play", ""
        if not self.hands[self.seat]:
            self._end_turn()

    def _play(self, action: str, k: int | None) -> None:
        """Move the cards of a play, and no more."""
        word, *rest = action.split()
        self.played = True
        if word == "open":
            cards = tuple(self._card(face) for face in rest)
            self.melds.append((self.seat, tidy(cards, self.fixed)))
            for card in cards:
                self._leave(card)
            return
        assert k is not None, "an addition or exchange has its meld"
        self.melds[k] = (self.melds[k][0], self._changes(action)[k])
        self._leave(self._card(rest[0]))
        if word == "swap":
            self.hands[self.seat].append("JK")
            self.known[self.seat]["JK"] += 1

    def _leave(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.known[self.seat][card] = max(0, self.known[self.seat][card] - 1)

    def _discard(self, card: str) -> None:
        self._leave(card)
        self.pile.append(card)
        circled = self.rules["discard_taken"] and card == self.taken and not self.played
        self.circling = self.circling + 1 if circled else 0
        self._end_turn()

    def _end_turn(self) -> None:
        self.turns += 1
        self.had_turn.add(self.seat)
        if not self.hands[self.seat]:
            self._end_round(f"out, seat {self.seat}", self._points_out())
        elif not self.stock:
            self._end_round("exhausted", self._points_exhausted())
        elif self.turns >= self.rules["max_turns"]:
            self._end_round("turns", [0] * self.players)
        elif self.circling == self.players:
            self._deal()
        else:
            self._begin_turn((self.seat + 1) % self.players)

    def _begin_turn(self, seat: int) -> None:
        self.seat, self.phase, self.pending = seat, "draw", ""
        self.banned = self.taken = ""
        self.played = False
        self.one_turn = not self._has_melded(seat)

    def _end_round(self, how: str, points: list[int]) -> None:
        self.points = points
        self.scores = [before + now for before, now in zip(self.scores, points, strict=True)]
        self.round += 1
        if self.episode == "round":
            self.over = how
            return
        best = [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
        if max(self.scores) >= self.target and all(self._same_side(best[0], seat) for seat in best):
            self.over = f"match, seat {best[0]}"
        elif self.round >= self.rules["max_rounds"]:
            self.over = "rounds"
        else:
            self.dealer = (self.dealer + 1) % self.players
            self.turns = 0
            self._deal()

    def _deal(self) -> None:
        """A new deal: the cards are unknown from here on."""
        self.dealt = True
        self.melds, self.known = [], [Counter() for _ in range(self.players)]
        self.had_turn, self.circling = set(), 0
        self._begin_turn((self.dealer + 1) % self.players)
        size = self.rules["hand_cards"]
        self.hands = [["?"] * size for _ in range(self.players)]
        if self.rules["upcard"]:
            self.pile = ["?"]
        else:
            self.pile, self.phase = [], "play"
            self.hands[self.seat].append("?")
        self.stock = ["?"] * (len(pack_of(self.rules)) - size * self.players - 1)

    # What it is worth: B1.5, B7

    def _same_side(self, a: int, b: int) -> bool:
        return a == b or (self.partners and (a - b) % 2 == 0)

    def _has_melded(self, seat: int) -> bool:
        return any(owner == seat for owner, _ in self.melds)

    def _value(self, card: str) -> float:
        if card == "JK":
            return 4
        return {"2": 2, "A": self.rules["ace_value"]}.get(card[0], 0.5 if card[0] in "3456" else 1)

    def _basic(self, seat: int) -> float:
        """B7.1 without the 20 of the winner."""
        if not self._has_melded(seat):
            return -20
        table = sum(self._value(card) for owner, meld in self.melds if owner == seat for card in meld)
        return table - sum(map(self._value, self.hands[seat]))

    def _points_out(self) -> list[int]:
        winner = self.seat
        seats = range(self.players)
        others = [seat for seat in seats if seat != winner]
        if self.one_turn and self.rules["hand_bonus"]:  # B9.8
            opponents_melded = any(self._has_melded(s) for s in seats if not self._same_side(s, winner))
            bonus = self.rules["hand_bonus"][0 if opponents_melded else 1]
            return [bonus if self._same_side(seat, winner) else 0 for seat in seats]
        own = [self._basic(seat) for seat in seats]
        own[winner] += 20
        if self.one_turn and (not self.partners or not any(map(self._has_melded, others))):  # B7.2
            own[winner] = 40
        if self.one_turn and self.rules["unplayed_score_zero"]:  # B9.3
            own = [x if seat in self.had_turn or self._has_melded(seat) else 0 for seat, x in enumerate(own)]
        if self.partners and self.rules["partner_scoring"] != "sum":  # B7.3
            partner = (winner + 2) % 4
            opposing = own[(winner + 1) % 4] + own[(winner + 3) % 4] - own[partner]
            return [_rounded(own[winner] if self._same_side(seat, winner) else opposing) for seat in seats]
        return self._by_side(own)

    def _points_exhausted(self) -> list[int]:
        if not self.rules["score_exhausted"]:
            return [0] * self.players
        return self._by_side([self._basic(seat) for seat in range(self.players)])

    def _by_side(self, own: list[float]) -> list[int]:
        """Each side's players together, rounded once."""
        seats = range(self.players)
        return [_rounded(sum(own[other] for other in seats if self._same_side(seat, other))) for seat in seats]

    # What is compared

    def snapshot(self) -> dict[str, Any]:
        """The whole game in one form, without values that have no meaning once it is over or dealt again."""
        shown: dict[str, Any] = {
            "players": self.players,
            "partners": self.partners,
            "episode": self.episode,
            "dealer": self.dealer,
            "turns": self.turns,
            "scores": self.scores,
            "points": self.points,
            "over": self.over,
            "melds": list(self.melds),
            "known": [sorted(known.elements()) for known in self.known],
            "hands": [sorted(hand) for hand in self.hands],
            "pile": list(self.pile),
            "stock": list(self.stock),
        }
        if self.episode == "match":
            shown["round"] = self.round
        if not self.over:
            shown["seat"] = self.seat
            shown["phase"] = self.phase
            shown["pending"] = self.pending
            shown["banned"] = self.banned
            shown["taken"] = self.taken
            shown["played"] = self.played
            shown["one turn"] = self.one_turn
            shown["had turn"] = sorted(self.had_turn)
            shown["circling"] = self.circling
        if self.dealt:
            for key in ("pile", "stock"):
                shown[key] = len(shown[key])
            shown["hands"] = [len(hand) for hand in self.hands]
        return shown


def sizes(snapshot: dict[str, Any]) -> dict[str, Any]:
    """A snapshot with the cards counted, to compare it with one after a new deal."""
    counted = {key: len(snapshot[key]) for key in ("pile", "stock")}
    return {**snapshot, **counted, "hands": [len(hand) for hand in snapshot["hands"]]}


def _rounded(points: float) -> int:
    """B7.4: halves go up."""
    return ceil(points)


def pack_of(rules: dict[str, Any]) -> list[str]:
    """B10: the cards of the pack, sorted."""
    low, high = rules["ranks"].split("-")
    suits = SUITS[: rules["suits"]]
    cards = [rank + suit for rank in RANKS[RANKS.index(low) : RANKS.index(high) + 1] for suit in suits]
    cards += ["2" + suit for suit in suits] if rules["twos"] else []
    return sorted(cards * rules["copies"] + ["JK"] * rules["jokers"])


def _lines(text: str) -> dict[str, str]:
    rows = (line.split("#")[0].strip() for line in text.splitlines())
    pairs = (row.partition(":") for row in rows if row)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _switch(word: str) -> tuple[str, object]:
    name, _, value = word.partition("=")
    if name not in SWITCHES:
        raise ValueError(f"no such switch: {word}")
    if value in ("yes", "no"):
        return name, value == "yes"
    if value == "none":
        return name, None
    if name == "hand_bonus":
        return name, tuple(int(x) for x in value.split("/"))
    if name == "ace_value":
        return name, float(value)
    return name, int(value) if value.isdigit() else value
