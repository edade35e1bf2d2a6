"""Stable-Baselines3 on the batch engine: a `VecEnv` without subprocesses, with one learner at each table.

    from sb3_contrib import MaskablePPO
    from banakil_env.envs.sb3 import TablesVecEnv
    env = TablesVecEnv(64, opponents=["random", frozen(earlier_model)], reward="win")
    MaskablePPO("MlpPolicy", env).learn(100_000)

Use `MultiInputPolicy` with `observation="dict"`. `envs.opponents` describes opponents; `frozen(model)` makes an
opponent from a trained model. SB3 copies observations into its rollouts, so `copy=False` saves a second copy.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core.game import Game
from banakil_env.core.install import libraries_of
from banakil_env.core.random import check_seed, seeds_of_rows
from banakil_env.envs.arguments import check_names
from banakil_env.envs.forms import FEATURES, RECORD, form_of, in_form, observation_space
from banakil_env.envs.opponents import Opponents, without_caller
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
from banakil_env.envs.vector import Tables
from banakil_env.games import DEFAULT_GAME, find

with libraries_of("train", "banakil_env.envs.sb3"):
    from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn


def frozen(
    model: Any, deterministic: bool = False, game: str | Game = DEFAULT_GAME
) -> Callable[..., npt.NDArray[np.int64]]:
    """A trained maskable model of sb3-contrib as an opponent, for every form of observation.

    Args:
        model: the model.
        deterministic: whether it always plays its likeliest action.
        game: the game of the model.

    Raises:
        ValueError: the model is for another game; the message names it.
    """
    found = find(game)
    try:
        form = form_of(found, model.observation_space)
    except ValueError as error:
        raise ValueError(
            f"the model does not play {found.name}: {error}; name its game: frozen(model, game=...)"
        ) from None

    def play(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        seen = in_form(found, form, observations)
        actions, _ = model.predict(seen, action_masks=masks, deterministic=deterministic)
        return np.asarray(actions, np.int64)

    play.observation = RECORD  # type: ignore[attr-defined]  # independent of the learner's form
    play.__qualname__ = f"frozen({type(model).__name__})"
    return play


class TablesVecEnv(VecEnv):
    """Many tables for Stable-Baselines3, with one learner at each.

    When an episode ends, the info of that table contains `episode` (r, l and t, as from a Monitor), the game's result
    for the learner, `terminal_observation` and `TimeLimit.truncated`. The last is true only if `truncate_at_limit=True`
    was given and the episode has reached a limit of turns or rounds; SB3 then adds the value of `terminal_observation`
    to the reward. The other infos are empty dicts. With `copy=False` they are the same dicts in every step, so do not
    write to them.

    Args:
        num_envs: the number of tables, or a dict of options for each.
        opponents, seat, reward, reward_scale, truncate_at_limit, history, threads, game, options: see `Tables`.
        observation: "features", "record", "dict" or "cards". Use `MultiInputPolicy` with the last two.
        seed: seed of the first reset, as in `Tables.reset`; None: a random seed.
        copy: True: returned arrays and infos are copies, which no later step changes. False: observations and masks are
            the environment's arrays, which the step after the next overwrites.
        render_mode: the result of `render()` for the first table (`envs.pictures`): "rgb_array" (for
            `VecVideoRecorder`), "ansi", "svg", "human" or None. **All hands are shown** unless `render_seat` is set.
        render_seat: the view that is drawn: a seat, "agent" for the learner, or None for all hands face up.
    """

    def __init__(
        self,
        num_envs: int | Sequence[dict[str, Any]],
        *,
        opponents: Opponents = "random",
        seat: int | str = "rotating",
        reward: str = "margin",
        reward_scale: str = "points",
        truncate_at_limit: bool = False,
        observation: str = FEATURES,
        history: int = 0,
        seed: int | None = None,
        copy: bool = True,
        threads: int | None = None,
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        game: str | Game = DEFAULT_GAME,
        **options: Any,
    ) -> None:
        check_names(TablesVecEnv, find(game), options)
        self.tables = Tables(
            num_envs,
            opponents=without_caller(opponents),
            seat=seat,
            reward=reward,
            reward_scale=reward_scale,
            truncate_at_limit=truncate_at_limit,
            observation=observation,
            history=history,
            autoreset=AutoresetMode.SAME_STEP,
            threads=threads,
            game=game,
            **options,
        )
        n = self.tables.num_tables
        self.render_mode = check_render_mode(render_mode)
        self.render_seat = check_render_seat(render_seat, int(self.tables.seats_at.min()))
        metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}
        self.metadata = metadata
        self._screen = Screen() if render_mode == "human" else None
        super().__init__(
            n,
            observation_space(self.tables.game, observation, self.tables.length),
            gymnasium.spaces.Discrete(self.tables.game.num_actions),
        )
        self.copy = copy
        self._sets = None if copy else TwoSets(self.tables)
        self._infos: list[dict[str, Any]] = [{} for _ in range(n)]
        self._actions: npt.NDArray[Any] = np.zeros(n, np.int64)
        self._first_seed = seed
        self._begun = time.time()

    def reset(self) -> Any:
        """Begin new episodes at every table; the first time from the seed of `seed()` or of the constructor."""
        seeds: Any = self._seeds
        if any(seed is None for seed in seeds):
            seeds, self._first_seed = self._first_seed, None
        if self._sets is not None:
            self._sets.swap()
        self.tables.reset(seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._seen()

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Carry out the actions and all moves of the opponents until the learners are to move again."""
        tables = self.tables
        if self._sets is not None:
            self._sets.swap()
        tables.step(self._actions)
        dones = tables.terminations | tables.truncations
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)] if self.copy else self._infos.copy()
        for row in np.flatnonzero(dones):
            infos[row] = self._final_info(int(row))
        return self._seen(), tables.payoffs.copy(), dones, infos

    def _seen(self) -> Any:
        return self.tables.seen_copy() if self.copy else self.tables.seen

    def _final_info(self, row: int) -> dict[str, Any]:
        control = self.tables.controls[row]
        seat = int(control["last_learner"])
        seconds = round(time.time() - self._begun, 6)
        return {
            **self.tables.result(row, seat),
            "seat": seat,
            "episode": {"r": float(control["returns"][seat]), "l": int(control["length"]), "t": seconds},
            "terminal_observation": self.tables.final_observation(row, seat),
            "TimeLimit.truncated": bool(self.tables.truncations[row]),
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learners' legal actions, bool (num_envs, actions)."""
        masks = self.tables.masks.view(np.bool_)
        return masks.copy() if self.copy else masks

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents from the next episode of each table on. A self-play run adds players to a list, the
        pool.
        """
        self.tables.set_opponents(without_caller(opponents))

    def render(self, mode: str | None = None) -> Any:
        """Draw the first table in the mode `render_mode` as `render_seat` sees it, and return the picture.

        Returns None for "human", after redrawing the window, and if there is no mode.

        Raises:
            ValueError: `mode` differs from the mode that the environment was made with.
        """
        if mode not in (None, self.render_mode):
            raise ValueError(f"make the environment with render_mode={mode!r:.80}; it has {self.render_mode!r}")
        if self._screen is not None:
            self._screen.show(self.tables.game, self.tables.states[0], viewer_of(self.tables, 0, self.render_seat))
        return None if self.render_mode in (None, "human") else self._picture(0, str(self.render_mode))

    def get_images(self) -> list[Any]:
        """Every table in pixels, uint8 (840, 1120, 3) each, whatever the render mode."""
        return [self._picture(row, "rgb_array") for row in range(self.num_envs)]

    def _picture(self, row: int, mode: str) -> Any:
        seat = viewer_of(self.tables, row, self.render_seat)
        return picture(self.tables.game, self.tables.states[row], mode, seat)

    def close(self) -> None:
        """Close the window if there is one."""
        if self._screen is not None:
            self._screen.close()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next `reset`, as in `Tables.reset`; None: a random seed. Returns the tables' seeds."""
        chosen = secrets.randbits(63) if seed is None else check_seed(seed)
        self._seeds = seeds_of_rows(chosen, np.arange(self.num_envs)).tolist()
        return self._seeds

    # Methods that SB3 calls on single environments
    # -----------------------------------------------------------------------------

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """The results of the method `action_masks`: the mask of each of the tables `indices`, or of all tables.

        Raises:
            AttributeError: another method.
        """
        if method_name != "action_masks":
            raise AttributeError(f"the tables of a batch have no method {method_name!r}, only 'action_masks'")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute that all tables share, such as `render_mode`; for `action_masks`, the method of each table.

        Raises:
            AttributeError: there is no such attribute.
        """
        rows: Iterable[int] = self._get_indices(indices)
        if attr_name == "action_masks":
            return [lambda row=row: self.action_masks()[row] for row in rows]
        if attr_name not in ("render_mode", "spec", "observation_space", "action_space", "num_envs"):
            raise AttributeError(f"the tables of a batch have no attribute {attr_name!r}")
        value = getattr(self, attr_name, None)
        return [value for _ in rows]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise AttributeError: there are no attributes to set."""
        raise AttributeError(f"the tables of a batch have no attribute {attr_name!r} to set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """True for Monitor, because each table reports what a Monitor reports; False for any other wrapper."""
        is_monitor = wrapper_class.__name__ == "Monitor"
        return [is_monitor for _ in self._get_indices(indices)]
