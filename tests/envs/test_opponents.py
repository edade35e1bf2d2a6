"""Do opponents play by any name and of any kind, the same for one seed, in every environment?"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

import banakil_env  # noqa: F401  registers
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.batch import CALLER
from banakil_env.envs.forms import FORMS, in_form
from banakil_env.envs.opponents import OpponentError
from banakil_env.envs.sb3 import TablesVecEnv
from banakil_env.envs.single import SingleEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

RANDOM_BY_NAME = "test_opponents:RandomByDice"


class RandomByDice:
    """A player of the agents' protocol: a legal action by the dice of each row."""

    name = "random-by-dice"

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        assert observations.shape == (len(masks), banakil.game.observation.itemsize)
        assert dice.shape == (len(masks),)
        assert dice.dtype == np.uint64
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([each[int(bits % np.uint64(len(each)))] for each, bits in zip(legal, dice)])


def played(tables: Tables, steps: int = 100, seed: int = 4) -> bytes:
    tables.reset(seed=seed)
    for _ in range(steps):
        tables.step(tables.random_actions())
    return tables.states.tobytes()


@pytest.mark.parametrize("form", ["record", "dict", "features", "cards"])
def test_a_player_sits_down_and_one_seed_gives_one_game(form: str) -> None:
    states = {played(Tables(12, opponents=RandomByDice(), num_players=3, observation=form)) for _ in range(2)}
    assert len(states) == 1
    assert played(Tables(12, opponents=RandomByDice(), num_players=3), seed=5) not in states


def test_a_player_by_a_name_of_the_agents_plays_as_itself() -> None:
    assert played(Tables(6, opponents=RANDOM_BY_NAME)) == played(Tables(6, opponents=RandomByDice()))


def test_a_compiled_player_of_the_arena_is_a_player_too() -> None:
    played(Tables(4, opponents=[CompiledPlayer("greedy"), "greedy", RandomByDice()]))


def test_gymnasium_takes_players_and_names() -> None:
    for opponents in (RandomByDice(), RANDOM_BY_NAME, [RANDOM_BY_NAME, "greedy"], (RandomByDice(),)):
        env = SingleEnv(opponents=opponents, observation="dict")
        env.reset(seed=1)
        env.action_space.seed(1)
        for _ in range(60):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()


def test_a_copy_of_tables_with_a_player_goes_on_the_same() -> None:
    tables = Tables(3, opponents=RandomByDice())
    played(tables, 20)
    for twin in (copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))):
        same = copy.deepcopy(tables)
        for each in (twin, same):
            for _ in range(30):
                each.step(each.random_actions())
        assert twin.states.tobytes() == same.states.tobytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("grandma", r"^there is no opponent 'grandma'; compiled players are 'random', .*names such as 'net:PATH'"),
        ("net:nowhere/at/all", r"^the player 'net:nowhere/at/all' cannot be made: there is no agent at "),
        ("search:soon", r"^the player 'search:soon' cannot be made: "),
        ("no_such_module:player", r"^the player 'no_such_module:player' cannot be loaded: "),
    ],
)
def test_names_of_nobody(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tables(2, opponents=name)
    with pytest.raises(ValueError, match=message):
        SingleEnv(opponents=name)


def test_a_player_that_fails_is_named() -> None:
    class Asleep:
        name = "sleeper"

        def act(self, observations: Any, masks: Any, dice: Any) -> Any:
            raise RuntimeError("zzz")

    with pytest.raises(OpponentError, match=r"^the opponent sleeper raised RuntimeError\('zzz'\)"):
        Tables(2, opponents=Asleep(), seat=1).reset(seed=1)


# Positions ------------------------------------------------------------------------------------------------------------

TEXT = "turn: seat 1, play\nhand 1: 3c 4c 5c 9h\nhand 0: Kd"


@pytest.mark.parametrize("position", [TEXT, banakil.from_text(TEXT)], ids=["text", "record"])
def test_gymnasium_begins_from_a_position(position: Any) -> None:
    env = gymnasium.make("rummy/Banakil-v0", seat=1, observation="record")
    seen, info = env.reset(seed=5, options={"position": position})
    assert info["seat"] == 1
    expected = banakil.observe(banakil.from_text(TEXT), 1)
    assert (seen == expected["observation"]).all()
    assert (info["action_mask"] == expected["action_mask"]).all()
    env.step(banakil.parse_action("open 3c 4c 5c"))
    _, reward, terminated, _, _ = env.step(banakil.parse_action("discard 9h"))
    assert terminated
    assert reward > 0
    env.reset(seed=5)
    assert env.unwrapped.tables.states[0]["stock_size"] > 0


def test_opponents_move_before_the_learner_of_a_position() -> None:
    env = SingleEnv(seat=0, opponents="greedy")
    env.reset(seed=1, options={"position": "turn: seat 1, draw\nhand 0: 3c 7d 9s\nhand 1: Kd 4h 8s"})
    assert env.tables.seats[0] == 0


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (5, "must be a state of banakil or its text, not int"),
        ("hand 0: 3c 1h", "line 1, hand 0: no card is called '1h'"),
        (banakil.new(3, seed=1), "the position is for 3 players, the environment for 2"),
    ],
)
def test_positions_that_are_refused_leave_the_table_as_it_was(position: Any, message: str) -> None:
    env = SingleEnv()
    env.reset(seed=1)
    before = env.tables.states.tobytes()
    with pytest.raises(ValueError, match=message):
        env.reset(options={"position": position})
    assert env.tables.states.tobytes() == before


def test_errors_say_what_a_tuple_and_a_list_mean() -> None:
    pool = "a list is a pool, from which every seat draws"
    with pytest.raises(
        ValueError, match="one for each other seat; write a list for a pool, from which every seat draws"
    ):
        Tables(2, opponents=("random", "greedy"), num_players=4)
    for opponents in ((), ("random",) * 9):
        with pytest.raises(ValueError, match=f"Banakil takes 1 to 3 of them, not {len(opponents)}. A tuple .*; {pool}"):
            Tables(2, opponents=opponents)
    for nested in ((["random"],), [("random", "greedy")]):
        with pytest.raises(TypeError, match=f"an opponent in a tuple or a list is one player.*; {pool}"):
            Tables(2, opponents=nested)  # type: ignore[arg-type]


# What a callable sees -------------------------------------------------------------------------------------------------


class Looking:
    """A callable that keeps what it saw, and chooses the first legal action."""

    def __init__(self, form: str | None = None) -> None:
        if form is not None:
            self.observation = form
        self.seen: list[Any] = []

    def __call__(self, observations: Any, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        self.seen.append(copy.deepcopy(observations))
        return masks.argmax(axis=1)


@pytest.mark.parametrize("form", FORMS)
def test_a_callable_sees_the_form_of_the_learner_or_the_one_that_it_names(form: str) -> None:
    own, record = Looking(), Looking("record")
    for player in (own, record):
        played(Tables(3, game="rummy", opponents=player, observation=form), 30)
    game = find("rummy")
    assert len(own.seen) == len(record.seen) > 10
    for seen, kept in zip(own.seen, record.seen):
        expected = in_form(game, form, kept)
        if isinstance(expected, dict):
            assert all((seen[name] == array).all() for name, array in expected.items())
            assert list(seen) == list(expected)
        else:
            assert seen.dtype == expected.dtype
            assert (seen == expected).all()


def test_a_callable_sees_the_history_of_its_own_seat() -> None:
    """The same as the caller sees there who plays every seat. Both play the first legal action."""
    player = Looking()
    tables = Tables(1, game="gin", opponents=player, seat=0, history=6, autoreset="Disabled")
    twin = Tables(1, game="gin", history=6, autoreset="Disabled")
    expected = []
    for each in (tables, twin):
        each.reset(seed=4)
        while each.seats[0] >= 0:
            if each is twin and each.seats[0] == 1:
                expected.append({name: array.tolist() for name, array in twin.seen.items()})
            each.step(each.masks.argmax(axis=1))
    assert [{name: array.tolist() for name, array in seen.items()} for seen in player.seen] == expected
    assert len(expected) > 5


@pytest.mark.parametrize("form", FORMS)
def test_gymnasiums_callable_sees_what_the_environment_shows(form: str) -> None:
    shown: list[Any] = []

    def first(seen: dict[str, Any]) -> int:
        shown.append(seen["observation"])
        return int(seen["action_mask"].argmax())

    env = SingleEnv(game="yaniv", opponents=first, observation=form)
    env.reset(seed=1)
    for _ in range(10):
        env.step(int(env.action_masks().argmax()))
    assert shown
    assert all(env.observation_space.contains(each) for each in shown)


def test_a_form_that_does_not_exist_is_an_error_of_the_opponent() -> None:
    tables = Tables(2, opponents=Looking("pixels"), seat=1)
    with pytest.raises(OpponentError, match="observation must be one of 'record', 'dict', 'features', 'cards'"):
        tables.reset(seed=1)


def test_the_caller_plays_the_seats_that_the_pool_leaves_to_it() -> None:
    tables = Tables(400, game="contract", opponents=["caller", "greedy"], seat="random", num_players=3)
    tables.reset(seed=1)
    rows, served = np.arange(400), np.zeros((400, 3), np.bool_)
    for _ in range(60):  # the first round lasts longer
        assert (tables.controls["players"][rows, tables.seats] == CALLER).all()
        served[rows, tables.seats] = True
        tables.step(tables.random_actions())
    assert set(np.bincount(served.sum(1), minlength=4).nonzero()[0]) == {1, 2, 3}


def test_a_pool_of_callers_is_self_play() -> None:
    pool, alone = (
        Tables(32, game="yaniv", reward="points", **seats)
        for seats in ({"opponents": ["caller", "caller"], "seat": "random"}, {})
    )
    for tables in (pool, alone):
        tables.reset(seed=2)
    for _ in range(500):
        actions = alone.masks.argmax(axis=1)
        for tables in (pool, alone):
            tables.step(actions)
        np.testing.assert_array_equal(pool.seats, alone.seats)
        np.testing.assert_array_equal(pool.observations, alone.observations)
        np.testing.assert_array_equal(pool.rewards, alone.rewards)


@pytest.mark.parametrize("make", [TablesVecEnv, lambda n, **said: gymnasium.make_vec("rummy/Yaniv-v0", n, **said)])
def test_an_environment_with_one_learner_leaves_no_other_seat_to_the_caller(make: Any) -> None:
    with pytest.raises(ValueError, match=r"'caller' is for banakil_env.envs.vector.Tables.*has one learner"):
        make(2, opponents=["greedy", "caller"])
    with pytest.raises(ValueError, match="the caller plays every seat if there are no opponents"):
        Tables(2, game="yaniv", opponents="caller")
