"""Are functions lowered once, and again with what they reach? Parts are what a library is linked from."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from jit_checkout import CALL, CALL_WITH_PARTS, MELDS, MOVES, Checkout

from banakil_env.core import jit
from banakil_env.core.jit.parts import SUFFIX as PART


def test_an_edit_lowers_only_the_functions_that_reach_it(checkout: Checkout) -> None:
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 1, 0, 1]
    checkout.write("moves.py", MOVES.replace("BONUS = 100", "BONUS = 200"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [211, 1, 0, 1, 1, 0]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [221, 1, 0, 1, 0, 1]


@pytest.mark.second("test_an_edit_lowers_only_the_functions_that_reach_it")
def test_parts_bring_the_parts_that_they_call(checkout: Checkout) -> None:
    def with_turn(more: int) -> str:
        turn = f"@compiled\ndef turn(card):\n    return worth(card) + {more}\n\ndef _apply"
        return MOVES.replace("def _apply", turn).replace("worth(card) + BONUS", "turn(card) + BONUS")

    checkout.write("moves.py", with_turn(0))
    assert checkout.run(CALL)[0] == [111, 1]
    for path in checkout.libraries():
        path.unlink()
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 1, 0, 0, 0]  # `worth` comes with its caller
    checkout.write("moves.py", with_turn(1000))
    assert checkout.run(CALL_WITH_PARTS)[0] == [1111, 1, 0, 1, 1, 0]


def test_a_call_that_is_never_made_leaves_its_function_for_others(checkout: Checkout) -> None:
    """`turn` calls `worth` in a branch that LLVM removes when it lowers it; `later` calls it indeed."""
    functions = """
@compiled
def later(card):
    return worth(card) + BONUS

@compiled
def turn(card):
    never = worth(card) if card * 0 == 1 else 0
    return never + later(card)

def _apply"""
    checkout.write(
        "moves.py",
        MOVES.replace("def _apply", functions).replace("worth(card) + BONUS\n\napply", "turn(card)\n\napply"),
    )
    assert checkout.run(CALL)[0] == [111, 1]


def test_a_part_whose_callee_is_gone_is_lowered_again(built: Checkout) -> None:
    for path in [*built.libraries(), *built.kept.glob(f"melds.*{PART}")]:
        path.unlink()
    assert built.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 1, 0, 1]


def test_an_unknown_numba_keeps_nothing(checkout: Checkout) -> None:
    """Its compiled functions can have another shape inside, and what is kept could not be trusted."""
    pretend = "import numba\nnumba.__version__ = '0.99.0'\n"
    for _ in range(2):
        assert checkout.run(pretend + CALL)[0] == [111, 0]
    assert checkout.libraries() == checkout.parts() == []


def test_an_allocation_is_an_error_of_the_compiler() -> None:
    @jit.compiled
    def hand(size: int) -> Any:
        return np.zeros(size)

    with pytest.raises(numba.core.errors.NumbaError, match="zeros"):
        hand(3)


def test_what_needs_numba_at_run_time_is_refused(checkout: Checkout) -> None:
    program = """
import numpy as np
from banakil_env.core.jit import Library, read

def _count(cells):
    return cells.reshape(4).shape[0]

try:
    Library("rows").entry(_count, {"cells": read("i8", "n", "m")}, result=True)(np.zeros((2, 2), np.int64))
except TypeError as error:
    print(int("the library rows calls numba_attempt_nocopy_reshape" in str(error)))
"""
    (checkout.folder / "rows.py").write_text(program)
    assert checkout.run("import rows")[0] == [1]
