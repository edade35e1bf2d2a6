"""How is a position written down and read back? One `key: value` a line, hidden parts included, without loss.

The grammar is in docs/notation.md. `PositionError` says which line is at fault and what was expected there.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import PositionError
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import (
    ADD,
    ADD_JOKER_LOW,
    ADD_TWO_LOW,
    DISCARD,
    NUM_ACTIONS,
    SWAP,
    action_text,
    parse_action,
)
from banakil_env.games.banakil.melds import ACES, NOWHERE, THREES, Meld
from banakil_env.games.banakil.moves import legal
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import parse_rules, resolve_table
from banakil_env.games.banakil.setup import EPISODES, blank_state, rules_of
from banakil_env.kit.cards import JOKER_TEXT, SUITS
from banakil_env.kit.switches import RulesError

SEAT_KEYS = ("hand", "melds", "known")
KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "turn"),
    *(f"{key} S" for key in SEAT_KEYS),
    *("order", "pile", "stock", "had turn", "circling", "over", "points", "seed", "rng"),
)

ENDINGS = {"out": S.OUT, "exhausted": S.EXHAUSTED, "turns": S.TURNS, "match": S.MATCH, "rounds": S.ROUNDS}
_ENDING_TEXT = {ending: text for text, ending in ENDINGS.items()}
_PHASE_TEXT = {S.DRAW: "draw", S.PLAY: "play", S.OVER: "play"}


# Writing ------------------------------------------------------------------------------------------------------------


def to_text(state: Any) -> str:
    """The whole game as text; reading it back gives the same bytes."""
    return "".join(f"{key}: {value}\n".replace(": \n", ":\n") for key, value in _lines_of(state))


def header_lines(state: Any) -> list[tuple[str, str]]:
    """The lines that say which game is played: rules, players, episode."""
    table = {True: " partners", False: " individuals"}[bool(state.partners)] if state.num_players == 4 else ""
    preset, *switches = rules_of(state).text().split()
    lines = [("rules", " ".join([preset + table, *switches])), ("players", str(state.num_players))]
    if state.episode == S.MATCH_EPISODE:
        lines.append(("episode", "match"))
    return lines


def _lines_of(state: Any) -> list[tuple[str, str]]:
    seats = range(state.num_players)
    lines = header_lines(state)
    if state.dealer != state.num_players - 1:
        lines.append(("dealer", str(state.dealer)))
    if state.rounds:
        lines.append(("round", str(state.rounds)))
    if state.turns:
        lines.append(("turns", str(state.turns)))
    lines += [(key, _numbers(state[key], seats)) for key in ("scores", "points") if any(state[key])]
    if state.ending:
        lines.append(("over", ending_text(state)))
    lines.append(("turn", _turn_text(state)))
    lines += [(f"hand {seat}", F.FACES.text(hand_faces(state, seat))) for seat in seats]
    melds = melds_of(state)
    owners = [meld.owner for meld in melds]
    for seat in seats:
        if state.melds_of[seat]:
            texts = [meld_text(meld, bool(state.fixed_wilds)) for meld in melds if meld.owner == seat]
            lines.append((f"melds {seat}", " | ".join(texts)))
    if owners != sorted(owners):
        lines.append(("order", " ".join(str(owner) for owner in owners)))
    lines += [(f"known {seat}", F.FACES.text(mask_faces(state.known[seat]))) for seat in seats if state.known[seat, 0]]
    lines.append(("pile", F.FACES.text(state.pile[: state.pile_size])))
    lines.append(("stock", F.FACES.text(state.stock[: state.stock_size][::-1])))
    if state.had_turn != _default_had_turn(state):
        lines.append(("had turn", " ".join(str(seat) for seat in seats if state.had_turn >> seat & 1)))
    if state.circling:
        lines.append(("circling", str(state.circling)))
    lines.append(("rng", str(state.rng)))
    return lines


def ending_text(state: Any) -> str:
    """How the game ended, in the words of the key `over`."""
    text = _ENDING_TEXT[int(state.ending)]
    return f"{text}, seat {state.winner}" if state.winner != S.NO_SEAT else text


def hand_faces(state: Any, seat: int) -> list[int]:
    """The cards of a hand, sorted."""
    return mask_faces(state.hands[seat])


def melds_of(state: Any) -> list[Meld]:
    """The melds on the table, in the order of opening."""
    return [Meld.unpack(meld) for meld in state.melds[: state.num_melds]]


def meld_text(meld: Meld, fixed: bool) -> str:
    """A meld in the order of its positions; free wilds fill the gaps, then stand high, the Two before the Joker."""
    two = ["2" + SUITS[meld.two - 1]] if meld.two else []
    joker = [JOKER_TEXT] if meld.joker else []
    if meld.is_set:
        rank = F.RANKS[F.ACE if meld.kind == ACES else F.THREE]
        return " ".join([rank + suit for i, suit in enumerate(SUITS) if meld.naturals >> i & 1] + joker)
    cards = {rank: F.RANKS[rank] + SUITS[meld.kind - 1] for rank in range(F.NUM_RANKS) if meld.naturals >> rank & 1}
    if fixed:
        cards |= dict.fromkeys([meld.two_at], *two) if two else {}
        cards |= dict.fromkeys([meld.joker_at], *joker) if joker else {}
    else:
        gaps = [rank for rank in range(min(cards), max(cards)) if rank not in cards]
        places = [*gaps, *_free_ends(cards)][: len(two + joker)]
        cards |= dict(zip(sorted(places), two + joker, strict=True))
    return " ".join(cards[rank] for rank in sorted(cards))


def _free_ends(cards: dict[int, str]) -> list[int]:
    """Places beyond the naturals, above first; the last, past the Ace, is the thirteenth card's."""
    above = list(range(max(cards) + 1, F.NUM_RANKS))
    below = list(range(min(cards) - 1, -1, -1))
    return [*above, *below, F.NUM_RANKS]


def _gain(masks: Any, seat: int, face: int) -> None:
    """Put a card into one seat's masks, `hands` or `known`."""
    bit = np.int64(1) << np.int64(face)
    masks[seat, 1 if masks[seat, 0] & bit else 0] |= bit


def mask_faces(masks: Any) -> list[int]:
    """The cards in one seat's masks, `hands` or `known`, sorted."""
    one, two = int(masks[0]), int(masks[1])
    return [face for face in range(F.NUM_FACES) for _ in range((one >> face & 1) + (two >> face & 1))]


def _numbers(values: Any, seats: range) -> str:
    return " ".join(str(values[seat]) for seat in seats)


def _turn_text(state: Any) -> str:
    phase = f"choose {action_text(int(state.pending))}" if state.phase == S.CHOOSE else _PHASE_TEXT[int(state.phase)]
    words = [f"seat {state.seat}", phase]
    if state.banned != F.NO_FACE:
        words.append(f"banned {F.FACES.names[state.banned]}")
    elif state.taken != F.NO_FACE:
        words.append(f"taken {F.FACES.names[state.taken]}")
    if state.phase == S.CHOOSE and F.TWO <= state.named < F.JOKER:
        words.append(f"named {F.FACES.names[state.named]}")
    if state.played:
        words.append("played")
    if state.in_one_turn and state.melds_of[state.seat]:
        words.append("in one turn")
    return ", ".join(words)


def _pack_text(in_pack: Counter[int]) -> str:
    """The pack for a message: how many of each face."""
    if len(in_pack) == F.NUM_FACES and set(in_pack.values()) == {F.COPIES}:
        return f"{F.COPIES} of each, {F.PACK_SIZE} in all"
    return f"{F.FACES.text(sorted(in_pack.elements()))}, {in_pack.total()} in all"


def _default_had_turn(state: Any) -> int:
    n = int(state.num_players)
    if state.turns >= n:
        return (1 << n) - 1
    first = (int(state.dealer) + 1) % n
    return sum(1 << (first + i) % n for i in range((int(state.seat) - first) % n))


# Reading ------------------------------------------------------------------------------------------------------------


def from_text(text: str) -> Any:
    """Read a position: an array of one state. PositionError: what is wrong, and in which line."""
    return _Reader(text).read()


class _Reader:
    """One reading of one text."""

    def __init__(self, text: str) -> None:
        self.numbers: dict[str, int] = {}  # key -> line
        self.values: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), 1):
            line = line.split("#")[0].strip()
            if line:
                self._take_line(number, line)

    def _take_line(self, number: int, line: str) -> None:
        key, colon, value = line.partition(":")
        key = " ".join(key.lower().split())
        generic = re.sub(r" \d$", " S", key)
        if not colon or generic not in KEYS:
            raise PositionError(f"line {number}: {line!r} does not begin with a key; the keys are {', '.join(KEYS)}")
        if key in self.values:
            raise PositionError(f"line {number}: a second line {key!r}; the first is line {self.numbers[key]}")
        self.numbers[key], self.values[key] = number, value.strip()

    def _fail(self, key: str, message: str) -> PositionError:
        where = f"line {self.numbers[key]}, {key}: " if key in self.numbers else f"{key}: "
        return PositionError(where + message)

    def _parse(self, key: str, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(self.values[key])
        except (ValueError, RulesError) as error:
            raise error if isinstance(error, PositionError) else self._fail(key, str(error)) from None

    def _number(self, key: str, default: int, low: int, high: int) -> int:
        return self._within(key, self.values[key], low, high) if key in self.values else default

    def _within(self, key: str, text: str, low: int, high: int) -> int:
        if not re.fullmatch(r"-?\d+", text) or not low <= int(text) <= high:
            raise self._fail(key, f"expected a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def _per_seat(self, key: str, n: int) -> list[int]:
        words = self.values[key].split()
        if len(words) != n:
            raise self._fail(key, f"expected {n} numbers, one a seat, not {self.values[key]!r}")
        return [self._within(key, word, -S.MAX_SCORE, S.MAX_SCORE) for word in words]

    def _card(self, key: str, text: str) -> int:
        try:
            return F.FACES.parse(text)
        except ValueError as error:
            raise self._fail(key, str(error)) from None

    def _cards(self, key: str) -> list[int]:
        return list(self._parse(key, F.FACES.parse_all)) if key in self.values else []

    def read(self) -> Any:
        states = self._blank()
        state = states[0]
        n = int(state.num_players)
        seed = self._number("seed", 0, 0, MAX_SEED)
        state.dealer = self._number("dealer", n - 1, 0, n - 1)
        state.rounds = self._number("round", 0, 0, int(state.max_rounds))
        state.turns = self._number("turns", 0, 0, int(state.max_turns))
        for key in ("scores", "points"):
            if key in self.values:
                state[key][:n] = self._per_seat(key, n)
        if "turn" not in self.values and not self._has_cards():
            self._deal(states, seed)
        else:
            self._lay_out(state, seed)
        if "rng" in self.values:
            state.rng = self._number("rng", 0, 0, MAX_SEED)
        return states

    def _has_cards(self) -> bool:
        return any(key.split()[0] in (*SEAT_KEYS, "pile", "stock") for key in self.values)

    def _blank(self) -> Any:
        rules, partners = self._parse("rules", parse_rules) if "rules" in self.values else parse_rules("")
        named = [int(key[-1]) for key in self.values if key[-1].isdigit()]
        named += [int(seat) for seat in re.findall(r"seat\s+(\d)", self.values.get("turn", ""))]
        if "players" in self.values:
            n = self._number("players", 2, 2, 4)
        else:
            n = max([2, *(seat + 1 for seat in named)])
            n = 4 if partners else n
        for key in self.values:
            if key[-1].isdigit() and int(key[-1]) >= n:
                raise self._fail(key, f"there are {n} players, seats 0 to {n - 1}")
        if n > 4:
            raise PositionError(f"seat {n - 1} is named; there are at most four players, seats 0 to 3")
        try:
            partners = resolve_table(n, partners)
        except RulesError as error:
            raise self._fail("rules", str(error)) from None
        episode = self.values.get("episode", "round")
        if episode not in EPISODES:
            raise self._fail("episode", f"expected round or match, not {episode!r}")
        return blank_state(n, partners, rules, episode)

    def _deal(self, states: Any, seed: int) -> None:
        """No card is given: the deal of the seed, with what else was said."""
        kept = states[0].copy()
        S.start(states[0], seed_word(seed))
        state = states[0]
        state.scores, state.points = kept.scores, kept.points
        state.rounds = kept.rounds
        if "dealer" in self.values:
            state.dealer = kept.dealer
            seed_generator(state, seed_word(seed))
            S.deal(state)
        state.turns = kept.turns
        for key in ("over", "order", "had turn", "circling"):
            if key in self.values:
                raise self._fail(key, "this needs the cards: give the hands, or leave the line out")

    # A position with cards ----------------------------------------------------------------------------------------

    def _lay_out(self, state: Any, seed: int) -> None:
        n = int(state.num_players)
        melds = self._read_melds(state)
        hands = {seat: self._cards(f"hand {seat}") for seat in range(n) if f"hand {seat}" in self.values}
        pile = self._cards("pile")
        stock = self._cards("stock")
        laid = [face for meld in melds for face in meld_faces(meld)]
        left = self._rest_of_pack(state, [*laid, *pile, *stock, *(face for hand in hands.values() for face in hand)])
        seed_generator(state, seed_word(seed))
        self._set_turn(state)
        left = self._fill_in(state, hands, left)
        if "stock" not in self.values:
            stock = left
        elif left:
            raise self._fail(
                "stock",
                f"{len(left)} cards are in no line: {F.FACES.text(sorted(left))}; "
                f"leave out the stock to have them there",
            )
        for seat, hand in hands.items():
            for face in hand:
                _gain(state.hands, seat, face)
            state.hand_size[seat] = len(hand)
        state.pile[: len(pile)], state.pile_size = pile, len(pile)
        state.stock[: len(stock)], state.stock_size = stock[::-1], len(stock)
        self._set_known(state)
        self._set_flags(state)

    def _rest_of_pack(self, state: Any, given: list[int]) -> list[int]:
        counts = Counter(given)
        in_pack = Counter(mask_faces((faces_in_pack(state), pairs_in_pack(state))))
        too_many = [face for face in sorted(counts) if counts[face] > in_pack[face]]
        if too_many:
            texts = ", ".join(f"{counts[face]} of {F.FACES.names[face]}" for face in too_many)
            raise PositionError(f"too many cards of one face: {texts}; the pack has {_pack_text(in_pack)}")
        return [face for face in range(F.NUM_FACES) for _ in range(in_pack[face] - counts[face])]

    def _fill_in(self, state: Any, hands: dict[int, list[int]], left: list[int]) -> list[int]:
        """Shuffle what is left of the pack and deal the hands that were left out; what remains is the stock."""
        cards = np.array(left, np.int64)
        shuffle(state, cards, len(left))
        left = [int(face) for face in cards]
        missing = [seat for seat in range(state.num_players) if seat not in hands]
        for seat in missing:
            known = self._cards(f"known {seat}")
            for face in known:
                if face not in left:
                    raise self._fail(f"known {seat}", f"{F.FACES.names[face]} is not left for a hand that is not given")
                left.remove(face)
            size = S.HAND_SIZE - int(state.fewer_dealt) + (seat == state.seat and state.phase != S.DRAW)
            if "stock" in self.values:
                size = (len(left) + sum(len(hands[s]) for s in missing if s in hands)) // len(missing)
            drawn = max(min(size - len(known), len(left)), 0)
            hands[seat] = known + left[:drawn]
            left = left[drawn:]
        return left

    def _read_melds(self, state: Any) -> list[Meld]:
        by_seat: dict[int, list[Meld]] = {}
        for seat in range(state.num_players):
            key = f"melds {seat}"
            if self.values.get(key):
                by_seat[seat] = self._parse(key, functools.partial(_parse_melds, seat, bool(state.fixed_wilds)))
        owners = [seat for seat, melds in by_seat.items() for _ in melds]
        if "order" in self.values:
            order = [self._within("order", word, 0, 3) for word in self.values["order"].split()]
            if sorted(order) != owners:
                raise self._fail("order", f"expected the owners {owners} in the order of opening, not {order}")
            owners = order
        waiting = {seat: iter(melds) for seat, melds in by_seat.items()}
        melds = [next(waiting[owner]) for owner in owners]
        if len(melds) > S.MAX_MELDS:
            raise PositionError(f"{len(melds)} melds; no more than {S.MAX_MELDS} fit in {F.PACK_SIZE} cards")
        for slot, meld in enumerate(melds):
            state.melds[slot] = meld.pack()
            state.melds_of[meld.owner] += 1
        state.num_melds = len(melds)
        return melds

    def _set_turn(self, state: Any) -> None:
        words = [word.strip() for word in self.values.get("turn", "seat 0").split(",")]
        seat = re.fullmatch(r"seat\s+(\d+)", words[0])
        if not seat or int(seat[1]) >= state.num_players:
            raise self._fail("turn", f"expected 'seat S' of 0 to {state.num_players - 1} first, not {words[0]!r}")
        state.seat = int(seat[1])
        state.in_one_turn = state.melds_of[state.seat] == 0
        for word in words[1:]:
            name, _, rest = word.partition(" ")
            if name in ("draw", "play") and not rest:
                state.phase = S.DRAW if name == "draw" else S.PLAY
            elif name == "choose":
                self._set_pending(state, rest)
            elif name in ("banned", "taken", "named"):
                state[name] = self._card("turn", rest)
            elif word == "played":
                state.played = 1
            elif word == "in one turn":
                state.in_one_turn = 1
            else:
                raise self._fail(
                    "turn",
                    f"{word!r} is not one of draw, play, choose ADD-OR-SWAP, banned CARD, taken CARD, named CARD, "
                    f"played, in one turn",
                )
        if state.banned != F.NO_FACE:
            state.taken = state.banned

    def _set_pending(self, state: Any, text: str) -> None:
        try:
            action = parse_action(text)
        except UnknownAction as error:
            raise self._fail("turn", str(error)) from None
        if not ADD <= action < DISCARD:
            raise self._fail("turn", f"only an addition or exchange waits for its meld, not {text!r}")
        state.pending, state.phase = action, S.CHOOSE

    def _set_known(self, state: Any) -> None:
        for seat in range(state.num_players):
            for face in self._cards(f"known {seat}"):
                _gain(state.known, seat, face)
            unknown = Counter(mask_faces(state.known[seat])) - Counter(mask_faces(state.hands[seat]))
            if unknown:
                raise self._fail(f"known {seat}", f"{F.FACES.text(unknown)} is not in the hand")

    def _set_flags(self, state: Any) -> None:
        n = int(state.num_players)
        seats = self.values.get("had turn")
        state.had_turn = _default_had_turn(state)
        if seats is not None:
            state.had_turn = sum(
                1 << seat for seat in {self._within("had turn", word, 0, n - 1) for word in seats.split()}
            )
        state.circling = self._number("circling", 0, 0, n - 1)
        if state.phase == S.CHOOSE:
            self._set_named(state)
        elif state.named != F.NO_FACE:
            raise self._fail("turn", "a card is named only while it waits for its meld (choose)")
        if "over" in self.values:
            self._set_ending(state)
        else:
            self._check_can_move(state)

    def _set_named(self, state: Any) -> None:
        """The card that waits for its meld; everybody has seen it."""
        action, seat = int(state.pending), int(state.seat)
        if action >= SWAP or action < ADD_TWO_LOW:
            state.named = action - SWAP if action >= SWAP else action - ADD
        elif action >= ADD_JOKER_LOW:
            state.named = F.JOKER
        elif state.named == F.NO_FACE:
            twos = [face for face in hand_faces(state, seat) if F.TWO <= face < F.JOKER]
            state.named = state.banned if state.banned in twos else min(twos, default=F.TWO)
        if state.named not in hand_faces(state, seat):
            raise self._fail("turn", f"{F.FACES.names[state.named]} waits for its meld and is not in the hand")
        if not state.known[seat, 0] >> state.named & 1:
            _gain(state.known, seat, state.named)

    def _set_ending(self, state: Any) -> None:
        match = re.fullmatch(r"(\w+)(?:,\s*seat\s+(\d+))?", self.values["over"])
        if not match or match[1] not in ENDINGS or (match[1] in ("out", "match")) != (match[2] is not None):
            raise self._fail("over", f"expected {', '.join(_ENDING_TEXT.values())} (out and match with ', seat S')")
        state.ending, state.phase = ENDINGS[match[1]], S.OVER
        if match[2] is not None:
            state.winner = self._within("over", match[2], 0, int(state.num_players) - 1)

    def _check_can_move(self, state: Any) -> None:
        """A game that goes on: every hand has cards, and the seat to move can do something."""
        for seat in range(state.num_players):
            if state.hand_size[seat] == 0:
                raise self._fail(
                    f"hand {seat}", f"seat {seat} holds no card: then the round is over (say 'over: out, seat {seat}')"
                )
        if state.phase == S.DRAW and (state.banned != F.NO_FACE or state.taken != F.NO_FACE):
            raise self._fail("turn", "a card is taken only after the draw: the phase is play")
        if legal(state, np.zeros(NUM_ACTIONS, np.int16)) == 0:
            why = {
                S.DRAW: "there is neither stock nor pile",
                S.PLAY: "it holds only the card that may not be discarded, which fits nowhere (B2.5)",
                S.CHOOSE: f"no meld takes {action_text(int(state.pending))}",
            }
            raise self._fail("turn", f"seat {state.seat} has no legal move: {why[int(state.phase)]}")


def meld_faces(meld: Meld) -> list[int]:
    """The cards of a meld."""
    if meld.is_set:
        rank = F.ACE if meld.kind == ACES else F.THREE
        cards = [suit * F.NUM_RANKS + rank for suit in range(F.NUM_SUITS) if meld.naturals >> suit & 1]
    else:
        first = (meld.kind - 1) * F.NUM_RANKS
        cards = [first + rank for rank in range(F.NUM_RANKS) if meld.naturals >> rank & 1]
    return [*cards, *([F.TWO + meld.two - 1] if meld.two else []), *([F.JOKER] if meld.joker else [])]


def _parse_melds(owner: int, fixed: bool, text: str) -> list[Meld]:
    return [parse_meld(part, owner, fixed) for part in text.split("|")]


def parse_meld(text: str, owner: int, fixed: bool) -> Meld:
    """A meld from its cards, under fixed wilds in the order of its positions. ValueError: it is no meld, and why."""
    cards = F.FACES.parse_all(text)
    naturals = [face for face in cards if face < F.TWO]
    twos = [face for face in cards if F.TWO <= face < F.JOKER]
    jokers = cards.count(F.JOKER)
    described = F.FACES.text(cards) or "(no cards)"
    if len(cards) < 3:
        raise ValueError(f"{described} is no meld: it has fewer than three cards (B3.1, B4.1)")
    if len(twos) > 1 or jokers > 1:
        raise ValueError(f"{described} is no meld: at most one Two and one Joker (B3.1)")
    if len(set(naturals)) < len(naturals):
        raise ValueError(f"{described} is no meld: a card in it twice")
    suits = {face // F.NUM_RANKS for face in naturals}
    ranks = {face % F.NUM_RANKS for face in naturals}
    if not naturals:
        raise ValueError(f"{described} is no meld: it has no natural card (B3.1, B4.2)")
    if len(suits) > 1:
        return _parse_set(described, ranks, suits, twos, jokers, owner)
    suit = suits.pop()
    mask = sum(1 << rank for rank in ranks)
    two = 1 + twos[0] - F.TWO if twos else 0
    two_at = joker_at = NOWHERE
    if fixed:
        two_at, joker_at = _fixed_places(described, cards)
    elif not _is_free_sequence(mask, len(twos), jokers):
        raise ValueError(
            f"{described} is no sequence: its wilds cannot fill the gaps, or it is longer than a suit (B3.1 to B3.3)"
        )
    return Meld(1 + suit, owner, mask, two, jokers, two_at, joker_at)


def _is_free_sequence(ranks: int, twos: int, jokers: int) -> bool:
    """Whether some arrangement of these is a sequence that can lie on the table (B3.1 to B3.3)."""
    if ranks == F.ALL_RANKS:
        return jokers == 0  # twelve naturals, and perhaps the Two that stayed
    lowest, highest = (ranks & -ranks).bit_length() - 1, ranks.bit_length() - 1
    wilds, size = twos + jokers, ranks.bit_count() + twos + jokers
    return size <= F.NUM_RANKS and highest - lowest + 1 - ranks.bit_count() <= wilds


def _parse_set(described: str, ranks: set[int], suits: set[int], twos: list[int], jokers: int, owner: int) -> Meld:
    if len(ranks) > 1:
        raise ValueError(f"{described} is no meld: neither one suit nor one rank")
    if not ranks <= {F.THREE, F.ACE}:
        raise ValueError(f"{described} is no set: only Threes and Aces make sets (B4.1)")
    if twos:
        raise ValueError(f"{described} is no set: a Two is never in a set (B4.2)")
    if len(suits) + jokers > F.NUM_SUITS:
        raise ValueError(f"{described} is no set: more than four cards (B4.2)")
    kind = THREES if ranks == {F.THREE} else ACES
    return Meld(kind, owner, sum(1 << suit for suit in suits), joker=jokers)


def _fixed_places(described: str, cards: list[int]) -> tuple[int, int]:
    """The ranks for which the Two and the Joker of a sequence stand, from their places in it (B9.5)."""
    first = next(i for i, face in enumerate(cards) if face < F.TWO)
    lowest = cards[first] % F.NUM_RANKS - first
    thirteenth = len(cards) == F.NUM_RANKS + 1 and F.TWO <= cards[-1] < F.JOKER
    run = cards[:-1] if thirteenth else cards
    if lowest < 0 or lowest + len(run) > F.NUM_RANKS:
        raise ValueError(f"{described} is no sequence as placed: it runs past the Three or the Ace (B3.1, B9.5)")
    places = {F.TWO: NOWHERE, F.JOKER: NOWHERE}
    for place, face in enumerate(run, lowest):
        if face < F.TWO and face % F.NUM_RANKS != place:
            raise ValueError(f"{described} is no sequence as placed: {F.FACES.names[face]} is not in its place (B9.5)")
        if face >= F.TWO:
            places[F.JOKER if face == F.JOKER else F.TWO] = place
    return places[F.TWO], places[F.JOKER]
