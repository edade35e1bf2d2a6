"""Are fields of records emptied and copied by their names, in compiled code as in the interpreter?"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from banakil_env.core.fields import SCALED, Field, Fields, seen_otherwise
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.records import clear_fields, copy_fields, copy_places, copy_record
from banakil_env.core.scratch import scratch_record
from banakil_env.games import GAMES, find

RULES = [("target", "<i2"), ("bonus", "u1")]
HELD = np.dtype((np.record, [("hands", "<i8", (2, 3)), ("phase", "u1"), ("rules", RULES), ("stock", "u1", (5,))]))
SEEN = np.dtype((np.record, [("rules", RULES), ("own", "u1"), ("phase", "u1")]))
NAMES = "hands phase rules missing"
NUMBERS = "phase=3 stock=9 hands=-1 missing=4"


@compiled
def clear(records: Any) -> None:
    clear_fields(records[0], NAMES)


@compiled
def write_numbers(records: Any) -> None:
    clear_fields(records[0], NUMBERS)


@compiled
def copy(records: Any, others: Any) -> None:
    copy_fields(records[0], others[0], NAMES)


@compiled
def copy_whole(records: Any, others: Any) -> None:
    copy_record(records[0], others[0])


@compiled
def by_way_of_the_stack(records: Any, others: Any) -> None:
    """A record on the stack keeps every field, those in rows and in a record within it too."""
    between = scratch_record(HELD)
    copy_record(records[0], between)
    between.hands[1, 2] += 1
    between.phase, between.rules.bonus = 3, 4
    copy_record(between, others[0])


@compiled
def copy_to_another_dtype(records: Any, others: Any) -> None:
    copy_record(records[0], others[0])


SCORED = np.dtype((np.record, [("scores", "<i2", (3,)), ("calls", "u1", (3,)), ("seat", "u1")]))


@hook
def rows_of(state: Any) -> str:
    """The rows that are copied."""
    raise NotImplementedError


rows_of.fill_text(SCORED, "scores calls missing")


@compiled
def move_places(records: Any, others: Any) -> None:
    copy_places(records[0], others[0], rows_of(records[0]), 2, 0)


def full(dtype: np.dtype[Any], byte: int) -> np.ndarray[Any, Any]:
    return np.full(dtype.itemsize, byte, np.uint8).view(dtype)


@pytest.mark.parametrize("run", [clear, getattr(clear, "py_func", clear)])
def test_the_fields_named_are_emptied_and_no_others(run: Any) -> None:
    records = full(HELD, 7)
    run(records)
    assert records.tobytes() == bytes(HELD.itemsize - 5) + b"\7" * 5


@pytest.mark.parametrize("run", [write_numbers, getattr(write_numbers, "py_func", write_numbers)])
def test_a_field_is_cleared_with_the_number_that_is_given_for_it(run: Any) -> None:
    records = full(HELD, 7)
    run(records)
    assert (records["hands"] == -1).all()
    assert (records["stock"] == 9).all()
    assert records["phase"] == 3
    assert records["rules"].tobytes() == b"\7" * 3


@pytest.mark.parametrize("run", [copy, getattr(copy, "py_func", copy)])
def test_the_fields_named_that_both_records_have_are_copied(run: Any) -> None:
    records, others = full(HELD, 7), full(SEEN, 0)
    run(records, others)
    assert others.tobytes() == b"\7\7\7\0\7"


def test_fields_of_different_types_are_not_copied() -> None:
    wider = np.dtype((np.record, [("phase", "<i4")]))
    with pytest.raises(Exception, match="phase is uint8 in one record and int32 in the other"):
        compiled(copy.py_func)(full(HELD, 0), full(wider, 0))  # type: ignore[attr-defined]


@pytest.mark.parametrize("run", [move_places, getattr(move_places, "py_func", move_places)])
def test_single_places_of_the_rows_that_a_hook_names_are_copied(run: Any) -> None:
    records, others = np.zeros(1, SCORED), np.zeros(1, SCORED)
    records[0] = ((1, 2, -3), (4, 5, 6), 7)
    run(records, others)
    assert others.tobytes() == np.array([((-3, 0, 0), (6, 0, 0), 0)], SCORED).tobytes()


FIELDS = Fields(
    Field("hands", "hidden", 7, (2,)),
    Field("owed", "cards that are owed", 4, role=SCALED, scale=4, public=True),
    Field("first", "the first turn", public=True, word="first"),
    Field("points", "of each seat", 9, (2,), by_seat=True),
)


def test_an_observation_takes_public_fields_as_they_are() -> None:
    assert (FIELDS.public, FIELDS.by_seat) == ("owed first", "points")
    shown = FIELDS.shown("first points owed")
    assert [field.name for field in shown] == ["first", "points", "owed"]
    assert [field.dtype for field in shown] == [FIELDS[field.name].dtype for field in shown]
    assert [field.word for field in shown] == ["", "", ""]  # positions are written of states alone


def test_a_hidden_field_is_not_shown() -> None:
    with pytest.raises(ValueError, match="hands: not public"):
        FIELDS.shown("owed hands")


def test_what_an_observation_says_otherwise_is_not_public_as_it_is() -> None:
    fields = Fields(*seen_otherwise(FIELDS.values(), "owed points"))
    assert (fields.public, fields.by_seat) == ("first", "")
    assert fields["owed"].role == SCALED
    assert fields.dtype == FIELDS.dtype


@pytest.mark.parametrize("name", GAMES)
def test_the_observation_of_a_game_has_its_public_fields(name: str) -> None:
    state, seen = find(name).state_fields, find(name).observation_fields
    for field in f"{state.public} {state.by_seat}".split():
        if field == "num_players" and len(find(name).seats) == 1 and field not in seen:
            continue  # it is always the same
        assert seen[field].number == state[field].number
        assert seen[field].shape == state[field].shape


def test_no_observation_has_the_size_of_a_state() -> None:
    """`Hook.callees` looks for the game of a record by the record's size, before it compares the fields."""
    states, seen = ({getattr(find(name), kind).itemsize for name in GAMES} for kind in ("state", "observation"))
    assert states.isdisjoint(seen), "a hook without a default would be asked about an observation: change the state"


@pytest.mark.parametrize("run", [copy_whole, getattr(copy_whole, "py_func", copy_whole)])
def test_a_whole_record_is_copied(run: Any) -> None:
    records, others = full(HELD, 7), full(HELD, 1)
    run(records, others)
    assert others.tobytes() == records.tobytes() == bytes([7]) * HELD.itemsize


@pytest.mark.parametrize("run", [by_way_of_the_stack, getattr(by_way_of_the_stack, "py_func", by_way_of_the_stack)])
def test_a_record_on_the_stack_has_the_fields_of_its_dtype(run: Any) -> None:
    records, others = full(HELD, 7), full(HELD, 1)
    run(records, others)
    expected = records.copy()
    expected["hands"][0, 1, 2] += 1
    expected["phase"], expected["rules"]["bonus"] = 3, 4
    assert others.tobytes() == expected.tobytes()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_record_is_not_copied_to_one_of_another_dtype() -> None:
    with pytest.raises(numba.TypingError, match=r"copy_record\(\) takes two records of the same dtype"):
        copy_to_another_dtype(full(HELD, 7), full(SEEN, 1))
