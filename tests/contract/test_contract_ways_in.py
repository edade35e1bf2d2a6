"""Is everything that comes into an environment checked? Compiled code computes addresses from it.

Positions, pickles, copies, snapshots, and arrays that a caller might write to.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contract_cases import each_game

from banakil_env.core.game import BadState, IllegalAction
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.envs.aec import raw_env
from banakil_env.envs.opponents import OpponentError
from banakil_env.envs.single import SingleEnv
from banakil_env.envs.vector import Snapshot, Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.render import as_text

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}
each_copy = pytest.mark.parametrize("how", COPIES)


def dealt(name: str, num_players: int) -> Any:
    """A deal for this number of players, an array of one state."""
    states = find(name).new(num_players=num_players)
    kernels_of(find(name)).start_one(states, seed_word(1))
    return states


@each_game
@each_copy
def test_a_copy_with_a_position_for_more_players_is_refused(name: str, how: str) -> None:
    """The environment has arrays for as many agents as it was made for."""
    fewest, most = find(name).seats[0], find(name).seats[-1]
    if fewest == most:
        pytest.skip("the game is for one number of players")
    env = raw_env(name, num_players=fewest)
    env.reset(seed=1)
    env._states = dealt(name, most)
    with pytest.raises(ValueError, match=f"the position is for {most} players, the environment for {fewest}"):
        COPIES[how](env)
    undealt = raw_env(name, num_players=fewest)
    undealt._setup = dataclasses.replace(undealt._setup, blank=find(name).new(num_players=most))
    with pytest.raises(ValueError, match=f"the position is for {most} players, the environment for {fewest}"):
        COPIES[how](undealt)


@each_game
@each_copy
def test_a_copy_that_is_not_dealt_has_its_rules_checked(name: str, how: str) -> None:
    env, tables = raw_env(name), Tables(2, game=name)
    for states in (env._setup.blank, tables._states):
        states["num_players"] = 77
    for each in (env, tables):
        if how != "copy" or each is env:  # a shallow copy of a batch shares its arrays
            with pytest.raises(BadState, match="row 0 cannot be dealt: num_players is 77"):
                COPIES[how](each)


@each_game
def test_what_compiled_code_trusts_cannot_be_written_from_outside(name: str) -> None:
    tables = Tables(3, game=name, opponents="random")
    tables.reset(seed=1)
    before = tables.states.tobytes()
    for array in (tables.states, tables.controls, tables.final_states, tables.seats_at, tables.learners):
        assert not array.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        tables.states["rng"] = 0
    with pytest.raises(ValueError, match="read-only"):
        tables.states[0]["seat"] = 1
    for attribute in ("states", "controls", "final_states", "seats_at"):
        with pytest.raises(AttributeError):
            setattr(tables, attribute, getattr(tables, attribute).copy())
    with pytest.raises(ValueError, match="read-only memory: continue with a copy"):
        Plain(find(name)).apply(tables.states[0], int(tables.random_actions()[0]))
    assert tables.states.tobytes() == before
    assert Plain(find(name)).legal_actions(tables.states[0]) == np.flatnonzero(tables.masks[0]).tolist()


@each_game
def test_a_view_of_the_states_goes_back_in_checked(name: str) -> None:
    tables = Tables(2, game=name)
    tables.reset(seed=1)
    kept = tables.snapshot()
    tables.restore(Snapshot(tables.states, tables.controls, tables.dice))
    assert tables.states.tobytes() == kept.states.tobytes()
    damaged = kept.states.copy()
    damaged["num_players"] = 77
    with pytest.raises(BadState, match="num_players is 77"):
        tables.restore(kept._replace(states=damaged))
    assert tables.states.tobytes() == kept.states.tobytes()


@each_game
def test_a_state_from_a_file_is_the_same_state(name: str, tmp_path: Path) -> None:
    """`numpy.load` gives records whose fields are no attributes; every way in takes them."""
    plain, game = Plain(find(name)), find(name)
    state = plain.new(seed=3)
    np.save(tmp_path / "state.npy", state)
    for read in (np.load(tmp_path / "state.npy"), np.load(tmp_path / "state.npy")[()]):
        assert plain.to_text(read) == plain.to_text(state)
        assert plain.seat_to_move(read) == plain.seat_to_move(state)
        assert not plain.is_over(read)
        assert as_text(game, read, 0) == as_text(game, state, 0)
        env = SingleEnv(game=name)
        env.reset(seed=3, options={"position": read})
        assert env.tables.states["rules"].tobytes() == state["rules"].tobytes()
        many = Tables(2, game=name)
        many.reset(seed=1)
        many.begin_from(read)
        assert many.states[0].tobytes() == state.tobytes()


def test_a_pickled_batch_with_other_arrays_or_opponents_is_refused() -> None:
    def changed(**values: Any) -> None:
        tables = Tables(4, game="rummy", opponents="random")
        tables.reset(seed=1)
        vars(tables).update(values)
        pickle.loads(pickle.dumps(tables))

    choices = Tables(4, game="rummy", opponents="random")._seating.choices
    for wrong in (choices + 9, choices - 9, choices[:-1], choices[:, :0]):
        with pytest.raises(ValueError, match="the choices of opponents"):
            changed(_seating=dataclasses.replace(Tables(4, game="rummy", opponents="random")._seating, choices=wrong))
    with pytest.raises(ValueError, match="masks must be a NumPy array"):
        changed(masks=np.zeros((2, 5), np.int8))
    with pytest.raises(ValueError, match="final_states must be a NumPy array of records"):
        changed(_final_states=np.zeros(1, find("rummy").state))
    with pytest.raises(TypeError, match="dice must be a NumPy array of records"):
        changed(dice=np.zeros(4))


def play(tables: Tables) -> None:
    tables.reset(seed=1)
    for _ in range(200):
        tables.step(tables.random_actions())


@each_game
def test_masked_numbers_are_no_actions(name: str) -> None:
    masked = np.ma.masked_array([0, 0], mask=True)
    tables = Tables(2, game=name)
    tables.reset(seed=1)
    before = tables.states.tobytes()
    with pytest.raises(IllegalAction, match="actions must be a plain array of whole numbers, not a masked array"):
        tables.step(masked)
    assert tables.states.tobytes() == before
    env = raw_env(name)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="no action has the index"):
        env.step(np.ma.masked_array(0, mask=True))
    with pytest.raises(ValueError, match="seed must be a whole number"):
        env.reset(seed=np.ma.masked_array(0, mask=True))
    asked = Tables(2, game=name, opponents=lambda seen, masks: np.ma.masked_array(masks.argmax(1), mask=True), seat=1)
    with pytest.raises(OpponentError, match="gave a masked array of shape"):
        play(asked)


@pytest.mark.parametrize("number", [2**24 + 1, 2**63, 2**64, 10**30])
def test_more_tables_than_a_batch_can_have_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"a batch has at most 16,777,216 tables, not {number:,}"):
        Tables(number)


def test_generators_are_set_of_tables_that_have_been_dealt() -> None:
    tables, again = Tables(3, game="rummy"), Tables(3, game="rummy")
    cards, dice = np.arange(3, dtype=np.uint64), np.arange(3, 6, dtype=np.uint64)
    with pytest.raises(ValueError, match=r"reset\(\) the tables before"):
        tables.set_generators(cards, dice)
    for batch in (tables, again):
        batch.reset(seed=1 if batch is tables else 2)
        batch.set_generators(cards, dice)
        batch.reset()
    assert tables.states.tobytes() == again.states.tobytes()
