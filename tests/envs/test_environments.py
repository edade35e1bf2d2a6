"""Is every game of the list in both registries, and is what comes from outside checked alike in all environments?"""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import banakil_env
from banakil_env.core.game import BadState, Game, IllegalAction
from banakil_env.envs.aec import RummyAEC, env, raw_env
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.envs.vector import Snapshot, Tables
from banakil_env.games import GAMES, find, gymnasium_id, pettingzoo_id
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

every_game = pytest.mark.parametrize("name", GAMES)

# Registries -----------------------------------------------------------------------------------------------------------


@every_game
def test_every_game_is_in_both_registries_with_its_version(name: str) -> None:
    game = find(name)
    assert isinstance(game, Game)
    assert (game.name, game.version) == (name, GAMES[name])
    assert pettingzoo_id(name) == game.id
    aec = pettingzoo.make("aec", pettingzoo_id(name))
    assert aec.unwrapped.game is game
    assert aec.metadata["name"] == str(aec) == f"{name}_v{game.version}"
    assert gymnasium.make(gymnasium_id(name)).unwrapped.tables.game is game
    assert gymnasium.make_vec(gymnasium_id(name), num_envs=2).unwrapped.tables.game is game


def test_ids_are_the_folders_in_camel_case(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gymnasium_id("banakil") == "rummy/Banakil-v0"
    monkeypatch.setitem(GAMES, "hand_and_foot", 3)
    assert gymnasium_id("hand_and_foot") == "rummy/HandAndFoot-v3"
    assert pettingzoo_id("hand_and_foot") == "rummy/hand_and_foot-v3"


def test_the_package_loads_no_game_and_no_compiler() -> None:
    code = (
        "import sys, banakil_env; loaded = [name for name in sys.modules if name.startswith('banakil_env.games.')]; "
        "assert not loaded, loaded; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        importlib.reload(banakil_env)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("canastra", "canasta"),
        ("Gin", "gin"),
        ("gin rummy", "gin"),
        ("rummy/gin-v0", "gin"),
        ("rummy/HandAndFoot-v0", "hand_and_foot"),
        ("Hand and Foot", "hand_and_foot"),
        ("Hand & Foot", "hand_and_foot"),
        ("HAND", "hand"),
        ("500 Rummy", "rummy500"),
    ],
)
def test_the_name_that_was_probably_meant_is_named(given: str, meant: str) -> None:
    with pytest.raises(ValueError, match=rf"^there is no game '{given}' \(did you mean '{meant}'\?\); there are "):
        find(given)


def test_what_is_no_game() -> None:
    for wrong in ("bridge", 7, None):
        with pytest.raises(ValueError, match="there is no game"):
            find(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("make", [raw_env, env, SingleEnv, lambda **options: Tables(2, **options)])
def test_copies_have_the_same_game(make: Callable[..., Any], how: Callable[[Any], Any]) -> None:
    other = how(make(game="banakil"))
    holder = other if isinstance(other, (Tables, RummyAEC)) else getattr(other, "tables", None) or other.unwrapped
    assert holder.game is find("banakil")


# Actions --------------------------------------------------------------------------------------------------------------

NO_ACTIONS = [np.array(0.7), 0.7, True, np.bool_(True), np.array([0]), np.array([0, 1]), "draw", -1, 799, 10**30]


def stepped_aec() -> tuple[Callable[[], bytes], Callable[[Any], Any]]:
    game = env()
    game.reset(seed=1)
    return lambda: game.unwrapped.position.tobytes(), game.step


def stepped_single() -> tuple[Callable[[], bytes], Callable[[Any], Any]]:
    game = SingleEnv(seat=0)
    game.reset(seed=1)
    return game.tables.states.tobytes, game.step


@pytest.mark.parametrize("start", [stepped_aec, stepped_single])
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_alike(start: Callable[[], Any], action: Any) -> None:
    state, step = start()
    before = state()
    with pytest.raises(IllegalAction) as error:
        step(action)
    assert str(error.value).endswith(": indices are whole numbers from 0 to 798")
    assert state() == before


BATCHES = {
    "tables": lambda: Tables(2),
    "vector": lambda: BatchEnv(2, seat=0),
    "sb3": lambda: pytest.importorskip("banakil_env.envs.sb3").TablesVecEnv(2, seat=0),
}


@pytest.mark.parametrize("kind", BATCHES)
@pytest.mark.parametrize(
    "actions",
    [np.array([0.7, 0]), [0.7, 0], [True, False], [0, True], np.array([True, False]), ["draw", "draw"], [10**30, 0]],
    ids=repr,
)
def test_batches_refuse_what_is_no_action_too(kind: str, actions: Any) -> None:
    batch = BATCHES[kind]()
    tables = getattr(batch, "tables", batch)
    batch.seed(1) if kind == "sb3" else None
    batch.reset() if kind == "sb3" else batch.reset(seed=1)
    before = tables.states.tobytes()
    with pytest.raises(IllegalAction, match="actions are whole numbers from 0 to 798, an array of an integer"):
        batch.step(actions)
    assert tables.states.tobytes() == before


@pytest.mark.parametrize("seat", [-1, 2, 1.0, True, "0", None, np.array([0])], ids=repr)
def test_seats_and_agents_that_are_none(seat: Any) -> None:
    game = env()
    game.reset(seed=1)
    with pytest.raises(ValueError, match="there is no agent"):
        game.observe(seat)
    tables = Tables(2, max_turns=3)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match="no episode has ended in row 0 yet"):
        tables.result(0, 0)
    while not tables.controls["episodes"].all():
        tables.step(tables.random_actions())
    for look in (tables.result, tables.final_observation):
        with pytest.raises(ValueError, match=r"there is no seat .*: 2 play, seats from 0 on"):
            look(0, seat)
        with pytest.raises(ValueError, match="there are rows 0 to 1"):
            look(2, 0)


# Chance ---------------------------------------------------------------------------------------------------------------


def test_random_actions_need_nothing_from_outside_and_follow_the_seed() -> None:
    def actions(seed: int) -> list[Any]:
        tables = Tables(8)
        tables.reset(seed=seed)
        taken = []
        for _ in range(40):
            taken.append(tables.random_actions().tolist())
            tables.step(taken[-1])
        return taken

    assert actions(3) == actions(3)
    assert actions(3) != actions(4)
    tables, many = Tables(1), Tables(6)
    many.reset(seed=0)
    tables.reset(seed=many.seeds[5])
    alone = tables.random_actions().tolist()
    assert many.random_actions()[5:].tolist() == alone


# What comes back in ---------------------------------------------------------------------------------------------------


def test_a_snapshot_with_a_record_that_is_no_position_is_refused() -> None:
    tables = Tables(3)
    tables.reset(seed=1)
    before = tables.states.tobytes()
    kept = tables.snapshot()
    broken = copy.deepcopy(kept)
    broken.states.view(np.uint8)[:] = 255
    with pytest.raises(BadState, match="record 0 of 3 is not a position"):
        tables.restore(broken)
    for name, value in (("learner", 9), ("acted", -7), ("players", 40), ("players", -5), ("reward", 5)):
        controls = kept.controls.copy()
        controls[name] = value
        with pytest.raises(BadState, match=f"row 0: {name} is .*which no batch of Banakil has written"):
            tables.restore(Snapshot(kept.states, controls, kept.dice))
    assert tables.states.tobytes() == before
    tables.restore(kept)


def test_environments_that_were_changed_in_a_pickle_are_refused() -> None:
    game, tables = raw_env(), Tables(2)
    game.reset(seed=1)
    tables.reset(seed=1)
    game._states.view(np.uint8)[:] = 255
    tables._states.view(np.uint8)[:] = 255
    for each in (game, tables):
        content = pickle.dumps(each)
        with pytest.raises(BadState, match="is not a position of Banakil"):
            pickle.loads(content)
    other = Tables(2, max_turns=3)
    other.reset(seed=1)
    while not other.controls["episodes"].all():
        other.step(other.random_actions())
    assert pickle.loads(pickle.dumps(other)).result(0, 1) == other.result(0, 1)


def test_random_actions_follow_generators_that_the_caller_puts_in_their_place() -> None:
    tables = Tables(4, game="gin")
    tables.reset(1)
    own = tables.generators
    tables.generators = own.copy()
    expected = tables.random_actions().tolist()
    tables.generators = own
    assert tables.random_actions().tolist() == expected
