"""A second reading of the rules of Hand, to prove the engine right.

Slow, plain and independent: written from the numbered rules (H1 to H12) alone, sharing no code with the package. Cards
are texts, melds are tuples of texts, and a play is legal if some way of going on ends the turn: all of them are tried.

Where the page leaves a point open, it is read here as follows:

* Contract. Lines are written in the order of `_lines`. `rules`, `players`, `turn`, hands, pile, stock and `rng` are
  always written, other lines when they differ from their default. An empty line has nothing after its colon.
* Contract. Once the round or match is over, the `turn` line has no words after `over`, and the table stays as it lies.
* Contract, H10.3. A round that is scored counts in `round` in an episode of one round too, and its points are added to
  `scores`. There `unscored` counts redeals only.
* Contract. A deal that is thrown in has the points 0, as every unscored deal.
* Contract. When nothing more is dealt, `dealer` and `need` keep the values of the last deal.
* H2.6. In the last deal that may be made nobody is asked. A text in phase `redeal` has `keep` alone there.
* H5.5, H8.2. `discard W W` goes out as any last discard does.
* H6.5. Two equal melds of one seat are two choices. A card that waits for its meld is not added to `known`: the phase
  names it.
* H7.4. Where the taken wild can be a natural Ace of the play, it is, even if the hand holds that Ace too (H7.3). In an
  addition (`take_to_add`) likewise; with `wild_discard=group` it is added to groups of Aces only.
* H7.4, `wild_discard=wild` with `take_to_add`: an addition of the taken wild to any meld counts, three naturals too.
* H8. At the end of a turn: out, then the stock, then `max_turns`; the pile is shuffled only if the round goes on.
* H9.2. A full hand is what the words of the turn say: `in one turn` without `laid off`.
* H10.4. A last round is given up before `max_unscored` is looked at. The same seat deals again.
* H11, `reuse_wild`. Any wild in hand is what is owed; another exchange does not come between.
* H11, `rising`. `need` becomes the sum and one at the end of every turn with a first meld, also of one that goes out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from hand_melds import (
    OPENING_FACES,
    OPENINGS,
    Meld,
    exchanged,
    is_group,
    is_meld,
    meld_value,
    tidy,
    wanted,
    with_natural,
    with_wild,
)
from hand_rules import (
    SUITS,
    ace_suits,
    hand_value,
    in_order,
    may_demand_redeal,
    may_indicate,
    natural_name,
    pack_of,
    printed_pack,
    read_rules,
    write_rules,
)
from referee_texts import read_lines, read_melds

# A turn, as far as plays to the table go


class Turn(NamedTuple):
    hand: tuple[str, ...]  # in order
    melds: tuple[tuple[bool, Meld], ...]  # own or not, and the cards, in the order of opening
    taken: str  # the card taken and not yet laid, or nothing
    first: bool  # the turn began with nothing melded
    laid_off: bool  # in such a turn a card went to another seat's meld
    promise: bool  # down to one
    owes: bool  # a wild must be laid next


class Play(NamedTuple):
    action: str
    meld: int | None  # the number of the meld that changes, None for an opening
    after: Turn
    must_go_out: bool  # legal only if the hand can go out after it (H5.5)


def without(hand: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...] | None:
    """The hand less these cards, None if it lacks one of them."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


class Referee:
    """A game set up from the text of a position; `legal` and `apply` speak in the texts of actions."""

    _chance: Referee | None = None  # the position after the action, while an action is done

    # Positions as text

    @classmethod
    def from_text(cls, text: str) -> Referee:
        """A complete position: all cards are there. Raises ValueError."""
        return cls(read_lines(text))

    def __init__(self, lines: dict[str, str]):
        named = [int(key.split()[1]) for key in lines if key[-1].isdigit()]
        turn = lines.get("turn", "seat 0, draw")
        named.append(int(turn.split(",")[0].split()[1]))
        self.players = int(lines.get("players", max(2, 1 + max(named))))
        if not 2 <= self.players <= 4:
            raise ValueError("two, three or four players")
        self.rules, self.partners = read_rules(lines.get("rules", "pagat"), self.players)
        seats = range(self.players)
        zeros = " ".join("0" for _ in seats)
        self.episode = lines.get("episode", "round")
        self.dealer = int(lines.get("dealer", self.players - 1))
        self.round = int(lines.get("round", 0))
        self.turns = int(lines.get("turns", 0))
        self.scores = [int(word) for word in lines.get("scores", zeros).split()]
        self.points = [int(word) for word in lines.get("points", zeros).split()]
        self.indicator = lines.get("indicator", "")
        self.need = int(lines.get("need", self.rules["first_meld"]))
        self.unscored = int(lines.get("unscored", 0))
        lacking = [f"hand {seat}" for seat in seats if f"hand {seat}" not in lines]
        if lacking or "stock" not in lines:
            raise ValueError(f"not a complete position: {lacking or 'stock'}")
        self.hands = [in_order(lines[f"hand {seat}"].split()) for seat in seats]
        self.known = [Counter(lines.get(f"known {seat}", "").split()) for seat in seats]
        self.pile = lines.get("pile", "").split()
        self.stock = lines.get("stock", "").split()
        self.melds = self._read_melds(lines)
        self.ended = lines.get("over", "")
        self.rng = lines.get("rng", "0")
        self.random = random.Random(self.rng)  # shuffles when no text after the action is given
        self._read_turn(turn)
        self._memo: dict[Any, bool] = {}
        self._check_cards()

    def _read_melds(self, lines: dict[str, str]) -> list[tuple[int, Meld]]:
        """(owner, cards) in the order of opening."""
        melds = [(owner, tidy(words)) for owner, words in read_melds(lines, self.players)]
        for _, meld in melds:
            if not is_meld(meld):
                raise ValueError(f"not a meld: {' '.join(meld)}")
        return melds

    def _read_turn(self, text: str) -> None:
        seat, phase, *words = (part.strip() for part in text.split(","))
        self.seat = int(seat.split()[1])
        self.phase, _, self.pending = phase.partition(" ")
        if self.phase not in ("redeal", "discard", "draw", "play", "choose", "over"):
            raise ValueError(f"no phase {phase}")
        self.taken = next((word.split()[1] for word in words if word.startswith("taken ")), "")
        self.first = "in one turn" in words or not self._has_melded(self.seat)
        self.laid_off = "laid off" in words
        self.promise = "down to one" in words
        self.owes = "owes wild" in words

    def _check_cards(self) -> None:
        wilds = self.rules["wilds"]
        fits = not self.indicator if wilds == "jokers" else may_indicate(self.indicator, wilds)
        if not fits:
            raise ValueError(f"indicator {self.indicator!r} with wilds={wilds}")
        pack, here = pack_of(wilds, self.indicator), self._all_cards()
        more, fewer = here - pack, pack - here
        if self.rules["wild_discard"] in ("ace", "group"):  # H7.4: a wild less, an Ace more
            aces = {"A" + suit for suit in ace_suits(wilds, self.indicator)}
            if set(fewer) <= {"W"} and set(more) <= aces and more.total() == fewer.total():
                return
        if more or fewer:
            raise ValueError(f"too many: {dict(more)}; missing: {dict(fewer)}")

    def _all_cards(self) -> Counter[str]:
        cards = Counter(self.pile) + Counter(self.stock)
        for hand in self.hands:
            cards += Counter(hand)
        for _, meld in self.melds:
            cards += Counter(meld)
        return cards

    def to_text(self) -> str:
        return "".join(f"{key}: {value}".strip() + "\n" for key, value in self._lines().items())

    def _lines(self) -> dict[str, str]:
        """The lines of the position in the order of writing."""
        seats = range(self.players)
        zeros = [0] * self.players
        lines = {"rules": write_rules(self.rules, self.partners), "players": str(self.players)}
        numbers = [
            ("dealer", self.dealer, self.players - 1),
            ("round", self.round, 0),
            ("turns", self.turns, 0),
        ]
        if self.episode != "round":
            lines["episode"] = self.episode
        lines.update({key: str(value) for key, value, default in numbers if value != default})
        if self.scores != zeros:
            lines["scores"] = " ".join(map(str, self.scores))
        lines["turn"] = self._turn_text()
        if self.indicator:
            lines["indicator"] = self.indicator
        if self.need != self.rules["first_meld"]:
            lines["need"] = str(self.need)
        if self.unscored:
            lines["unscored"] = str(self.unscored)
        for seat in seats:
            lines[f"hand {seat}"] = " ".join(in_order(self.hands[seat]))
        for seat in seats:
            if self._has_melded(seat):
                lines[f"melds {seat}"] = " | ".join(" ".join(meld) for owner, meld in self.melds if owner == seat)
        owners = [owner for owner, _ in self.melds]
        if owners != sorted(owners):
            lines["order"] = " ".join(map(str, owners))
        for seat in seats:
            if self.known[seat].total():
                lines[f"known {seat}"] = " ".join(in_order(self.known[seat].elements()))
        lines["pile"] = " ".join(self.pile)
        lines["stock"] = " ".join(self.stock)
        if self.ended:
            lines["over"] = self.ended
        if self.points != zeros:
            lines["points"] = " ".join(map(str, self.points))
        lines["rng"] = self.rng
        return lines

    def _turn_text(self) -> str:
        words = [f"seat {self.seat}", f"{self.phase} {self.pending}".strip()]
        if self.phase in ("play", "choose"):
            words += [f"taken {self.taken}"] if self.taken else []
            words += ["in one turn"] if self.first and self._has_melded(self.seat) else []
            words += ["laid off"] if self.laid_off else []
            words += ["down to one"] if self.promise else []
            words += ["owes wild"] if self.owes else []
        return ", ".join(words)

    # What may be done

    @property
    def over(self) -> bool:
        return self.ended != ""

    def legal(self) -> set[str]:
        """The texts of all legal actions; none when the game is over."""
        return set() if self.over else getattr(self, f"_legal_{self.phase}")()

    def _legal_redeal(self) -> set[str]:
        return {"keep"} if self._is_last_deal() else {"keep", "redeal"}

    def _legal_discard(self) -> set[str]:
        return {f"discard {card}" for card in self.hands[self.seat]}

    def _legal_draw(self) -> set[str]:
        """H3.2, H7.2."""
        actions = {"draw"} if self.stock else set()
        if self.pile and not (self.pile[-1] == "W" and self.rules["wild_discard"] == "never"):
            turn = self._turn()
            hand = tuple(in_order((*turn.hand, self.pile[-1])))
            if self._finishes(turn._replace(hand=hand, taken=self.pile[-1]), False):
                actions.add("take")
        return actions

    def _legal_play(self) -> set[str]:
        turn = self._turn()
        actions = {play.action for play in self._legal_plays(turn)}
        if self._may_discard(turn, 1):
            actions |= {f"discard {card}" for card in turn.hand}
        if self._may_discard_two_wilds(turn):
            actions.add("discard W W")
        return actions

    def _legal_choose(self) -> set[str]:
        return {f"meld {play.meld}" for play in self._legal_plays(self._turn()) if play.action == self.pending}

    def _turn(self) -> Turn:
        melds = tuple((owner == self.seat, meld) for owner, meld in self.melds)
        hand = tuple(in_order(self.hands[self.seat]))
        return Turn(hand, melds, self.taken, self.first, self.laid_off, self.promise, self.owes)

    def _legal_plays(self, turn: Turn) -> list[Play]:
        """H3.4, H5.5: plays after which the turn can still be ended."""
        return [play for play in self._plays(turn) if self._finishes(play.after, play.must_go_out)]

    def _finishes(self, turn: Turn, go_out: bool) -> bool:
        """Whether some plays and a discard end the turn legally, with `go_out` by going out. Tries them all.

        The order of melds does not matter to the answer, so positions that differ in it alone are tried once.
        """
        turn = turn._replace(melds=tuple(sorted(turn.melds)))
        key = (turn, go_out)
        if key not in self._memo:
            self._memo[key] = self._ends(turn, go_out) or any(
                self._finishes(play.after, go_out or play.must_go_out) for play in self._plays(turn)
            )
        return self._memo[key]

    def _ends(self, turn: Turn, go_out: bool) -> bool:
        if self._may_discard_two_wilds(turn):
            return True
        return self._may_discard(turn, 1) and (not go_out or len(turn.hand) == 1)

    def _may_discard(self, turn: Turn, cards: int) -> bool:
        """H3.4: whether the turn may end with a discard of this number of cards."""
        left = len(turn.hand) - cards
        if left < 0 or turn.taken or turn.owes:
            return False
        if left == 0:
            return self._may_go_out()
        nothing_melded = not any(own for own, _ in turn.melds)
        return (nothing_melded or self._requirement_met(turn)) and (left == 1 or not turn.promise)

    def _may_discard_two_wilds(self, turn: Turn) -> bool:
        """H11 `two_wilds_out`."""
        laid = [card for own, meld in turn.melds if own for card in meld]
        return (
            self.rules["two_wilds_out"]
            and turn.hand == ("W", "W")
            and turn.first
            and not turn.laid_off
            and len(laid) == 13
            and "W" not in laid
            and self._may_discard(turn, 2)
        )

    def _may_go_out(self) -> bool:
        """H8.2."""
        return self.rules["win_first_turn"] or self.turns >= self.players

    def _requirement_met(self, turn: Turn) -> bool:
        """H5.1: something lies in the seat's area, and it is worth enough or is older than this turn."""
        own = [meld for own, meld in turn.melds if own]
        return bool(own) and (not turn.first or sum(meld_value(meld, self.rules) for meld in own) >= self.need)

    # Plays to the table; whether the turn can be ended after them is asked elsewhere

    def _plays(self, turn: Turn) -> Iterator[Play]:
        yield from self._openings(turn)
        if any(own for own, _ in turn.melds):  # H6.1
            if not turn.taken or self._may_add_taken():
                yield from self._additions(turn)
            if not turn.taken and not turn.owes and self._requirement_met(turn):
                yield from self._exchanges(turn)

    def _may_add_taken(self) -> bool:
        """H11 `take_to_add`."""
        return self.rules["take_to_add"] and self._has_melded((self.seat - 1) % self.players)

    def _other_has_one(self) -> bool:
        return any(len(hand) == 1 for seat, hand in enumerate(self.hands) if seat != self.seat)

    def _pay(self, turn: Turn, cards: Meld, group: bool) -> Turn | None:
        """The turn after these cards have left the hand for a meld; None if the hand cannot pay them.

        The taken card is used if it can be (H7.3), a taken wild as a natural Ace (H7.4).
        """
        paid = turn._replace(owes=False, taken="")
        if turn.taken == "W" and self.rules["wild_discard"] != "wild":
            rest = without(turn.hand, ["W"])
            assert rest is not None, "the taken wild is in the hand"
            for ace in self._aces_of_taken(cards, rest, group):
                hand = without(rest, [card for card in cards if card != ace])
                if hand is not None:
                    return paid._replace(hand=hand)
            hand = without(rest, cards)
            return None if hand is None else turn._replace(hand=tuple(in_order((*hand, "W"))), owes=False)
        hand = without(turn.hand, cards)
        if hand is None:
            return None
        return (paid if turn.taken in cards else paid._replace(taken=turn.taken))._replace(hand=hand)

    def _aces_of_taken(self, cards: Meld, rest: tuple[str, ...], group: bool) -> list[str]:
        """H7.4: the Aces of a play that the taken wild can be, those that the hand lacks first."""
        if self.rules["wild_discard"] == "group" and not group:
            return []
        aces = ["A" + suit for suit in SUITS if suit in ace_suits(self.rules["wilds"], self.indicator)]
        named = [card for card in cards if card in aces]
        return [ace for ace in named if ace not in rest] + [ace for ace in named if ace in rest]

    def _openings(self, turn: Turn) -> Iterator[Play]:
        faces = set(turn.hand)
        for cards, different in zip(OPENINGS, OPENING_FACES):
            lacking = different - faces
            if lacking and not (turn.taken == "W" and len(lacking) == 1):  # that one may be the taken wild, H7.4
                continue
            if turn.owes and "W" not in cards:  # H11 `reuse_wild`
                continue
            paid = self._pay(turn, cards, is_group(cards))
            if paid is None or (paid.taken and not self._may_add_taken()):  # H7.1
                continue
            yield Play("open " + " ".join(cards), None, paid._replace(melds=(*turn.melds, (True, cards))), False)

    def _additions(self, turn: Turn) -> Iterator[Play]:
        faces = set(turn.hand)
        if turn.taken == "W":
            faces |= {"A" + suit for suit in SUITS}  # H7.4; `_pay` knows which
        if turn.owes:
            faces &= {"W"}
        for face in in_order(faces):
            for end in ("low", "high") if face == "W" else ("",):
                for k, (_, meld) in enumerate(turn.melds):
                    more = with_wild(meld, end) if face == "W" else with_natural(meld, face)
                    paid = None if more is None else self._pay(turn, (face,), is_group(meld))
                    if more is None or paid is None:
                        continue
                    pair_and_wild = is_group(meld) and "W" in meld and len(meld) == 3
                    if pair_and_wild and not self.rules["add_to_pair"] and not self._other_has_one():  # H6.3
                        paid = paid._replace(promise=True)
                    yield self._changed(turn, paid, f"add {face} {end}".strip(), k, more)

    def _exchanges(self, turn: Turn) -> Iterator[Play]:
        """H6.4."""
        for k, (_, meld) in enumerate(turn.melds):
            naturals = wanted(meld)
            hand = without(turn.hand, naturals)
            if naturals and hand is not None:
                paid = turn._replace(hand=tuple(in_order((*hand, "W"))), owes=self.rules["reuse_wild"])
                yield self._changed(turn, paid, "swap " + " ".join(naturals), k, exchanged(meld))

    def _changed(self, turn: Turn, paid: Turn, action: str, k: int, meld: Meld) -> Play:
        own = turn.melds[k][0]
        melds = (*turn.melds[:k], (own, meld), *turn.melds[k + 1 :])
        laid_off = turn.laid_off or (turn.first and not own)
        must_go_out = not own and not self._requirement_met(turn)  # H5.5
        return Play(action, k, paid._replace(melds=melds, laid_off=laid_off), must_go_out)

    # What happens

    def apply(self, action: str, after: str | None = None) -> None:
        """Does an action. What chance decides is read from `after`, the engine's text, and all of `after` is checked.

        Raises ValueError for an illegal action, AssertionError where `after` is wrong. Without `after` cards are
        shuffled here.
        """
        if action not in self.legal():
            raise ValueError(f"not legal: {action}\n{self.to_text()}")
        self._chance = None if after is None else Referee.from_text(after)
        verb, _, rest = action.partition(" ")
        does: dict[str, Callable[[], None]] = {
            "keep": self._keep,
            "redeal": self._redeal,
            "draw": self._draw,
            "take": self._take,
            "open": lambda: self._play(action),
            "add": lambda: self._play(action),
            "swap": lambda: self._play(action),
            "meld": lambda: self._play(self.pending, int(rest)),
            "discard": lambda: self._discard(rest.split()),
        }
        does[verb]()
        if self._chance is not None:
            self.rng = self._chance.rng
            mine, its = self._lines(), self._chance._lines()
            wrong = {key: (mine.get(key), its.get(key)) for key in mine | its if mine.get(key) != its.get(key)}
            assert not wrong, f"{action}: (referee, engine) {wrong}\n{after}"
        self._chance = None

    def _keep(self) -> None:
        self._ask_for_redeal((self.seat - self.dealer - 1) % self.players + 1)

    def _redeal(self) -> None:
        """H2.6."""
        self.points = [0] * self.players
        self.unscored += 1
        self.deal()

    def _draw(self) -> None:
        self.hands[self.seat].append(self.stock.pop(0))
        self.phase = "play"

    def _take(self) -> None:
        self.taken = self.pile.pop()
        self.hands[self.seat].append(self.taken)
        self.known[self.seat][self.taken] += 1
        self.phase = "play"

    def _play(self, action: str, meld: int | None = None) -> None:
        """An opening, addition or exchange; where several melds take the card, the choice comes first (H6.5)."""
        plays = [play for play in self._legal_plays(self._turn()) if play.action == action]
        if meld is not None:
            plays = [play for play in plays if play.meld == meld]
        if len(plays) > 1:
            self.phase, self.pending = "choose", action
            return
        after = plays[0].after
        before = Counter(self.hands[self.seat])
        self.known[self.seat] -= before - Counter(after.hand)  # known cards go first
        self.known[self.seat] += Counter(after.hand) - before
        self.hands[self.seat] = list(after.hand)
        owners = [owner for owner, _ in self.melds] + [self.seat]
        self.melds = [(owner, cards) for owner, (_, cards) in zip(owners, after.melds, strict=False)]
        self.taken, self.laid_off = after.taken, after.laid_off
        self.promise, self.owes = after.promise, after.owes
        self.phase, self.pending = "play", ""

    def _discard(self, cards: list[str]) -> None:
        for card in cards:
            self.hands[self.seat].remove(card)
            self.pile.append(card)
        self.known[self.seat] -= Counter(cards)
        self.turns += 1
        turn = self._turn()
        if self.rules["rising"] and self.first and self._has_melded(self.seat):
            self.need = 1 + sum(meld_value(meld, self.rules) for own, meld in turn.melds if own)
        stock_left = {"players": self.players, "empty": 0, "reshuffle": 0}[self.rules["stock_end"]]
        used_up = len(self.stock) <= stock_left
        if used_up and self.rules["stock_end"] == "reshuffle" and len(self.pile) > 1:
            used_up = False
        if not self.hands[self.seat]:
            self._win(" ".join(cards))
        elif used_up:
            self._end_unscored("exhausted")
        elif self.turns >= self.rules["max_turns"]:
            self._end_unscored("turns")
        else:
            if not self.stock:
                self._reshuffle()
            self._begin_turn()

    def _reshuffle(self) -> None:
        """H11 `stock_end=reshuffle`: all of the pile but its top."""
        cards, self.pile = self.pile[:-1], self.pile[-1:]
        if self._chance is None:
            self.random.shuffle(cards)
        else:
            assert Counter(self._chance.stock) == Counter(cards), "the new stock is not the old pile"
            cards = list(self._chance.stock)
        self.stock = cards

    def _begin_turn(self) -> None:
        self.seat, self.phase = (self.seat + 1) % self.players, "draw"
        self._clear_turn()

    def _clear_turn(self) -> None:
        self.pending, self.taken = "", ""
        self.first = not self._has_melded(self.seat)
        self.laid_off = self.promise = self.owes = False
        self._memo = {}

    def _has_melded(self, seat: int) -> bool:
        return any(owner == seat for owner, _ in self.melds)

    # The deal

    def deal(self) -> None:
        """H2.1 to H2.5: a new deal by the same dealer."""
        self.seat = (self.dealer + 1) % self.players
        self.turns, self.need, self.pile, self.melds = 0, self.rules["first_meld"], [], []
        self.known = [Counter() for _ in range(self.players)]
        self._clear_turn()
        if self._chance is None:
            self._deal_at_random()
        else:
            self._read_deal(self._chance)
        self._ask_for_redeal(0)

    def _deal_at_random(self) -> None:
        wilds = self.rules["wilds"]
        cards = printed_pack(wilds)
        self.random.shuffle(cards)
        sizes = [15 if seat == self.seat else 14 for seat in range(self.players)]
        hands = [[cards.pop() for _ in range(size)] for size in sizes]
        self.indicator = ""
        while wilds != "jokers" and not self.indicator:
            card = cards.pop()
            if may_indicate(card, wilds):
                self.indicator = card
            else:
                cards.insert(self.random.randrange(len(cards) + 1), card)
        self.hands = [in_order(natural_name(card, wilds, self.indicator) for card in hand) for hand in hands]
        self.stock = [natural_name(card, wilds, self.indicator) for card in reversed(cards)]

    def _read_deal(self, after: Referee) -> None:
        sizes = [15 if seat == self.seat else 14 for seat in range(self.players)]
        assert [len(hand) for hand in after.hands] == sizes, "hands of a wrong size"
        cards = Counter(after.stock)
        for hand in after.hands:
            cards += Counter(hand)
        assert cards == pack_of(self.rules["wilds"], after.indicator), "the cards dealt are not the pack"
        self.indicator, self.stock = after.indicator, list(after.stock)
        self.hands = [list(hand) for hand in after.hands]

    def _ask_for_redeal(self, passed: int) -> None:
        """H2.5: the question goes to the next entitled seat after those passed, else the beginner discards."""
        order = [(self.dealer + 1 + i) % self.players for i in range(self.players)]
        entitled = [seat for seat in order[passed:] if may_demand_redeal(self.hands[seat])]
        if entitled and not self._is_last_deal():
            self.seat, self.phase = entitled[0], "redeal"
        else:
            self.seat, self.phase = order[0], "discard"

    def _is_last_deal(self) -> bool:
        """H2.6: whether this deal is the last that may be made if it ends unscored."""
        if self.unscored + 1 >= self.rules["max_unscored"]:
            return True
        last_round = self.episode == "match" and self.round == self.rules["rounds"] - 1
        return last_round and self.unscored + 1 >= self.rules["last_deals"]

    # The end of a deal

    def _win(self, discarded: str) -> None:
        """H9."""
        own = self._points_by_seat(discarded)
        self.points = own
        if self.partners:
            sides = [own[0] + own[2], own[1] + own[3]]
            self.points = [sides[seat % 2] for seat in range(4)]
        self.scores = [score + points for score, points in zip(self.scores, self.points, strict=True)]
        self.round += self.episode == "match"
        if self.episode == "round":
            self._end(f"out, seat {self.seat}")
            return
        self.unscored = 0
        if not self._match_is_over():
            self.dealer = self._next_dealer(own)
            self.deal()

    def _points_by_seat(self, discarded: str) -> list[int]:
        """H9.1, H9.2, H11; with partners each seat's own points, the winner's partner 0."""
        full = self.first and not self.laid_off
        factor = 2 * self._bonus(discarded) if full else 1
        points = []
        for seat in range(self.players):
            if seat == self.seat:
                points.append(-30 * factor)
            elif self.partners and seat % 2 == self.seat % 2:
                points.append(0)
            else:
                left = hand_value(self.hands[seat], self.rules) if self._has_melded(seat) else 100
                points.append(left * factor)
        return points

    def _bonus(self, discarded: str) -> int:
        """H11: the factor of a full hand."""
        factor = 1
        if discarded == "W W":
            factor *= 4
        elif discarded == "W" and self.rules["wild_out"]:
            factor *= 2
        suits = {card[1] for owner, meld in self.melds if owner == self.seat for card in meld if card != "W"}
        if self.rules["one_suit"] and len(suits) == 1:
            factor *= 4
        elif self.rules["one_colour"] and (suits <= set("dh") or suits <= set("cs")):
            factor *= 2
        return factor

    def _next_dealer(self, own: list[int]) -> int:
        """H10.2."""
        if self.rules["deal"] == "turn":
            return (self.dealer + 1) % self.players
        order = [(self.dealer + i) % self.players for i in range(self.players)]  # the old dealer first
        return next(seat for seat in order if own[seat] == max(own))

    def _end_unscored(self, how: str) -> None:
        """H10.3, H10.4, H12."""
        self.points = [0] * self.players
        if self.episode == "round":
            self._end(how)
            return
        self.unscored += 1
        if self.round == self.rules["rounds"] - 1 and self.unscored >= self.rules["last_deals"]:
            self.round += 1
            self.unscored = 0
            if self._match_is_over():
                return
        elif self.unscored >= self.rules["max_unscored"]:
            self._end("rounds")
            return
        self.deal()

    def _match_is_over(self) -> bool:
        """H10.1, H12."""
        lowest = [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]
        sides = {seat % 2 if self.partners else seat for seat in lowest}
        if self.round >= self.rules["rounds"] and len(sides) == 1:
            self._end(f"match, seat {lowest[0]}")
        elif self.round >= self.rules["max_rounds"]:
            self._end("rounds")
        return self.over

    def _end(self, how: str) -> None:
        self.ended, self.phase, self.pending = how, "over", ""
