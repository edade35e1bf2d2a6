"""The Gymnasium environment: the learner has one seat, and `step` makes the moves of the other seats.

    import gymnasium, banakil_env
    env = gymnasium.make("rummy/Banakil-v0", opponents="random", num_players=4)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

The argument `observation` selects the form of observations (`envs.forms`). The legal actions are in
`info["action_mask"]` and in `action_masks()`, which sb3-contrib uses. The action space samples legal actions only. The
learner moves several times in a row: a turn is a draw, plays, and a discard. With compiled opponents, a step is one
compiled call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from banakil_env.core.game import Game
from banakil_env.core.kernels import refusal
from banakil_env.envs.arguments import (
    check_names,
    checked_action,
    checked_autoreset,
    checked_position,
    partners_of,
    reset_rows,
)
from banakil_env.envs.forms import CARDS, FEATURES, in_form, observation_space, with_history
from banakil_env.envs.opponents import Opponents, Player, without_caller
from banakil_env.envs.pictures import (
    RENDER_FPS,
    RENDER_MODES,
    Screen,
    check_render_mode,
    check_render_seat,
    picture,
    viewer_of,
)
from banakil_env.envs.two_sets import TwoSets
from banakil_env.envs.vector import IllegalActions, Tables
from banakil_env.games import DEFAULT_GAME, find
from banakil_env.render import as_svg


class LegalActions(spaces.Discrete):
    """The space of all actions; `sample()` without a mask returns a legal action, so random play stays legal.

    If a caller seeds the space in the middle of an episode, the next sample is legal at the beginning of the episode
    with the same seed: Gymnasium's checker seeds the space and then resets with that seed.
    """

    def __init__(self, env: SingleEnv) -> None:
        super().__init__(env.tables.game.num_actions)
        self.env: SingleEnv | None = env
        self._opening: npt.NDArray[np.int8] | None = None

    def seed(self, seed: Any = None) -> Any:
        """Seed the samples; in the middle of an episode, the next sample is then legal after `reset(seed=seed)`."""
        if self.env is not None and isinstance(seed, int):
            self._opening = self.env.legal_at_start(seed)
        return super().seed(seed)

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> np.int64:
        """A random legal action; with a mask or probabilities, a sample as in Gymnasium."""
        if mask is None and probability is None and self.env is not None:
            legal = self.env.tables.masks[0] if self._opening is None else self._opening
            mask = legal if legal.any() else None
        self.forget_opening()
        return super().sample(mask, probability)

    def forget_opening(self) -> None:
        """Make samples legal for the current state of the table; called after each reset and step."""
        self._opening = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the environment, since a saved model contains its action space."""
        return {**vars(self), "env": None, "_opening": None}


class SingleEnv(gymnasium.Env[Any, np.int64]):
    """One table with one learner.

    `info` contains `action_mask` and `seat`, in games with partners `partner` (a seat), and at the end of the episode
    the game's result for the learner. An episode that ends before the learner's first decision is dealt again at once.

    `step` raises IllegalActions for an illegal action, and IllegalAction for a value that is not an action; then
    nothing has changed. It raises OpponentError if an opponent fails.

    Args:
        opponents: the players at the other seats (`envs.opponents`): "random", ..., a player, or any callable. A
            callable gets {"observation": ..., "action_mask": ...} of the seat to move, with the observation in the form
            of the learner's observations, and returns an action. A tuple has one opponent for each other seat, in the
            order of play after the learner. A list is a pool, from which each seat draws in every episode.
        seat: the learner's seat: a number, "rotating" (the next seat in every episode, the first depends on the seed),
            or "random".
        reward: "margin", "points" or "win"; given at the end of the episode.
        reward_scale, truncate_at_limit: see `Tables`.
        observation: the form of observations: "features", "record", "dict" or "cards".
        history: the number of past events in an observation, 0 to 256 (docs/memory.md). The observation is then a dict
            with the array `history`, uint8 (history, 8).
        render_mode: the result of `render()` (`envs.pictures`): None, "ansi", "svg", "rgb_array" or "human". **All
            hands are shown** unless `render_seat` is set: do not give such a picture to a player.
        render_seat: the view that is drawn: a seat, "agent" for the learner, or None for all hands face up.
        game: the name of the game.
        options: options of the game (num_players, rules, ...). `rules` can also be a list or a callable from which the
            rules of each episode are drawn (`envs.variants`).
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012 - as in Gymnasium

    def __init__(
        self,
        opponents: Opponents = "random",
        seat: int | str = "rotating",
        reward: str = "margin",
        reward_scale: str = "points",
        truncate_at_limit: bool = False,
        observation: str = FEATURES,
        history: int = 0,
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        game: str | Game = DEFAULT_GAME,
        **options: Any,
    ) -> None:
        check_names(SingleEnv, find(game), options)
        self.render_mode = check_render_mode(render_mode)
        self.tables = Tables(
            1,
            opponents=_as_batch_players(without_caller(opponents)),
            seat=seat,
            reward=reward,
            reward_scale=reward_scale,
            truncate_at_limit=truncate_at_limit,
            observation=observation,
            history=history,
            autoreset=AutoresetMode.DISABLED,
            threads=1,
            game=game,
            **options,
        )
        self.observation_space = observation_space(self.game, observation, self.tables.length)
        self.action_space: LegalActions = LegalActions(self)
        self.render_seat = check_render_seat(render_seat, self.tables.num_seats)
        self._partners: tuple[int, ...] = ()
        self._moved = False
        self._action = np.zeros(1, np.int64)
        self._screen = Screen() if render_mode == "human" else None

    @property
    def game(self) -> Game:
        """The game. For example, `env.unwrapped.game.actions.text(action)` is the text of an action."""
        return self.tables.game

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new episode, dealt from `seed` or the current generator, and play to the learner's first decision.

        Args:
            seed: 0..2**64 - 1, or None.
            options: with `{"position": position}`, the episode begins from a state record or its text instead of a
                deal, with the state's rules and generator; the seed then only determines the learner's seat and the
                opponents' dice. Other keys are ignored.
        """
        super().reset(seed=seed)
        if options is not None and "position" in options:
            position = checked_position(self.tables.game, options["position"], self.tables.num_seats).copy()
            self.tables.reset(seed)
            self.tables.begin_from(position)
        else:
            self.tables.reset(seed)
        self._partners = partners_of(self.tables.game, self.tables.states[0])
        self.action_space.forget_opening()
        self._moved = False
        self._show()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action and all moves of the opponents, until the learner is to move or the episode is
        over.
        """
        tables = self.tables
        self._action[0] = checked_action(tables.game, action)
        self.action_space.forget_opening()
        self._moved = True
        try:
            tables.step(self._action)
        except IllegalActions as error:
            why = refusal(tables.game, tables.states[0], int(action))
            raise IllegalActions(why, error.rows, error.actions) from None
        self._show()
        terminated, truncated = bool(tables.terminations[0]), bool(tables.truncations[0])
        info = self._info()
        if terminated or truncated:
            info |= tables.result(0, int(tables.controls["last_learner"][0]))
        return self._observation(), float(tables.payoffs[0]), terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's legal actions, bool (actions,); all False after the end."""
        return cast("npt.NDArray[np.bool_]", self.tables.masks[0] != 0)

    def render(self) -> Any:
        """Draw the table in the mode `render_mode` as `render_seat` sees it, and return the picture.

        Returns None for "human", after redrawing the window, and if there is no mode.
        """
        self._show()
        if self.render_mode in (None, "human"):
            return None
        return picture(self.tables.game, self.tables.states[0], str(self.render_mode), self._viewer())

    def close(self) -> None:
        """Close the window if there is one."""
        if self._screen is not None:
            self._screen.close()

    def _show(self) -> None:
        if self._screen is not None:
            self._screen.show(self.tables.game, self.tables.states[0], self._viewer())

    def _viewer(self) -> int | None:
        return viewer_of(self.tables, 0, self.render_seat)

    def _repr_svg_(self) -> str:
        """The table as SVG, for notebooks."""
        return as_svg(self.tables.game, self.tables.states[0], self._viewer())

    def legal_at_start(self, seed: int) -> npt.NDArray[np.int8] | None:
        """The legal actions after `reset(seed=seed)`; the current episode is restored afterwards.

        None if the learner has not moved yet in the current episode, which is then still at its beginning.
        """
        if not self._moved:
            return None
        now = self.tables.snapshot()
        self.tables.reset(seed)
        legal = self.tables.masks[0].copy()
        self.tables.restore(now)
        return legal

    def _observation(self) -> Any:
        tables = self.tables
        if tables.form == FEATURES:
            seen = tables.features[0].copy()
        elif tables.form == CARDS:
            seen = {name: getattr(tables, name)[0].copy() for name in tables.game.cards.shapes}
        else:
            seen = in_form(tables.game, tables.form, tables.observations[0].copy())
        return with_history(tables.form, seen, tables.history[0].copy()) if tables.length else seen

    def _info(self) -> dict[str, Any]:
        seat = int(self.tables.learners[0])
        info = {"action_mask": self.tables.masks[0].copy(), "seat": seat}
        return info | {"partner": self._partners[seat]} if self._partners else info

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Restore a pickled environment or a copy, and connect its action space to it."""
        vars(self).update(kept)
        self.action_space.env = self


class _BatchOfOne:
    """Adapts a player that decides about one observation, so that it can be called with a batch."""

    def __init__(self, player: Callable[[dict[str, Any]], Any]) -> None:
        self.player = player
        self.observation = getattr(player, "observation", None)
        self.__qualname__ = getattr(player, "__qualname__", repr(player))

    def __call__(self, observations: Any, masks: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
        rows = enumerate(masks)
        return np.array(
            [self.player({"observation": _row(observations, row), "action_mask": mask}) for row, mask in rows]
        )


def _row(observations: Any, row: int) -> Any:
    """One observation of a batch, in any form."""
    if isinstance(observations, dict):
        return {name: array[row] for name, array in observations.items()}
    return observations[row]


def _as_batch_players(opponents: Any) -> Any:
    if isinstance(opponents, (tuple, list)):
        return type(opponents)(_as_batch_players(opponent) for opponent in opponents)
    return _BatchOfOne(opponents) if callable(opponents) and not isinstance(opponents, Player) else opponents


class LegalActionsOfAll(spaces.MultiDiscrete):
    """The space of the actions of all tables; `sample()` without a mask returns a legal action for each table.

    In a row without legal actions, whose episode is over, the sample is 0.
    """

    def __init__(self, env: BatchEnv) -> None:
        super().__init__(np.full(env.num_envs, env.tables.game.num_actions))
        self.env: BatchEnv | None = env

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> npt.NDArray[Any]:
        """Random legal actions; with a mask or probabilities, a sample as in Gymnasium."""
        if mask is not None or probability is not None or self.env is None or not self.env.tables.masks.any():
            return super().sample(mask, probability)
        legal = self.env.tables.masks
        chosen = (self.np_random.random(len(legal)) * legal.sum(axis=1)).astype(np.int64)
        return np.argmax(np.cumsum(legal, axis=1, dtype=np.int32) > chosen[:, None], axis=1).astype(self.dtype)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the environment, since a saved model contains its action space."""
        return {**vars(self), "env": None}


class BatchEnv(gymnasium.vector.VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many tables with one learner at each, made by `gymnasium.make_vec("rummy/Banakil-v0", num_envs)`.

    The infos contain `action_mask`, int8 (n, actions), and the learners' `seat`, int64 (n,). In a row whose episode is
    over and awaits reset, the mask is all zero. For rows whose episode has ended in this step, the infos also contain
    the game's result, each key with its row mask (`points` with `_points`), as usual in Gymnasium.

    The action space samples legal actions only. Row i plays like SingleEnv with the seed `tables.seeds[i]`.

    Args:
        num_envs: the number of tables, 1 or more.
        autoreset_mode: an AutoresetMode (or its value); None: NEXT_STEP. With SAME_STEP the infos contain `final_obs`
            and `final_info`. With DISABLED, `reset(options={"reset_mask": ...})` deals again.
        autoreset: another name of `autoreset_mode`, which `Tables` uses.
        copy: True: returned arrays are copies, which no later step changes. False: they are the environment's arrays,
            which the step (or reset) after the next overwrites. `tables` refers to these arrays too.
        render_mode, render_seat: see SingleEnv.
        opponents: see SingleEnv, except that callables take (observations, masks) of k tables and return k actions.
        observation: the form of observations: "features", "record", "dict" or "cards". The first axis of every array is
            the table.
        history: see SingleEnv; the array has the shape (tables, history, 8).
        seat, reward, reward_scale, truncate_at_limit, threads, game, options: see `Tables`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponents = "random",
        seat: int | str = "rotating",
        reward: str = "margin",
        reward_scale: str = "points",
        truncate_at_limit: bool = False,
        observation: str = FEATURES,
        history: int = 0,
        autoreset_mode: AutoresetMode | str | None = None,
        autoreset: AutoresetMode | str | None = None,
        copy: bool = True,
        threads: int | None = None,
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        game: str | Game = DEFAULT_GAME,
        **options: Any,
    ) -> None:
        check_names(BatchEnv, find(game), options)
        if autoreset_mode is not None and autoreset is not None:
            raise ValueError("autoreset and autoreset_mode are two names of one argument: give one of them")
        name, mode = ("autoreset", autoreset) if autoreset_mode is None else ("autoreset_mode", autoreset_mode)
        self.render_mode = check_render_mode(render_mode)
        self.tables = Tables(
            num_envs,
            opponents=without_caller(opponents),
            seat=seat,
            reward=reward,
            reward_scale=reward_scale,
            truncate_at_limit=truncate_at_limit,
            observation=observation,
            history=history,
            autoreset=AutoresetMode.NEXT_STEP if mode is None else checked_autoreset(mode, name),
            threads=threads,
            game=game,
            **options,
        )
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS, **self.tables.metadata}
        self.num_envs = self.tables.num_tables
        self.single_observation_space = observation_space(self.game, observation, self.tables.length)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space: LegalActionsOfAll = LegalActionsOfAll(self)
        self.copy = copy
        self._sets = None if copy else TwoSets(self.tables)
        self.render_seat = check_render_seat(render_seat, int(self.tables.seats_at.min()))
        self._screen = Screen() if render_mode == "human" else None

    @property
    def game(self) -> Game:
        """The game. For example, `env.unwrapped.game.actions.text(action)` is the text of an action."""
        return self.tables.game

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes at all tables, or where `options["reset_mask"]` is true; seeds as in `Tables.reset`."""
        rows = reset_rows(options, self.num_envs)
        if rows is not None and isinstance(seed, list):
            seed = [one for one, chosen in zip(seed, rows) if chosen]
        if self._sets is not None:
            self._sets.swap(some_rows=rows is not None)
        self.tables.reset(seed, rows)
        self._show()
        return self._seen(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Any,
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Carry out the learners' actions and all moves of the opponents, until a learner is to move or the episode is
        over.
        """
        tables = self.tables
        if self._sets is not None:
            self._sets.swap()
        tables.step(actions)
        self._show()
        return self._seen(), tables.payoffs.copy(), tables.terminations.copy(), tables.truncations.copy(), self._info()

    def _seen(self) -> Any:
        return self.tables.seen_copy() if self.copy else self.tables.seen

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learners' legal actions, bool (num_envs, actions)."""
        masks = self.tables.masks.view(np.bool_)
        return masks.copy() if self.copy else masks

    def render(self) -> tuple[Any, ...] | None:
        """Draw every table in the mode `render_mode` as `render_seat` sees it, and return the pictures.

        Returns None for "human", after redrawing the window, which shows the first table; and if there is no mode.
        """
        self._show()
        if self.render_mode in (None, "human"):
            return None
        return tuple(
            picture(self.tables.game, state, str(self.render_mode), viewer_of(self.tables, row, self.render_seat))
            for row, state in enumerate(self.tables.states)
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window if there is one."""
        if self._screen is not None:
            self._screen.close()

    def _show(self) -> None:
        if self._screen is not None:
            self._screen.show(self.tables.game, self.tables.states[0], viewer_of(self.tables, 0, self.render_seat))

    def _info(self) -> dict[str, Any]:
        tables = self.tables
        every = np.ones(self.num_envs, np.bool_)
        info: dict[str, Any] = {
            "action_mask": tables.masks.copy() if self.copy else tables.masks,
            "_action_mask": every,
            "seat": tables.learners.astype(np.int64),
            "_seat": every.copy(),
        }
        ended = tables.terminations | tables.truncations
        if not ended.any():
            return info
        seats = tables.controls["last_learner"]
        results: dict[str, Any] = {}
        for row in np.flatnonzero(ended):
            results = self._add_info(results, tables.result(int(row), int(seats[row])), int(row))
        if tables.autoreset is not AutoresetMode.SAME_STEP:
            return info | results
        results |= {"seat": np.where(ended, seats, 0).astype(np.int64), "_seat": ended.copy()}
        final = np.empty(self.num_envs, object)
        for row in np.flatnonzero(ended):
            final[row] = tables.final_observation(int(row), int(seats[row]))
        return info | {"final_obs": final, "_final_obs": ended, "final_info": results, "_final_info": ended.copy()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Restore a pickled environment or a copy, and connect its action space to it."""
        vars(self).update(kept)
        self.action_space.env = self
