"""Are the fields of a record attributes, in the same memory, whatever other records there are?"""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from banakil_env.core.record_type import Record, record_dtype

BOTH = record_dtype(("sketch_target", "<i2"), ("sketch_bonus", "u1"))
TABLE = record_dtype(("sketch_hands", "<i8", (2,)), ("sketch_seat", "u1"), ("sketch_rules", BOTH))


def test_attributes_are_views_of_the_record() -> None:
    records = np.zeros(2, TABLE)
    record = records[1]
    record.sketch_seat = 3
    record.sketch_hands[1] = 7
    record.sketch_rules.sketch_target = -5
    assert (records["sketch_seat"].tolist(), records["sketch_hands"].tolist()) == ([0, 3], [[0, 0], [0, 7]])
    assert records["sketch_rules"]["sketch_target"].tolist() == [0, -5]
    assert type(record.sketch_rules) is Record


@pytest.mark.parametrize("name", ["sketch_target", "sketch_nowhere"])  # of another record, of none
def test_a_field_that_a_record_does_not_have(name: str) -> None:
    record = np.zeros(1, TABLE)[0]
    assert not hasattr(record, name)
    with pytest.raises(AttributeError, match=f"no field '{name}'; there are sketch_hands, sketch_seat, sketch_rules"):
        getattr(record, name)
    with pytest.raises(AttributeError, match=f"no field '{name}'"):
        setattr(record, name, 1)


def test_copies_and_pickles_are_records() -> None:
    record = np.array([((1, 2), 3, (4, 5))], TABLE)[0]
    for other in (copy.copy(record), copy.deepcopy(record), record.copy()):
        other.sketch_seat += 1
        assert (type(other), other.sketch_seat, other.sketch_rules.sketch_bonus) == (Record, 4, 5)
    assert record.sketch_seat == 3
    read = pickle.loads(pickle.dumps(record))
    assert (type(read), read.sketch_seat, read.sketch_rules.sketch_bonus) == (Record, 3, 5)


def test_a_field_that_this_process_has_not_declared() -> None:
    """As a pickle of another process brings it."""
    record = np.array([(9,)], np.dtype((Record, [("sketch_elsewhere", "u1")])))[0]
    assert "sketch_elsewhere" not in vars(Record)
    assert record.sketch_elsewhere == 9


def test_padding() -> None:
    fields = ("sketch_seat", "u1"), ("sketch_points", "<i8")
    assert (record_dtype(*fields).itemsize, record_dtype(*fields, align=True).itemsize) == (9, 16)
