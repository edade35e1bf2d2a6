"""The arrays of a batch of tables: the states, the arrays that a step writes, and the compiled loop over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.checking import check_blanks, check_states
from banakil_env.core.game import BadState, Game
from banakil_env.core.history import WIDTH, are_sound, log_size, words_of
from banakil_env.core.jit import OPEN
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.players import players_of, remembering_advance_of
from banakil_env.core.threads import in_parts
from banakil_env.envs.arguments import (
    check_apart,
    check_buffer,
    check_controls,
    check_places,
    checked_rows,
    num_seats_of,
)
from banakil_env.envs.forms import CARDS, DICT, FEATURES, check_form, check_history, named_arrays, with_history
from banakil_env.envs.opponents import Seating, check_seating
from banakil_env.envs.variants import Variants
from banakil_env.games import find, to_pickle

# With fewer rows, a thread gains little: starting it takes as long as 100 to 200 rows (docs/performance.md).
ROWS_PER_THREAD = 512

_AUTORESET = {
    AutoresetMode.NEXT_STEP: batch.NEXT_STEP,
    AutoresetMode.SAME_STEP: batch.SAME_STEP,
    AutoresetMode.DISABLED: batch.DISABLED,
}

# The functions `_advance`, `_act_at_once` and `_choose` of `TableArrays`.
_Calls = tuple[Callable[[int, npt.NDArray[np.int64]], int], Callable[[], int] | None, Callable[[], None]]

_NO_WORDS = np.zeros((0, 0), np.int64)  # for tables without histories

_MOST_BOUND = 4  # number of stored calls; each keeps its arrays alive

# The arguments that create arrays which not all tables have.
_MADE_BY = {
    "history": "history=K, the number of events",
    "features": 'observation="features"',
    **dict.fromkeys(("cards", "melds", "table", "rules"), 'observation="cards"'),
}

# The private attributes in a pickle of `Tables`; `_link` and `__setstate__` restore the others.
_KEPT = ("_states", "_controls", "_final_states", "_seating", "_variants", "_dealt", "_broken", "_logs", "_final_logs")


class TableArrays:
    """The arrays of `banakil_env.envs.vector.Tables`, whose constructor creates them."""

    game: Game
    form: str
    length: int
    num_tables: int
    autoreset: AutoresetMode
    threads: int
    dice: npt.NDArray[Any]
    generators: npt.NDArray[Any]
    chosen: npt.NDArray[np.int64]
    _states: npt.NDArray[Any]
    _final_states: npt.NDArray[Any]
    _controls: npt.NDArray[Any]
    _seats_at: npt.NDArray[np.int64]
    _logs: npt.NDArray[np.int64]
    _final_logs: npt.NDArray[np.int64]
    _variants: list[Variants | None] | None
    _seating: Seating
    _dealt: bool
    _broken: bool

    # Arrays that a step writes.
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

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise absent(self, name)

    @property
    def seen(self) -> Any:
        """The observations of the seats to move, in the chosen form; with a history, a dict that contains it too.

        These are `observations`, a dict of views into them, `features`, or a dict of `cards`, `melds`, `table` and
        `rules`. In the form "dict", an array is a copy if PyTorch could not use a view: records are packed, so the
        distance between two tables is not always a multiple of the size of a number.
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
        """The observations as in `seen`, in new arrays that no step overwrites."""
        if self.form == CARDS:
            seen = {name: array.copy() for name, array in self._seen.items()}
        elif self.form != DICT:
            seen = self._seen.copy()
        else:
            seen = named_arrays(self.game, self.observations.copy())
            seen |= {name: seen[name].copy() for name in self._astride}
        return with_history(self.form, seen, self.history.copy()) if self.length else seen

    def buffer_specs(self) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
        """The shape and dtype of each array that a step writes, by name."""
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
        """Write into these arrays from the next step on (for example into a rollout); the other arrays are not
        replaced.

        Args:
            buffers: arrays by name, see `buffer_specs`.

        Raises:
            TypeError, ValueError: there is no array of this name, or its shape, dtype or layout is wrong.
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
        """Do the same as `write_into` without checks, for arrays that it has accepted before."""
        for name, array in buffers.items():
            setattr(self, name, array)
        self._look_at_buffers()

    # The compiled loop ------------------------------------------------------------------------------------------------

    def _run(self, order: int, rows: npt.NDArray[np.int64]) -> int:
        """Call `advance` with an order such as ACT for these rows, on several threads if that is faster.

        Returns the number of failed rows.
        """
        if len(rows) < 2 * ROWS_PER_THREAD:
            return self._advance(order, rows)

        def part(first: int, last: int) -> int:
            return self._advance(order, rows[first:last])

        return sum(in_parts(part, len(rows), self.threads, ROWS_PER_THREAD))

    def _link(self) -> None:
        """Create the derived attributes: views, small arrays, the bound compiled functions."""
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
        """Update everything that refers to the arrays of a step, after some of them were replaced."""
        self._records = self.observations.reshape(-1).view(self.game.observation)
        self._bind()
        self._named = named_arrays(self.game, self.observations) if self.form == DICT else {}
        self._astride = [name for name, array in self._named.items() if array.strides[0] % array.itemsize]

    def _bind(self) -> None:
        """Bind the compiled functions to their arrays, so that arrays are checked once: half the time of a step of one
        table.

        `_advance(order, rows)` is the loop. `_act_at_once()` is the loop for the actions of all rows, or None if they
        take more than one call. `_choose()` chooses random actions. Bound functions are stored, because users can
        alternate between two sets of arrays.
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

    def _check_records(
        self, states: npt.NDArray[Any], controls: npt.NDArray[Any], dealt: bool = True
    ) -> npt.NDArray[np.int64]:
        """Check state and control records, and return the number of players at each table.

        Args:
            states: the states; if not `dealt`, they hold only the rules.
            controls: the control records, one per state.
            dealt: whether cards have been dealt.

        Raises:
            BadState: records that are not from a batch of this game.
        """
        (check_states if dealt else check_blanks)(self.game, states)
        num_seats = np.array([num_seats_of(self.game, state) for state in states], np.int64)
        check_places(self._seating.places, num_seats)
        check_controls(self.game, controls, num_seats, len(self._seating.players))
        return num_seats

    def _check_rows(self, rows: npt.ArrayLike, repeated: bool = False) -> npt.NDArray[np.int64]:
        """The numbers of the rows, int64 (k,); see `checked_rows`."""
        return checked_rows(rows, self.num_tables, repeated)

    # Pickles ----------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the attributes that `_link` creates; a game of the package is stored by its name."""
        kept = {name: value for name, value in vars(self).items() if name in _KEPT or name[0] != "_"}
        return {**kept, "game": to_pickle(self.game)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Restore pickled tables. They are checked as in `restore`: a pickle can have been changed or be outdated.

        Raises:
            BadState: records that are not positions of the game, or that a batch cannot have written.
            ValueError, TypeError: an array that does not fit the others.
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


def absent(tables: object, name: str) -> AttributeError:
    """The error for an attribute that tables do not have; for an array, it names the argument that creates it."""
    kind = type(tables).__name__
    said = f"{kind!r} object has no attribute {name!r}"
    if name in _MADE_BY:
        said = f"these tables have no array {name!r}: make them with {kind}(..., {_MADE_BY[name]})"
    return AttributeError(said, name=name, obj=tables)


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view
