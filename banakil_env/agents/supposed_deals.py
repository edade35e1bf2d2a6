"""The compiled part of `search`: the deals that it tries, and how they end.

Every deal is a whole state that agrees with an observation: made from the observation alone, or the next of a chain
that walks from likely hands to likely hands (`engine.believe`). It is unknown which players the others are. So deals
take turns: each assumes one of several compiled players (`Search.models`) at the seats of other sides. Hands of this
player are then likely, and it plays at these seats. The chains are independent of each other, and so are the playouts:
threads can share both, and the outcome is the same.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import action_of
from banakil_env.core.engine import (
    apply,
    believe,
    num_seats,
    reward,
    round_of,
    shuffle_hidden,
    side_of,
    suppose,
)
from banakil_env.core.game import MARGIN, Game, Search
from banakil_env.core.jit import INT, SEED, Entry, Library, read, written
from banakil_env.core.kernels import GENERATOR, legal_actions
from banakil_env.core.players import asked_players_of, play_out, play_out_of
from banakil_env.core.threads import in_parts

# Exchanges that are tried with each hidden hand before the first deal.
FIRST_EXCHANGES = 300


class Models(NamedTuple):
    """The players that the other seats are taken for, a row for each model.

    Attributes:
        kinds: int64 (models, seats), the compiled player at each seat: at the seats of the searching side the player of
            the playouts.
        states: where the chain of likelier deals of each model stands. likelihoods: float64 (models, seats), what is
            known of the likelihoods of the hands there.
    """

    kinds: Any
    states: Any
    likelihoods: Any


class Room(NamedTuple):
    """Room to work in for one thread: arrays of one state and one observation, a mask, and an array of one dice."""

    state: Any
    observation: Any
    mask: Any
    dice: Any


def _begin(seen: Any, seed: int, own: int, others: Any, kinds: Any, states: Any, likelihoods: Any) -> None:
    """For each model a deal that agrees with what is seen, and the player at each seat.

    Args:
        own: the compiled player of the searching side. others: int64 (models,), the compiled players of the other
            sides.
        kinds, states, likelihoods: see `Models`.
    """
    for model in range(others.shape[0]):
        state = states[model]
        suppose(seen[0], seed, state)
        for seat in range(num_seats(state)):
            mine = side_of(state, seat) == side_of(state, 0)
            kinds[model, seat] = own if mine else others[model]
            likelihoods[model, seat] = -1.0


def _chained_deals(
    seeds: Any,
    whose: Any,
    exchanges: int,
    made: Any,
    first: int,
    last: int,
    kinds: Any,
    states: Any,
    likelihoods: Any,
    room: Any,
    observation: Any,
    mask: Any,
    dice: Any,
) -> None:
    """Make the wanted deals: for each, hidden cards are exchanged in the chain of its model; the stock is shuffled.

    The chain stands in the match, if one is played, whose hands are others than those of a single round. The deal is a
    round: in playouts the match ends with it.

    Args:
        seeds: uint64 (deals,). whose: int64 (deals,), the model of each.
        exchanges: tried with each hidden hand before a deal.
        made: the states in which the deals are written.
        first, last: deals are made for the models from `first` to before `last`.
        kinds, states, likelihoods: see `Models`. room, observation, mask, dice: see `Room`.
    """
    for deal in range(seeds.shape[0]):
        model, seed = whose[deal], seeds[deal]
        if not first <= model < last:
            continue
        dice[0].rng = seed
        believe(states[model], kinds[model], likelihoods[model], exchanges, room, observation, mask, dice)
        shuffle_hidden(states[model], seed)
        made[deal] = states[model]
        round_of(made[deal])


def _independent_deals(seen: Any, seeds: Any, whose: Any, made: Any, first: int, last: int) -> None:
    """Make the wanted deals from the observation alone, without chains. See `_chained_deals`."""
    for deal in range(seeds.shape[0]):
        if first <= whose[deal] < last:
            suppose(seen[0], seeds[deal], made[deal])
            round_of(made[deal])


def _try_all(
    supposed: Any, candidates: Any, seeds: Any, kinds: Any, room: Any, observation: Any, mask: Any, dice: Any, out: Any
) -> int:
    """The margin (points) of every candidate (column) in every deal (row), played out by compiled players.

    Args:
        kinds: int64 (deals, seats), the player at each seat.
        room, observation, mask, dice: see `Room`.

    Returns:
        1; 0: a candidate is not legal, and nothing was played after it.
    """
    for deal in range(seeds.shape[0]):
        for i in range(candidates.shape[0]):
            room[0] = supposed[deal]
            dice[0].rng = seeds[deal]
            if not apply(room[0], candidates[i]):
                return 0
            play_out(room[0], kinds[deal], observation[0], mask, dice[0])
            out[deal, i] = reward(room[0], 0, MARGIN)
    return 1


def _ask(kind: int, seen: Any, mask: Any, dice: Any) -> int:
    return action_of(kind, seen[0], mask, dice[0])


@dataclass(frozen=True)
class Loops:
    """The entries of one game for search; see the functions above that they are named after."""

    begin: Entry
    chained_deals: Entry | None
    independent_deals: Entry
    try_all: Entry
    ask: Entry


@functools.cache
def loops_of(game: Game) -> Loops:
    """The entries of a game for search, in its library `<game>_search`; `chained_deals` if the game has beliefs."""
    hooks, declare = hooks_of(game), Library(f"{game.name}_search").entry
    seats, seen = game.max_seats, read(game.observation, 1)
    models = {
        "kinds": written("i8", "models", seats),
        "states": written(game.state, "models"),
        "likelihoods": written("f8", "models", seats),
    }
    room = {
        "room": written(game.state, 1),
        "observation": written(game.observation, 1),
        "mask": written("i1", game.num_actions),
        "dice": written(GENERATOR, 1),
    }
    deals = {"seeds": read("u8", "deals"), "whose": read("i8", "deals")}
    part = {"made": written(game.state, "deals"), "first": INT, "last": INT}
    begun = {"seen": seen, "seed": SEED, "own": INT, "others": read("i8", "models"), **models}
    tried = {
        "supposed": read(game.state, "deals"),
        "candidates": read("i8", "candidates"),
        "seeds": read("u8", "deals"),
        "kinds": read("i8", "deals", seats),
        **room,
        "out": written("f8", "deals", "candidates"),
    }
    chained = {**deals, "exchanges": INT, **part, **models, **room}
    return Loops(
        begin=declare(_begin, begun),
        chained_deals=declare(_chained_deals, chained, long=True) if hooks.believes else None,
        independent_deals=declare(_independent_deals, {"seen": seen, **deals, **part}, long=True),
        try_all=declare(_try_all, tried, result=True, long=True, play_out=play_out_of(game)),
        ask=declare(
            _ask,
            {"kind": INT, "seen": seen, "mask": room["mask"], "dice": room["dice"]},
            result=True,
            action_of=asked_players_of(game),
        ),
    )


def hooks_of(game: Game) -> Search:
    """The hooks of the game for a search. ValueError: it has no such hooks."""
    if game.search is None:
        raise ValueError(f"{game.title} cannot be searched: it has no hooks for search")
    return game.search


class Deals:
    """Deals that agree with one observation after another, and playouts in them.

    Args:
        game: which has hooks for search. player: the compiled player of the searching side in playouts.
        beliefs: suppose likely hands (`engine.believe`); False: every deal is as likely as the others.
        threads: the most threads that share the chains, and then the playouts; the outcome does not depend on it.
        models: the compiled players that other sides are taken for, in turn; None: those of the game.
        exchanges: tried with each hidden hand between two deals; None: as many as the game says.

    Raises:
        ValueError: the game has no such compiled player.

    Attributes:
        models, exchanges: those in use, a tuple and a number.
        supposed: the deals of the last call of `margins`, or of `suppose` where there are chains: records of the game's
            state; seat 0 is the one who sees.
    """

    def __init__(
        self,
        game: Game,
        player: str,
        beliefs: bool = True,
        threads: int = 1,
        models: Sequence[str] | None = None,
        exchanges: int | None = None,
    ) -> None:
        hooks = hooks_of(game)
        self.models = tuple(models or hooks.models)
        self.exchanges = hooks.exchanges if exchanges is None else exchanges
        self._game, self._kind, self._threads = game, game.kind_of(player), threads
        self._others = np.array([game.kind_of(model) for model in self.models])
        self._loops = loops_of(game)
        self._chained = self._loops.chained_deals if beliefs else None
        self.supposed = np.zeros(0, game.state)
        self._seen = np.zeros(1, game.observation)
        shape = len(self._others), game.max_seats
        self._models = Models(np.zeros(shape, np.int64), np.zeros(len(self._others), game.state), np.empty(shape))
        self._dealt = 0  # deals since `suppose`
        self._work = self._room()

    def _room(self) -> Room:
        game = self._game
        mask = np.empty(game.num_actions, np.int8)
        return Room(np.zeros(1, game.state), np.empty(1, game.observation), mask, np.zeros(1, GENERATOR))

    def _work_of(self, first: int) -> Room:
        """Room for the part that begins with number `first`."""
        return self._work if first == 0 else self._room()

    def ask(self, seen: Any, mask: npt.NDArray[np.int8], dice: int) -> int:
        """The action of the compiled player for one observation (an array of one record)."""
        thrown = self._work.dice
        thrown[0].rng = dice
        return int(self._loops.ask(self._kind, seen, mask, thrown))

    def suppose(self, seen: Any, rng: np.random.Generator) -> None:
        """Begin with one observation (an array of one record), to which `margins` refers from now on."""
        self._seen[:] = seen
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        self._loops.begin(self._seen, seed, self._kind, self._others, *self._models)
        self._dealt = 0
        if self._chained is not None:
            self._make(FIRST_EXCHANGES, np.zeros(len(self._others), np.uint64))

    def offers(self, mask: npt.NDArray[np.int8]) -> bool:
        """Whether the legal actions are the same in the present deals of the chains; True without chains. If a game
        finds no hands that agree with the words of the turn, it supposes an ordinary turn instead.
        """
        legal = np.flatnonzero(mask)
        states = self._models.states if self._chained is not None else ()
        return all(np.array_equal(legal_actions(self._game, state), legal) for state in states)

    def _make(self, exchanges: int, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Make a deal for each seed; returns the players at its seats, int64 (deals, seats)."""
        whose = (self._dealt + np.arange(len(seeds))) % len(self._others)
        self._dealt += len(seeds)
        self.supposed = np.empty(len(seeds), self._game.state)
        made = self.supposed

        def part(first: int, last: int) -> None:
            if self._chained is None:
                self._loops.independent_deals(self._seen, seeds, whose, made, first, last)
            else:
                work = self._work_of(first)
                self._chained(seeds, whose, exchanges, made, first, last, *self._models, *work)

        in_parts(part, len(self._others), self._threads, 1)
        return self._models.kinds[whose]

    def margins(
        self, candidates: npt.NDArray[np.int64], rng: np.random.Generator, deals: int
    ) -> npt.NDArray[np.float64] | None:
        """The outcome of each candidate in playouts by compiled players, in the same hidden deals (`supposed`).

        Returns:
            The margin of the seat to move in points, float64 (deals, candidates); None: a candidate is not legal.
        """
        seeds = rng.integers(0, 2**64, deals, dtype=np.uint64)
        kinds = self._make(self.exchanges, seeds)
        out = np.empty((deals, len(candidates)))

        def part(first: int, last: int) -> bool:
            work, rows = self._work_of(first), slice(first, last)
            given = self.supposed[rows], candidates, seeds[rows], kinds[rows]
            return bool(self._loops.try_all(*given, *work, out[rows]))

        return out if all(in_parts(part, deals, self._threads, 1)) else None
