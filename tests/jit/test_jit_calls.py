"""Does an entry refuse arguments that are not as it was declared? Compiled code trusts addresses and sizes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from banakil_env.core import jit
from banakil_env.core.jit.library import alignment_of
from banakil_env.core.record_type import record_dtype

ROWS = np.dtype([("cards", "<i8"), ("seat", "u1")])


def _add_up(rows: Any, amounts: Any, out: Any, seed: int, bonus: int) -> int:
    for i in range(amounts.shape[0]):
        out[i, 0] = rows[i].cards * amounts[i] + bonus
    return amounts.shape[0]


ADD_UP = jit.Library("test_calls").entry(
    _add_up,
    {
        "rows": jit.read(ROWS, "n"),
        "amounts": jit.read("i8", "n"),
        "out": jit.written("f4", "n", 2),
        "seed": jit.SEED,
        "bonus": jit.INT,
    },
    result=True,
)


def good() -> dict[str, Any]:
    """Arguments that the entry takes."""
    rows = np.zeros(3, ROWS)
    rows["cards"] = [1, 2, 3]
    return {"rows": rows, "amounts": np.arange(3), "out": np.zeros((3, 2), np.float32), "seed": 2**64 - 1, "bonus": -5}


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


BAD: dict[str, tuple[str, Any, str]] = {
    "another dtype": ("amounts", np.arange(3, dtype=np.uint64), "amounts must be an array of"),
    "other records": ("rows", np.zeros(3, [("cards", "<i8"), ("seat", "i1")]), "rows must be an array of"),
    "no array": ("amounts", [0, 1, 2], "amounts must be an array of"),
    "fewer rows": ("amounts", np.arange(2), "the size of amounts along axis 0 must be 3, and was 2"),
    "another width": ("out", np.zeros((3, 3), np.float32), "the size of out along axis 1 must be 2, and was 3"),
    "another dimension": ("out", np.zeros(3, np.float32), "out must be an aligned array of 2 dimensions"),
    "every second": ("amounts", np.arange(6)[::2], "amounts must be a contiguous array"),
    "by columns": ("out", np.zeros((2, 3), np.float32).T, "out must be a contiguous, writable array"),
    "read-only": ("out", read_only(np.zeros((3, 2), np.float32)), "out must be a contiguous, writable array"),
    "unaligned": ("amounts", np.zeros(25, np.uint8)[1:].view(np.int64), "amounts must be an aligned array"),
    "a fraction": ("bonus", 1.5, "bonus must be a whole number"),
    "nothing": ("amounts", Ellipsis, "amounts must be an array of"),
}


@pytest.fixture(params=["c", "python"])
def add_up(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The entry, called through the extension and through the same in Python."""
    from banakil_env.core.jit import calling, library

    made = calling.function_in_c if request.param == "c" else calling.function_in_python
    if made is None:
        pytest.skip("the extension was not built, since there is no C compiler")
    monkeypatch.setattr(library, "call_of", made)
    return ADD_UP


def test_a_call_takes_arrays_and_numbers(add_up: Any) -> None:
    given = good()
    assert add_up.bind(*[jit.OPEN] * 5)(*given.values()) == 3
    assert given["out"][:, 0].tolist() == [-5, -3, 1]
    given["rows"].flags.writeable = False  # what is only read may be read-only
    assert add_up.bind(given["rows"], *[jit.OPEN] * 4)(*list(given.values())[1:]) == 3


@pytest.mark.parametrize("name", BAD)
def test_an_argument_that_is_not_as_declared_is_refused(add_up: Any, name: str) -> None:
    """Compiled code trusts addresses and sizes: one of these would corrupt memory."""
    argument, value, text = BAD[name]
    given = good() | {argument: value}
    for call in (lambda: add_up.bind(*[jit.OPEN] * 5)(*given.values()), lambda: add_up.bind(*given.values())):
        with pytest.raises((TypeError, ValueError), match=re.escape(text)):
            call()
    assert not given["out"].any()


def test_whole_numbers_of_32_bits_are_converted(add_up: Any) -> None:
    """NumPy before 2 makes them on Windows where no dtype is named."""
    given = good() | {"amounts": np.arange(3, dtype=np.int32)}
    assert add_up.bind(*[jit.OPEN] * 5)(*given.values()) == 3
    assert given["out"][:, 0].tolist() == [-5, -3, 1]
    with pytest.raises(TypeError, match="amounts must be an array of"):  # what is held is read where it lies
        add_up.bind(*given.values())
    with pytest.raises(ValueError, match="the size of amounts along axis 0 must be 3, and was 2"):
        add_up.bind(*[jit.OPEN] * 5)(*(given | {"amounts": np.arange(2, dtype=np.int32)}).values())


ALIGNED = np.dtype([("seat", "u1"), ("cards", "<i8")], align=True)


def _sum_cards(rows: Any) -> int:
    total = 0
    for row in range(rows.shape[0]):
        total += rows[row].cards
    return total


SUM_CARDS = jit.Library("test_aligned").entry(_sum_cards, {"rows": jit.read(ALIGNED, "n")}, result=True)


def test_records_with_padding_have_to_be_aligned(add_up: Any) -> None:
    """Compiled code reads their fields as whole words. Packed records are read at any address."""
    rows = np.zeros(3, ALIGNED)
    rows["cards"] = [1, 2, 3]
    call = SUM_CARDS.bind(jit.OPEN)
    assert call(rows) == 6
    cells = np.zeros(rows.nbytes + 1, np.uint8)
    cells[1:] = rows.view(np.uint8)
    with pytest.raises(TypeError, match="rows must be an aligned array of 1 dimension"):
        call(cells[1:].view(ALIGNED))


@pytest.mark.parametrize("align", [False, True])
def test_the_alignment_of_a_record_is_that_of_its_fields(align: bool) -> None:
    """NumPy itself gives 1 for records of our type."""
    inner = record_dtype(("a", "u1"), ("b", "<i4"), align=align)
    outer = record_dtype(("c", "u1"), ("d", inner, 3), align=align)
    assert alignment_of(outer) == (4 if align else 1)
    assert alignment_of(np.dtype("<u2")) == 2


def test_a_number_of_arguments_that_is_not_as_declared_is_refused(add_up: Any) -> None:
    call = add_up.bind(*good().values())
    assert call() == 3
    with pytest.raises(TypeError, match="takes 0 arguments, but 1 were given"):
        call(1)
    for seed in (-1, 2**64):
        with pytest.raises(OverflowError):
            add_up.bind(*(good() | {"seed": seed}).values())


def _pick(cells: Any, rows: Any, out: Any) -> None:
    for k in range(rows.shape[0]):
        out[k] = cells[rows[k]]


PICK = jit.Library("test_rows").entry(
    _pick, {"cells": jit.read("i8", "n"), "rows": jit.rows_of("n", "k"), "out": jit.written("i8", "k")}
)


@pytest.mark.parametrize("row", [-1, 3, 2**40])
def test_a_row_that_does_not_exist_is_refused(add_up: Any, row: int) -> None:
    pick = PICK.bind(jit.OPEN, jit.OPEN, jit.OPEN)
    out = np.zeros(2, np.int64)
    pick(np.array([5, 6, 7]), np.array([2, 0]), out)
    assert out.tolist() == [7, 5]
    with pytest.raises(IndexError, match=f"rows must be numbers from 0 to 2, and has {row}"):
        pick(np.array([5, 6, 7]), np.array([0, row]), out)
    assert out.tolist() == [7, 5]


def test_every_argument_is_held_or_open(add_up: Any) -> None:
    with pytest.raises(TypeError, match=r"add_up\(\) takes 5 arguments, but bind\(\) got 1"):
        add_up.bind(good()["rows"])


def test_what_is_declared_late_or_twice_or_in_another_order_is_refused() -> None:
    library = jit.Library("test_declared")
    declared = {"cells": jit.read("i8", "n"), "rows": jit.rows_of("n", "k"), "out": jit.written("i8", "k")}
    library.entry(_pick, declared)
    with pytest.raises(ValueError, match="pick of the library test_declared is declared twice"):
        library.entry(_pick, declared)
    with pytest.raises(TypeError, match="takes cells, rows, out, not rows, cells, out"):
        library.entry(_pick, {name: declared[name] for name in ("rows", "cells", "out")}, name="other")
    assert library.made_of.functions
    with pytest.raises(ValueError, match="or after the library was opened"):
        library.entry(_pick, declared, name="late")


def test_held_arrays_stay_alive(add_up: Any) -> None:
    given = good()
    call = add_up.bind(*given.values())
    out = given["out"]
    del given
    assert call() == 3
    assert out[:, 0].tolist() == [-5, -3, 1]
