"""Do the quick ways to write, read, count and list masks say what the plain ones say?"""

from __future__ import annotations

import random

import numpy as np
import pytest

from banakil_env.core.bits import fetch_ahead, only_if, read_bits, write_bits, write_counts
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import count_legal, legal_at


@compiled
def spelt_out(cells, one, two):  # type: ignore[no-untyped-def]
    write_bits(cells, 3, one, 12)
    write_bits(cells, 20, one, 1)
    write_counts(cells, 30, one, two, 53)
    write_bits(cells, 90, two, 64)


@compiled
def seen_again(cells):  # type: ignore[no-untyped-def]
    return read_bits(cells, 3, 12), read_bits(cells, 20, 1), read_bits(cells, 90, 63)


@compiled
def fetched(records, cells, condition):  # type: ignore[no-untyped-def]
    fetch_ahead(records[0])
    fetch_ahead(cells)
    return only_if(condition, 12)


def test_bits_are_written_and_read_as_the_plain_functions_do() -> None:
    draw = random.Random(1)
    for _ in range(200):
        one, two = draw.getrandbits(63), draw.getrandbits(63)
        quick, plain = np.full(160, 7, np.uint8), np.full(160, 7, np.uint8)
        spelt_out(quick, one, two)
        spelt_out.py_func(plain, one, two)
        assert quick.tolist() == plain.tolist()
        assert seen_again(quick) == seen_again.py_func(plain) == (one & 0xFFF, one & 1, two)


def test_memory_asked_for_stays_as_it_is() -> None:
    records, cells = np.ones(1, GENERATOR), np.ones(70, np.int8)
    assert fetched(records, cells, True) == 12
    assert fetched(records, cells, False) == 0
    assert records["rng"] == 1
    assert cells.all()


@pytest.mark.parametrize("length", [32, 33, 64, 799])
@pytest.mark.parametrize("density", [0.0, 0.02, 0.5, 1.0])
def test_masks_are_counted_and_drawn_from(length: int, density: float) -> None:
    mask = (np.random.default_rng(length).random(length) < density).astype(np.int8)
    expected = np.flatnonzero(mask).tolist()
    assert count_legal(mask) == len(expected)
    assert [legal_at(mask, place) for place in range(len(expected) + 1)] == [*expected, -1]
