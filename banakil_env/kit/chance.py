"""A game without dice: the caller chooses every card that is dealt or drawn.

The engine shuffles once and then takes the cards from the top. Here a shuffled card is *open* until the game looks at
it: it is any of the open cards, each with equal probability, and the caller says which. For libraries that have chance
as moves of a game (OpenSpiel), and for programs that walk the tree of a game.

    >>> play = Play(find("yaniv"))
    >>> play.start(states)            # Chance: the first card that is dealt
    >>> play.start(states, (17,))     # Chance: the second one
    >>> play.start(states, cards)     # Position: all that are dealt are chosen

What depends on chance is run in plain Python (`kit/plain_python.py`): the engine as it is, but that `shuffle` and
`random_below` request an outcome. An action that does not is carried out by compiled code.

A hand of three cards is dealt in six orders. With `sorted_hands` it is dealt in one, the order of its faces, so that a
deal has one history, and trees of small packs stay small. The probabilities are still those of a shuffled pack.
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

MOST_OUTCOMES = 256  # a card is a byte, and no game draws a higher number
NUMBER, CARD = "number", "card"
NOBODY = -1
TRIALS = 20  # deals in which every card must come to the same seat


class Position(NamedTuple):
    """A state of a game in which the order of some cards is not chosen yet. Never changed, nor is its record.

    Attributes:
        record: an array of one state. Its stock holds the open cards at the open places, in no order that means
            anything.
        open: the places of the stock whose card is not chosen yet, as bits.
        seat: the seat to move; OVER: the episode has ended.
    """

    record: Any
    open: int
    seat: int


class Chance(NamedTuple):
    """Chance decides what comes next.

    Attributes:
        kind: CARD: outcomes are faces of cards; NUMBER: numbers from 0 on.
        outcomes: with their probabilities, ascending.
    """

    kind: str
    outcomes: list[tuple[int, float]]


class Play:
    """The rules of a game with chance as moves.

    The methods return a `Position` once the outcomes that were `chosen` decide everything, else the next `Chance`.

    Args:
        sorted_hands: cards that are dealt to a hand one after the other come in ascending order of their faces.
    """

    def __init__(self, game: Game, sorted_hands: bool = False) -> None:
        self.game = game
        self.sorted_hands = sorted_hands
        self._start = _INTERPRETER(engine.start_episode)
        self._carry_out = _INTERPRETER(engine.carry_out)
        self._deals: dict[bytes, _Deal | None] = {}  # by the states that they begin with

    def check_sorted(self, states: Any) -> None:
        """ValueError: hands cannot be sorted: a card that is dealt, or a number, decides where the next one goes.

        Args:
            states: see `start`.
        """
        if self._deal_of(states) is None:
            raise ValueError("hands cannot be sorted: the cards, or a number drawn, decide to whom a card is dealt")

    def start(self, states: Any, chosen: Sequence[int] = ()) -> Position | Chance:
        """Begin an episode.

        Args:
            states: an array of one state, which holds the rules, as `Game.new` makes it.
        """
        deal = self._deal_of(states)
        chance = deal.next_chance(chosen) if deal else None
        in_hands = deal.in_hands if deal else ()
        return chance or self._run(Position(states, 0, OVER), chosen, self._start, in_hands)

    def _deal_of(self, states: Any) -> _Deal | None:
        """The deal from these states; None: the cards, or numbers, decide what is dealt."""
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
        """Carry out an action of the seat to move. IllegalAction: it is not legal."""
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
        """The outcome of an action that uses one card, the next of the stock, by compiled code; None: it uses more.

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
    """Whether a compiled action has used no chance: neither the generator nor a card that is not chosen yet."""
    was = before.record[0]
    if after.rng != was.rng:
        return False
    places = before.open.bit_length()
    return int(after.stock_size) >= places and bytes(after.stock[:places]) == bytes(was.stock[:places])


class _Undecided(Exception):
    """Raised in the middle of an action that needs an outcome; the action is run again when it is known."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.chance = chance


class _Table:
    """A state for functions in plain Python: its stock requests cards, all else is the record's.

    Fields are kept as views of the record's memory: NumPy takes microseconds to find a field of a record by its name.
    Whole numbers are read as `int`, as from a record (`core/record_type.py`).
    """

    def __init__(self, states: Any, open_places: int, chosen: Iterator[int]) -> None:
        stock = _Stock(states["stock"][0], open_places, self.choose)
        vars(self).update(dtype=states.dtype, chosen=chosen, stock=stock, _states=states, _numbers={})

    def choose(self, kind: str, counts: Mapping[int, int]) -> int:
        """The next outcome, one with a count above 0. Where only one outcome is possible, none is requested."""
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
    """The stock, which requests a card when an open one is read.

    A card that is written over without having been looked at was taken away unseen: nobody knows which. The engines do
    that only when they clear the table for the next deal; a look at an open card after it is an error.

    Attributes:
        in_hands: see `_Deal`, of the cards that are looked at; empty: hands are not sorted.
    """

    def __init__(self, cards: Any, open_places: int, choose: Any) -> None:
        self.cards, self.open = cards, open_places
        self.shape = cards.shape
        self.in_hands: tuple[tuple[int, int], ...] = ()
        self._choose = choose
        self._lost = False
        self._order: _Order | None = None  # of the open cards; None: they are not counted yet

    def fill(self, face: int) -> None:
        """Every place gets this face."""
        self.cards[:] = face
        self.open, self._lost = 0, False

    def shuffle(self, count: int) -> None:
        """The first cards are open."""
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
    """How many open cards there are of each face."""
    known = cards[: open_places.bit_length()].tolist()
    return Counter(face for at, face in enumerate(known) if open_places >> at & 1)


def _place_of(cards: Any, open_places: int, face: int) -> int:
    """An open place with this card, the lowest."""
    places = np.flatnonzero(cards[: open_places.bit_length()] == face)
    return next(int(at) for at in places if open_places >> int(at) & 1)


def _chance(kind: str, counts: Mapping[int, int]) -> Chance:
    """Chance with these outcomes, each with the number of equally likely ways that lead to it."""
    total = sum(counts.values())
    return Chance(kind, [(each, counts[each] / total) for each in sorted(counts)])


def _checked(outcome: int, counts: Mapping[int, int]) -> int:
    """The outcome. ValueError: chance does not have it."""
    if outcome not in counts:
        raise ValueError(f"{outcome} is not an outcome of this chance; there are {', '.join(map(str, sorted(counts)))}")
    return outcome


# The order of cards ---------------------------------------------------------------------------------------------------


class _Order:
    """Open cards that are drawn one after the other.

    Args:
        counts: how many there are of each face.
        in_hands: see `_Deal`; empty: hands are not sorted.
    """

    def __init__(self, counts: Counter[int], in_hands: tuple[tuple[int, int], ...]) -> None:
        self._counts, self._in_hands, self._drawn = counts, in_hands, 0
        self._pool: dict[int, int] = {}  # the open cards before the hand that is being dealt
        self._hand: list[int] = []

    def ways(self) -> Mapping[int, int]:
        """The faces that can be the next card, each with the number of equally likely ways to go on with it."""
        if self._drawn >= len(self._in_hands):
            return self._counts
        place, size = self._in_hands[self._drawn]
        if place == 0:
            self._pool, self._hand = dict(self._counts), []
        return next_in_hand(self._pool, self._hand, size)

    def take(self, face: int) -> None:
        """This is the next card."""
        self._drawn += 1
        self._hand.append(face)
        self._counts[face] -= 1
        if not self._counts[face]:
            del self._counts[face]


class _Deal(NamedTuple):
    """The cards that a deal takes from a shuffled pack, if the cards themselves decide nothing.

    Attributes:
        pack: the faces, each with its number. cards: how many cards are looked at.
        in_hands: for each of them, how many cards of the same hand came just before it, and the size of that hand;
            empty: hands are not sorted.
    """

    pack: dict[int, int]
    cards: int
    in_hands: tuple[tuple[int, int], ...]

    def next_chance(self, chosen: Sequence[int]) -> Chance | None:
        """The next outcome after these; None: the deal is complete."""
        order, outcomes = _Order(Counter(self.pack), self.in_hands), iter(chosen)
        for _ in range(self.cards):
            ways = order.ways()
            outcome = next(iter(ways)) if len(ways) == 1 else next(outcomes, None)
            if outcome is None:
                return _chance(CARD, ways)
            order.take(_checked(outcome, ways))
        return None


class _Trial(_Table):
    """A state whose cards are drawn by dice. It notes the outcomes that were requested, and the hands at each card."""

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
        """The seat that each card came to, or NOBODY: it went elsewhere, or several were looked at before it moved."""
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
    """See `_Deal.in_hands`; `seats`: to which the cards come, in their order."""
    places: list[tuple[int, int]] = []
    for seat, cards in groupby(seats):
        size = len(list(cards))
        places += [(0, 1)] * size if seat == NOBODY else [(place, size) for place in range(size)]
    return tuple(places)


def next_in_hand(pool: Mapping[int, int], hand: Sequence[int], size: int) -> dict[int, int]:
    """The faces that can be the next card of a hand dealt in ascending order, each with its number of hands.

    Args:
        pool: the number of cards of each face before this hand.
        hand: the cards dealt to the hand so far.
        size: the final number of cards of the hand.
    """
    last = hand[-1] if hand else min(pool)
    held, missing = hand.count(last), size - len(hand)
    above = sum(count for face, count in pool.items() if face > last)
    # Hands that go on with each face. The cards of the faces below `last` are the same in all of them.
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
    """Instead of `core.random.shuffle`."""
    if cards is not state.stock:
        raise NotImplementedError("only the stock is shuffled in an episode")
    cards.shuffle(int(n))


def _random_below(state: _Table, n: int) -> int:
    """Instead of `core.random.random_below`."""
    return state.choose(NUMBER, dict.fromkeys(range(int(n)), 1))


_INTERPRETER = Interpreter({random.shuffle: _shuffle, random.random_below: _random_below})
