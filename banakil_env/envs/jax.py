"""A table as pure functions of JAX arrays: `init` and `step` under `jit`, `vmap` and `scan`.

    env = JaxTable("gin", opponents="greedy", observation="features")
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), 1024))
    states = jax.jit(jax.vmap(env.step))(states, actions)      # a legal action for each table, from your network

A state is a pytree. Names are those of Pgx if they have the same meaning. The rules run on the processor, in the same
machine code as in `Tables`: under `vmap`, one call steps all tables (`envs.jax_calls`). docs/plugins/jax.md is the
guide.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.core.batch import choose_randomly, control_dtype
from banakil_env.core.game import Game
from banakil_env.core.install import libraries_of
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.players import players_of
from banakil_env.core.random import check_seed
from banakil_env.core.views import card_views_of
from banakil_env.envs.arguments import check_flag, check_names, checked_autoreset, new_tables, seating_number
from banakil_env.envs.forms import CARDS, FEATURES, RECORD, check_form
from banakil_env.envs.opponents import Opponents, name_of, seat_opponents, without_caller
from banakil_env.games import DEFAULT_GAME, find, to_pickle

with libraries_of("jax", "banakil_env.envs.jax"):
    import jax
    import jax.numpy as jnp

    from banakil_env.envs.jax_calls import CONSTANT, COPIED, COUNT, GIVEN, MADE, NOTHING, NUMBER, ROWS, Call, Word

_AUTORESET = {AutoresetMode.NEXT_STEP: batch.NEXT_STEP, AutoresetMode.SAME_STEP: batch.SAME_STEP}
_FORMS = (RECORD, FEATURES, CARDS)
_FAILED = (
    "were given an illegal action, or a compiled player failed there: choose actions where legal_action_mask is true; "
    'with illegal="report", `refused` of the state says which tables have not changed'
)
_MADE_LATER = ("state_spec", "_cards", "_features")
_64_BITS = jax.ShapeDtypeStruct((2,), jnp.int32)  # a 64-bit integer, the low bits first


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class State:
    """A table after `init` or `step`. Under `vmap`, the first dimension of every array is the number of tables.

    Attributes:
        observation: the observation of the seat to move: uint8 (bytes,), float32 (width,), or a dict of float32 arrays.
        legal_action_mask: bool (actions,), the legal actions of the seat to move.
        rewards: float32 (seats,), the rewards of all seats; 0 except in the step that ends an episode.
        terminated, truncated: bool, whether the episode has ended in this step, and in which way.
        current_player: int32, the seat to move; -1 if the episode is over and the next step will deal.
        learner: int32, the learner's seat; -1 if there is no learner and the caller plays every seat.
        payoff: float32, the learner's reward in this step, even if the next episode has another learner's seat.
        refused: bool, whether the action was illegal; then the table has not changed.
        table: uint8, the record of the game. It contains the hidden cards: no policy should get it.
        control, dice: uint8, the players and the last result, and the generator of the compiled players.
        final: uint8, the record at the end of the last episode that has ended.
    """

    observation: Any
    legal_action_mask: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    current_player: jax.Array
    learner: jax.Array
    payoff: jax.Array
    refused: jax.Array
    table: jax.Array
    control: jax.Array
    dice: jax.Array
    final: jax.Array


class JaxTable:
    """One table of a game; `vmap` makes many tables of it.

    Args:
        game: the name of the game.
        opponents: None: the caller plays every seat. Otherwise the compiled players of the other seats, which move
            inside `step`: one for all, a tuple with one for each, or a list as a pool (`envs.opponents`).
        seat, reward, reward_scale, truncate_at_limit: see `Tables`.
        observation: "record", "features" or "cards". The form "dict" and histories are only available in `Tables`.
        autoreset: the observation after the end of an episode. SAME_STEP: of the next deal. NEXT_STEP: of the end; then
            the next step deals and ignores its action.
        illegal: "raise": an illegal action is an error of the computation. "report": it is only reported in `refused`.
        options: options of the table: num_players, rules, ...

    Attributes:
        game: the game.
        num_players: the number of players.
        num_actions: the number of actions.
        state_spec: a `State` of `jax.ShapeDtypeStruct`.

    Raises:
        ValueError, TypeError: an argument that does not exist or is invalid. Rules that are drawn for each episode and
            players in Python are invalid, because compiled computations cannot call Python.
    """

    def __init__(
        self,
        game: str | Game = DEFAULT_GAME,
        *,
        opponents: Opponents | None = None,
        seat: int | str | None = None,
        reward: str = "margin",
        reward_scale: str = "points",
        truncate_at_limit: bool = False,
        observation: str = RECORD,
        autoreset: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        self.game = find(game)
        check_names(JaxTable, self.game, options)
        self.form = check_form(observation, _FORMS)
        self.autoreset = checked_autoreset(autoreset)
        if self.autoreset not in _AUTORESET:
            raise ValueError("autoreset must be 'SameStep' or 'NextStep': a step under vmap steps every table")
        if illegal not in ("raise", "report"):
            raise ValueError(f"illegal must be 'raise' or 'report', not {illegal!r:.80}")
        self._failed = _FAILED if illegal == "raise" else ""
        self._blank, seats_at, rewards, variants = new_tables(
            self.game, 1, {"reward": reward, "reward_scale": reward_scale, **options}
        )
        if variants is not None:
            raise ValueError(
                "rules that are drawn for each episode need Python: make a JaxTable for each of the rules, or use "
                "banakil_env.envs.vector.Tables"
            )
        seating = seat_opponents(without_caller(opponents), self.game)
        if seating.players:
            raise ValueError(
                f"{', '.join(map(name_of, seating.players))}: inside a compiled computation only compiled players "
                f"move, {', '.join(self.game.kinds)}; without opponents, your function plays every seat"
            )
        self._opponents = seating.choices
        self.num_players, self.num_actions = int(seats_at[0]), self.game.num_actions
        control = np.zeros(1, control_dtype(self.game.max_seats))
        control["reward"] = rewards
        control["truncates"] = check_flag("truncate_at_limit", truncate_at_limit)
        control["seating"] = seating_number(seat, opponents, seating.places, seats_at)
        control["learner"] = control["last_learner"] = control["acted"] = batch.NOBODY
        control["players"] = batch.CALLER
        self._control = control

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made at first use, because it refers to machine code of this process."""
        kept = {name: value for name, value in vars(self).items() if name not in _MADE_LATER}
        return kept | {"game": to_pickle(self.game)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.game = find(self.game)

    @property
    def observation_spec(self) -> Any:
        """The shape and dtype of an observation, a `jax.ShapeDtypeStruct`; for "cards" a dict of these by name."""
        if self.form == CARDS:
            return {name: jax.ShapeDtypeStruct(shape, jnp.float32) for name, shape in self.game.cards.shapes.items()}
        if self.form == FEATURES:
            return jax.ShapeDtypeStruct((self.game.features.width,), jnp.float32)
        return _bytes_of(self.game.observation)

    @functools.cached_property
    def state_spec(self) -> State:
        """A `State` that contains shapes and dtypes."""
        found: State = jax.eval_shape(self.from_seed, jax.ShapeDtypeStruct((2,), jnp.uint32))
        return found

    def init(self, key: jax.Array) -> State:
        """The first state of an episode, from a key of `jax.random`."""
        return self.from_seed(jax.random.bits(key, (2,), jnp.uint32))

    reset = init

    def from_seed(self, seed: jax.Array) -> State:
        """The first state of the game with this seed; the deal is the same as in other environments.

        Args:
            seed: uint32 (2,), the low 32 bits first; `seed_words` makes it from a number.
        """
        made = self._advance(batch.DEAL_FROM_SEED)(
            _constant(self._blank),
            _constant(self._control),
            _constant(np.zeros(1, GENERATOR)),
            _constant(np.zeros(1, self.game.state)),
            jax.lax.bitcast_convert_type(seed, jnp.int32),
        )
        return self._state(made)

    def step(self, state: State, action: jax.Array) -> State:
        """Carry out an action of the seat to move, and let the opponents move until the caller is to move again.

        Args:
            state: the state, which is not changed.
            action: a whole number that is legal by `state.legal_action_mask`.

        Raises:
            TypeError: the action is not a single whole number.
        """
        number = _whole_number(action)
        words = jnp.stack([number, number >> 31], -1)
        made = self._advance(batch.ACT)(state.table, state.control, state.dice, state.final, words)
        return self._state(made)

    def random_action(self, key: jax.Array, legal_action_mask: jax.Array) -> jax.Array:
        """A random legal action, int32, all equally likely; 0 if no action is legal."""
        generator = jax.lax.bitcast_convert_type(jax.random.bits(key, (4,), jnp.uint32), jnp.uint8).reshape(-1)
        words = (Word(GIVEN, 1), Word(COPIED, 0, 0), Word(MADE, made=1))
        call = Call(choose_randomly, words, (_bytes_of(GENERATOR), _64_BITS), sizes={"actions": self.num_actions})
        return call(generator, legal_action_mask)[1][..., 0]

    # Inside ----------------------------------------------------------------------------------------------------------

    @functools.cache  # noqa: B019 - an environment and its compiled code usually exist as long as the process
    def _advance(self, order: int) -> Call:
        """The call of the batch loop `advance` (`core.batch`) with this order, such as ACT.

        Its inputs are table, control, dice, final and a 64-bit number. Its outputs are the first four of these,
        followed by the other arrays of a step.
        """
        game = self.game
        records = (game.state, self._control.dtype, GENERATOR, game.state)
        made = (
            *map(_bytes_of, records),
            _bytes_of(game.observation),
            jax.ShapeDtypeStruct((game.num_actions,), jnp.bool_),
            jax.ShapeDtypeStruct((game.max_seats,), jnp.float32),
            jax.ShapeDtypeStruct((), jnp.bool_),
            jax.ShapeDtypeStruct((), jnp.bool_),
            _64_BITS,
        )
        table, control, dice, final = (Word(COPIED, i, i) for i in range(4))
        numbers = Word(NUMBER, order), Word(NUMBER, _AUTORESET[self.autoreset])
        filled = (Word(MADE, made=i) for i in range(4, 10))
        opponents = Word(CONSTANT, array=self._opponents)
        words = (*numbers, table, control, dice, opponents, Word(GIVEN, 4), Word(ROWS), *filled, final)
        features, histories = (Word(NOTHING),) * 3, (Word(NOTHING),) * 5
        sizes = {"choices": self._opponents.shape[1], "shown": 0, "kept": 0, "log": 0, "words": 0}
        return Call(players_of(game).advance, (*words, *features, *histories), made, sizes=sizes, failed=self._failed)

    @functools.cached_property
    def _cards(self) -> Call:
        made = tuple(jax.ShapeDtypeStruct(shape, jnp.float32) for shape in self.game.cards.shapes.values())
        filled = (Word(MADE, made=i) for i in range(len(made)))
        words = (Word(GIVEN, 0), Word(GIVEN, 0), Word(ROWS), *filled, Word(NUMBER, 0), Word(COUNT))
        return Call(card_views_of(self.game).write_cards, words, made)

    @functools.cached_property
    def _features(self) -> Call:
        game = self.game
        made = (
            jax.ShapeDtypeStruct((game.features.width,), jnp.float32),
            jax.ShapeDtypeStruct((game.features.max_depth,), jnp.uint8),
        )
        filled = Word(MADE, made=0), Word(MADE, made=1)
        words = (Word(GIVEN, 0), Word(GIVEN, 0), Word(ROWS), *filled, Word(NUMBER, 0), Word(COUNT))
        return Call(kernels_of(game).write_rows, words, made)

    def _seen(self, observation: jax.Array) -> Any:
        """An observation in the chosen form, from the bytes of its record."""
        if self.form == CARDS:
            return dict(zip(self.game.cards.shapes, self._cards(observation), strict=True))
        return self._features(observation)[0] if self.form == FEATURES else observation

    def _state(self, made: list[jax.Array]) -> State:
        table, control, dice, final, observation, mask, rewards, terminated, truncated, seat = made
        return State(
            observation=self._seen(observation),
            legal_action_mask=mask,
            rewards=rewards[: self.num_players],
            terminated=terminated,
            truncated=truncated,
            current_player=seat[0],
            learner=self._in_control(control, "learner").astype(jnp.int32),
            payoff=self._in_control(control, "payoff"),
            refused=self._in_control(control, "refused") != 0,
            table=table,
            control=control,
            dice=dice,
            final=final,
        )

    def _in_control(self, control: jax.Array, name: str) -> jax.Array:
        """A field of a control record, by name."""
        assert self._control.dtype.fields is not None
        kind, offset, *_ = self._control.dtype.fields[name]
        cells = control[offset : offset + kind.itemsize]
        return jax.lax.bitcast_convert_type(cells if kind.itemsize > 1 else cells[0], kind)


def seed_words(seed: int) -> np.ndarray[Any, np.dtype[np.uint32]]:
    """A seed in the form that `JaxTable.from_seed` takes, uint32 (2,).

    Raises:
        ValueError: not a whole number from 0 to 2**64 - 1.
    """
    return np.array([check_seed(seed)], np.uint64).view(np.uint32)


def _whole_number(action: Any) -> jax.Array:
    """The action of one table, int32.

    Raises:
        TypeError: not a single whole number.
    """
    number = jnp.asarray(action)
    if number.shape or not jnp.issubdtype(number.dtype, jnp.integer):
        many = "; jax.vmap(env.step) takes an action for each of many tables" if number.shape else ""
        raise TypeError(f"action must be one whole number, not {number.dtype} of shape {number.shape}{many}")
    return number.astype(jnp.int32)


def _bytes_of(dtype: np.dtype[Any]) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct((dtype.itemsize,), jnp.uint8)


def _constant(record: np.ndarray[Any, Any]) -> jax.Array:
    """The bytes of an array of one record, as a JAX array."""
    return jnp.asarray(record.view(np.uint8).reshape(-1))
