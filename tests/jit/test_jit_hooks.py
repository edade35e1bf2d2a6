"""Does a hook mean the function of the game whose record is given, in compiled code and in the interpreter?"""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from jit_checkout import JIT, Checkout

from banakil_env.core import jit
from banakil_env.core.hooks import hook
from banakil_env.core.scratch import scratch

TABLE = """
from banakil_env.core.hooks import hook
from banakil_env.core.jit import Library, read

@hook
def worth(state):
    raise NotImplementedError

@hook
def bonus(state):
    return 100

def _total(states):
    return worth(states[0]) + bonus(states[0])

def total_of(state):
    return Library("totals").entry(_total, {"states": read(state, 1)}, result=True)
"""

GAME_OF = """
import numpy as np
from banakil_env.table import bonus, total_of, worth

STATE = np.dtype((np.record, [("%s", "<i8")]))

@worth.fill(STATE)
def _worth(state):
    return %d
"""


def with_games(checkout: Checkout) -> Checkout:
    """A checkout with a table that leaves something open, and two games that fill it in."""
    shutil.copy(JIT.parent / "hooks.py", checkout.package / "core" / "hooks.py")
    checkout.write("table.py", TABLE)
    checkout.write("chess.py", GAME_OF % ("king", 1))
    checkout.write("go.py", GAME_OF % ("stone", 2))
    return checkout


CALL_GAME = """
import numpy as np
from banakil_env.core.jit import telling
from banakil_env.{game} import STATE, total_of
built = []
with telling(lambda name, seconds: built.append(name)):
    print(total_of(STATE)(np.zeros(1, STATE)), len(built))
"""


def test_a_hook_means_the_function_of_the_game_whose_record_is_given(checkout: Checkout) -> None:
    program = CALL_GAME.format(game="chess") + CALL_GAME.format(game="go")
    assert with_games(checkout).run(program)[0] == [101, 1, 102, 1]
    assert checkout.run(CALL_GAME.format(game="go") + CALL_GAME.format(game="chess"))[0] == [102, 0, 101, 0]


def test_an_edit_of_a_function_that_fills_a_hook_in_makes_that_games_entry_again(checkout: Checkout) -> None:
    chess, go = CALL_GAME.format(game="chess"), CALL_GAME.format(game="go")
    with_games(checkout).run(chess + go)
    checkout.write("go.py", GAME_OF % ("stone", 3))
    assert checkout.run(go)[0] == [103, 1]
    assert checkout.run(chess)[0] == [101, 0]


@pytest.mark.second("test_an_edit_of_a_function_that_fills_a_hook_in_makes_that_games_entry_again")
def test_a_game_that_fills_a_hook_in_where_there_was_a_default_is_compiled_again(checkout: Checkout) -> None:
    go = CALL_GAME.format(game="go")
    with_games(checkout).run(go)
    checkout.write("go.py", GAME_OF % ("stone", 2) + "\n@bonus.fill(STATE)\ndef _bonus(state):\n    return 500\n")
    assert checkout.run(go)[0] == [502, 1]


def test_records_of_one_size_have_their_own_meanings(checkout: Checkout) -> None:
    """A state can be as long as an observation for which the hook is left out."""
    program = """
import numpy as np
from banakil_env.core.jit import compiled
from banakil_env.go import STATE, worth

@compiled
def worth_beside(states, others):
    return worth(states[0])

print(worth_beside(np.zeros(1, STATE), np.zeros(1, np.dtype((np.record, [("seat", "<u8")])))))
"""
    assert with_games(checkout).run(program)[0] == [2]


def test_hooks_mean_the_same_in_the_interpreter(checkout: Checkout) -> None:
    program = (
        "import numpy as np\nfrom banakil_env.go import STATE, total_of\nprint(total_of(STATE)(np.zeros(1, STATE)))"
    )
    assert with_games(checkout).run(program, NUMBA_DISABLE_JIT="1")[0] == [102]


def test_a_hook_that_a_game_leaves_out_is_named(checkout: Checkout) -> None:
    program = """
import numpy as np
from banakil_env.table import total_of
state = np.dtype((np.record, [("other", "<i8")]))
try:
    total_of(state)(np.zeros(1, state))
except Exception as error:
    print(int("table.worth has no default" in str(error)))
"""
    for disabled in "01":
        assert with_games(checkout).run(program, NUMBA_DISABLE_JIT=disabled)[0] == [1]


def test_hooks_are_filled_in_once_for_a_record() -> None:
    @hook
    def size(state: object) -> int:
        """A number."""
        raise NotImplementedError

    record = np.dtype((np.record, [("cards", "<i8")]))
    size.fill_number(record, 3)
    with pytest.raises(ValueError, match=r"size is filled in twice .* first by a constant; fill it in once"):
        size.fill(record)(lambda state: 4)


def test_a_hook_that_is_filled_in_twice_names_the_function_that_came_first() -> None:
    @hook
    def size(state: object) -> int:
        """A number."""
        raise NotImplementedError

    def three(state: object) -> int:
        return 3

    record = np.dtype((np.record, [("sizes", "<i8")]))
    size.fill(record)(three)
    with pytest.raises(ValueError, match=r"first by .*test_jit_hooks\..*three; fill it in once for each game"):
        size.fill(record)(three)


def test_a_number_that_fills_a_hook_in_is_a_constant_of_compiled_code() -> None:
    record = np.dtype((np.record, [("pieces", "<i8")]))
    cells_of.fill_number(record, 7)
    states = np.zeros(1, record)
    assert cells_of(states[0]) == count_cells(states) == 7


@hook
def cells_of(state: object) -> int:
    """How many cells a board has."""
    raise NotImplementedError


@jit.compiled
def count_cells(states: np.ndarray) -> int:
    return scratch(cells_of(states[0])).shape[0]


@pytest.mark.second("test_an_edit_of_a_function_that_fills_a_hook_in_makes_that_games_entry_again")
def test_another_number_in_a_hook_makes_the_entry_again(checkout: Checkout) -> None:
    go = CALL_GAME.format(game="go")
    with_games(checkout).write("numbers.py", "GO = 5\n")
    number = "\nfrom banakil_env import numbers\nbonus.fill_number(STATE, numbers.GO)\n"
    checkout.write("go.py", GAME_OF % ("stone", 2) + number)
    assert checkout.run(go)[0] == [7, 1]
    assert checkout.run(go)[0] == [7, 0]
    checkout.write("numbers.py", "GO = 6\n")
    assert checkout.run(go)[0] == [8, 1]
