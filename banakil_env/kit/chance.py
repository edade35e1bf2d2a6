"""What may happen by chance? A game in which the caller chooses every card that is dealt or drawn.

The engine shuffles once and then takes the cards from the top. Here a shuffled card is *open* until the game looks at
it: it is any of the open cards, each with equal probability, and the caller says which. For libraries that have chance
as moves of a game (OpenSpiel), and for programs that walk the tree of a game.

    >>> play = Play(find("yaniv"))
    >>> play.start(states)            # Chance: the first card that is dealt
    >>> play.start(states, (17,))     # Chance: the second one
    >>> play.start(states, cards)     # Position: all that are dealt are chosen

What depends on chance is run in plain Python (`kit/plain_python.py`): the engine as it is, but that `shuffle` and
`random_below` ask for an outcome. An action that does not is carried out by compiled code.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core import engine, random
from banakil_env.core.game import Game, IllegalAction
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, OVER, kernels_of, refusal
from banakil_env.core.record_type import read_as_int
from banakil_env.kit.plain_python import Interpreter

MOST_OUTCOMES = 256  # a card is a byte, and no game asks for a higher number
NUMBER, CARD = "number", "card"


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
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._start = _INTERPRETER(engine.start_episode)
        self._carry_out = _INTERPRETER(engine.carry_out)

    def start(self, states: Any, chosen: Sequence[int] = ()) -> Position | Chance:
        """Begin an episode.

        Args:
            states: an array of one state, which holds the rules, as `Game.new` makes it.
        """
        return self._run(Position(states, 0, OVER), chosen, self._start)

    def apply(self, position: Position, action: int, chosen: Sequence[int] = ()) -> Position | Chance:
        """Carry out an action of the seat to move. IllegalAction: it is not legal."""
        if not chosen:
            record = position.record.copy()
            seat = kernels_of(self.game).apply_one(record, action)
            if seat == ILLEGAL:
                raise IllegalAction(refusal(self.game, position.record[0], action))
            if _is_certain(position, record[0]):
                return Position(record, position.open, seat)
        return self._run(position, chosen, functools.partial(self._carry_out, action=int(action)))

    def _run(self, position: Position, chosen: Sequence[int], function: Any) -> Position | Chance:
        record = position.record.copy()
        table = _Table(record, position.open, iter(chosen))
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
    """A state for functions in plain Python: its stock asks for cards, all else is the record's.

    Fields are kept as views of the record's memory: NumPy takes microseconds to find a field of a record by its name.
    Whole numbers are read as `int`, as from a record (`core/record_type.py`).
    """

    def __init__(self, states: Any, open_places: int, chosen: Iterator[int]) -> None:
        stock = _Stock(states["stock"][0], open_places, self.choose)
        vars(self).update(dtype=states.dtype, chosen=chosen, stock=stock, _states=states, _numbers={})

    def choose(self, kind: str, counts: dict[int, int]) -> int:
        """The next outcome, one with a count above 0. What can only be one way is not asked."""
        if len(counts) == 1:
            return next(iter(counts))
        outcome = next(self.chosen, None)
        if outcome is None:
            total = sum(counts.values())
            raise _Undecided(Chance(kind, [(each, counts[each] / total) for each in sorted(counts)]))
        if outcome not in counts:
            raise ValueError(f"{outcome} is no outcome of this chance; there are {', '.join(map(str, sorted(counts)))}")
        return outcome

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
    """The stock, which asks for a card when somebody looks at an open one.

    A card that is written over without having been looked at was taken away unseen: nobody knows which. The engines do
    that only when they clear the table for the next deal; a look at an open card after it is an error.
    """

    def __init__(self, cards: Any, open_places: int, choose: Any) -> None:
        self.cards, self.open = cards, open_places
        self.shape = cards.shape
        self._choose = choose
        self._lost = False
        self._counts: Counter[int] | None = None  # of the open cards; None: not counted yet

    def fill(self, face: int) -> None:
        """Every place gets this face."""
        self.cards[:] = face
        self.open, self._lost = 0, False

    def shuffle(self, count: int) -> None:
        """The first cards are open."""
        if self.open >> count or (self._lost and self.open):
            raise NotImplementedError("some of the open cards are shuffled, and others are not")
        self.open, self._lost, self._counts = (1 << count) - 1, False, None

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
        if self._counts is None:
            cards = self.cards[: self.open.bit_length()].tolist()
            self._counts = Counter(face for at, face in enumerate(cards) if self.open >> at & 1)
        face = self._choose(CARD, self._counts)
        self._counts[face] -= 1
        if not self._counts[face]:
            del self._counts[face]
        if self.cards[place] != face:
            other = self._place_of(face)
            self.cards[place], self.cards[other] = face, self.cards[place]
        self.open ^= 1 << place

    def _place_of(self, face: int) -> int:
        """An open place with this card, the lowest."""
        places = np.flatnonzero(self.cards[: self.open.bit_length()] == face)
        return next(int(at) for at in places if self.open >> int(at) & 1)


def _shuffle(state: _Table, cards: _Stock, n: int) -> None:
    """Instead of `core.random.shuffle`."""
    if cards is not state.stock:
        raise NotImplementedError("only the stock is shuffled in an episode")
    cards.shuffle(int(n))


def _random_below(state: _Table, n: int) -> int:
    """Instead of `core.random.random_below`."""
    return state.choose(NUMBER, dict.fromkeys(range(int(n)), 1))


_INTERPRETER = Interpreter({random.shuffle: _shuffle, random.random_below: _random_below})
