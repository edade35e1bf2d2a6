"""Are fields of records emptied and copied by their names, in compiled code as in the interpreter?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banakil_env.core.fields import SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.core.records import clear_fields, copy_fields
from banakil_env.games import GAMES, find

RULES = [("target", "<i2"), ("bonus", "u1")]
HELD = np.dtype((np.record, [("hands", "<i8", (2, 3)), ("phase", "u1"), ("rules", RULES), ("stock", "u1", (5,))]))
SEEN = np.dtype((np.record, [("rules", RULES), ("own", "u1"), ("phase", "u1")]))
NAMES = "hands phase rules missing"


@compiled
def clear(records: Any) -> None:
    clear_fields(records[0], NAMES)


@compiled
def copy(records: Any, others: Any) -> None:
    copy_fields(records[0], others[0], NAMES)


def full(dtype: np.dtype[Any], byte: int) -> np.ndarray[Any, Any]:
    return np.full(dtype.itemsize, byte, np.uint8).view(dtype)


@pytest.mark.parametrize("run", [clear, getattr(clear, "py_func", clear)])
def test_the_fields_named_are_emptied_and_no_others(run: Any) -> None:
    records = full(HELD, 7)
    run(records)
    assert records.tobytes() == bytes(HELD.itemsize - 5) + b"\7" * 5


@pytest.mark.parametrize("run", [copy, getattr(copy, "py_func", copy)])
def test_the_fields_named_that_both_records_have_are_copied(run: Any) -> None:
    records, others = full(HELD, 7), full(SEEN, 0)
    run(records, others)
    assert others.tobytes() == b"\7\7\7\0\7"


def test_fields_of_different_types_are_not_copied() -> None:
    wider = np.dtype((np.record, [("phase", "<i4")]))
    with pytest.raises(Exception, match="phase is uint8 in one record and int32 in the other"):
        compiled(copy.py_func)(full(HELD, 0), full(wider, 0))  # type: ignore[attr-defined]


FIELDS = Fields(
    Field("hands", "hidden", 7, (2,)),
    Field("owed", "cards that are owed", 4, role=SCALED, scale=4, public=True),
    Field("first", "the first turn", public=True, word="first"),
)


def test_an_observation_takes_public_fields_as_they_are() -> None:
    assert FIELDS.public == "owed first"
    assert FIELDS.shown("first owed") == (FIELDS["first"], FIELDS["owed"])


def test_a_hidden_field_is_not_shown() -> None:
    with pytest.raises(ValueError, match="hands: not public"):
        FIELDS.shown("owed hands")


@pytest.mark.parametrize("name", GAMES)
def test_the_observation_of_a_game_has_its_public_fields(name: str) -> None:
    state, seen = find(name).state_fields, find(name).observation_fields
    for field in state.public.split():
        assert seen[field].number == state[field].number
        assert seen[field].shape == state[field].shape
