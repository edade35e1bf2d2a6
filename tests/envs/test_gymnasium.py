"""Does the Gymnasium environment keep Gymnasium's contract, and play the same game as the batch?"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList

import banakil_env  # noqa: F401  registers
from banakil_env.core.game import IllegalAction
from banakil_env.envs.opponents import OpponentError
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

ID = "rummy/Banakil-v0"
TABLES: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3, "rules": "gamefarm", "seat": "random"},
    {"num_players": 4, "rules": "jawaker", "seat": 3},
    {"num_players": 4, "partners": False, "reward": "win"},
]


def first_legal(seen: dict[str, Any]) -> int:
    return int(seen["action_mask"].argmax())


def play(env: Any, episodes: int, seed: int = 4) -> list[float]:
    """Random legal episodes; their rewards."""
    rng = np.random.default_rng(seed)
    rewards = []
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        over = False
        while not over:
            action = rng.choice(np.flatnonzero(env.unwrapped.action_masks()))
            _, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            assert over or reward == 0
        rewards.append(reward)
    return rewards


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_gymnasiums_own_checker_is_content(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The mode "human" opens a window, which needs a screen: the pictures have tests of their own.
        check_env(
            gymnasium.make(ID, render_mode="ansi", disable_env_checker=True, **options).unwrapped,
            skip_render_check=True,
        )


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, gymnasium, banakil_env; assert 'numba' not in sys.modules; gymnasium.spec('rummy/Banakil-v0')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_it_goes_through_the_same_states_as_the_batch(options: dict[str, Any]) -> None:
    """Compiled opponents; the same seed and actions, some episodes on."""
    env = SingleEnv(opponents="random", observation="record", **options)
    tables = Tables(3, opponents="random", autoreset="Disabled", **({"seat": "rotating"} | options))
    tables.reset(seed=10)
    seen, info = env.reset(seed=int(tables.seeds[2]))
    rng = np.random.default_rng(0)
    for _ in range(3000):
        assert env.tables.states.tobytes() == tables.states[2:].tobytes()
        assert (seen == tables.observations[2]).all()
        assert (info["action_mask"] == tables.masks[2]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in tables.masks])
        tables.illegal = "report"
        tables.step(actions)
        seen, reward, terminated, truncated, info = env.step(actions[2])
        assert (terminated, truncated) == (tables.terminations[2], tables.truncations[2])
        assert reward == tables.payoffs[2]
        if terminated or truncated:
            seen, info = env.reset()
        tables.reset(rows=tables.seats < 0)


def test_a_callable_of_single_observations_goes_through_the_plain_game() -> None:
    env = SingleEnv(opponents=first_legal, num_players=3, seat=1, observation="record")
    game = banakil.new(num_players=3, seed=6)
    seen, _ = env.reset(seed=6)
    over = False
    while not over:
        while not banakil.is_over(game) and banakil.seat_to_move(game) != 1:
            banakil.apply(game, first_legal(banakil.observe(game, banakil.seat_to_move(game))))
        assert (seen == banakil.observe(game, 1)["observation"]).all()
        action = int(env.action_masks().nonzero()[0][-1])
        banakil.apply(game, action)
        seen, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    while not banakil.is_over(game):
        banakil.apply(game, first_legal(banakil.observe(game, banakil.seat_to_move(game))))
    assert env.tables.states.tobytes() == game.tobytes()
    assert info["points"] == banakil.scores(game)[1]
    assert not info["action_mask"].any()


def test_rewards_of_the_same_seed_are_the_same_and_both_signs_come() -> None:
    rewards = play(SingleEnv(), 30)
    assert rewards == play(SingleEnv(), 30)
    assert min(rewards) < 0 < max(rewards)


def test_the_rotating_seat_begins_by_the_seed() -> None:
    env = SingleEnv(num_players=4)
    assert [env.reset(seed=seed)[1]["seat"] for seed in (4, 5, 6)] == [0, 1, 2]
    assert [env.reset()[1]["seat"] for _ in range(3)] == [3, 0, 1]


def test_sampling_is_always_legal_and_a_mask_still_works() -> None:
    env = gymnasium.make(ID)
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(500):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset()
    mask = np.zeros(799, np.int8)
    mask[17] = 1
    assert env.action_space.sample(mask) == 17


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_the_same_and_samples_for_itself(duplicate: Any) -> None:
    env = SingleEnv(num_players=4)
    env.reset(seed=1)
    env.action_space.seed(1)
    env.step(env.action_space.sample())
    twin = duplicate(env)
    for _ in range(60):
        action = twin.action_space.sample()
        seen = env.step(action)[0]
        assert (seen == twin.step(action)[0]).all()


def test_what_is_returned_stays() -> None:
    env = SingleEnv()
    seen, info = env.reset(seed=1)
    kept, mask = seen.copy(), info["action_mask"].copy()
    env.step(0)
    assert (seen == kept).all()
    assert (info["action_mask"] == mask).all()


def test_an_illegal_action_names_what_is_legal_and_changes_nothing() -> None:
    env = SingleEnv(seat=0)
    env.reset(seed=1)
    before = env.tables.states.tobytes()
    for action, text in ((711, "'discard 3c'.*legal are: draw, take 1"), (-1, "index -1"), (799, "index 799")):
        with pytest.raises(IllegalAction, match=text):
            env.step(action)
    assert env.tables.states.tobytes() == before
    env.step(0)


def test_an_opponent_that_raises_or_cheats_is_named() -> None:
    def clumsy(seen: dict[str, Any]) -> int:
        raise RuntimeError("asleep")

    def cheat(seen: dict[str, Any]) -> int:
        return 711

    with pytest.raises(OpponentError, match="clumsy raised RuntimeError"):
        SingleEnv(opponents=clumsy, seat=1).reset(seed=1)
    with pytest.raises(OpponentError, match=r"cheat answered illegally.*'discard 3c'.*legal are: draw, take 1"):
        SingleEnv(opponents=cheat, seat=1).reset(seed=1)
    with pytest.raises(OpponentError, match="was to choose 1 actions"):
        SingleEnv(opponents=lambda seen: None, seat=1).reset(seed=1)


def test_seats_may_have_different_players() -> None:
    env = SingleEnv(opponents=("random", first_legal, "random"), num_players=4)
    assert len(play(env, 3)) == 3


@pytest.mark.parametrize("make", [lambda: gymnasium.make(ID), lambda: gymnasium.make_vec(ID, 2)])
def test_an_environment_says_what_its_actions_are(make: Any) -> None:
    env = make()
    _, info = env.reset(seed=1)
    game = env.unwrapped.game
    legal = np.flatnonzero(np.atleast_2d(info["action_mask"])[0])
    assert game is find("banakil")
    assert [game.actions.parse(game.actions.text(int(action))) for action in legal] == legal.tolist()


def test_it_shows_the_table_as_text() -> None:
    env = SingleEnv(render_mode="ansi")
    env.reset(seed=1)
    assert "18 cards" in str(env.render())


# Many at once ---------------------------------------------------------------------------------------------------------


def test_make_vec_gives_the_batch() -> None:
    env = gymnasium.make_vec(ID, num_envs=5, num_players=4)
    assert isinstance(env.unwrapped, BatchEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = env.reset(seed=3)
    assert env.observation_space.contains(seen)
    for row, seed in enumerate(env.unwrapped.tables.seeds.tolist()):
        single, _ = SingleEnv(num_players=4).reset(seed=seed)
        assert (seen[row] == single).all()


def steps(env: BatchEnv, count: int) -> Any:
    """What random legal steps return."""
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=3)
    for _ in range(count):
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in info["action_mask"]])
        result = env.step(actions)
        yield result
        info = result[4]


def test_next_step_returns_the_final_observation_and_then_the_deal() -> None:
    env = BatchEnv(8, observation="record", autoreset="NextStep")
    ended = np.zeros(8, bool)
    count = 0
    for seen, rewards, terminated, truncated, info in steps(env, 400):
        assert not rewards[ended].any()
        over = banakil.fields(seen)["ending"] != 0
        assert (over == (terminated | truncated)).all()
        ended = over
        assert not info["action_mask"][ended].any()
        if ended.any():
            assert (info["_points"] == ended).all()
            count += ended.sum()
    assert count > 5


def test_same_step_returns_the_deal_and_keeps_the_final_observation() -> None:
    env = BatchEnv(8, observation="record", autoreset=AutoresetMode.SAME_STEP)
    count = 0
    for seen, rewards, terminated, truncated, info in steps(env, 400):
        ended = terminated | truncated
        assert not rewards[~ended].any()
        assert not banakil.fields(seen)["ending"].any()
        assert ("final_obs" in info) == ended.any()
        for row in np.flatnonzero(ended):
            count += 1
            assert banakil.fields(info["final_obs"][row])["ending"]
            assert info["_final_obs"].tolist() == ended.tolist()
            assert info["final_info"]["_points"][row]
    assert count > 5


def test_disabled_resets_the_rows_of_the_mask() -> None:
    env = BatchEnv(4, autoreset=AutoresetMode.DISABLED)
    env.reset(seed=3)
    before = env.tables.states.copy()
    env.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert env.tables.states[1:3].tobytes() == before[1:3].tobytes()
    assert env.tables.states[0].tobytes() != before[0].tobytes()


@pytest.mark.parametrize("name", ["autoreset", "autoreset_mode"])
@pytest.mark.parametrize("mode", [*AutoresetMode, *(mode.value for mode in AutoresetMode)], ids=str)
def test_autoreset_has_gymnasiums_name_too(name: str, mode: Any) -> None:
    env = gymnasium.make_vec(ID, num_envs=2, **{name: mode})
    assert env.metadata["autoreset_mode"] is AutoresetMode(mode)
    with pytest.raises(ValueError, match=f"{name} must be one of 'NextStep', 'SameStep', 'Disabled', not 'later'"):
        gymnasium.make_vec(ID, num_envs=2, **{name: "later"})
    with pytest.raises(ValueError, match="autoreset and autoreset_mode are two names of one argument"):
        gymnasium.make_vec(ID, num_envs=2, autoreset=mode, autoreset_mode=mode)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_infos_say_what_those_of_single_environments_say(mode: str) -> None:
    """Row by row, as Gymnasium's own vector of single environments says it; and each row's seat."""
    options: dict[str, Any] = {"rules": "pagat max_turns=12", "num_players": 3}
    ours = DictInfoToList(gymnasium.make_vec(ID, 3, autoreset_mode=mode, **options))
    how = {"vector_kwargs": {"autoreset_mode": mode}, "disable_env_checker": True}
    theirs = DictInfoToList(gymnasium.make_vec(ID, 3, "sync", **how, **options))
    _, infos = ours.reset(seed=[3, 4, 5])
    _, expected = theirs.reset(seed=[3, 4, 5])
    dice, ended = np.random.default_rng(0), 0
    for _ in range(150):
        for info in expected:
            info.get("final_info", {}).pop("action_mask", None)  # no action is legal at the end
        assert plain(infos) == plain(expected)
        masks = [info["action_mask"] for info in infos]
        actions = np.array([dice.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        _, rewards, terminated, truncated, infos = ours.step(actions)
        _, theirs_too, *_, expected = theirs.step(actions)
        assert rewards.tolist() == theirs_too.tolist()
        ended += int((terminated | truncated).sum())
    assert ended > 5
    assert {info["seat"] for info in infos} <= {0, 1, 2}


def plain(infos: list[dict[str, Any]]) -> Any:
    """Infos as values that can be compared; arrays as lists."""
    if isinstance(infos, dict):
        return {key: plain(each) for key, each in infos.items()}
    return [plain(each) for each in infos] if isinstance(infos, list) else np.asarray(infos).tolist()


def test_the_samples_of_the_action_space_are_legal_in_every_row() -> None:
    env = gymnasium.make_vec(ID, num_envs=6, rules="pagat max_turns=12")
    assert env.action_space == gymnasium.spaces.MultiDiscrete([799] * 6)
    env.action_space.seed(1)
    _, info = env.reset(seed=3)
    chosen, ended = set(), 0
    for _ in range(300):
        actions = env.action_space.sample()
        legal = info["action_mask"][np.arange(6), actions] != 0
        assert (legal | ~info["action_mask"].any(axis=1)).all()
        assert env.action_space.contains(actions)
        chosen |= set(actions[legal].tolist())
        _, _, terminated, truncated, info = env.step(actions)
        ended += int((terminated | truncated).sum())
    assert ended > 5
    assert len(chosen) > 50
    twin = copy.deepcopy(env)
    assert twin.unwrapped.action_space.env is twin.unwrapped


def test_samples_are_uniform_over_the_legal_actions() -> None:
    env = BatchEnv(1, seat=0)
    env.reset(seed=3)
    env.step(np.array([0]))
    [mask] = env.action_masks()
    env.action_space.seed(1)
    counts = np.bincount([int(env.action_space.sample()[0]) for _ in range(200 * mask.sum())], minlength=799)
    assert (counts[~mask] == 0).all()
    assert abs(counts[mask] / 200 - 1).max() < 0.35


def test_a_batch_shows_its_tables_as_text() -> None:
    env = BatchEnv(2, render_mode="ansi")
    env.reset(seed=1)
    assert len(env.render() or ()) == 2
