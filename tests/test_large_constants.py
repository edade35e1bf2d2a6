"""Does a process of the tests stay small? A laptop runs two of them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

MOST = 4 << 20  # bytes of a constant


def test_no_module_of_tests_holds_a_large_constant(request: pytest.FixtureRequest) -> None:
    """Every process imports all modules of tests, and keeps them to its end."""
    modules = {item.module for item in request.session.items if isinstance(item, pytest.Function)}
    sizes = {
        f"{module.__name__}.{name}": value.nbytes if isinstance(value, np.ndarray) else sys.getsizeof(value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, bytes | bytearray | str | np.ndarray)
    }
    assert {name: size for name, size in sizes.items() if size > MOST} == {}
