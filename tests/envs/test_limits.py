"""How does an episode end that reaches the limit of turns? Terminated in every interface, and truncated on request."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pettingzoo
import pytest
from first_views import legal_actions
from plugin_checks import each_game, short_table
from sb3_contrib import MaskablePPO

from banakil_env.core.game import Game
from banakil_env.envs.sb3 import TablesVecEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find, gymnasium_id
from banakil_env.kit.plain import Plain

ROWS, STEPS = 16, 400

both = pytest.mark.parametrize("truncates", [False, True])


def turns_left(game: Game, observation: npt.NDArray[np.uint8]) -> int:
    """The turns that an observation says are left in the round."""
    seen = observation.view(game.observation)[0]
    if "turns_left" in game.observation.names:
        return int(seen["turns_left"])
    return int(seen["rules"]["max_turns"]) - int(seen["turns"])


@both
@each_game
def test_every_episode_of_the_batch_is_terminated_or_by_request_truncated(name: str, truncates: bool) -> None:
    """The limit is in the observation: no turn is left if it ended the round."""
    tables, dice = Tables(ROWS, **short_table(name), truncate_at_limit=truncates), np.random.default_rng(0)
    plain, limits = Plain(tables.game), 0
    tables.reset(seed=0)
    for _ in range(STEPS):
        tables.step(legal_actions(tables.masks, dice))
        for row in np.flatnonzero(tables.terminations | tables.truncations):
            limit = plain.is_truncated(tables.final_states[row])
            assert tables.truncations[row] == (truncates and limit)
            assert tables.terminations[row] != tables.truncations[row]
            assert not limit or turns_left(tables.game, tables.final_observation(int(row), 0)) == 0
            assert limit == (tables.result(int(row), 0)["ending"] == "turns")
            limits += limit
    assert limits > 10


@both
@each_game
def test_every_interface_says_the_same(name: str, truncates: bool) -> None:
    """One table, first legal actions, to its end: AEC, Gymnasium, `make_vec` and Stable-Baselines3."""
    options: dict[str, Any] = {**short_table(name), "truncate_at_limit": truncates}
    learner = {**options, "opponents": "random", "seat": 0}
    game, found = learner.pop("game"), {}
    single = gymnasium.make(gymnasium_id(name), **learner)
    _, info = single.reset(seed=3)
    over = False
    while not over:
        *_, terminated, truncated, info = single.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    found["single"] = info["ending"], terminated, truncated
    many = gymnasium.make_vec(gymnasium_id(name), 1, **learner)
    _, info = many.reset(seed=3)
    over = False
    while not over:
        *_, ended, cut, info = many.step(info["action_mask"].argmax(1))
        over = bool(ended[0] or cut[0])
    found["vector"] = info["ending"][0], bool(ended[0]), bool(cut[0])
    sb3 = TablesVecEnv(1, game=game, **learner, seed=3)
    sb3.reset()
    over = False
    while not over:
        _, _, [over], [info] = sb3.step(sb3.action_masks().argmax(1))
    found["sb3"] = info["ending"], not info["TimeLimit.truncated"], info["TimeLimit.truncated"]
    assert len(set(found.values())) == 1
    options.pop("game")
    aec = pettingzoo.make("aec", find(name).id, **options)
    aec.reset(seed=3)
    while not (aec.terminations[aec.agent_selection] or aec.truncations[aec.agent_selection]):
        aec.step(int(aec.last()[0]["action_mask"].argmax()))
    _, _, terminated, truncated, info = aec.last()
    for ending, over, cut in (*found.values(), (info["ending"], terminated, truncated)):
        assert (over, cut) == ((False, True) if truncates and ending == "turns" else (True, False))


@both
def test_stable_baselines3_bootstraps_on_request_only(truncates: bool) -> None:
    """Its buffer holds the rewards themselves; on request the value of the last view is added at the limit."""
    env = TablesVecEnv(8, **short_table("yaniv"), truncate_at_limit=truncates, opponents="random", seed=0)
    paid: list[npt.NDArray[np.float32]] = []
    step = env.step_wait

    def step_wait() -> Any:
        result = step()
        paid.append(result[1].copy())
        return result

    env.step_wait = step_wait  # type: ignore[method-assign]
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=512, n_epochs=1, seed=0, device="cpu")
    model.learn(512)
    added = model.rollout_buffer.rewards - np.stack(paid)
    assert added.any() == truncates


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_another_value_is_refused(value: Any) -> None:
    for make in (Tables, lambda _, **options: pettingzoo.make("aec", "rummy/gin-v0", **options)):
        with pytest.raises(TypeError, match="truncate_at_limit must be True or False, not"):
            make(1, truncate_at_limit=value)


def test_every_game_has_a_limit() -> None:
    assert all("max_turns" in find(name).state["rules"].names for name in GAMES)
