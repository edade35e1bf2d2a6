"""Thousands of tables at once: `Tables` is one array of states, stepped in place by one compiled call.

Without opponents the caller plays every seat: each step takes an action for the seat to move of each table, and then
shows the view of the next seat to move. A network that plays all seats is called once in each step. With opponents each
table has one learner's seat, and the same call moves the others.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.answers import legal_rows
from banakil_env.core.checking import check_blanks, check_states
from banakil_env.core.game import BadState, Game, IllegalAction
from banakil_env.core.history import WIDTH, are_sound, log_size, words_of
from banakil_env.core.jit import OPEN
from banakil_env.core.kernels import GENERATOR, kernels_of, refusal
from banakil_env.core.past import past_entries
from banakil_env.core.players import players_of, remembering_advance_of
from banakil_env.core.random import check_seed, seeds_of_rows
from banakil_env.core.threads import in_parts
from banakil_env.core.views import encode_cards, full_states, observe_rows, open_cards
from banakil_env.envs.arguments import (
    check_apart,
    check_buffer,
    check_controls,
    check_flag,
    check_names,
    check_places,
    check_threads,
    checked_actions,
    checked_autoreset,
    checked_position,
    checked_seat,
    new_tables,
    num_seats_of,
    partners_of,
    seating_number,
)
from banakil_env.envs.forms import (
    CARDS,
    DICT,
    FEATURES,
    RECORD,
    check_form,
    check_history,
    in_form,
    named_arrays,
    with_history,
)
from banakil_env.envs.opponents import OpponentError, Opponents, Player, check_seating, name_of, seat_opponents
from banakil_env.envs.variants import bits_from
from banakil_env.games import DEFAULT_GAME, find, to_pickle

# With fewer rows a thread gains little: starting it takes as long as 100 to 200 rows (docs/performance.md).
ROWS_PER_THREAD = 512

# The generators of `random_actions` are kept apart from the cards and the dice of the same seed.
_CHOICES = np.uint64(0xA11CE5EED5)

_AUTORESET = {
    AutoresetMode.NEXT_STEP: batch.NEXT_STEP,
    AutoresetMode.SAME_STEP: batch.SAME_STEP,
    AutoresetMode.DISABLED: batch.DISABLED,
}


class IllegalActions(IllegalAction):
    """Some rows of a batch were given an illegal action. Those tables have not changed; the others have been stepped.

    Attributes:
        rows: their numbers, int64. actions: the actions given to them, int64.
    """

    def __init__(self, message: str, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        super().__init__(message, rows, actions)
        self.rows, self.actions = rows, actions

    def __str__(self) -> str:
        return str(self.args[0])


class Snapshot(NamedTuple):
    """A snapshot of some rows: all data that is needed to continue from there, in arrays of one shape (k,).

    `numpy.savez(file, **snapshot._asdict())` writes a snapshot, and `Snapshot(**numpy.load(file))` reads it again.
    The generators of `Tables.random_actions` are not in it, and neither are players in Python: the tables that it is
    restored into must have the same opponents.

    Attributes:
        states: records of the game's dtype. controls: records of `core.batch.control_dtype`. dice: generators of the
            compiled players and the seating, records of `core.kernels.GENERATOR`.
    """

    states: npt.NDArray[Any]
    controls: npt.NDArray[Any]
    dice: npt.NDArray[Any]


class HistorySnapshot(NamedTuple):
    """A snapshot of tables with histories. `Snapshot(*snapshot[:3])` leaves the histories out.

    Attributes:
        states, controls, dice: as of `Snapshot`. logs: int64 (k, size), as `core.history` describes them.
    """

    states: npt.NDArray[Any]
    controls: npt.NDArray[Any]
    dice: npt.NDArray[Any]
    logs: npt.NDArray[np.int64]


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view."""
    view = array.view()
    view.flags.writeable = False
    return view


class Tables:
    """Many tables of one game in one array, with arrays of their observations and rewards.

    After `reset` and each `step`, row i of each array belongs to table i. **The next step overwrites these arrays**:
    copy what you keep, or let each step write into your own arrays (`write_into`). The environments for Gymnasium and
    Stable-Baselines3 return copies.

    Attributes:
        observations: uint8 (n, bytes): the view of the seat to move.
        features: float32 (n, width): the same as columns for a network; only with `observation="features"`.
        history: uint8 (n, history, 8): what that seat has seen of the last events, the oldest first (`core.history`,
            docs/memory.md); only with `history`.
        cards, melds, table, rules: float32: the same in the layout of all games (`game.cards`); only with
            `observation="cards"`.
        masks: int8 (n, actions): 1 for its legal actions.
        seats: int64 (n,): the seat to move; -1 when the episode is over and awaits reset.
        rewards: float32 (n, seats): of every seat, losers included; 0 except in the step in which an episode ends.
        terminations, truncations: bool (n,): the episode has ended in this step.
        states: the states themselves, n records of the game's dtype.
        controls: n records: players, learner's seat, and the result of the last episode (core.batch.control_dtype).
        final_states: the last state of the last episode that ended, n records; kept until the next one ends.
        seats_at: int64 (n,): the number of players at each table; it changes where `num_players` is
            drawn. num_seats: the largest that there can be.
        seeds: uint64 (n,): the seed from which each table was last dealt.
        dice: n generators, of the compiled players and the seating.
        generators: n generators of `random_actions`. chosen: int64 (n,): its last choice.
        refused: bool (n,): whether the action of the last step was illegal, so that the table has not changed.

    Compiled code trusts `states`, `controls`, `final_states`, `seats_at` and `seeds`: they are read-only. `restore` and
    `begin_from` put other positions on the tables, and check them.

    Args:
        tables: how many, or an options dict for each of them, which come before `options`.
        opponents: None: the caller plays every seat. Else the players of the other seats (`envs.opponents`): one for
            all of them; a tuple with one for each, in the order of play; or a list as a pool, from which each seat
            draws in every episode. "caller" in a tuple or a list leaves the seat to the caller.
        seat: with opponents, the learner's seat: a number, "random" (drawn in every episode) or "rotating" (the next in
            every episode; the first by the seed).
        reward: "margin", own side's points minus the mean of the other sides' (zero-sum); "points", own side's; "win",
            1, 0 when tied, or -1. Higher is better in every game.
        reward_scale: "points", or "unit": margin and points are divided by `game.unit`, which brings most of them into
            [-1, 1].
        truncate_at_limit: how an episode ends that reaches the limit of turns or rounds. False: terminated, since the
            limit is one of the rules. True: truncated, so that learners bootstrap there.
        observation: the form of the observations in `seen`: "record", "dict", "features" or "cards" (`envs.forms`).
        history: the number of rows of the array `history`, 0 to 256 (docs/memory.md). Moves of opponents are events
            too. `seen` is then a dict with the array `history` in it.
        autoreset: when a finished table is reset. SAME_STEP: at once, and the arrays show the new deal. NEXT_STEP: in
            the next step, whose action is ignored. DISABLED: by `reset(rows=...)`.
        illegal: "raise" IllegalActions after the other rows were stepped, or "report" in `refused` only.
        threads: the largest number of threads; None: one per core. Results do not depend on it.
        buffers: the caller's arrays for any of observations, masks, rewards, terminations, truncations, seats,
            features, cards, melds, table, rules and history (those that there are).
        game: the name of the game.
        options: of every table, as for the other environments (num_players, rules, ...); `rules` can also be
            a list or a callable that the rules of each episode are drawn from, and `num_players` a list of numbers
            that the number of players of each episode is drawn from (`envs.variants`).

    Raises:
        ValueError, TypeError: an argument that does not exist or does not fit; the game's own errors for its options.
    """

    def __init__(
        self,
        tables: int | Sequence[Mapping[str, Any]],
        *,
        opponents: Opponents | None = None,
        seat: int | str | None = None,
        reward: str = "margin",
        reward_scale: str = "points",
        truncate_at_limit: bool = False,
        observation: str = RECORD,
        history: int = 0,
        autoreset: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal: str = "raise",
        threads: int | None = None,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        game: str | Game = DEFAULT_GAME,
        **options: Any,
    ) -> None:
        self.game = find(game)
        check_names(Tables, self.game, options)
        self.form = check_form(observation)
        self.length = check_history(history)
        shared = {"reward": reward, "reward_scale": reward_scale, **options}
        self._states, self._seats_at, rewards, self._variants = new_tables(self.game, tables, shared)
        self.num_tables = n = len(self._states)
        self.autoreset = checked_autoreset(autoreset)
        self.metadata = {"autoreset_mode": self.autoreset}
        if illegal not in ("raise", "report"):
            raise ValueError(f"illegal must be 'raise' or 'report', not {illegal!r}")
        self.illegal = illegal
        self.threads = check_threads(threads)
        self._seating = seat_opponents(opponents, self.game)
        self.dice = np.zeros(n, GENERATOR)
        self.generators = np.zeros(n, GENERATOR)
        self._controls = np.zeros(n, batch.control_dtype(self.game.max_seats))
        self._controls["reward"] = rewards
        self._controls["truncates"] = check_flag("truncate_at_limit", truncate_at_limit)
        self._controls["seating"] = seating_number(seat, opponents, self._seating.places, self._possible_seats)
        self._controls["learner"] = self._controls["last_learner"] = self._controls["acted"] = batch.NOBODY
        self._controls["players"] = batch.CALLER
        self._final_states = np.zeros(n, self.game.state)
        self._logs = np.zeros((n, log_size(self.length, self.game.private_events)) if self.length else (0, 0), np.int64)
        self._final_logs = np.zeros_like(self._logs)
        for name, (shape, dtype) in self.buffer_specs().items():
            setattr(self, name, np.zeros(shape, dtype))
        self._dealt = False
        self._broken = False
        self._link()
        self.write_into(**(buffers or {}))

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminations: npt.NDArray[np.bool_]
    truncations: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int64]
    features: npt.NDArray[np.float32]
    cards: npt.NDArray[np.float32]
    melds: npt.NDArray[np.float32]
    table: npt.NDArray[np.float32]
    rules: npt.NDArray[np.float32]
    history: npt.NDArray[np.uint8]

    @property
    def seen(self) -> Any:
        """The observations of the seats to move, in the chosen form: `observations`, a dict of views into them,
        `features`, or a dict of `cards`, `melds`, `table` and `rules`; with a history a dict that has it too.

        In the dict, an array is a copy if PyTorch could not use a view: records are packed, so the distance between two
        tables is not always a multiple of the size of a number.
        """
        return with_history(self.form, self._seen, self.history) if self.length else self._seen

    @property
    def _seen(self) -> Any:
        if self.form == DICT:
            return {**self._named, **{name: self._named[name].copy() for name in self._astride}}
        if self.form == CARDS:
            return {name: getattr(self, name) for name in self.game.cards.shapes}
        return self.features if self.form == FEATURES else self.observations

    def seen_copy(self) -> Any:
        """`seen` in new arrays, which no step overwrites."""
        if self.form == CARDS:
            seen = {name: array.copy() for name, array in self._seen.items()}
        elif self.form != DICT:
            seen = self._seen.copy()
        else:
            seen = named_arrays(self.game, self.observations.copy())
            seen |= {name: seen[name].copy() for name in self._astride}
        return with_history(self.form, seen, self.history.copy()) if self.length else seen

    def buffer_specs(self) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
        """Shape and dtype of each array that a step fills."""
        n, game = self.num_tables, self.game
        specs: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
            "observations": ((n, game.observation.itemsize), np.uint8),
            "masks": ((n, game.num_actions), np.int8),
            "rewards": ((n, game.max_seats), np.float32),
            "terminations": ((n,), np.bool_),
            "truncations": ((n,), np.bool_),
            "seats": ((n,), np.int64),
        }
        if self.form == FEATURES:
            specs["features"] = ((n, game.features.width), np.float32)
        if self.form == CARDS:
            specs |= {name: ((n, *shape), np.float32) for name, shape in game.cards.shapes.items()}
        if self.length:
            specs["history"] = ((n, self.length, WIDTH), np.uint8)
        return specs

    def write_into(self, **buffers: npt.NDArray[Any]) -> None:
        """Write into these arrays from the next step on (such as a place in a rollout); the others stay the same.

        Raises:
            TypeError, ValueError: an array that does not exist, or is not of the right shape, dtype and layout.
        """
        specs = self.buffer_specs()
        for name, array in buffers.items():
            if name not in specs:
                raise TypeError(f"there is no buffer {name!r}; there are {', '.join(specs)}")
            check_buffer(name, array, *specs[name])
        merged = {name: buffers.get(name, getattr(self, name)) for name in specs}
        check_apart(merged)
        self.switch_to(buffers)

    def switch_to(self, buffers: Mapping[str, npt.NDArray[Any]]) -> None:
        """`write_into` without its checks, for arrays that it has accepted before."""
        for name, array in buffers.items():
            setattr(self, name, array)
        self._look_at_buffers()

    # Playing ---------------------------------------------------------------------------------------------------------

    def reset(
        self, seed: int | Sequence[int | None] | None = None, rows: npt.ArrayLike | None = None
    ) -> tuple[Any, npt.NDArray[np.int8]]:
        """Begin a new episode at every table, or at some; returns `seen` and the masks.

        Args:
            seed: a number: table 0 plays the game of this seed, as any other environment, and table i that of a mix of
                the seed and i (`core.random.seeds_of_rows`), so that batches of different seeds share no deals. A
                sequence: one for each row, whose games are then exactly those. None: continue with each table's
                generator, which is random at first. `seeds` has the seeds that were used.
            rows: the tables, as whole numbers or as n booleans; None: all.
        """
        chosen = self._rows if rows is None else self._check_rows(rows)
        if not self._dealt and rows is not None:
            raise ValueError("reset() all tables before some of them")
        if seed is None and self._dealt:
            self._draw_rules(chosen, self._states["rng"][chosen])
            failed = self._run(batch.DEAL, chosen)
        else:
            seeds = self._seeds(seed, chosen)
            self._draw_rules(chosen, seeds)
            self._numbers[chosen] = seeds.view(np.int64)
            self.generators["rng"][chosen] = seeds ^ _CHOICES
            failed = self._run(batch.DEAL_FROM_SEED, chosen)
        if rows is None:
            self._dealt, self._broken = True, False
        self._serve_players(chosen, failed)
        return self.seen, self.masks

    def begin_from(self, position: Any, row: int = 0) -> None:
        """Replace the deal of a table by a position; the learner's seat stays the same, and its history begins there.

        Args:
            position: a record of the game's state or its text.

        Raises:
            ValueError: see `envs.arguments.checked_position`.
        """
        chosen = self._check_rows([row])
        self._states[chosen] = checked_position(self.game, position, int(self._seats_at[row]))
        for name in ("decisions", "reported", "refused"):
            self._controls[name][chosen] = 0
        if self.length:
            self._logs[chosen] = 0
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    def step(self, actions: npt.ArrayLike) -> None:
        """Carry out one action at every table; the results are in the arrays.

        Raises:
            IllegalActions: illegal actions in some rows (unless illegal="report"). IllegalAction: not whole numbers.
                ValueError: not n of them. OpponentError: an opponent has failed. RuntimeError: `step` before `reset`.
        """
        if not self._dealt or self._broken:
            why = ": an opponent, or drawing the rules, has failed" if self._broken else ""
            raise RuntimeError(f"reset() comes before step(){why}")
        if type(actions) is np.ndarray and actions.dtype is _INT64 and actions.shape == self._shape:
            given = actions
        else:
            given = checked_actions(self.game, actions, self.num_tables)
        self._numbers[...] = given  # half the time of np.copyto, which counts for one table
        failed = self._act() if self._act_at_once is None else self._act_at_once()
        refusal = self._refusal() if failed and self.illegal == "raise" else None
        self._serve_players(self._rows, failed)
        if self._variants is not None and self.autoreset is AutoresetMode.SAME_STEP:
            self._deal_ended()
        if refusal is not None:
            raise refusal

    @property
    def states(self) -> npt.NDArray[Any]:
        """The state of every table, n records of the game's dtype; a read-only view."""
        return self._open["states"]

    @property
    def controls(self) -> npt.NDArray[Any]:
        """Players, learner's seat and the last episode of every table, n records; a read-only view."""
        return self._open["controls"]

    @property
    def final_states(self) -> npt.NDArray[Any]:
        """The last state of each table's last episode that ended, n records; a read-only view."""
        return self._open["final_states"]

    @property
    def seats_at(self) -> npt.NDArray[np.int64]:
        """The number of players at each table, int64 (n,); a read-only view."""
        return self._open["seats_at"]

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed from which each table was last dealt, uint64 (n,), 0 before the first `reset`; a read-only view.

        Later episodes continue from the table's generator, so `reset(seed=tables.seeds)` repeats the whole sequence.
        """
        return self._open["seed"]

    @property
    def num_seats(self) -> int:
        """The largest number of players that a table has or can have."""
        return int(self._possible_seats.max())

    @property
    def _possible_seats(self) -> npt.NDArray[np.int64]:
        """The numbers of players that the tables have, or can have in later episodes, ascending."""
        drawn = [number for variants in self._variants or () if variants is not None for number in variants.numbers]
        return np.unique([*self._seats_at.tolist(), *drawn])

    @property
    def refused(self) -> npt.NDArray[np.bool_]:
        """Whether the last action of each row was illegal, bool (n,)."""
        return self._controls["refused"] != 0

    @property
    def learners(self) -> npt.NDArray[np.int8]:
        """The learner's seat at each table, -1 if the caller plays every seat; a read-only view."""
        return self._open["learner"]

    @property
    def payoffs(self) -> npt.NDArray[np.float32]:
        """The learner's reward in this step at each table, 0 without a learner; a read-only view."""
        return self._open["payoff"]

    def observe(self, seat: int | npt.ArrayLike) -> Any:
        """The observation of a seat at every table, whichever seat is to move: new arrays in the chosen form.

        Args:
            seat: of every table, or whole numbers (n,), one of each table.

        Raises:
            ValueError: a table has no such seat. RuntimeError: before `reset`.
        """
        return in_form(
            self.game,
            self.form,
            observe_rows(self.game, self._states, self._seats_given(seat), threads=self.threads),
            self.threads,
        )

    def full_observation(
        self, seat: int | npt.ArrayLike | None = None, out: Mapping[str, npt.NDArray[np.float32]] | None = None
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Every table with all cards open, in the layout of `observation="cards"`: for centralised critics.

        The channels of known cards hold whole hands, and the channels of the stock its order. It works with every form
        of the tables.

        Args:
            seat: as of `observe`; None: the seat to move, and seat 0 where the episode is over.
            out: arrays to write into, by name, C-contiguous; None: new arrays.

        Raises:
            ValueError, RuntimeError: as of `observe`. TypeError, ValueError: an array that does not fit.
        """
        for name, shape in self.game.cards.shapes.items():
            if out is not None and name not in out:
                raise ValueError(f"out has no array {name!r}: it needs {', '.join(self.game.cards.shapes)}")
            if out is not None:
                check_buffer(name, out[name], (self.num_tables, *shape), np.float32)
        return open_cards(self.game, self._states, self._seats_given(seat), out, threads=self.threads)

    def full_states(self, seat: int | npt.ArrayLike | None = None) -> npt.NDArray[np.uint8]:
        """The full state of every table, as the bytes of records of `game.full_state`: uint8 (n, bytes), a new array.

        The field `observation` is the view of the seat (see `full_observation`); the hidden parts follow.
        """
        return full_states(self.game, self._states, self._seats_given(seat), threads=self.threads)

    def _seats_given(self, seat: int | npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        """The seat of each table, int64 (n,). ValueError: a table has no such seat."""
        if not self._dealt:
            raise RuntimeError("reset() comes before looking at the tables")
        if seat is None:
            return np.maximum(self.seats, 0)
        given = np.asarray(seat)
        numbers = given.dtype.kind in "iu" and not isinstance(seat, np.ma.MaskedArray)
        if not numbers or given.shape not in ((), self.seats.shape):
            raise ValueError(f"seat must be a whole number, or {self.num_tables} of them, not {seat!r:.80}")
        seats = np.ascontiguousarray(np.broadcast_to(given, self.seats.shape), np.int64)
        wrong = np.flatnonzero((seats < 0) | (seats >= self._seats_at))
        if len(wrong):
            row = wrong[0]
            raise ValueError(
                f"row {row} has no seat {seats[row]}: {self._seats_at[row]} play there, seats 0 to "
                f"{self._seats_at[row] - 1}"
            )
        return seats

    def final_observation(self, row: int, seat: int) -> Any:
        """The observation of a seat at the end of the last episode that ended in this row, in the chosen form."""
        seen = np.empty(1, self.game.observation)
        states, seat = self._ended(row, seat)
        kernels_of(self.game).observe_one(states, seat, seen, self._spare_mask)
        shown = in_form(self.game, self.form, seen.view(np.uint8))
        if not self.length:
            return shown
        history = np.empty((self.length, WIDTH), np.uint8)
        past_entries(self.game).history_one(states, seat, self._final_logs[row], words_of(history))
        return with_history(self.form, shown, history)

    def result(self, row: int, seat: int) -> dict[str, Any]:
        """The result of the last episode that ended in this row for a seat, with the same keys as the info of other
        environments.

        `partner` is the seat of the partner; the key is missing if every seat plays alone.
        """
        states, seat = self._ended(row, seat)
        partners = partners_of(self.game, states[0])
        return self.game.result(states[0], seat) | ({"partner": partners[seat]} if partners else {})

    def _ended(self, row: int, seat: int) -> tuple[npt.NDArray[Any], int]:
        """The last state of the last episode of a row, and the seat. ValueError: there is no such row or seat."""
        at = int(self._check_rows([row])[0])
        num_seats = num_seats_of(self.game, self._final_states[at])
        if not num_seats:
            raise ValueError(f"no episode has ended in row {at} yet")
        return self._final_states[at : at + 1], checked_seat(seat, num_seats)

    def random_actions(self, generators: npt.NDArray[Any] | None = None) -> npt.NDArray[np.int64]:
        """A legal action of every table, uniformly; in an array that the next call overwrites.

        Args:
            generators: n records of `core.kernels.GENERATOR`, their field `rng` set by the caller; None: the tables'
                own, which `reset` seeds.
        """
        if generators is None:
            if self.generators is not self._drawn_from:  # the caller has put others in their place
                self._bind()
            self._choose()
            return self.chosen
        if generators.shape != (self.num_tables,) or generators.dtype != GENERATOR:
            raise ValueError(f"generators must be {self.num_tables} records of core.kernels.GENERATOR")
        batch.choose_randomly(self.masks, generators, self.chosen)
        return self.chosen

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents, from the next episode of each table on; the present ones finish their episodes.

        Raises:
            ValueError: the caller plays every seat, or the tuple does not fit the tables.
        """
        if self._controls["seating"][0] == batch.EVERY_SEAT:
            raise ValueError("the caller plays every seat of these tables: there are no opponents to replace")
        seated = set(np.unique(self._controls["players"]).tolist())
        players = [player if batch.PLAYERS - i in seated else None for i, player in enumerate(self._seating.players)]
        seating = seat_opponents(opponents, self.game, players)
        check_places(seating.places, self._possible_seats)
        self._seating = seating
        self._bind()

    def set_generators(self, cards: npt.NDArray[np.uint64], dice: npt.NDArray[np.uint64]) -> None:
        """Set the generators of tables that have been dealt, uint64 (n,) each: the next `reset()` deals from them.

        A saved run continues this way. Any 64 bits are valid.
        """
        if not self._dealt:
            raise ValueError("reset() the tables before their generators are set")
        self._states["rng"], self.dice["rng"] = cards, dice

    # Snapshots -------------------------------------------------------------------------------------------------------

    def snapshot(self, rows: npt.ArrayLike | None = None) -> Snapshot | HistorySnapshot:
        """A snapshot of some tables, or of all. A row can be named several times: `snapshot([0] * 8)` has 8 copies."""
        chosen = self._rows if rows is None else self._check_rows(rows, repeated=True)
        parts = self._states[chosen], self._controls[chosen], self.dice[chosen]
        return HistorySnapshot(*parts, self._logs[chosen]) if self.length else Snapshot(*parts)

    def restore(self, snapshot: Snapshot | HistorySnapshot, rows: npt.ArrayLike | None = None) -> None:
        """Put a snapshot back into its rows, or into others; these rows of every array are written again, with rewards
        0. A snapshot of one table fills all of the rows.

        Args:
            snapshot: what `snapshot` gave, or its three arrays as they come back from a file.
            rows: as many rows as the snapshot has tables, or any number of rows for one table; None: all rows.

        Raises:
            TypeError, ValueError: not a snapshot of tables of this game, or of another number of rows. BadState: a
                record that is not a position of the game, or that a batch cannot have written; nothing changes.
        """
        chosen = self._rows if rows is None else self._check_rows(rows)
        whole = len(chosen) == self.num_tables
        if not self._dealt and not whole:
            raise ValueError("reset() all tables, or restore all of them, before some")
        states, controls, dice = self._parts_of(snapshot)
        logs = self._logs_of(snapshot)
        if len(states) not in (1, len(chosen)):
            raise ValueError(
                f"the snapshot holds {len(states)} tables, which do not fit into {len(chosen)} rows: name "
                f"{len(states)} rows, or restore a snapshot of one table, which fills any number of rows"
            )
        num_seats = self._check_records(np.ascontiguousarray(states), controls)
        self._seats_at[chosen] = num_seats
        self._states[chosen] = states
        self._controls[chosen] = controls
        self.dice[chosen] = dice
        if self.length:
            self._logs[chosen] = 0 if logs is None else logs
        self._dealt = True
        self._broken = self._broken and not whole
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    def _parts_of(self, snapshot: Any) -> list[npt.NDArray[Any]]:
        """The three arrays of a snapshot, with the batch's own dtypes: `numpy.load` gives records without attributes.

        TypeError, ValueError: other arrays.
        """
        kinds = [type(part) for part in snapshot] if isinstance(snapshot, Sequence) else []
        if kinds not in ([np.ndarray] * 3, [np.ndarray] * 4):
            raise TypeError(
                f"restore() takes the three arrays that snapshot() gave, not {type(snapshot).__name__}; from a file of "
                f"numpy.savez: Snapshot(**numpy.load(file))"
            )
        own = {"states": self._states, "controls": self._controls, "dice": self.dice}
        for part, (name, array) in zip(snapshot[:3], own.items(), strict=True):
            if part.dtype != array.dtype:
                found = part.dtype if part.dtype.names is None else f"other records, of {part.dtype.itemsize} bytes"
                raise TypeError(
                    f"restore() takes what snapshot() gave, from tables of the same game: {name} must be records of "
                    f"{array.dtype.itemsize} bytes, not {found}"
                )
        shapes = [part.shape for part in snapshot[:3]]
        if len(shapes[0]) != 1 or len(set(shapes)) > 1:
            named = ", ".join(f"{name} {shape}" for name, shape in zip(own, shapes))
            raise ValueError(f"the arrays of a snapshot have one shape, (tables,), and these have {named}")
        return [part.view(array.dtype) for part, array in zip(snapshot[:3], own.values(), strict=True)]

    def _logs_of(self, snapshot: Any) -> npt.NDArray[np.int64] | None:
        """The logs of a snapshot, None if these tables keep none or the snapshot has none.

        TypeError, ValueError: other arrays. BadState: a log that a batch cannot have written.
        """
        if not self.length or len(snapshot) == 3:
            return None
        logs = snapshot[3]
        shape = (len(snapshot[0]), log_size(self.length, self.game.private_events))
        if logs.dtype != np.int64:
            raise TypeError("the logs of a snapshot are an array of int64, as snapshot() gave it")
        if logs.shape != shape:
            raise ValueError(
                f"the logs of the snapshot are of shape {logs.shape}, wanted is {shape}: restore it into tables with "
                f"the same `history`, or without its logs: Snapshot(*snapshot[:3])"
            )
        if not are_sound(logs):
            raise BadState("the snapshot has a log that no batch has written")
        return logs

    # Rules drawn for each episode ------------------------------------------------------------------------------------

    def _act(self) -> int:
        """Carry out the actions; returns the number of rows that refused or failed.

        The compiled loop deals by the rules of the table. So if rules are drawn, the loop does not deal tables whose
        episode is over; separate calls deal them.
        """
        if self._variants is None or self.autoreset is not AutoresetMode.NEXT_STEP:
            return self._run(batch.ACT, self._rows)
        over = self._controls["reported"] != 0
        ended = self._rows[over]
        self._draw_rules(ended, self._states["rng"][ended])
        return self._run(batch.ACT, self._rows[~over]) + self._run(batch.DEAL, ended)

    def _deal_ended(self) -> None:
        """Deal at the tables whose episode has ended in this step; the reports of the step stay."""
        ended = np.flatnonzero(self._controls["reported"])
        if not len(ended):
            return
        arrays = (self.rewards, self.terminations, self.truncations, self._controls["payoff"])
        reported = [array[ended] for array in arrays]
        self._draw_rules(ended, self._states["rng"][ended])
        failed = self._run(batch.DEAL, ended)
        for array, values in zip(arrays, reported, strict=True):
            array[ended] = values
        self._serve_players(ended, failed)

    def _draw_rules(self, rows: npt.NDArray[np.int64], numbers: npt.NDArray[np.uint64]) -> None:
        """Set the rules of the next episode of these tables, drawn from a number for each; the generators stay."""
        if self._variants is None or not len(rows):
            return
        generators = self._states["rng"][rows]
        try:
            for row, bits in zip(rows, bits_from(numbers).tolist(), strict=True):
                variants = self._variants[row]
                if variants is not None:
                    blank = variants.blank(bits)
                    self._states[row : row + 1].view(np.uint8)[:] = blank.view(np.uint8)
                    if len(variants.numbers) > 1:
                        self._seats_at[row] = num_seats_of(self.game, blank[0])
        except Exception:
            self._broken = True
            raise
        self._states["rng"][rows] = generators

    # Inside ----------------------------------------------------------------------------------------------------------

    def _run(self, order: int, rows: npt.NDArray[np.int64]) -> int:
        """Call `advance` for these rows, on several threads if that pays; returns the number of rows that failed."""
        if len(rows) < 2 * ROWS_PER_THREAD:
            return self._advance(order, rows)

        def part(first: int, last: int) -> int:
            return self._advance(order, rows[first:last])

        return sum(in_parts(part, len(rows), self.threads, ROWS_PER_THREAD))

    def _serve_players(self, rows: npt.NDArray[np.int64], failed: int) -> None:
        """The work after the loop: Python players move, and the arrays of the form "cards" are written."""
        if failed:
            self._raise_fault(rows)
        if self._seating.players:
            self._ask_players(rows)
        if self.form == CARDS:
            encode_cards(self.game, self.observations, self._seen, rows=rows, threads=self.threads)

    def _ask_players(self, rows: npt.NDArray[np.int64]) -> None:
        """Call the Python players, each for all its rows at once, until each row waits for its learner or is over."""
        waiting = self._waiting(rows)
        while len(waiting):
            codes = self._controls["players"][waiting, self.seats[waiting]]
            for code in np.unique(codes):
                self._ask(self._seating.player_of(int(code)), waiting[codes == code])
            if self._run(batch.ACT_ON, waiting):
                self._raise_fault(waiting)
            waiting = self._waiting(waiting)

    def _waiting(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The rows in which a Python player is to move."""
        seats = self.seats[rows]
        codes = self._controls["players"][rows, seats]
        return rows[(seats >= 0) & (codes <= batch.PLAYERS)]

    def _ask(self, player: Any, rows: npt.NDArray[np.int64]) -> None:
        """Write a Python player's answers into the actions. OpponentError: it raised, or they are not legal actions."""
        try:
            if isinstance(player, Player):
                dice = np.empty(len(rows), np.uint64)
                batch.draw_dice(self.dice, rows, dice)
                answer = player.act(self.observations[rows], self.masks[rows], dice)
            else:
                answer = player(self._shown_to(player, rows), self.masks[rows])
        except Exception as error:
            self._broken = True
            raise OpponentError(f"the opponent {name_of(player)} raised {error!r}; reset() to continue") from error
        actions = np.asarray(answer)
        if isinstance(answer, np.ma.MaskedArray) or actions.shape != rows.shape or actions.dtype.kind not in "iu":
            self._broken = True
            array = "a masked array" if isinstance(answer, np.ma.MaskedArray) else "an array"
            raise OpponentError(
                f"the opponent {name_of(player)} was to choose {len(rows)} actions and gave {array} of shape "
                f"{actions.shape}, dtype {actions.dtype}; wanted are whole numbers of shape {rows.shape}"
            )
        legal = legal_rows(actions, self.masks[rows])
        if not legal.all():
            self._broken = True
            at = int(np.argmin(legal))
            raise OpponentError(
                f"the opponent {name_of(player)} answered illegally at row {rows[at]}, seat {self.seats[rows[at]]}: "
                f"{refusal(self.game, self._states[rows[at]], actions[at])}; reset() to continue"
            )
        self._numbers[rows] = actions

    def _shown_to(self, player: Any, rows: npt.NDArray[np.int64]) -> Any:
        """The observations that a callable gets at some tables: as the learner's, or in the form that it names."""
        own = getattr(player, "observation", None)
        if own is not None:
            return in_form(self.game, check_form(own), self.observations[rows])
        if self.form == FEATURES:
            seen: Any = self.features[rows]
        else:
            seen = in_form(self.game, self.form, self.observations[rows])
        return with_history(self.form, seen, self.history[rows]) if self.length else seen

    def _raise_fault(self, rows: npt.NDArray[np.int64]) -> None:
        """OpponentError: a compiled player has chosen an illegal action. ValueError: the learner never gets a turn."""
        if not self._controls["faulty"][rows].any():
            return
        row = int(rows[np.argmax(self._controls["faulty"][rows])])
        self._broken = True
        if self._controls["faulty"][row] == batch.NEVER_SERVED:
            raise ValueError(
                f"row {row}: {batch.DEALS_TO_TRY} episodes in a row ended before the learner, in seat "
                f"{self.learners[row]}, could move; is max_turns too low?"
            )
        kind = self._controls["players"][row, self.seats[row]]
        name = next(name for name, number in self.game.kinds.items() if number == kind)
        raise OpponentError(
            f"the compiled player {name!r} answered illegally at row {row}: an error in {self.game.name}"
        )

    def _refusal(self) -> IllegalActions | None:
        """The error that names the refused rows, and the reason for the first of them."""
        rows = np.flatnonzero(self._controls["refused"])
        if not len(rows):
            return None
        actions = self._numbers[rows].copy()
        named = ", ".join(map(str, rows[:10])) + (f" and {len(rows) - 10} more" if len(rows) > 10 else "")
        why = refusal(self.game, self._states[rows[0]], int(actions[0]))
        return IllegalActions(
            f"illegal action in row{'s' if len(rows) > 1 else ''} {named} (those tables have not changed, the others "
            f"have been stepped); row {rows[0]}: {why}",
            rows,
            actions,
        )

    def _seeds(self, seed: Any, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        if seed is None:
            return np.frombuffer(secrets.token_bytes(8 * len(rows)), np.uint64)
        if isinstance(seed, Iterable):
            seeds = [secrets.randbits(64) if s is None else check_seed(s) for s in seed]
            if len(seeds) != len(rows):
                raise ValueError(f"{len(seeds)} seeds were given for {len(rows)} tables")
            return np.array(seeds, np.uint64)
        return seeds_of_rows(check_seed(seed), rows)

    def _check_rows(self, rows: npt.ArrayLike, repeated: bool = False) -> npt.NDArray[np.int64]:
        """The numbers of the rows, int64 (k,); `repeated`: a row can be named several times."""
        if isinstance(rows, np.ma.MaskedArray):
            raise TypeError("rows must be a plain array, not a masked array (numpy.ma)")
        given = np.asarray(rows)
        if given.dtype == np.bool_ and given.shape == (self.num_tables,):
            return np.flatnonzero(given)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise TypeError(f"rows are whole numbers or {self.num_tables} booleans, not {rows!r}")
        if given.size and (given.min() < 0 or given.max() >= self.num_tables):
            raise ValueError(f"there are rows 0 to {self.num_tables - 1}, not {rows!r}")
        if not repeated and len(np.unique(given)) != len(given):
            raise ValueError(f"a row is named twice in {rows!r}, and each is to be written once")
        return given.astype(np.int64)

    def _link(self) -> None:
        """Make the derived attributes: views, small arrays, the compiled loop."""
        n = self.num_tables
        self._autoreset = _AUTORESET[self.autoreset] if self._variants is None else batch.DISABLED
        self._bound: dict[tuple[int, ...], _Calls] = {}
        self._rows, self._shape = np.arange(n, dtype=np.int64), (n,)
        self._numbers = np.zeros(n, np.int64)
        self.chosen = np.zeros(n, np.int64)
        arrays = {"states": self._states, "final_states": self._final_states, "seats_at": self._seats_at}
        arrays |= {"controls": self._controls, **{name: self._controls[name] for name in ("learner", "payoff", "seed")}}
        self._open = {name: _read_only(array) for name, array in arrays.items()}
        self._works = [np.zeros(n if self.length else 0, self.game.state) for _ in range(2)]
        self._spare_mask = np.zeros(self.game.num_actions, np.int8)
        shown = n if self.form == FEATURES else 0
        self._depths = np.zeros((shown, self.game.features.max_depth), np.uint8)
        self._no_features = np.zeros((0, self.game.features.width), np.float32)
        self._look_at_buffers()

    def _look_at_buffers(self) -> None:
        """Make what depends on the caller's arrays again, since they can be other arrays now."""
        self._records = self.observations.reshape(-1).view(self.game.observation)
        self._bind()
        self._named = named_arrays(self.game, self.observations) if self.form == DICT else {}
        self._astride = [name for name, array in self._named.items() if array.strides[0] % array.itemsize]

    def _check_records(
        self, states: npt.NDArray[Any], controls: npt.NDArray[Any], dealt: bool = True
    ) -> npt.NDArray[np.int64]:
        """The number of players at each of these tables. BadState: records that are not from a batch of this game."""
        (check_states if dealt else check_blanks)(self.game, states)
        num_seats = np.array([num_seats_of(self.game, state) for state in states], np.int64)
        check_places(self._seating.places, num_seats)
        check_controls(self.game, controls, num_seats, len(self._seating.players))
        return num_seats

    def _bind(self) -> None:
        """Make the compiled calls, with their arrays checked once: half the time of a step of one table.

        `_advance(order, rows)` is the loop, and `_act_at_once()` the same for the actions of all rows; None: those take
        more than one call. `_choose()` chooses random actions.

        Those who let two sets of arrays take turns change between two such calls, which are kept.
        """
        filled = self.masks, self.rewards, self.terminations, self.truncations, self.seats
        choices = self._seating.choices
        features = self.features if self.form == FEATURES else self._no_features
        self._drawn_from = self.generators
        arrays = self.observations, *filled, choices, features, self.generators
        key = tuple(map(id, (*arrays, self.history) if self.length else arrays))
        if key not in self._bound:
            if len(self._bound) == _MOST_BOUND:
                self._bound.clear()
            tables = self._states, self._controls, self.dice, choices, self._numbers
            advance = remembering_advance_of(self.game) if self.length else players_of(self.game).advance
            shown = self.observations[: len(features)], features, self._depths
            kept = *self._works, self._logs, self._final_logs
            written = self._records, *filled, self._final_states, *shown, *kept
            words = words_of(self.history) if self.length else _NO_WORDS

            def bound(order: int | None, rows: npt.NDArray[np.int64] | None) -> Callable[..., int]:
                return advance.bind(order, self._autoreset, *tables, rows, *written, words)

            drawn = self._variants is not None and self.autoreset is AutoresetMode.NEXT_STEP
            in_one_call = self.num_tables < 2 * ROWS_PER_THREAD and not drawn
            choose = batch.choose_randomly.bind(self.masks, self.generators, self.chosen)
            self._bound[key] = bound(OPEN, OPEN), bound(batch.ACT, self._rows) if in_one_call else None, choose
        self._advance, self._act_at_once, self._choose = self._bound[key]

    def __getstate__(self) -> dict[str, Any]:
        """Without the attributes that `_link` makes; a game of the package by its name."""
        kept = {name: value for name, value in vars(self).items() if name in _KEPT or name[0] != "_"}
        return {**kept, "game": to_pickle(self.game)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Checked as in `__init__` and `restore`: a pickle can have been changed, or come from another version.

        Raises:
            BadState: records that are not positions of the game, or that a batch cannot have written. ValueError,
                TypeError: an array that does not fit the others.
        """
        vars(self).update(kept)
        self.game, self.form = find(self.game), check_form(self.form)
        n = self.num_tables
        check_buffer("states", self._states, (n,), self.game.state)
        check_buffer("final_states", self._final_states, (n,), self.game.state)
        check_buffer("controls", self._controls, (n,), batch.control_dtype(self.game.max_seats))
        for name in ("dice", "generators"):
            check_buffer(name, getattr(self, name), (n,), GENERATOR)
        for name, (shape, dtype) in self.buffer_specs().items():
            check_buffer(name, getattr(self, name), shape, dtype)
        check_history(self.length)
        for name in ("_logs", "_final_logs"):
            check_buffer(
                name,
                getattr(self, name),
                (n, log_size(self.length, self.game.private_events)) if self.length else (0, 0),
                np.int64,
            )
            if not are_sound(getattr(self, name)):
                raise BadState("a history that no batch has written")
        check_apart({name: getattr(self, name) for name in self.buffer_specs()})
        check_seating(self.game, self._seating)
        self._seats_at = self._check_records(self._states, self._controls, self._dealt)
        ended = self._final_states.view(np.uint8).reshape(n, -1).any(axis=1)
        check_states(self.game, self._final_states[ended])
        self._link()


_INT64 = np.dtype(np.int64)  # one object, which `is` finds in half the time of `==`

# `_advance`, `_act_at_once` and `_choose` of `Tables`.
_Calls = tuple[Callable[[int, npt.NDArray[np.int64]], int], Callable[[], int] | None, Callable[[], None]]

_NO_WORDS = np.zeros((0, 0), np.int64)  # the history of tables without one

_MOST_BOUND = 4  # calls that are kept; each keeps its arrays alive

# The private attributes in a pickle of `Tables`; `_link` and `__setstate__` make the rest.
_KEPT = ("_states", "_controls", "_final_states", "_seating", "_variants", "_dealt", "_broken", "_logs", "_final_logs")
