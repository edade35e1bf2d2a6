"""Thousands of tables at once: `Tables` is an array of states that one compiled call steps in place.

Without opponents, the caller plays every seat: each step takes an action for the seat to move at each table, and then
returns the observation of the next seat to move. A network that plays all seats is called once per step. With
opponents, each table has one learner's seat, and the same call makes the moves of the other seats.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.game import Game, IllegalAction
from banakil_env.core.history import log_size
from banakil_env.core.kernels import GENERATOR, refusal
from banakil_env.core.random import check_seed, seeds_of_rows
from banakil_env.envs.arguments import (
    check_flag,
    check_names,
    check_threads,
    checked_actions,
    checked_autoreset,
    checked_position,
    new_tables,
    seating_number,
)
from banakil_env.envs.forms import RECORD, check_form, check_history
from banakil_env.envs.opponents import Opponents, seat_opponents
from banakil_env.envs.tables.rules import DrawnRules
from banakil_env.envs.tables.snapshots import HistorySnapshot as HistorySnapshot
from banakil_env.envs.tables.snapshots import Snapshot as Snapshot
from banakil_env.envs.tables.snapshots import TableSnapshots
from banakil_env.envs.tables.views import TableViews
from banakil_env.games import DEFAULT_GAME, find

# Makes the generators of `random_actions` independent of the cards and the dice with the same seed.
_CHOICES = np.uint64(0xA11CE5EED5)


class IllegalActions(IllegalAction):
    """Some rows of a batch were given an illegal action. Those tables have not changed; the others have been stepped.

    Attributes:
        rows: the numbers of these rows, int64.
        actions: the actions given to them, int64.
    """

    def __init__(self, message: str, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        super().__init__(message, rows, actions)
        self.rows, self.actions = rows, actions

    def __str__(self) -> str:
        return str(self.args[0])


class Tables(DrawnRules, TableViews, TableSnapshots):
    """Many tables of one game in one array, with arrays of their observations and rewards.

    After `reset` and each `step`, row i of each array belongs to table i. **The next step overwrites these arrays**:
    copy what you keep, or let each step write into your own arrays (`write_into`). The environments for Gymnasium and
    Stable-Baselines3 return copies.

    Compiled code trusts `states`, `controls`, `final_states`, `seats_at` and `seeds`: they are read-only. `restore` and
    `begin_from` set other positions after checking them.

    Args:
        tables: the number of tables, or a dict of options for each, which take precedence over `options`.
        opponents: None: the caller plays every seat. Otherwise the players of the other seats (`envs.opponents`): one
            for all of them; a tuple with one for each, in the order of play; or a list as a pool, from which each seat
            draws in every episode. "caller" in a tuple or a list leaves the seat to the caller.
        seat: with opponents, the learner's seat: a number, "random" (drawn in every episode) or "rotating" (the next
            seat in every episode; the first depends on the seed).
        reward: "margin": the side's points minus the mean of the other sides' (zero-sum). "points": the side's points.
            "win": 1, 0 if tied, or -1. Higher is better in every game.
        reward_scale: "points", or "unit": margin and points are divided by `game.unit`, which brings most of them into
            [-1, 1].
        truncate_at_limit: how an episode ends that reaches the limit of turns or rounds. False: terminated, since the
            limit is one of the rules. True: truncated, so that learners bootstrap there.
        observation: the form of the observations in `seen`: "record", "dict", "features" or "cards" (`envs.forms`).
        history: the number of rows of the array `history`, 0 to 256 (docs/memory.md). Moves of opponents are events
            too. `seen` is then a dict that contains the array `history`.
        autoreset: when a finished table is reset. SAME_STEP: at once, and the arrays show the new deal. NEXT_STEP: in
            the next step, whose action is ignored. DISABLED: by `reset(rows=...)`.
        illegal: "raise" IllegalActions after the other rows were stepped, or only "report" illegal actions in
            `refused`.
        threads: the largest number of threads; None: one per core. Results do not depend on it.
        buffers: arrays of the caller to use for any of observations, masks, rewards, terminations, truncations, seats,
            features, cards, melds, table, rules and history (as far as the tables have them).
        game: the name of the game.
        options: options of every table, as for the other environments (num_players, rules, ...). `rules` can also be a
            list or a callable from which the rules of each episode are drawn, and `num_players` a list from which the
            number of players of each episode is drawn (`envs.variants`).

    Attributes:
        observations: uint8 (n, bytes), the observation record of the seat to move.
        features: float32 (n, width), the observation as columns for a network; only with `observation="features"`.
        history: uint8 (n, history, 8), what the seat to move has seen of the last events, the oldest first
            (`core.history`, docs/memory.md); only with `history`.
        cards, melds, table, rules: float32, the observation in the layout of all games (`game.cards`); only with
            `observation="cards"`.
        masks: int8 (n, actions), 1 for the legal actions of the seat to move.
        seats: int64 (n,), the seat to move; -1 if the episode is over and awaits reset.
        rewards: float32 (n, seats), the rewards of all seats; 0 except in the step in which an episode ends.
        terminations, truncations: bool (n,), whether the episode has ended in this step, and in which way.
        states: the states, n records of the game's dtype.
        controls: n records with players, learner's seat, and the result of the last episode (core.batch.control_dtype).
        final_states: the last state of the last episode that ended, n records.
        seats_at: int64 (n,), the number of players at each table; it changes with the episode if `num_players` is
            drawn.
        num_seats: the largest possible number of players.
        seeds: uint64 (n,), the seed from which each table was last dealt.
        dice: n generators for the compiled players and the seating.
        generators: n generators for `random_actions`.
        chosen: int64 (n,), the last result of `random_actions`.
        refused: bool (n,), whether the action of the last step was illegal, so that the table has not changed.

    Raises:
        ValueError, TypeError: an argument that does not exist or is invalid; the game's errors for its options.
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

    # Playing ----------------------------------------------------------------------------------------------------------

    def reset(
        self, seed: int | Sequence[int | None] | None = None, rows: npt.ArrayLike | None = None
    ) -> tuple[Any, npt.NDArray[np.int8]]:
        """Begin a new episode at all tables, or at some. Returns `seen` and the masks.

        Args:
            seed: a number: table 0 plays the game of this seed, as in any other environment; table i plays the game of
                a mix of the seed and i (`core.random.seeds_of_rows`), so that batches with different seeds share no
                deals. A sequence: the seed of each row. None: continue with each table's generator, which is random at
                first. `seeds` returns the seeds that were used.
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
        """Replace the deal of a table by a position. The learner's seat stays the same, and the history begins at the
        position.

        Args:
            position: a state record or its text.
            row: the row of the table.

        Raises:
            PositionError, BadState, ValueError: see `envs.arguments.checked_position`.
        """
        chosen = self._check_rows([row])
        self._states[chosen] = checked_position(self.game, position, int(self._seats_at[row]))
        for name in ("decisions", "reported", "refused"):
            self._controls[name][chosen] = 0
        if self.length:
            self._logs[chosen] = 0
        self._serve_players(chosen, self._run(batch.SERVE, chosen))

    def step(self, actions: npt.ArrayLike) -> None:
        """Carry out one action at every table. The results are in the arrays.

        Args:
            actions: whole numbers (n,), the action of each table.

        Raises:
            IllegalActions: actions in some rows are illegal (unless illegal="report").
            IllegalAction: not whole numbers.
            ValueError: not n numbers.
            OpponentError: an opponent has failed.
            RuntimeError: called before `reset`.
        """
        if not self._dealt or self._broken:
            why = ": an opponent, or drawing the rules, has failed" if self._broken else ""
            raise RuntimeError(f"call reset() before step(){why}")
        if type(actions) is np.ndarray and actions.dtype is _INT64 and actions.shape == self._shape:
            given = actions
        else:
            given = checked_actions(self.game, actions, self.num_tables)
        self._numbers[...] = given  # takes half the time of np.copyto, which matters for a single table
        failed = self._act() if self._act_at_once is None else self._act_at_once()
        refusal = self._refusal() if failed and self.illegal == "raise" else None
        self._serve_players(self._rows, failed)
        if self._variants is not None and self.autoreset is AutoresetMode.SAME_STEP:
            self._deal_ended()
        if refusal is not None:
            raise refusal

    def _refusal(self) -> IllegalActions | None:
        """The error that names the refused rows, with the reason for the first; None if no row was refused."""
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

    def random_actions(self, generators: npt.NDArray[Any] | None = None) -> npt.NDArray[np.int64]:
        """A random legal action of every table, int64 (n,), all equally likely; the next call overwrites the array.

        Args:
            generators: n records of `core.kernels.GENERATOR` with fields `rng` set by the caller; None: the generators
                of the tables, which `reset` seeds.
        """
        if generators is None:
            if self.generators is not self._drawn_from:  # the caller has replaced the generators
                self._bind()
            self._choose()
            return self.chosen
        if generators.shape != (self.num_tables,) or generators.dtype != GENERATOR:
            raise ValueError(f"generators must be {self.num_tables} records of core.kernels.GENERATOR")
        batch.choose_randomly(self.masks, generators, self.chosen)
        return self.chosen

    def set_generators(self, cards: npt.NDArray[np.uint64], dice: npt.NDArray[np.uint64]) -> None:
        """Set the generators of tables that have been dealt; any 64 bits are valid.

        The next `reset()` deals from them, so that a saved run can be continued.

        Args:
            cards: uint64 (n,), the generators of the states, which shuffle the cards.
            dice: uint64 (n,), the generators for the players and the seating.

        Raises:
            ValueError: called before `reset`.
        """
        if not self._dealt:
            raise ValueError("reset() the tables before their generators are set")
        self._states["rng"], self.dice["rng"] = cards, dice


_INT64 = np.dtype(np.int64)  # one object: comparing with `is` takes half the time of `==`
