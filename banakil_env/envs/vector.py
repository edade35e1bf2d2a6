"""How are thousands of tables stepped at once? `Tables`: one array of states, stepped in place by one compiled call.

Without opponents every seat of every table is served: each step takes an action for the seat to move of each table, and
shows what the seat to move then sees. One network that plays all seats is asked once a step, whoever is to move. With
opponents each table has one learner's seat, and the others are moved inside the same call.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.answers import legal_rows
from banakil_env.core.checking import check_states
from banakil_env.core.encoding import encode
from banakil_env.core.game import Game, IllegalAction
from banakil_env.core.kernels import GENERATOR, kernels_of, refusal
from banakil_env.core.random import check_seed
from banakil_env.core.threads import in_parts
from banakil_env.envs.arguments import (
    autoreset_mode,
    check_apart,
    check_buffer,
    check_controls,
    check_places,
    check_threads,
    checked_actions,
    checked_position,
    checked_seat,
    new_tables,
    num_seats_of,
    seating_number,
)
from banakil_env.envs.forms import BYTES, DICT, FEATURES, check_form, in_form, named_arrays
from banakil_env.envs.opponents import OpponentError, Opponents, Player, name_of, seat_opponents
from banakil_env.games import find, to_pickle

# With fewer rows a thread gives little: to hand them over takes as long as 100 to 200 of them (docs/performance.md).
ROWS_PER_THREAD = 512

# The generators of `random_actions` are kept apart from the cards and the dice of the same seed.
_CHOICES = np.uint64(0xA11CE5EED5)

_AUTORESET = {
    AutoresetMode.NEXT_STEP: batch.NEXT_STEP,
    AutoresetMode.SAME_STEP: batch.SAME_STEP,
    AutoresetMode.DISABLED: batch.DISABLED,
}


class IllegalActions(IllegalAction):
    """Some rows of a batch were given an illegal action. Those tables are as they were, the others have been stepped.

    Attributes:
        rows: which, int64. actions: what they were given, int64.
    """

    def __init__(self, message: str, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        super().__init__(message, rows, actions)
        self.rows, self.actions = rows, actions

    def __str__(self) -> str:
        return str(self.args[0])


class Snapshot(NamedTuple):
    """Some rows as they were: all that is needed to go on from there."""

    states: npt.NDArray[Any]
    controls: npt.NDArray[Any]
    dice: npt.NDArray[Any]


class Tables:
    """Many tables of one game in one array, and the arrays of what is to be seen at them.

    After `reset` and each `step`, and until the next, row i says of table i:

    Attributes:
        observations: uint8 (n, bytes): what the seat to move sees.
        features: float32 (n, width): the same as columns for a network, with `observation="features"` only.
        masks: int8 (n, actions): 1 for its legal actions.
        seats: int64 (n,): the seat to move; -1 when the episode is over and not yet dealt anew.
        rewards: float32 (n, seats): of every seat, the loser's too; 0 but in the step in which an episode ends.
        terminations, truncations: bool (n,): the episode has ended in this step.
        states: the states themselves, n records of the game's dtype.
        dice: n generators, of the compiled players and the seating.
        controls: n records: players, learner's seat, and how the last episode went (core.batch.control_dtype).
        final_states: the last state of the last episode that ended, n records; kept until the next one ends.
        generators: n generators of `random_actions`. chosen: int64 (n,): what it has chosen last.
        refused: of the last step, bool (n,): the action was illegal and the table is as it was.

    Args:
        tables: how many, or an options dict for each of them, which come before `options`.
        opponents: None: every seat is served. Else the other seats are moved inside: see `envs.opponents`.
        seat: with opponents, the learner's seat: a number, "random" (anew in every episode) or "rotating" (the next in
            every episode; the first by the seed).
        reward: a name of the game's kinds of reward.
        observation: in which form `seen` shows the observations: "bytes", "dict" or "features" (`envs.forms`).
        autoreset: when a finished table is dealt anew. SAME_STEP: at once, and what is shown is the new deal.
            NEXT_STEP: in the next step, whose action is not looked at. DISABLED: by `reset(rows=...)`.
        illegal: "raise" IllegalActions after the other rows were stepped, or "report" in `refused` only.
        threads: at most so many; None: one a core. Results do not depend on it.
        buffers: the caller's arrays for any of observations, masks, rewards, terminations, truncations, seats and,
            where there are, features.
        game: which game.
        options: of every table, as for the other environments (num_players, rules, ...).

    Raises:
        ValueError, TypeError: what does not exist or does not fit; the game's own error for its options.
    """

    def __init__(
        self,
        tables: int | Sequence[Mapping[str, Any]],
        *,
        opponents: Opponents | None = None,
        seat: int | str | None = None,
        reward: str = "margin",
        observation: str = BYTES,
        autoreset: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal: str = "raise",
        threads: int | None = None,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        game: str | Game = "banakil",
        **options: Any,
    ) -> None:
        self.game = find(game)
        self.form = check_form(observation)
        self.states, self.num_seats, rewards = new_tables(self.game, tables, {"reward": reward, **options})
        self.num_tables = n = len(self.states)
        self.autoreset = autoreset_mode(autoreset)
        self.metadata = {"autoreset_mode": self.autoreset}
        if illegal not in ("raise", "report"):
            raise ValueError(f"illegal must be 'raise' or 'report', not {illegal!r}")
        self.illegal = illegal
        self.threads = check_threads(threads)
        self.seating = seat_opponents(opponents, self.game)
        self.dice = np.zeros(n, GENERATOR)
        self.generators = np.zeros(n, GENERATOR)
        self.controls = np.zeros(n, batch.control_dtype(self.game.max_seats))
        self.controls["reward"] = rewards
        self.controls["seating"] = seating_number(seat, opponents, self.seating.places, self.num_seats)
        self.controls["learner"] = self.controls["last_learner"] = self.controls["acted"] = batch.NOBODY
        self.controls["players"] = batch.CALLER
        self.final_states = np.zeros(n, self.game.state)
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

    @property
    def seen(self) -> Any:
        """What the seats to move see, in the form chosen: `observations`, a dict of views into them, or `features`.

        In the dict an array is a copy where a view could not be handed on to PyTorch: the record is packed, so that the
        numbers of one table need not lie a whole number of numbers behind those of the other.
        """
        if self.form == DICT:
            return {**self._named, **{name: self._named[name].copy() for name in self._astride}}
        return self.features if self.form == FEATURES else self.observations

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
        return specs

    def write_into(self, **buffers: npt.NDArray[Any]) -> None:
        """Fill these arrays from the next step on (a place in a rollout, say); the others stay.

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
        for name, array in buffers.items():
            setattr(self, name, array)
        self._look_at_observations()

    # Playing --------------------------------------------------------------------------------------------------------

    def reset(
        self, seed: int | Sequence[int | None] | None = None, rows: npt.ArrayLike | None = None
    ) -> tuple[Any, npt.NDArray[np.int8]]:
        """Begin a new episode at every table, or at some; `seen` and the masks.

        Args:
            seed: a number: table i is dealt from seed + i (modulo 2**64), the same cards as any other
                environment with that seed. A sequence: one for each row. None: go on from each table's generator, at
                first by chance.
            rows: which tables, as whole numbers or as n booleans; None: all.
        """
        chosen = self._rows if rows is None else self._check_rows(rows)
        if not self._dealt and rows is not None:
            raise ValueError("reset() all tables before some of them")
        if seed is None and self._dealt:
            failed = self._run(batch.DEAL, chosen)
        else:
            seeds = self._seeds(seed, chosen)
            self._numbers[chosen] = seeds.view(np.int64)
            self.generators["rng"][chosen] = seeds ^ _CHOICES
            failed = self._run(batch.DEAL_FROM_SEED, chosen)
        if rows is None:
            self._dealt, self._broken = True, False
        self._serve_players(chosen, failed)
        return self.seen, self.masks

    def begin_from(self, position: Any, row: int = 0) -> None:
        """Put a position on a table that has been dealt, in place of its deal: the learner's seat stays.

        Args:
            position: a record of the game's state or its text.

        Raises:
            ValueError: see `envs.arguments.checked_position`.
        """
        chosen = self._check_rows([row])
        self.states[chosen] = checked_position(self.game, position, int(self.num_seats[row]))
        for name in ("decisions", "reported", "refused"):
            self.controls[name][chosen] = 0
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    def step(self, actions: npt.ArrayLike) -> None:
        """Carry out one action at every table; what has come of it is in the arrays.

        Raises:
            IllegalActions: in some rows (unless illegal="report"). IllegalAction: not whole numbers. ValueError: not n
                of them. OpponentError: an opponent has failed. RuntimeError: before `reset`.
        """
        if not self._dealt or self._broken:
            raise RuntimeError("reset() comes before step()" + (": an opponent has failed" if self._broken else ""))
        if type(actions) is np.ndarray and actions.dtype == np.int64 and actions.shape == self._rows.shape:
            given = actions
        else:
            given = checked_actions(self.game, actions, self.num_tables)
        np.copyto(self._numbers, given, casting="unsafe")
        failed = self._run(batch.ACT, self._rows)
        refusal = self._refusal() if failed else None
        self._serve_players(self._rows, failed)
        if refusal is not None and self.illegal == "raise":
            raise refusal

    @property
    def refused(self) -> npt.NDArray[np.bool_]:
        """Which rows' last action was illegal, bool (n,)."""
        return self.controls["refused"] != 0

    @property
    def learners(self) -> npt.NDArray[np.int8]:
        """The learner's seat at each table, -1 where every seat is served; a view."""
        return self.controls["learner"]

    @property
    def payoffs(self) -> npt.NDArray[np.float32]:
        """The learner's reward in this step at each table, 0 without a learner; a view."""
        return self.controls["payoff"]

    def full_states(self) -> npt.NDArray[np.uint8]:
        """All there is at every table, as the bytes of records of `game.full_state`: uint8 (n, bytes), a new array.

        The seat to move sees the field `observation`, and what is hidden from it stands behind. For central critics; it
        is asked table by table in Python.
        """
        full = np.empty((self.num_tables, self.game.full_state.itemsize), np.uint8)
        for row, state in enumerate(self.states):
            full[row] = self.game.write_full_state(state)
        return full

    def final_observation(self, row: int, seat: int) -> Any:
        """What a seat saw at the end of the last episode that ended in this row, in the form chosen."""
        seen = np.empty(1, self.game.observation)
        kernels_of(self.game).observe_one(*self._ended(row, seat), seen, self._spare_mask)
        return in_form(self.game, self.form, seen.view(np.uint8))

    def result(self, row: int, seat: int) -> dict[str, Any]:
        """How the last episode that ended in this row went for a seat, as its info says it elsewhere."""
        states, seat = self._ended(row, seat)
        return self.game.result(states[0], seat)

    def _ended(self, row: int, seat: int) -> tuple[npt.NDArray[Any], int]:
        """The last state of the last episode of a row, and the seat. ValueError: there is no such row or seat."""
        at = int(self._check_rows([row])[0])
        num_seats = num_seats_of(self.game, self.final_states[at])
        if not num_seats:
            raise ValueError(f"no episode has ended in row {at} yet")
        return self.final_states[at : at + 1], checked_seat(seat, num_seats)

    def random_actions(self, generators: npt.NDArray[Any] | None = None) -> npt.NDArray[np.int64]:
        """A legal action of every table, uniformly; in an array that the next call overwrites.

        Args:
            generators: n records of `core.kernels.GENERATOR`, their field `rng` set by the caller; None: the tables'
                own, which `reset` seeds.
        """
        if generators is None:
            generators = self.generators
        if generators.shape != (self.num_tables,) or generators.dtype != GENERATOR:
            raise ValueError(f"generators must be {self.num_tables} records of core.kernels.GENERATOR")
        batch.choose_randomly(self.masks, generators, self.chosen)
        return self.chosen

    def set_opponents(self, opponents: Opponents) -> None:
        """Other opponents, from the next episode of each table on; those now seated play theirs to the end.

        Raises:
            ValueError: every seat is served, or the tuple does not fit the tables.
        """
        if self.controls["seating"][0] == batch.EVERY_SEAT:
            raise ValueError("every seat of these tables is served: there are no opponents to replace")
        seated = set(np.unique(self.controls["players"]).tolist())
        players = [player if batch.PLAYERS - i in seated else None for i, player in enumerate(self.seating.players)]
        seating = seat_opponents(opponents, self.game, players)
        check_places(seating.places, self.num_seats)
        self.seating = seating
        self._choose_kernel()

    # Snapshots ------------------------------------------------------------------------------------------------------

    def snapshot(self, rows: npt.ArrayLike | None = None) -> Snapshot:
        """Some tables, or all, as they are now."""
        chosen = self._rows if rows is None else self._check_rows(rows)
        return Snapshot(self.states[chosen], self.controls[chosen], self.dice[chosen])

    def restore(self, snapshot: Snapshot, rows: npt.ArrayLike | None = None) -> None:
        """Put tables back as they were, or into other rows; their rows of every array are written again, rewards 0.

        Raises:
            TypeError, ValueError: no snapshot of tables of this game, or not of that many rows. BadState: a record
                that is no position of the game, or that no batch has written; nothing has changed.
        """
        chosen = self._rows if rows is None else self._check_rows(rows)
        if not isinstance(snapshot, Sequence) or [type(part) for part in snapshot] != [np.ndarray] * 3:
            raise TypeError(f"restore() takes the three arrays that snapshot() gave, not {type(snapshot).__name__}")
        states, controls, dice = snapshot
        if states.dtype != self.game.state or controls.dtype != self.controls.dtype or states.shape != controls.shape:
            raise TypeError("restore() takes what snapshot() gave, from tables of the same game")
        if states.shape != chosen.shape:
            raise ValueError(f"the snapshot holds {len(states)} tables and is to go into {len(chosen)} rows")
        num_seats = self._check_records(np.ascontiguousarray(states), controls)
        self.num_seats[chosen] = num_seats
        self.states[chosen] = states
        self.controls[chosen] = controls
        self.dice[chosen] = dice
        self._broken = False
        self._choose_kernel()
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    # Inside ---------------------------------------------------------------------------------------------------------

    def _run(self, order: int, rows: npt.NDArray[np.int64]) -> int:
        """`advance` over these rows, by several threads when that pays; how many rows refused or failed."""
        if len(rows) < 2 * ROWS_PER_THREAD:
            return self._advance(order, rows)

        def part(first: int, last: int) -> int:
            return self._advance(order, rows[first:last])

        return sum(in_parts(part, len(rows), self.threads, ROWS_PER_THREAD))

    def _advance(self, order: int, rows: npt.NDArray[np.int64]) -> int:
        # One by one: as one tuple they cost Numba half a microsecond more a call, and a single table steps in two.
        failed: int = self._kernel(
            order,
            self._autoreset,
            self.states,
            self.controls,
            self.dice,
            self.seating.choices,
            self._numbers,
            rows,
            self._records,
            self.masks,
            self.rewards,
            self.terminations,
            self.truncations,
            self.seats,
            self.final_states,
        )
        return failed

    def _serve_players(self, rows: npt.NDArray[np.int64], failed: int) -> None:
        """What comes after the loop: Python's players move, and the features are written."""
        if failed:
            self._raise_fault(rows)
        if self.seating.players:
            self._ask_players(rows)
        if self.form == FEATURES:
            encode(self.game, self.observations, self.features, self._depths, rows=rows, threads=self.threads)

    def _ask_players(self, rows: npt.NDArray[np.int64]) -> None:
        """Ask Python's players, all rows of one at once, until it is the learner's turn or over everywhere."""
        waiting = self._waiting(rows)
        while len(waiting):
            codes = self.controls["players"][waiting, self.seats[waiting]]
            for code in np.unique(codes):
                self._ask(self.seating.player_of(int(code)), waiting[codes == code])
            if self._run(batch.ACT_ON, waiting):
                self._raise_fault(waiting)
            waiting = self._waiting(waiting)

    def _waiting(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Those rows where one of Python's players is to move."""
        seats = self.seats[rows]
        codes = self.controls["players"][rows, seats]
        return rows[(seats >= 0) & (codes <= batch.PLAYERS)]

    def _ask(self, player: Any, rows: npt.NDArray[np.int64]) -> None:
        """Write a Python player's answers into the actions. OpponentError: it raised, or they are not legal actions."""
        try:
            if isinstance(player, Player):
                dice = np.empty(len(rows), np.uint64)
                batch.draw_dice(self.dice, rows, dice)
                answer = player.act(self.observations[rows], self.masks[rows], dice)
            else:
                answer = player(self.observations[rows], self.masks[rows])
        except Exception as error:
            self._broken = True
            raise OpponentError(f"the opponent {name_of(player)} raised {error!r}; reset() to go on") from error
        actions = np.asarray(answer)
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            self._broken = True
            raise OpponentError(
                f"the opponent {name_of(player)} was asked for {len(rows)} actions and gave an array of shape "
                f"{actions.shape}, dtype {actions.dtype}; wanted are whole numbers of shape {rows.shape}"
            )
        legal = legal_rows(actions, self.masks[rows])
        if not legal.all():
            self._broken = True
            at = int(np.argmin(legal))
            raise OpponentError(
                f"the opponent {name_of(player)} answered illegally at row {rows[at]}, seat {self.seats[rows[at]]}: "
                f"{refusal(self.game, self.states[rows[at]], actions[at])}; reset() to go on"
            )
        self._numbers[rows] = actions

    def _raise_fault(self, rows: npt.NDArray[np.int64]) -> None:
        """OpponentError: a compiled player has answered illegally. ValueError: the learner never comes to move."""
        if not self.controls["faulty"][rows].any():
            return
        row = int(rows[np.argmax(self.controls["faulty"][rows])])
        self._broken = True
        if self.controls["faulty"][row] == batch.NEVER_SERVED:
            raise ValueError(
                f"row {row}: {batch.DEALS_TO_TRY} episodes in a row ended before the learner, in seat "
                f"{self.learners[row]}, could move; is max_turns too low?"
            )
        kind = self.controls["players"][row, self.seats[row]]
        name = next(name for name, number in self.game.kinds.items() if number == kind)
        raise OpponentError(
            f"the compiled player {name!r} answered illegally at row {row}: an error in {self.game.name}"
        )

    def _refusal(self) -> IllegalActions | None:
        """The error that names the rows refused, and why the first of them was."""
        rows = np.flatnonzero(self.controls["refused"])
        if not len(rows):
            return None
        actions = self._numbers[rows].copy()
        named = ", ".join(map(str, rows[:10])) + (f" and {len(rows) - 10} more" if len(rows) > 10 else "")
        why = refusal(self.game, self.states[rows[0]], int(actions[0]))
        return IllegalActions(
            f"illegal action in row{'s' if len(rows) > 1 else ''} {named} (those tables are as they were, the others "
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
        return np.uint64(check_seed(seed)) + rows.astype(np.uint64)

    def _check_rows(self, rows: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(rows)
        if given.dtype == np.bool_ and given.shape == (self.num_tables,):
            return np.flatnonzero(given)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise TypeError(f"rows are whole numbers or {self.num_tables} booleans, not {rows!r}")
        if given.size and (given.min() < 0 or given.max() >= self.num_tables):
            raise ValueError(f"there are rows 0 to {self.num_tables - 1}, and {rows!r} were asked for")
        if len(np.unique(given)) != len(given):
            raise ValueError(f"a row is named twice in {rows!r}")
        return given.astype(np.int64)

    def _link(self) -> None:
        """What is made from the rest: views, small arrays, the compiled loop."""
        n = self.num_tables
        self._autoreset = _AUTORESET[self.autoreset]
        self._choose_kernel()
        self._rows = np.arange(n, dtype=np.int64)
        self._numbers = np.zeros(n, np.int64)
        self.chosen = np.zeros(n, np.int64)
        self._spare_mask = np.zeros(self.game.num_actions, np.int8)
        self._depths = np.zeros((n if self.form == FEATURES else 0, self.game.features.max_depth), np.uint8)
        self._look_at_observations()

    def _look_at_observations(self) -> None:
        """Views into the array of observations, which may be another one now."""
        self._records = self.observations.reshape(-1).view(self.game.observation)
        self._named = named_arrays(self.game, self.observations) if self.form == DICT else {}
        self._astride = [name for name, array in self._named.items() if array.strides[0] % array.itemsize]

    def _check_records(self, states: npt.NDArray[Any], controls: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """How many play at each of these tables. BadState: records that come from no batch of this game."""
        check_states(self.game, states)
        num_seats = np.array([num_seats_of(self.game, state) for state in states], np.int64)
        check_places(self.seating.places, num_seats)
        check_controls(self.game, controls, num_seats, len(self.seating.players))
        return num_seats

    def _choose_kernel(self) -> None:
        """The loop with the compiled players that sit or may sit down, and no others."""
        kinds = np.union1d(self.seating.choices, self.controls["players"])
        self._kernel = batch.advance_of(self.game, tuple(kinds[kinds >= 0].tolist()))

    def __getstate__(self) -> dict[str, Any]:
        """Without what `_link` makes; a game of the package by its name."""
        kept = {
            name: value for name, value in vars(self).items() if name == "_dealt" or name == "_broken" or name[0] != "_"
        }
        return {**kept, "game": to_pickle(self.game)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.game = find(self.game)
        if self._dealt:
            self._check_records(self.states, self.controls)
            ended = self.final_states.view(np.uint8).reshape(self.num_tables, -1).any(axis=1)
            check_states(self.game, self.final_states[ended])
        self._link()
