"""Do rows of several games in one batch play as `Tables` of each game alone, and is the number of players drawn?"""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pettingzoo
import pytest

import banakil_env  # noqa: F401  registers
from banakil_env.envs.mixed import MixedTables
from banakil_env.envs.vector import IllegalActions, Tables
from banakil_env.games import GAMES

ENTRIES = ({"game": "gin", "tables": 3}, {"game": "yaniv", "num_players": [2, 3, 4], "tables": 5}, "gin")


@pytest.mark.parametrize(
    "shared",
    [
        {},
        {"opponents": "greedy", "observation": "features", "history": 12},
        {"opponents": "greedy", "observation": "cards", "history": 4},
    ],
)
def test_each_row_plays_as_tables_of_its_game_alone(shared):
    mixed = MixedTables(ENTRIES, tables=2, **shared)
    mixed.reset(9)
    alone = [
        Tables(3, game="gin", **shared),
        Tables(5, game="yaniv", num_players=[2, 3, 4], **shared),
        Tables(2, game="gin", **shared),
    ]
    begins = [0, 3, 8, 10]
    for each, first, last in zip(alone, begins, begins[1:]):
        each.reset(mixed.seeds[first:last])
    for _ in range(60):
        for each, first, last in zip(alone, begins, begins[1:]):
            for name in each.buffer_specs():
                own = getattr(each, name)
                rows = getattr(mixed, name)[first:last]
                inside = tuple(slice(size) for size in own.shape)
                assert (rows[inside] == own).all(), name
                outside = rows.copy()
                outside[inside] = 0
                assert not outside.any(), f"{name} is padded with zeros"
            assert (mixed.payoffs[first:last] == each.payoffs).all()
            assert (mixed.learners[first:last] == each.learners).all()
        actions = np.array([np.flatnonzero(mask)[-1] for mask in mixed.masks])
        mixed.step(actions)
        for each, first, last in zip(alone, begins, begins[1:]):
            each.step(actions[first:last])
    assert mixed.games.tolist() == [list(GAMES).index(name) for name in ["gin"] * 3 + ["yaniv"] * 5 + ["gin"] * 2]


def test_the_number_of_players_is_drawn_for_each_episode():
    tables = Tables(64, game="yaniv", num_players=[2, 4], rules=["denexa", "asaf"])
    seen = set()
    for seed in range(3):
        tables.reset(seed)
        assert (tables.seats_at == tables.states["num_players"]).all()
        seen |= set(tables.seats_at.tolist())
        again = Tables(64, game="yaniv", num_players=[2, 4], rules=["denexa", "asaf"])
        again.reset(seed)
        assert (again.states == tables.states).all(), "one seed draws one number of players and one deal"
    assert seen == {2, 4}
    assert tables.num_seats == 4
    ended = np.zeros(64, bool)
    for _ in range(400):
        tables.step(np.argmax(tables.masks, axis=1))
        ended |= tables.terminations
        assert not (
            tables.rewards[tables.seats_at == 2][:, 2:] * ~tables.terminations[tables.seats_at == 2][:, None]
        ).any()
        assert (tables.seats < tables.seats_at).all()
    assert ended.any()


def test_numbers_of_players_that_cannot_be_drawn_are_refused():
    with pytest.raises(ValueError, match="the list of num_players is empty"):
        Tables(1, game="yaniv", num_players=[])
    with pytest.raises(ValueError, match="a tuple of 1 opponents was given for a table of 3 players"):
        Tables(1, game="yaniv", num_players=[2, 3], opponents=("greedy",))
    with pytest.raises(ValueError, match="num_players must be one number, not"):
        pettingzoo.make("aec", "rummy/yaniv-v0", num_players=[2, 3])


def test_illegal_actions_are_named_by_their_rows_in_the_batch():
    mixed = MixedTables(["gin", "yaniv"], tables=2)
    mixed.reset(1)
    before = [part.states.copy() for part in mixed.parts]
    actions = np.argmax(mixed.masks, axis=1)
    actions[1] = actions[2] = mixed.masks.shape[1]
    with pytest.raises(IllegalActions, match="gin, rows from 0 on: illegal action in row 1") as error:
        mixed.step(actions)
    assert error.value.rows.tolist() == [1, 2]
    after = [part.states for part in mixed.parts]
    assert before[0][1] == after[0][1]
    assert before[0][0] != after[0][0]
    assert before[1][1] != after[1][1]


def test_nothing_changes_where_one_part_cannot_be_dealt_or_restored():
    mixed = MixedTables(["gin", "yaniv"], tables=2)
    mixed.reset(5)
    states = [part.states.tobytes() for part in mixed.parts]
    other = MixedTables(["gin", "yaniv"], tables=2)
    other.reset(6)
    first, second = other.snapshot()
    damaged = second._replace(states=first.states)
    with pytest.raises((TypeError, ValueError)):
        mixed.restore((first, damaged))
    assert [part.states.tobytes() for part in mixed.parts] == states
    with pytest.raises(ValueError, match="seed must be a whole number"):
        mixed.reset([1, 2, 3, -4])
    assert [part.states.tobytes() for part in mixed.parts] == states


def test_a_snapshot_of_a_mixed_batch_continues_as_before():
    mixed = MixedTables(["gin", "yaniv"], tables=3, observation="features", history=6)
    mixed.reset(4)
    kept = mixed.snapshot()
    played = []
    for _ in range(2):
        for _ in range(15):
            mixed.step(np.argmax(mixed.masks, axis=1))
        played.append((mixed.features.copy(), mixed.history.copy(), mixed.seats.copy()))
        mixed.restore(kept)
    for first, second in zip(*played):
        assert (first == second).all()


def by_pickle(tables):
    return pickle.loads(pickle.dumps(tables))


@pytest.mark.parametrize("copied", [by_pickle, copy.deepcopy, copy.copy])
@pytest.mark.parametrize("form", ["record", "cards"])
def test_a_copy_plays_on_as_the_batch_does_and_apart_from_it(copied, form):
    mixed = MixedTables(["gin", "yaniv"], tables=2, observation=form, history=3)
    mixed.reset(1)
    other = copied(mixed)
    played = []
    for tables in (mixed, other):
        steps = []
        for _ in range(6):
            tables.step(np.argmax(tables.masks, axis=1))
            steps.append([getattr(tables, name).copy() for name in tables.parts[0].buffer_specs()])
        played.append(steps)
    for first, second in zip(*played):
        assert all((a == b).all() for a, b in zip(first, second))
    assert all(not np.shares_memory(mixed.masks, part.masks) for part in other.parts)


@pytest.mark.parametrize("form", ["record", "features", "cards"])
def test_any_seat_is_shown_as_by_the_tables_of_its_game(form):
    mixed = MixedTables(ENTRIES, tables=2, observation=form, history=4)
    mixed.reset(3)
    for _ in range(9):
        mixed.step(np.argmax(mixed.masks, axis=1))
    begins = [0, 3, 8, 10]
    for seats in (1, mixed.seats_at - 1):
        shown, whole = mixed.observe(seats), mixed.full_observation(seats)
        assert {name: array.shape for name, array in shown.items()} == {
            name: array.shape for name, array in mixed.seen.items()
        }
        for part, first, last in zip(mixed.parts, begins, begins[1:]):
            given = seats if isinstance(seats, int) else seats[first:last]
            for name, own in part.observe(given).items():
                rows = shown[name][first:last]
                assert (rows[tuple(slice(size) for size in own.shape)] == own).all()
                assert rows.sum(dtype=float) == own.sum(dtype=float), "the rest is zeros"
            for name, own in part.full_observation(given).items():
                assert (whole[name][first:last] == own).all()
    kept = mixed.seen_copy()
    assert all(not np.shares_memory(kept[name], array) for name, array in mixed.seen.items())
    with pytest.raises(ValueError, match="row 0 has no seat 3: 2 play there"):
        mixed.observe(3)
    with pytest.raises(ValueError, match="seat must be a whole number, or 10 of them"):
        mixed.full_observation([0, 1])


def test_some_rows_are_dealt_again_and_the_others_stay():
    mixed = MixedTables(["gin", "yaniv"], tables=3, autoreset="Disabled", observation="features")
    with pytest.raises(ValueError, match=r"reset\(\) all tables before some of them"):
        mixed.reset(rows=[1])
    mixed.reset(4)
    for _ in range(5):
        mixed.step(np.argmax(mixed.masks, axis=1))
    before = mixed.features.copy()
    mixed.reset(seed=[70, 50], rows=[4, 1])
    assert (mixed.features[[0, 2, 3, 5]] == before[[0, 2, 3, 5]]).all()
    assert mixed.seeds[[4, 1]].tolist() == [70, 50]
    gin = Tables(1, game="gin", observation="features")
    assert (mixed.features[1, : gin.features.shape[1]] == gin.reset([50])[0][0]).all()
    mixed.reset(seed=4, rows=np.arange(6) == 2)
    twin = MixedTables(["gin", "yaniv"], tables=3)
    twin.reset(4)
    assert mixed.seeds[2] == twin.seeds[2]
    with pytest.raises(ValueError, match="1 seeds were given for 2 tables"):
        mixed.reset(seed=[1], rows=[0, 1])
    with pytest.raises(ValueError, match="there are rows 0 to 5, not"):
        mixed.reset(rows=[6])


def test_arguments_that_shape_the_whole_batch_stand_in_no_entry():
    for own in ({"observation": "cards"}, {"history": 4}):
        with pytest.raises(ValueError, match=f"{next(iter(own))} must be the same in the whole batch"):
            MixedTables(["gin", {"game": "yaniv", **own}], observation="features")
    with pytest.raises(TypeError, match="remove buffers"):
        MixedTables([{"game": "gin", "buffers": {}}])


def test_an_array_that_tables_do_not_have_is_named_with_the_argument_that_makes_it():
    for tables in (Tables(1, game="gin"), MixedTables(["gin"])):
        name = type(tables).__name__
        with pytest.raises(AttributeError, match=rf"no array 'history': make them with {name}\(\.\.\., history=K"):
            tables.history  # noqa: B018
        with pytest.raises(AttributeError, match=r"no array 'features': make them with .* observation=\"features\""):
            tables.features  # noqa: B018
        with pytest.raises(AttributeError, match="object has no attribute 'histories'"):
            tables.histories  # noqa: B018


def test_what_is_no_list_of_games_is_refused():
    with pytest.raises(TypeError, match="games must be a list of names"):
        MixedTables("gin")
    with pytest.raises(ValueError, match="an entry needs the name of its game"):
        MixedTables([{"tables": 3}])
    with pytest.raises(ValueError, match="names other arrays in every game"):
        MixedTables(["gin", "yaniv"], observation="dict")
    with pytest.raises(ValueError, match=r"no opponent 'greed'"):
        MixedTables(["gin"], opponents="greed")
    with pytest.raises(IndexError, match="there are rows 0 to 1, not 5"):
        MixedTables(["gin"], tables=2).at(5)
