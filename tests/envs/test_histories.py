"""Is the history of every environment that of the game, the moves of opponents included, and is it kept and checked?"""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode

import banakil_env  # noqa: F401  registers
from banakil_env.core.events import DISCARD, KINDS
from banakil_env.core.history import COLUMNS, WIDTH
from banakil_env.core.players import players_of
from banakil_env.envs.sb3 import TablesVecEnv
from banakil_env.envs.vector import Snapshot, Tables

GAME = "gin"
K = 64


class Recorder:
    """A player in Python that takes the first legal action, and keeps it in a list."""

    def __init__(self) -> None:
        self.actions: list[int] = []

    def __call__(self, seen):
        action = int(np.argmax(seen["action_mask"]))
        self.actions.append(action)
        return action


def alone(actions, seed, seat):
    """What the seat has seen after these actions of all seats, in the PettingZoo environment."""
    env = pettingzoo.make("aec", f"rummy/{GAME}-v0", history=K).unwrapped
    env.reset(seed)
    for action in actions:
        env.step(action)
    return env.observe(env.possible_agents[seat])["history"]


def test_moves_of_opponents_inside_a_step_are_in_the_history():
    player = Recorder()
    env = gymnasium.make("rummy/Gin-v0", opponents=player, seat=0, history=K)
    seen, info = env.reset(seed=3)
    for _ in range(12):
        assert (seen["history"] == alone(player.actions, 3, 0)).all()
        seen, _, terminated, _, info = env.step(player({"action_mask": info["action_mask"]}))
        if terminated:
            break
    assert (seen["history"][:, 0] == 2).any(), "the opponent has done something"


def test_compiled_opponents_and_the_same_players_outside_leave_the_same_history():
    """`greedy` at the other seat, and `greedy` chosen by the caller who plays every seat."""
    options = {"game": GAME, "history": K, "autoreset": AutoresetMode.DISABLED}
    inside, outside = Tables(1, opponents="greedy", seat=0, **options), Tables(1, **options)
    inside.reset(8)
    outside.reset(8)
    game, action, dice = inside.game, np.zeros(1, np.int64), np.zeros(1, np.uint64)
    while inside.seats[0] >= 0:
        while outside.seats[0] == 1:
            seen = outside.observations.reshape(-1).view(game.observation)
            players_of(game).decide_many(
                game.kinds["greedy"], seen, outside.masks, dice, np.zeros(1, inside.dice.dtype), action
            )
            outside.step(action)
        assert inside.seats == outside.seats
        assert (inside.history == outside.history).all()
        for tables in (inside, outside):
            tables.step(np.argmax(tables.masks, axis=1))


def test_every_seat_sees_itself_as_the_first():
    env = pettingzoo.make("aec", "rummy/yaniv-v0", num_players=3, history=K).unwrapped
    env.reset(1)
    for _ in range(9):
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    rows = [env.observe(agent)["history"] for agent in env.possible_agents]
    who = np.array([each[:, 0] for each in rows]).astype(int)
    someone = who[0] > 0
    assert someone.any()
    assert ((who[0] - who[1])[someone] % 3 == 1).all()
    assert ((who[1] - who[2])[someone] % 3 == 1).all()
    for other in rows[1:]:
        assert (other[:, 1:6] == rows[0][:, 1:6]).all(), "verb, places, number and time are the same for all seats"


@pytest.mark.parametrize("form", ["record", "features", "cards"])
def test_tables_show_the_history_of_any_seat(form):
    tables, actions = Tables(2, game=GAME, history=K, observation=form), []
    tables.reset([5, 6])
    for _ in range(9):
        actions.append(int(np.argmax(tables.masks[0])))
        tables.step(np.argmax(tables.masks, axis=1))
    for seat in range(2):
        assert (tables.observe(seat)["history"][0] == alone(actions, 5, seat)).all()
    mine = tables.observe(tables.seats)
    assert mine.keys() == tables.seen.keys()
    assert all((array == tables.seen[name]).all() for name, array in mine.items())


def test_a_history_has_a_space_of_its_own_in_every_form():
    for form in ("record", "dict", "features"):
        env = gymnasium.make("rummy/Gin-v0", history=5, observation=form)
        seen, _ = env.reset(seed=0)
        assert env.observation_space.contains(seen)
        assert seen["history"].shape == (5, WIDTH) == (5, len(COLUMNS))
    envs = gymnasium.make_vec("rummy/Gin-v0", 3, history=5, observation="features", copy=False)
    first, _ = envs.reset(seed=0)
    kept = first["history"].copy()
    envs.step(envs.action_space.sample())
    assert envs.observation_space.contains(envs.step(envs.action_space.sample())[0])
    assert kept.any()
    learning = TablesVecEnv(2, history=5, game=GAME, observation="features")
    assert learning.observation_space.contains({name: part[0] for name, part in learning.reset().items()})


def test_the_last_observation_of_an_episode_has_the_history_of_that_episode():
    tables = Tables(1, game=GAME, history=K)
    tables.reset(2)
    for _ in range(2000):
        tables.step(np.argmax(tables.masks, axis=1))
        if tables.terminations[0]:
            break
    last = tables.final_observation(0, 0)["history"]
    assert KINDS[last[-1, 1] - 1] == "round over"
    assert not (tables.history[0, :, 1] == 1 + KINDS.index("round over")).any(), "the next episode begins with its deal"
    assert not (tables.history[0, :, 1] == 1 + KINDS.index(DISCARD)).any()


def played(tables, moves):
    for _ in range(moves):
        tables.step(np.argmax(tables.masks, axis=1))
    return tables.history.copy()


def test_snapshots_pickles_and_copies_keep_histories():
    tables = Tables(3, game=GAME, history=K)
    tables.reset(4)
    played(tables, 9)
    kept, other = tables.snapshot(), pickle.loads(pickle.dumps(tables))
    after = played(tables, 7)
    assert (played(other, 7) == after).all()
    tables.restore(kept)
    assert (played(tables, 7) == after).all()
    tables.restore(Snapshot(*kept[:3]))
    assert not tables.history.any(), "without its logs, a restored position begins a history"
    env = pettingzoo.make("aec", f"rummy/{GAME}-v0", history=K)
    env.reset(1)
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    twin = copy.copy(env)
    before = twin.observe("player_0")["history"]
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert (twin.observe("player_0")["history"] == before).all()


def test_what_is_no_history_is_refused():
    with pytest.raises(ValueError, match=r"history must be 0 \(none\) to 256 events, not 1000"):
        Tables(1, game=GAME, history=1000)
    with pytest.raises(TypeError, match="history must be the number of events, 0 to 256, not True"):
        gymnasium.make("rummy/Gin-v0", history=True)
    tables = Tables(2, game=GAME, history=8)
    tables.reset(0)
    longer = Tables(2, game=GAME, history=16)
    longer.reset(0)
    with pytest.raises(ValueError, match="restore it into tables with the same `history`"):
        tables.restore(longer.snapshot())
    broken = tables.snapshot()
    broken.logs[0, 1] = 10**9  # where the next row goes
    with pytest.raises(ValueError, match="a log that no batch has written"):
        tables.restore(broken)
