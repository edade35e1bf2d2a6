"""A second implementation of basic Rummy, written from its rules page alone.

The referee is slow and plain: cards are texts, melds are sets of cards, and what the rest of a turn allows is found by
trying everything. It shares no code with the engine, so that an error in one of the two shows as a difference.

Readings where the rules page leaves room:

* R2.1, R10.2: the dealer of a game that is over is the dealer of its last round.
* R3.3: the `turn` line shows the banned card to the end of the turn, even when that card lies on the table.
* R3.4: an empty stock is renewed by the `draw` that needs it. `stock_out=turn` needs one card on the pile.
* R3.5: `seen` lasts until a shuffle or a new deal, even while the stock is empty.
* R5.3: naming a card does not make it `known`; a card that is named stays in its hand until `meld k`.
* R7.1: a seat that discards its only card, having put nothing on the table in the round, goes rummy. This can only
  follow from a position that was set up.
* R8.4: every turn counts in `turns`, the one that goes out included.
* R10: the points are added to `scores` in an episode of one round too; such a round does not count in `round`.
* R10.2, R10.3: a match that ends by R10.2 in its last allowed round has a winner and is not given up.
"""

from __future__ import annotations

import random
import re

from rummy_texts import (
    HAND_SIZE,
    OPENINGS,
    PACK,
    in_order,
    is_meld,
    number,
    numbers,
    read_cards,
    read_rules,
    require,
    value,
    write_rules,
)


class Referee:
    """One game. `owners[k]` is the seat that opened meld `k`; the last card of `pile` is its top; `stock[0]` is next.

    `fresh` says whether the seat to move had put nothing on the table before this turn (R7.1).
    """

    # Reading

    @classmethod
    def from_text(cls, text: str) -> Referee:
        """The position of a complete text. ValueError if the text is wrong or contradicts itself."""
        lines = {}
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if line:
                key, colon, rest = line.partition(":")
                key = " ".join(key.split())
                require(colon and key not in lines, f"no `key: value`, or a key that is there twice: {line}")
                lines[key] = rest.strip()
        self = cls()
        self.shuffler = random.Random(0)
        self.rules = read_rules(lines.pop("rules", "denexa"))
        seats = [int(key.split()[1]) for key in lines if re.fullmatch("hand [0-9]", key)]
        self.players = number(lines.pop("players", str(max([1, *seats]) + 1)), 2, 6)
        self._read_counters(lines)
        self._read_cards(lines)
        turn = lines.pop("turn", None)
        if self.over:
            require(turn is None, "a game that is over has no turn line")
            self._begin_turn(0)
        else:
            self._read_turn(turn or "seat 0, draw")
        require(not lines, f"unknown keys: {', '.join(lines)}")
        require(self.over or self.legal(), "nothing is legal here")
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
        seat = f"seat [0-{self.players - 1}]"
        ends = f"|(out|rummy), {seat}|exhausted|turns" if self.episode == "round" else f"|match, {seat}|rounds"
        require(re.fullmatch(ends, self.result), f"no such end of a {self.episode}: {self.result}")

    def _read_cards(self, lines: dict[str, str]) -> None:
        seats = range(self.players)
        for key in ["pile", "stock"] + [f"hand {seat}" for seat in seats]:
            require(key in lines, f"missing: {key}")
        self.pile, self.stock = read_cards(lines.pop("pile")), read_cards(lines.pop("stock"))
        hands = [read_cards(lines.pop(f"hand {seat}")) for seat in seats]
        melds = []
        for seat in seats:
            texts = lines.pop(f"melds {seat}", "")
            melds.append([read_cards(text) for text in texts.split("|")] if texts else [])
        on_table = [meld for own in melds for meld in own]
        placed = [card for cards in [self.pile, self.stock, *hands, *on_table] for card in cards]
        twice = {card for card in placed if placed.count(card) > 1}
        require(not twice, f"one pack has one of each: {in_order(twice)}")
        require(len(placed) == 52, f"missing cards: {in_order(set(PACK) - set(placed))}")
        require(all(is_meld(meld) for meld in on_table), "no meld")
        require(self.over or all(hands), "a hand is empty but the game is not over")
        self.hands = [set(hand) for hand in hands]

        seat_by_seat = [seat for seat in seats for _ in melds[seat]]
        self.owners = numbers(lines.pop("order", " ".join(map(str, seat_by_seat))), len(seat_by_seat))
        require(sorted(self.owners) == seat_by_seat, "order and melds differ")
        self.melds = [frozenset(melds[owner].pop(0)) for owner in self.owners]
        self.known = [set(read_cards(lines.pop(f"known {seat}", ""))) for seat in seats]
        require(all(self.known[seat] <= self.hands[seat] for seat in seats), "a known card is in its hand")
        played = lines.pop("played", " ".join(map(str, sorted(set(self.owners)))))
        self.played = {number(seat, 0, self.players - 1) for seat in played.split() if played != "none"}
        require(self.played >= set(self.owners), "a seat with a meld has played")
        seen = lines.pop("seen", "no")
        require(seen in ("yes", "no"), "seen is yes or no")
        self.seen = seen == "yes"

    def _read_turn(self, text: str) -> None:
        seat, *words = [" ".join(part.split()) for part in text.split(",")]
        require(re.fullmatch("seat [0-9]", seat), f"no turn: {text}")
        self._begin_turn(number(seat.split()[1], 0, self.players - 1))
        if words and re.fullmatch("draw|play|choose add ..", words[0]):
            phase = words.pop(0)
            if phase.startswith("choose"):
                self.named = phase.split()[2]
                require(self.named in self.hands[self.seat], "the named card is in the hand")
            self.phase = phase.split()[0]
        require(self.phase != "draw" or not words, f"nothing was done yet in this turn: {text}")
        self.fresh = self.seat not in self.played
        for word in words:
            if word.startswith("banned ") and not self.banned:
                self.banned = word.split()[1]
                table = set().union(self.hands[self.seat], *self.melds)
                require(self.banned in table, "the banned card is in the hand or on the table")
            elif re.fullmatch("melds [1-9][0-9]*", word) and not self.opened:
                self.opened = int(word.split()[1])
            else:
                require(word == "in one turn" and self.seat in self.played, f"not to be said of this turn: {word}")
                self.fresh = True
        own = self.owners.count(self.seat)
        if self.fresh:
            require(self.opened == own, "in one turn, yet other melds of this seat than those of this turn")
        else:
            require(self.opened <= own, "a meld of this turn is not there")
            require(self.opened < 2 or self.rules["melds"] == "any", "a second meld by a seat that had played before")

    # Writing

    def to_text(self) -> str:
        seats = range(self.players)
        lines = [f"rules: {write_rules(self.rules)}", f"players: {self.players}"]

        def line(key: str, text: object, default: object = None) -> None:
            if text != default:
                lines.append(f"{key}: {text}".strip())

        def spaced(things) -> str:
            return " ".join(str(thing) for thing in things)

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
            own = [meld for owner, meld in zip(self.owners, self.melds) if owner == seat]
            line(f"melds {seat}", " | ".join(spaced(in_order(meld)) for meld in own), "")
        line("order", spaced(self.owners), spaced(sorted(self.owners)))
        for seat in seats:
            line(f"known {seat}", spaced(in_order(self.known[seat])), "")
        line("played", spaced(sorted(self.played)) or "none", spaced(sorted(set(self.owners))) or "none")
        line("seen", "yes" if self.seen else "no", "no")
        line("pile", spaced(self.pile))
        line("stock", spaced(self.stock))
        line("over", self.result, "")
        line("points", spaced(self.points), zeros)
        line("rng", self.rng)
        return "\n".join(lines) + "\n"

    def _turn_text(self) -> str:
        words = [f"seat {self.seat}", f"choose add {self.named}" if self.phase == "choose" else self.phase]
        if self.banned:
            words.append(f"banned {self.banned}")
        if self.opened:
            words.append(f"melds {self.opened}")
        if self.fresh and self.seat in self.played:
            words.append("in one turn")
        return ", ".join(words)

    # What is legal

    @property
    def over(self) -> bool:
        return self.result != ""

    def legal(self) -> set[str]:
        if self.over:
            return set()
        return getattr(self, f"_legal_{self.phase}")()

    def _legal_draw(self) -> set[str]:
        """R3.1, R3.2, R3.4."""
        needed_on_pile = {"shuffle": 2, "turn": 1, "end": 53}[self.rules["stock_out"]]
        found = set()
        if self.stock or len(self.pile) >= needed_on_pile:
            found.add("draw")
        if self.pile:
            found.add("take")
        return found

    def _legal_play(self) -> set[str]:
        """R5, R6, R7."""
        hand, table = frozenset(self.hands[self.seat]), frozenset(self.melds)
        found = {f"add {card}" for card in hand if self._places(card)}
        found |= {f"discard {card}" for card in hand if self._may_discard(card, hand, self.opened)}
        if self._may_open(self.opened):
            for action, cards in OPENINGS.items():
                if cards <= hand and self._sound(hand - cards, table | {cards}, self.opened + 1, {}):
                    found.add(action)
        return found

    def _legal_choose(self) -> set[str]:
        return {f"meld {place}" for place in self._places(self.named)}

    def _places(self, card: str) -> list[int]:
        """The melds on which the card may be laid off (R5.2, R5.3)."""
        hand, table = frozenset(self.hands[self.seat]), frozenset(self.melds)
        found = []
        for place, meld in enumerate(self.melds):
            longer = meld | {card}
            if is_meld(longer) and self._sound(hand - {card}, table - {meld} | {longer}, self.opened, {}):
                found.append(place)
        return found

    def _bound_to_go_out(self, opened: int) -> bool:
        """R7.2: a second meld commits the seat to getting rid of every card in this turn."""
        return self.rules["melds"] == "one" and opened >= 2

    def _may_open(self, opened: int) -> bool:
        """R5.1, R7.2, without what comes after the opening."""
        return opened == 0 or self.rules["melds"] == "any" or self.fresh

    def _may_discard(self, card: str, hand: frozenset, opened: int) -> bool:
        """R6.1, R7.2."""
        return card != self.banned and (len(hand) == 1 or not self._bound_to_go_out(opened))

    def _sound(self, hand: frozenset, table: frozenset, opened: int, tried: dict) -> bool:
        """R6.2, R6.3: whether a play to the table may lead to this hand and these melds."""
        if not hand:
            return self.rules["last_card"] == "any"
        return self._can_end(hand, table, opened, tried)

    def _can_end(self, hand: frozenset, table: frozenset, opened: int, tried: dict) -> bool:
        """R6.3: whether some continuation of the turn ends it, by trying all of them."""
        now = (hand, table, opened)
        if now not in tried:
            tried[now] = any(self._may_discard(card, hand, opened) for card in hand) or any(
                self._sound(*after, tried) for after in self._plays(hand, table, opened)
            )
        return tried[now]

    def _plays(self, hand: frozenset, table: frozenset, opened: int):
        """What every lay-off and opening leaves: the hand, the melds on the table, the melds opened in this turn."""
        for card in hand:
            for meld in table:
                if is_meld(meld | {card}):
                    yield hand - {card}, table - {meld} | {meld | {card}}, opened
        if self._may_open(opened):
            for cards in OPENINGS.values():
                if cards <= hand:
                    yield hand - cards, table | {cards}, opened + 1

    # What happens

    def apply(self, action: str, after: str | None = None) -> None:
        """Play a legal action; ValueError for any other.

        `after` is the engine's position after the action. The orders of a shuffle and of a new deal, and `rng`, are
        read from it; all the rest of it is compared with what the rules say. A difference is an AssertionError.
        """
        if action not in self.legal():
            raise ValueError(f"not legal here: {action}")
        told = None
        if after is not None:
            try:
                told = Referee.from_text(after)
            except ValueError as error:
                raise AssertionError(f"after {action} the position is wrong: {error}\n{after}") from error
        verb, *cards = action.split()
        getattr(self, f"_do_{verb}")(cards, told)
        if told:
            self.rng = told.rng
            assert self.to_text() == told.to_text(), f"{action} leads to\n{self.to_text()}not to\n{told.to_text()}"

    def _do_draw(self, _cards: list[str], told: Referee | None) -> None:
        if not self.stock:
            self._renew_stock(told)
        card = self.stock.pop(0)
        self.hands[self.seat].add(card)
        if self.seen:  # R3.5
            self.known[self.seat].add(card)
        self.phase = "play"

    def _renew_stock(self, told: Referee | None) -> None:
        """R3.4, R3.5."""
        if self.rules["stock_out"] == "turn":
            self.stock, self.pile, self.seen = self.pile, [], True
            return
        cards, self.pile, self.seen = self.pile[:-1], self.pile[-1:], False
        if told is None:
            self.stock = cards
            self.shuffler.shuffle(self.stock)
            return
        drawn = told.hands[self.seat] - self.hands[self.seat] if told.players == self.players else set()
        assert len(drawn) == 1, "a draw adds one card to the hand"
        self.stock = [*drawn, *told.stock]
        assert sorted(self.stock) == sorted(cards), "the new stock is the pile without its top card"

    def _do_take(self, _cards: list[str], _told: Referee | None) -> None:
        card = self.pile.pop()
        self.hands[self.seat].add(card)
        self.known[self.seat].add(card)
        self.banned = card
        self.phase = "play"

    def _do_open(self, cards: list[str], told: Referee | None) -> None:
        self.owners.append(self.seat)
        self.melds.append(frozenset(cards))
        self.opened += 1
        self._leave_hand(cards, told)

    def _do_add(self, cards: list[str], told: Referee | None) -> None:
        places = self._places(cards[0])
        self.named = cards[0]
        if len(places) == 1:
            self._do_meld([str(places[0])], told)
        else:
            self.phase = "choose"

    def _do_meld(self, place: list[str], told: Referee | None) -> None:
        self.melds[int(place[0])] |= {self.named}
        self.phase = "play"
        self._leave_hand([self.named], told)
        self.named = ""

    def _leave_hand(self, cards: list[str], told: Referee | None) -> None:
        """Cards went from the hand to the table."""
        self.played.add(self.seat)
        self.hands[self.seat] -= set(cards)
        self.known[self.seat] -= set(cards)
        if not self.hands[self.seat]:
            self._end_turn(told)

    def _do_discard(self, cards: list[str], told: Referee | None) -> None:
        self.hands[self.seat] -= set(cards)
        self.known[self.seat] -= set(cards)
        self.pile += cards
        self._end_turn(told)

    def _begin_turn(self, seat: int) -> None:
        self.seat, self.phase, self.named, self.banned, self.opened = seat, "draw", "", "", 0
        self.fresh = seat not in self.played

    def _end_turn(self, told: Referee | None) -> None:
        """R8, in the order of R8.4."""
        self.turns += 1
        if not self.hands[self.seat]:
            factor = int(self.rules["rummy_factor"]) if self.fresh else 1
            points = [0] * self.players
            points[self.seat] = factor * sum(value(card) for hand in self.hands for card in hand)  # R9
            self._end_round(f"{'rummy' if self.fresh else 'out'}, seat {self.seat}", points, told)
        elif self.turns >= int(self.rules["max_turns"]):
            self._end_round("turns", [0] * self.players, told)
        elif self.rules["stock_out"] == "end" and not self.stock:
            self._end_round("exhausted", [0] * self.players, told)
        else:
            self._begin_turn((self.seat + 1) % self.players)

    def _end_round(self, how: str, points: list[int], told: Referee | None) -> None:
        """R10."""
        self.points = points
        self.scores = [before + now for before, now in zip(self.scores, points)]
        if self.episode == "round":
            self.result = how
            return
        self.round += 1
        target, deals, best = self.rules["target"], self.rules["deals"], max(self.scores)
        enough = (target != "none" and best >= int(target)) or (deals != "none" and self.round >= int(deals))
        if enough and self.scores.count(best) == 1:
            self.result = f"match, seat {self.scores.index(best)}"
        elif self.round >= int(self.rules["max_rounds"]):
            self.result = "rounds"
        else:
            self._deal(told)

    def _deal(self, told: Referee | None) -> None:
        """The next round of a match: R2, R10.2."""
        size = HAND_SIZE[self.players]
        self.dealer = (self.dealer + 1) % self.players
        self.turns, self.seen = 0, False
        self.owners, self.melds, self.played = [], [], set()
        self.known = [set() for _ in range(self.players)]
        if told is None:
            pack = list(PACK)
            self.shuffler.shuffle(pack)
            self.hands = [{pack.pop() for _ in range(size)} for _ in range(self.players)]
            self.pile, self.stock = [pack.pop()], pack
        else:
            assert [len(hand) for hand in told.hands] == [size] * self.players, "hands of the wrong size"
            assert len(told.pile) == 1, "one card is turned up"
            self.hands = [set(hand) for hand in told.hands]
            self.pile, self.stock = list(told.pile), list(told.stock)
        self._begin_turn((self.dealer + 1) % self.players)
