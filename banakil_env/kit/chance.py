"""Plays a game with explicit chance: the caller chooses every card that is dealt or drawn.

The engine shuffles once and then takes cards from the top. Here the cards of a shuffled stock are *open*: their order
is chosen only when the game looks at them. Then the next card is one of the open cards, each equally likely, and the
caller chooses it. This is for libraries that treat chance as a player's move (OpenSpiel), and for programs that walk
the tree of a game.

    >>> play = Play(find("yaniv"))
    >>> play.start(states)            # Chance: the first card that is dealt
    >>> play.start(states, (17,))     # Chance: the second one
    >>> play.start(states, cards)     # Position: all that are dealt are chosen

Code whose result depends on chance runs in plain Python (`kit/plain_python.py`). It is the code of the engine, except
that `shuffle` and `random_below` request an outcome from the caller. Other actions run as compiled code.

A hand of three cards can be dealt in six orders. With `sorted_hands` it is dealt only in the order of its faces: each
deal then has one history, and the trees of small packs stay small. The probabilities are still those of a shuffled
pack.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core import engine, random
from banakil_env.core.game import Game, IllegalAction
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, OVER, kernels_of, refusal
from banakil_env.core.record_type import read_as_int
from banakil_env.kit.plain_python import Interpreter

MOST_OUTCOMES = 256  # a card is one byte, and no game draws a larger random number
NUMBER, CARD = "number", "card"
NOBODY = -1
TRIALS = 20  # random deals with which `Play` checks that each card always goes to the same seat


class Position(NamedTuple):
    """A state of a game in which the order of some cards is not chosen yet. Neither it nor its record is ever changed.

    Attributes:
        record: an array of one state. Its stock holds the open cards at the open places, in an arbitrary order.
        open: the places of the stock whose card is not chosen yet, as bits.
        seat: the seat to move; OVER if the episode has ended.
    """

    record: Any
    open: int
    seat: int


class Chance(NamedTuple):
    """A chance event that the caller has to decide.

    Attributes:
        kind: CARD if the outcomes are faces of cards, NUMBER if they are numbers from 0 on.
        outcomes: pairs of an outcome and its probability, in ascending order of the outcomes.
    """

    kind: str
    outcomes: list[tuple[int, float]]


class Play:
    """Plays a game whose chance events the caller decides.

    The methods take the outcomes `chosen` so far. They return a `Position` if these decide everything, else the next
    `Chance`.

    Args:
        game: the game.
        sorted_hands: whether the cards of a hand are dealt in ascending order of their faces.
    """

    def __init__(self, game: Game, sorted_hands: bool = False) -> None:
        self.game = game
        self.sorted_hands = sorted_hands
        self._start = _INTERPRETER(engine.start_episode)
        self._carry_out = _INTERPRETER(engine.carry_out)
        self._deals: dict[bytes, _Deal | None] = {}  # by the bytes of the initial states

    def check_sorted(self, states: Any) -> None:
        """Check that hands can be sorted. ValueError: a card dealt, or a number drawn, decides who gets the next card.

        Args:
            states: see `start`.
        """
        if self._deal_of(states) is None:
            raise ValueError("hands cannot be sorted: the cards, or a number drawn, decide to whom a card is dealt")

    def start(self, states: Any, chosen: Sequence[int] = ()) -> Position | Chance:
        """Begin an episode.

        Args:
            states: an array of one state, which holds the rules, as `Game.new` makes it.
            chosen: the outcomes chosen so far.
        """
        deal = self._deal_of(states)
        chance = deal.next_chance(chosen) if deal else None
        in_hands = deal.in_hands if deal else ()
        return chance or self._run(Position(states, 0, OVER), chosen, self._start, in_hands)

    def _deal_of(self, states: Any) -> _Deal | None:
        """The deal from these states; None if the cards or a random number decide who gets a card."""
        key = states.tobytes()
        if key not in self._deals:
            trials = [_by_dice(Position(states, 0, OVER), self._start, seed) for seed in range(TRIALS)]
            seats, pack = trials[0].seats(), trials[0].asked[0][1]
            is_fixed = all(kind == CARD for trial in trials for kind, _ in trial.asked)
            is_fixed &= all(trial.seats() == seats for trial in trials)
            in_hands = _places_in_hands(seats) if self.sorted_hands else ()
            self._deals[key] = _Deal(pack, len(seats), in_hands) if is_fixed else None
        return self._deals[key]

    def apply(self, position: Position, action: int, chosen: Sequence[int] = ()) -> Position | Chance:
        """Carry out an action of the seat to move. IllegalAction: the action is not legal."""
        record = position.record.copy()
        seat = kernels_of(self.game).apply_one(record, action)
        if seat == ILLEGAL:
            raise IllegalAction(refusal(self.game, position.record[0], action))
        if not chosen and _is_certain(position, record[0]):
            return Position(record, position.open, seat)
        drawn = self._draw(position, action, record[0], chosen)
        if drawn:
            return drawn
        carry_out = functools.partial(self._carry_out, action=int(action))
        in_hands = _places_in_hands(_by_dice(position, carry_out, 0).seats()) if self.sorted_hands else ()
        return self._run(position, chosen, carry_out, in_hands)

    def _draw(self, position: Position, action: int, after: Any, chosen: Sequence[int]) -> Position | Chance | None:
        """Try to carry out an action that uses one card, the next of the stock; None if it uses more chance.

        It runs as compiled code, which is faster than `_run`.

        Args:
            after: the state after the action with any order of the open cards.
        """
        if len(chosen) > 1 or not position.open:
            return None
        top = position.open.bit_length() - 1
        below = position._replace(open=position.open & ~(1 << top))
        if not _is_certain(below, after) or after.stock_size != top:
            return None
        stock = position.record[0].stock
        counts = _counts_of(stock, position.open)
        if len(counts) == 1:
            return None
        if not chosen:
            return _chance(CARD, counts)
        face = _checked(chosen[0], counts)
        record = position.record.copy()
        cards = record[0].stock
        if stock[top] != face:
            cards[_place_of(cards, position.open, face)], cards[top] = stock[top], face
        laid = below._replace(record=record.copy())
        seat = kernels_of(self.game).apply_one(record, action)
        return Position(record, below.open, seat) if _is_certain(laid, record[0]) else None

    def _run(
        self, position: Position, chosen: Sequence[int], function: Any, in_hands: tuple[tuple[int, int], ...]
    ) -> Position | Chance:
        record = position.record.copy()
        table = _Table(record, position.open, iter(chosen))
        table.stock.in_hands = in_hands
        try:
            function(table)
        except _Undecided as asked:
            return asked.chance
        if rest := list(table.chosen):
            raise ValueError(f"{len(rest)} more outcomes were chosen than chance has here: {rest}")
        status, seat_to_move = interpreted(engine.status), interpreted(engine.seat_to_move)
        return Position(record, table.stock.open, OVER if status(record[0]) else int(seat_to_move(record[0])))


def _is_certain(before: Position, after: Any) -> bool:
    """Whether a compiled action has used no chance: neither the generator nor an open card."""
    was = before.record[0]
    if after.rng != was.rng:
        return False
    places = before.open.bit_length()
    return int(after.stock_size) >= places and bytes(after.stock[:places]) == bytes(was.stock[:places])


class _Undecided(Exception):
    """Raised in the middle of an action that needs an outcome. The action is run again once the caller has chosen."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.chance = chance


class _Table:
    """A state for functions in plain Python: its stock requests cards, all other fields are those of the record.

    Fields are kept as views of the record's memory, since NumPy takes microseconds to find a field by its name. Integer
    fields are read as `int`, as from a record (`core/record_type.py`).
    """

    def __init__(self, states: Any, open_places: int, chosen: Iterator[int]) -> None:
        stock = _Stock(states["stock"][0], open_places, self.choose)
        vars(self).update(dtype=states.dtype, chosen=chosen, stock=stock, _states=states, _numbers={})

    def choose(self, kind: str, counts: Mapping[int, int]) -> int:
        """Return the next outcome with a count above 0. If only one is possible, the caller is not asked."""
        if len(counts) == 1:
            return next(iter(counts))
        outcome = next(self.chosen, None)
        if outcome is None:
            raise _Undecided(_chance(kind, counts))
        return _checked(outcome, counts)

    def __getattr__(self, name: str) -> Any:
        if name in self._numbers:
            return read_as_int(self._numbers[name][0])
        field = self._states[name]
        value = read_as_int(field[0])
        if field.ndim == 1 and field.dtype.names is None:
            self._numbers[name] = field
        else:
            vars(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._states[name][0] = value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "stock":
            self.stock.fill(value)
        else:
            self._states[name] = value


class _Stock:
    """The stock, which requests a card from the caller when an open one is read.

    If a card is overwritten before it was read, it was taken away unseen, and nobody knows which card it was. The
    engines do this only when they clear the table for the next deal. Reading an open card afterwards is an error.

    Attributes:
        in_hands: see `_Deal.in_hands`; empty if hands are not sorted.
    """

    def __init__(self, cards: Any, open_places: int, choose: Any) -> None:
        self.cards, self.open = cards, open_places
        self.shape = cards.shape
        self.in_hands: tuple[tuple[int, int], ...] = ()
        self._choose = choose
        self._lost = False
        self._order: _Order | None = None  # of the open cards; None until they are counted

    def fill(self, face: int) -> None:
        """Write this face to every place."""
        self.cards[:] = face
        self.open, self._lost = 0, False

    def shuffle(self, count: int) -> None:
        """Mark the first `count` cards as open."""
        if self.open >> count or (self._lost and self.open):
            raise NotImplementedError("some of the open cards are shuffled, and others are not")
        self.open, self._lost, self._order = (1 << count) - 1, False, None

    def __getitem__(self, place: int) -> int:
        if self.open >> int(place) & 1:
            self._decide(int(place))
        return int(self.cards[place])

    def __setitem__(self, place: int, face: int) -> None:
        if self.open >> int(place) & 1:
            self.open ^= 1 << int(place)
            self._lost = True
        self.cards[place] = face

    def _decide(self, place: int) -> None:
        if self._lost:
            raise NotImplementedError("a card of the stock was taken away unseen")
        if self._order is None:
            self._order = _Order(_counts_of(self.cards, self.open), self.in_hands)
        face = self._choose(CARD, self._order.ways())
        self._order.take(face)
        if self.cards[place] != face:
            other = _place_of(self.cards, self.open, face)
            self.cards[place], self.cards[other] = face, self.cards[place]
        self.open ^= 1 << place


def _counts_of(cards: Any, open_places: int) -> Counter[int]:
    """The number of open cards of each face."""
    known = cards[: open_places.bit_length()].tolist()
    return Counter(face for at, face in enumerate(known) if open_places >> at & 1)


def _place_of(cards: Any, open_places: int, face: int) -> int:
    """The lowest open place with a card of this face."""
    places = np.flatnonzero(cards[: open_places.bit_length()] == face)
    return next(int(at) for at in places if open_places >> int(at) & 1)


def _chance(kind: str, counts: Mapping[int, int]) -> Chance:
    """The chance event with these outcomes, each with its number of equally likely ways."""
    total = sum(counts.values())
    return Chance(kind, [(each, counts[each] / total) for each in sorted(counts)])


def _checked(outcome: int, counts: Mapping[int, int]) -> int:
    """Return the outcome. ValueError: it is not among the possible ones."""
    if outcome not in counts:
        raise ValueError(f"{outcome} is not an outcome of this chance; there are {', '.join(map(str, sorted(counts)))}")
    return outcome


# The order of cards ---------------------------------------------------------------------------------------------------


class _Order:
    """The open cards while they are drawn one after the other.

    Args:
        counts: the number of cards of each face.
        in_hands: see `_Deal.in_hands`; empty if hands are not sorted.
    """

    def __init__(self, counts: Counter[int], in_hands: tuple[tuple[int, int], ...]) -> None:
        self._counts, self._in_hands, self._drawn = counts, in_hands, 0
        self._pool: dict[int, int] = {}  # the open cards before the current hand is dealt
        self._hand: list[int] = []

    def ways(self) -> Mapping[int, int]:
        """The possible faces of the next card, each with its number of equally likely continuations."""
        if self._drawn >= len(self._in_hands):
            return self._counts
        place, size = self._in_hands[self._drawn]
        if place == 0:
            self._pool, self._hand = dict(self._counts), []
        return next_in_hand(self._pool, self._hand, size)

    def take(self, face: int) -> None:
        """Draw a card of this face."""
        self._drawn += 1
        self._hand.append(face)
        self._counts[face] -= 1
        if not self._counts[face]:
            del self._counts[face]


class _Deal(NamedTuple):
    """The cards that a deal takes from a shuffled pack, if the cards do not influence who gets them.

    Attributes:
        pack: the number of cards of each face.
        cards: the number of cards that the deal reads.
        in_hands: for each of these cards, how many cards of the same hand were dealt just before it, and the final size
            of this hand; empty if hands are not sorted.
    """

    pack: dict[int, int]
    cards: int
    in_hands: tuple[tuple[int, int], ...]

    def next_chance(self, chosen: Sequence[int]) -> Chance | None:
        """The next chance event after these outcomes; None if the deal is complete."""
        order, outcomes = _Order(Counter(self.pack), self.in_hands), iter(chosen)
        for _ in range(self.cards):
            ways = order.ways()
            outcome = next(iter(ways)) if len(ways) == 1 else next(outcomes, None)
            if outcome is None:
                return _chance(CARD, ways)
            order.take(_checked(outcome, ways))
        return None


class _Trial(_Table):
    """A state whose cards are drawn at random. It records the requested outcomes, and all hands before each card."""

    def __init__(self, states: Any, open_places: int, seed: int) -> None:
        super().__init__(states, open_places, iter(()))
        vars(self).update(asked=[], hands_then=[], dice=Random(seed))

    def choose(self, kind: str, counts: Mapping[int, int]) -> int:
        self.asked.append((kind, dict(counts)))
        if kind == CARD:
            self.hands_then.append(self._hands_now())
        return int(self.dice.choice(sorted(counts)))

    def _hands_now(self) -> list[bytes]:
        return [hand.tobytes() for hand in self._states["hands"][0]]

    def seats(self) -> list[int]:
        """The seat that got each card; NOBODY if it went elsewhere, or if several cards were read before one moved."""
        found = []
        for before, after in pairwise([*self.hands_then, self._hands_now()]):
            changed = [seat for seat, hand in enumerate(before) if hand != after[seat]]
            found.append(changed[0] if len(changed) == 1 else NOBODY)
        return found


def _by_dice(position: Position, function: Any, seed: int) -> _Trial:
    trial = _Trial(position.record.copy(), position.open, seed)
    function(trial)
    return trial


def _places_in_hands(seats: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Compute `_Deal.in_hands` from the seats that get the cards, in the order of the cards."""
    places: list[tuple[int, int]] = []
    for seat, cards in groupby(seats):
        size = len(list(cards))
        places += [(0, 1)] * size if seat == NOBODY else [(place, size) for place in range(size)]
    return tuple(places)


def next_in_hand(pool: Mapping[int, int], hand: Sequence[int], size: int) -> dict[int, int]:
    """The faces that can be the next card of a hand dealt in ascending order, each with its number of possible hands.

    Args:
        pool: the number of cards of each face before this hand was dealt.
        hand: the faces dealt to the hand so far.
        size: the final number of cards of the hand.
    """
    last = hand[-1] if hand else min(pool)
    held, missing = hand.count(last), size - len(hand)
    above = sum(count for face, count in pool.items() if face > last)
    # The number of hands that continue with each face. The cards of faces below `last` are the same in all of them.
    ways = {
        last: sum(
            comb(pool[last], copies) * comb(above, missing - (copies - held))
            for copies in range(held + 1, min(pool[last], held + missing) + 1)
        )
    }
    for face in sorted(face for face in pool if face > last):
        ways[face] = comb(pool[last], held) * (comb(above, missing) - comb(above - pool[face], missing))
        above -= pool[face]
    return {face: number for face, number in ways.items() if number}


def _shuffle(state: _Table, cards: _Stock, n: int) -> None:
    """Replaces `core.random.shuffle`: marks the first `n` cards of the stock as open."""
    if cards is not state.stock:
        raise NotImplementedError("only the stock is shuffled in an episode")
    cards.shuffle(int(n))


def _random_below(state: _Table, n: int) -> int:
    """Replaces `core.random.random_below`: requests a number below `n` from the caller."""
    return state.choose(NUMBER, dict.fromkeys(range(int(n)), 1))


_INTERPRETER = Interpreter({random.shuffle: _shuffle, random.random_below: _random_below})
