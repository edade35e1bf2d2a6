"""Are whole numbers computed with alike in compiled code and in the interpreter, however narrow their fields are?"""

from __future__ import annotations

from typing import Any, cast

import numba
import numpy as np
import pytest

from banakil_env.core.jit import compiled, inlined, interpreted
from banakil_env.core.record_type import record_dtype
from banakil_env.core.scratch import scratch_bytes

SKETCH = record_dtype(
    ("byte", "u1"),
    ("other", "u1"),
    ("short", "<i2"),
    ("word", "<u4"),
    ("long", "<i8"),
    ("bytes", "u1", (3,)),
    ("rng", "<u8"),
)


@compiled
def sums(state: Any) -> int:
    """Numbers that no byte holds: 450, -50, 50,000, 2**40, and the items of an array."""
    total = state.byte + state.other
    total += state.byte - state.other
    total += state.byte * state.other
    total += 1 << state.bytes[0]
    for each in state.bytes:
        total += each << 8
    return total


@inlined
def twice(number: int) -> int:
    return number + number


@compiled
def of_work(state: Any) -> int:
    """The same with an array of work, a narrow local variable and a copied function."""
    cells = scratch_bytes(2)
    cells[0], cells[1] = 100, 100
    byte = state.byte
    return twice(byte) + cells[0] + cells[1] - twice(cells[1]) - twice(state.byte)


@compiled
def minus(one: int, other: int) -> int:
    return one - other


@compiled
def calls(state: Any) -> int:
    """Calls with numbers of every width, with constants, and with a condition that is made a number."""
    found = minus(state.byte, state.other) + minus(state.short, state.word) + minus(state.long, state.bytes[2])
    found += minus(state.word, 7) + minus(2, 3) + minus(int(state.byte > 3), state.byte)
    return found


@compiled
def cut(state: Any) -> int:
    """What is stored in a byte is cut there, and read from it again."""
    state.byte = state.long & 255
    return state.byte + 1


@compiled
def wrapped(state: Any) -> int:
    """A word of 64 bits without a sign stays one, and wraps around."""
    state.rng = state.rng * np.uint64(3) + np.uint64(5)
    return int(np.int64(state.rng >> np.uint64(33)))


@pytest.fixture
def state() -> Any:
    return np.array([(200, 250, -300, 2**32 - 1, 2**40 + 7, (40, 255, 3), 2**64 - 2)], SKETCH)[0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (sums, 450 - 50 + 200 * 250 + (1 << 40) + (298 << 8)),
        (of_work, 0),
        (calls, -50 - 300 - (2**32 - 1) + 2**40 + 4 + 2**32 - 8 - 1 + 1 - 200),
        (cut, 8),
        (wrapped, (3 * (2**64 - 2) + 5) % 2**64 >> 33),
    ],
)
def test_compiled_code_and_the_interpreter_compute_alike(state: Any, function: Any, expected: int) -> None:
    with np.errstate(over="ignore"):
        found = [function(state.copy()), interpreted(function)(state.copy())]
    assert found == [expected, expected]
    assert type(found[1]) is int


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_one_form_of_a_function_serves_numbers_of_every_width(state: Any) -> None:
    """Numba would make one for each width and each constant."""
    calls(state)
    assert [tuple(map(str, kinds)) for kinds in cast(Any, minus).part.overloads] == [("int64", "int64")]


def test_numbers_read_as_int_in_the_interpreter(state: Any) -> None:
    for value in (state.byte, state.short, state.word, state.long, state.bytes[1], state.bytes[1:][0], *state.bytes):
        assert type(value) is int
    assert type(state.rng) is np.uint64
    state.bytes[1] = 9
    assert (state.bytes.tolist(), repr(state.bytes)) == ([40, 9, 3], "array([40,  9,  3], dtype=uint8)")
