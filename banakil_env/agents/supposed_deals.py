"""The compiled part of `search`: makes the deals in which moves are tried, and plays them out.

Every deal is a complete state that agrees with an observation. It is made from the observation alone, or by the next
step of a Markov chain over likely hands (`engine.believe`). Since it is unknown which players the other seats have,
each deal assumes one of several compiled players (`Search.models`) for the other sides, in turn. The hands are likely
for this player, and it plays at those seats. The chains are independent of each other, and so are the playouts. So
threads can share both without changing the outcome.
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

# Number of exchanges tried with each hidden hand before the first deal.
FIRST_EXCHANGES = 300


class Models(NamedTuple):
    """The compiled players that model the other seats, with one row and one chain of deals per model.

    Attributes:
        kinds: int64 (models, seats), the compiled player at each seat; at the seats of the searching side, the player
            of the playouts.
        states: state records (models,), the current deal of each model's chain.
        likelihoods: float64 (models, seats), the likelihood of each hand in `states`; -1: not computed.
    """

    kinds: Any
    states: Any
    likelihoods: Any


class Room(NamedTuple):
    """Work space of one thread: arrays with one state, one observation and one generator, and a mask."""

    state: Any
    observation: Any
    mask: Any
    dice: Any


def _begin(seen: Any, seed: int, own: int, others: Any, kinds: Any, states: Any, likelihoods: Any) -> None:
    """Begin a chain for each model: make a deal that agrees with the observation, and write the player at each seat.

    Args:
        seen: an array of one observation record.
        seed: seed of the deal.
        own: the compiled player of the searching side.
        others: int64 (models,), the compiled players of the other sides.
        kinds, states, likelihoods: written; see `Models`.
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
    """Make deals from the chains: for each deal, exchange hidden cards in the chain of its model, and shuffle the
    stock.

    In a match, the chain's state remains a state of the match, in which other hands are likely than in a single round.
    Each deal is changed to a single round, because playouts end with the round.

    Args:
        seeds: uint64 (deals,).
        whose: int64 (deals,), the model of each deal.
        exchanges: number of exchanges tried with each hidden hand before a deal.
        made: state records (deals,), written.
        first, last: only deals of models from `first` to before `last` are made.
        kinds, states, likelihoods: see `Models`.
        room, observation, mask, dice: see `Room`.
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
    """Make deals from the observation alone, without chains; see `_chained_deals` for the arguments."""
    for deal in range(seeds.shape[0]):
        if first <= whose[deal] < last:
            suppose(seen[0], seeds[deal], made[deal])
            round_of(made[deal])


def _try_all(
    supposed: Any, candidates: Any, seeds: Any, kinds: Any, room: Any, observation: Any, mask: Any, dice: Any, out: Any
) -> int:
    """Play every candidate out in every deal, and write the margins in points into `out`, float64 (deals, candidates).

    Args:
        supposed: state records (deals,).
        candidates: int64 (candidates,), actions.
        seeds: uint64 (deals,), for the dice of the players.
        kinds: int64 (deals, seats), the player at each seat.
        room, observation, mask, dice: see `Room`.
        out: the margins.

    Returns:
        1, or 0 if a candidate is illegal; then the remaining playouts are missing.
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
    """The compiled functions for search. Each field is named after its function above, which documents it."""

    begin: Entry
    chained_deals: Entry | None
    independent_deals: Entry
    try_all: Entry
    ask: Entry


@functools.cache
def loops_of(game: Game) -> Loops:
    """The compiled functions of a game for search, in its library `<game>_search`.

    `chained_deals` is None if the game has no beliefs about hands.
    """
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
    """The settings of a game for search.

    Raises:
        ValueError: the game has no hooks for search.
    """
    if game.search is None:
        raise ValueError(f"{game.title} cannot be searched: it has no hooks for search")
    return game.search


class Deals:
    """Makes deals that agree with an observation, and plays moves out in them.

    Args:
        game: a game with hooks for search.
        player: the compiled player of the searching side in playouts.
        beliefs: make hidden hands likely (`engine.believe`); False: all deals are equally likely.
        threads: largest number of threads for the chains and for the playouts; the outcome does not depend on it.
        models: the compiled players that model the other sides, in turn; None: those of the game.
        exchanges: number of exchanges tried with each hidden hand between two deals; None: the game's number.

    Raises:
        ValueError: the game has no hooks for search, or no such compiled player.

    Attributes:
        models: the models in use, a tuple.
        exchanges: the number of exchanges in use.
        supposed: state records, the deals of the last call of `margins` (or of `suppose`, if there are chains); in them
            seat 0 is the observer.
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
        self._dealt = 0  # number of deals since `suppose`
        self._work = self._room()

    def _room(self) -> Room:
        game = self._game
        mask = np.empty(game.num_actions, np.int8)
        return Room(np.zeros(1, game.state), np.empty(1, game.observation), mask, np.zeros(1, GENERATOR))

    def _work_of(self, first: int) -> Room:
        """The work space of the thread whose part begins at `first`. Only that of the part from 0 on is kept between
        calls.
        """
        return self._work if first == 0 else self._room()

    def ask(self, seen: Any, mask: npt.NDArray[np.int8], dice: int) -> int:
        """The action of the compiled player for one observation (an array of one record)."""
        thrown = self._work.dice
        thrown[0].rng = dice
        return int(self._loops.ask(self._kind, seen, mask, thrown))

    def suppose(self, seen: Any, rng: np.random.Generator) -> None:
        """Set the observation (an array of one record) that later calls of `margins` refer to, and begin the chains."""
        self._seen[:] = seen
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        self._loops.begin(self._seen, seed, self._kind, self._others, *self._models)
        self._dealt = 0
        if self._chained is not None:
            self._make(FIRST_EXCHANGES, np.zeros(len(self._others), np.uint64))

    def offers(self, mask: npt.NDArray[np.int8]) -> bool:
        """Whether the legal actions in the current deals of the chains are those of the observation; True without
        chains.

        They can differ: if a game finds no hands that agree with the words spoken in the turn, it supposes an ordinary
        turn.
        """
        legal = np.flatnonzero(mask)
        states = self._models.states if self._chained is not None else ()
        return all(np.array_equal(legal_actions(self._game, state), legal) for state in states)

    def _make(self, exchanges: int, seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Make a deal for each seed. Returns the players at the seats, int64 (deals, seats)."""
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
        """The outcome of each candidate in playouts, with all candidates in the same deals (`supposed`).

        Args:
            candidates: int64 (candidates,), actions.
            rng: the generator for the deals.
            deals: number of deals.

        Returns:
            The margin of the seat to move in points, float64 (deals, candidates); None if a candidate is illegal.
        """
        seeds = rng.integers(0, 2**64, deals, dtype=np.uint64)
        kinds = self._make(self.exchanges, seeds)
        out = np.empty((deals, len(candidates)))

        def part(first: int, last: int) -> bool:
            work, rows = self._work_of(first), slice(first, last)
            given = self.supposed[rows], candidates, seeds[rows], kinds[rows]
            return bool(self._loops.try_all(*given, *work, out[rows]))

        return out if all(in_parts(part, deals, self._threads, 1)) else None
