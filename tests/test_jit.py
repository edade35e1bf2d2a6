"""Is machine code kept from one process to the next, and never when anything that it was made from has changed?

Most tests run small programs in processes of their own, in a copy of the package that holds only `core/jit.py`, what it
needs, a compiled helper (`melds.py`) and its compiled caller (`moves.py`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest

from banakil_env.core import jit
from banakil_env.games import GAMES, find

REPOSITORY = Path(__file__).resolve().parents[1]

MELDS = """
from banakil_env.core.jit import compiled

@compiled
def worth(card):
    return card + 10
"""

MOVES = """
from banakil_env.core.jit import compiled
from banakil_env.melds import worth

BONUS = 100

@compiled
def apply(card):
    return worth(card) + BONUS

@compiled
def never_called(card):
    return card
"""

LOOPS = """
from banakil_env.core.jit import bind, compiled

def total(count):
    result = 0
    for card in range(count):
        result += worth(card)
    return result

@compiled
def one(card):
    return 1

@compiled
def square(card):
    return card * card

count_cards = bind(total, "count_cards", worth=one)
count_squares = bind(total, "count_squares", worth=square)
"""

CALL = """
from banakil_env.moves import apply
print(apply(1), sum(apply.stats.cache_hits.values()), sum(apply.stats.cache_misses.values()))
"""


class Checkout:
    """A small copy of the package in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "banakil_env"
        self.seconds = int(time.time()) - 1000
        (self.package / "core").mkdir(parents=True)
        for name in ("jit.py", "lowering.py"):
            shutil.copy(Path(jit.__file__).parent / name, self.package / "core" / name)
        for path in ("__init__.py", "core/__init__.py"):
            (self.package / path).touch()
        self.write("melds.py", MELDS)
        self.write("moves.py", MOVES)
        self.write("loops.py", LOOPS)

    def write(self, name: str, text: str) -> None:
        """As an editor does, never twice in one second: Python takes an edit of the same size for none within it."""
        (self.package / name).write_text(text)
        self.seconds += 1
        os.utime(self.package / name, (self.seconds, self.seconds))

    def start(self, program: str, **environment: str) -> subprocess.Popen[str]:
        """A Python process that runs `program`, with no setting of Numba's but those given."""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BANAKIL_", "PYTHON"))
        }
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env=inherited | {"PYTHONPATH": str(self.folder)} | environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, program: str, **environment: str) -> tuple[list[int], str]:
        """The numbers that `program` prints, and what it says on the error stream."""
        process = self.start(program, **environment)
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        return [int(number) for number in output.split()], errors

    def entries(self) -> list[Path]:
        return sorted(self.folder.rglob(f"*{jit.SUFFIX}"))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


def test_the_second_process_compiles_nothing(checkout: Checkout) -> None:
    result, said = checkout.run(CALL)
    assert result == [111, 0, 1]
    # One line for the one entry, though two functions were compiled.
    assert said.count("\n") == said.count(", for this machine, once (about ") == 1
    assert said.startswith("banakil_env: compiling moves.apply, ")

    result, said = checkout.run(CALL)
    assert result == [111, 1, 0]
    assert said == ""


def test_an_edited_helper_takes_effect_in_its_caller(checkout: Checkout) -> None:
    assert checkout.run(CALL)[0] == [111, 0, 1]
    checkout.write("melds.py", MELDS.replace("10", "20"))  # of the same length
    assert checkout.run(CALL)[0] == [121, 0, 1]
    checkout.write("melds.py", MELDS)  # what was made from these very sources is still there
    assert checkout.run(CALL)[0] == [111, 1, 0]


def test_an_edit_that_python_misses_is_not_missed_for_good(checkout: Checkout) -> None:
    helper = checkout.package / "melds.py"
    assert checkout.run(CALL)[0] == [111, 0, 1]
    seconds = helper.stat().st_mtime
    checkout.write("melds.py", MELDS.replace("10", "20"))
    os.utime(helper, (seconds, seconds))  # as large and as old as before: Python runs what it read then
    assert checkout.run(CALL)[0][0] == 111
    helper.touch()
    assert checkout.run(CALL)[0][0] == 121


def test_only_the_files_that_are_reached_count(checkout: Checkout) -> None:
    """Twelve games share a kit: an edit in it must not make all of them anew."""
    checkout.run(CALL)
    checkout.write("scoring.py", "")
    checkout.write("loops.py", LOOPS + "\n# edited\n")
    assert checkout.run(CALL)[0] == [111, 1, 0]


def test_a_new_file_of_core_counts(checkout: Checkout) -> None:
    """Intrinsics and overloads are reached by Numba alone, so that all of core counts."""
    checkout.run(CALL)
    checkout.write("core/overloads.py", "")
    assert checkout.run(CALL)[0] == [111, 0, 1]


def test_the_defaults_of_arguments_count(checkout: Checkout) -> None:
    with_default = MOVES.replace("def apply(card):", "def apply(card, more=START):").replace(
        "BONUS = 100", "import os\nBONUS = 100\nSTART = int(os.environ['START'])"
    )
    checkout.write("moves.py", with_default.replace("+ BONUS", "+ BONUS + more"))
    assert checkout.run(CALL, START="0")[0] == [111, 0, 1]
    assert checkout.run(CALL, START="5")[0] == [116, 0, 1]


def test_a_process_edited_under_leaves_the_disk_alone(checkout: Checkout) -> None:
    edit_and_reload = f"""
import importlib, pathlib
from banakil_env import melds, moves
moves.apply(1)
pathlib.Path(melds.__file__).write_text({MELDS.replace("10", "200")!r})
importlib.reload(melds)
importlib.reload(moves)
print(moves.apply(1), sum(moves.apply.stats.cache_hits.values()))
"""
    assert checkout.run(edit_and_reload)[0] == [301, 0]
    assert checkout.run(CALL)[0] == [301, 0, 1]


def test_values_from_outside_the_package_count(checkout: Checkout) -> None:
    checkout.write("moves.py", MOVES.replace("BONUS = 100", "import os\nBONUS = int(os.environ['BONUS'])"))
    assert checkout.run(CALL, BONUS="100")[0] == [111, 0, 1]
    assert checkout.run(CALL, BONUS="500")[0] == [511, 0, 1]
    assert checkout.run(CALL, BONUS="100")[0] == [111, 1, 0]


def test_functions_outside_the_package_follow_every_file_they_use(checkout: Checkout) -> None:
    """They follow their own file, the values that they use, and what they call."""
    agents = checkout.folder / "agents"
    agents.mkdir()
    (agents / "__init__.py").touch()
    (agents / "weights.py").write_text("WEIGHT = 1\n")
    (agents / "greedy.py").write_text(
        "from banakil_env.core.jit import compiled\n"
        "from banakil_env.moves import apply\n"
        "from agents.weights import WEIGHT\n"
        "@compiled\ndef choose(card):\n    return apply(card) * WEIGHT\n"
    )
    (checkout.folder / "script.py").write_text(
        "from agents import greedy\n"
        "from banakil_env.core.jit import compiled\n"
        "@compiled\ndef play(card):\n    return greedy.choose(card) + 1000\n"
    )
    call = "from script import play; print(play(1), sum(play.stats.cache_hits.values()))"

    assert checkout.run(call)[0] == [1111, 0]
    assert checkout.run(call)[0] == [1111, 1]
    (agents / "weights.py").write_text("WEIGHT = 2\n")
    assert checkout.run(call)[0] == [1222, 0]
    script = checkout.folder / "script.py"
    script.write_text(script.read_text().replace("1000", "2000"))
    assert checkout.run(call)[0] == [2222, 0]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(call)[0] == [2242, 0]
    assert checkout.run(call)[0] == [2242, 1]


def test_two_bindings_of_one_loop_are_kept_apart(checkout: Checkout) -> None:
    call = """
from banakil_env.loops import count_cards, count_squares
for loop in count_cards, count_squares:
    print(loop(4), sum(loop.stats.cache_hits.values()))
"""
    assert checkout.run(call)[0] == [4, 0, 14, 0]
    result, said = checkout.run(call)
    assert result == [4, 1, 14, 1]
    assert said == ""


def test_one_name_bound_twice_is_kept_apart_across_processes(checkout: Checkout) -> None:
    """Each process knows one binding only; the third loads both, whose symbols must differ."""
    bind = "from banakil_env import loops\nfrom banakil_env.core.jit import bind\n"
    one = "print(bind(loops.total, 'total', worth=loops.one)(4))\n"
    square = "print(bind(loops.total, 'total', worth=loops.square)(4))\n"
    assert checkout.run(bind + one)[0] == [4]
    assert checkout.run(bind + square)[0] == [14]
    result, said = checkout.run(bind + one + square)
    assert result == [4, 14]
    assert said == ""


def test_a_closure_is_compiled_anew(checkout: Checkout) -> None:
    closures = """
from banakil_env import loops
from banakil_env.core.jit import bind, compiled
def make(points):
    @compiled
    def worth(card):
        return points
    return worth
print(bind(loops.total, "total", worth=make(POINTS))(4))
"""
    assert checkout.run(closures.replace("POINTS", "5"))[0] == [20]
    assert checkout.run(closures.replace("POINTS", "7"))[0] == [28]


def test_bounds_are_checked_when_asked_whatever_is_kept(checkout: Checkout) -> None:
    checkout.write(
        "moves.py",
        "from banakil_env.core.jit import compiled\n@compiled\ndef apply(hand, seat):\n    return hand[seat]\n",
    )
    look = """
import numpy as np
from banakil_env.moves import apply
try:
    print(int(apply(np.zeros(8)[:4], 5)))  # past the four, and yet inside the eight
except IndexError:
    print(1)
"""
    assert checkout.run(look)[0] == [0]
    assert checkout.run(look, NUMBA_BOUNDSCHECK="1")[0] == [1]
    assert checkout.run(look)[0] == [0]


def test_without_numba_the_functions_are_plain(checkout: Checkout) -> None:
    call = """
from banakil_env import loops, moves
print(moves.apply(1), loops.count_squares(4), int(hasattr(moves.apply, "py_func")))
"""
    result, said = checkout.run(call, NUMBA_DISABLE_JIT="1")
    assert result == [111, 14, 0]
    assert said == ""
    assert checkout.entries() == []


@pytest.mark.parametrize("name", GAMES)
def test_no_game_reaches_functions_through_a_tuple(name: str) -> None:
    """Their addresses would be a part of what the machine code is known by, and every process compile anew."""
    game = find(name)
    functions = [*vars(game.engine).values(), *game.players.values()]
    for function in (getattr(each, "py_func", each) for each in functions if callable(each)):
        for callee in jit.with_callees(function):
            tuples = {key: value for key, value in jit._constants_of(callee).items() if isinstance(value, tuple)}
            found = [key for key, value in tuples.items() if any(map(callable, value))]
            assert not found, f"{callee.__module__}.{callee.__qualname__} uses {found}"


def make_unwritable(checkout: Checkout) -> None:
    """Put files where the folders for the cache would be, which stops root too."""
    for folder in (checkout.package, checkout.package / "core"):
        (folder / "__pycache__").write_text("")


def test_the_users_cache_serves_an_unwritable_package(checkout: Checkout, tmp_path: Path) -> None:
    make_unwritable(checkout)
    home = {name: str(tmp_path / "home") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    assert checkout.run(CALL, **home)[0] == [111, 0, 1]
    assert checkout.entries() == []
    assert checkout.run(CALL, **home)[0] == [111, 1, 0]


def test_nothing_writable_costs_only_time(checkout: Checkout, tmp_path: Path) -> None:
    make_unwritable(checkout)
    (tmp_path / "file").write_text("")
    home = {name: str(tmp_path / "file") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    for _ in range(2):
        result, said = checkout.run(CALL, **home)
        assert result == [111, 0, 1]
        assert "NUMBA_CACHE_DIR" in said


def test_the_cache_goes_where_numba_is_told(checkout: Checkout, tmp_path: Path) -> None:
    told = tmp_path / "told"
    assert checkout.run(CALL, NUMBA_CACHE_DIR=str(told))[0] == [111, 0, 1]
    assert checkout.entries() == []
    assert len(list(told.rglob(f"*{jit.SUFFIX}"))) == 1
    assert checkout.run(CALL, NUMBA_CACHE_DIR=str(told))[0] == [111, 1, 0]


def test_damaged_entries_are_made_anew(checkout: Checkout) -> None:
    checkout.run(CALL)
    for entry in checkout.entries():
        entry.write_bytes(entry.read_bytes()[:100])
    assert checkout.run(CALL)[0] == [111, 0, 1]
    assert checkout.run(CALL)[0] == [111, 1, 0]


def test_old_entries_of_other_sources_are_removed(checkout: Checkout) -> None:
    checkout.run(CALL)
    outdated = checkout.entries()
    for entry in outdated:
        os.utime(entry, (0, 0))
    checkout.write("melds.py", MELDS.replace("10", "20"))
    checkout.run(CALL)
    assert len(checkout.entries()) == len(outdated) == 1
    assert not any(entry.exists() for entry in outdated)


def test_processes_may_start_together(checkout: Checkout) -> None:
    processes = [checkout.start(CALL) for _ in range(4)]
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert output.startswith("111 "), errors
    assert checkout.run(CALL)[0] == [111, 1, 0]
    assert len(checkout.entries()) == 1
    assert not list(checkout.folder.rglob("*.tmp"))


def test_import_compiles_nothing_and_quiet_is_quiet(checkout: Checkout) -> None:
    assert checkout.run("import banakil_env.moves, banakil_env.loops") == ([], "")
    assert checkout.entries() == []
    result, said = checkout.run(CALL, BANAKIL_QUIET="1")
    assert result == [111, 0, 1]
    assert said == ""


def test_numba_itself_is_left_as_it_was(checkout: Checkout, tmp_path: Path) -> None:
    """A user's own cached function keeps Numba's own cache."""
    (tmp_path / "theirs.py").write_text("import numba\n@numba.njit(cache=True)\ndef theirs(x):\n    return x + 1\n")
    program = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from banakil_env.moves import apply
from theirs import theirs
from numba.core.caching import FunctionCache
print(theirs(1), int(isinstance(theirs._cache, FunctionCache)))
"""
    result, said = checkout.run(program)
    assert result == [2, 1]
    assert said == ""


def test_a_users_own_function_calls_ours_with_all_that_it_calls(checkout: Checkout) -> None:
    program = """
import numba
from numba.core import errors
from numba.core.types.functions import BaseFunction
from banakil_env.moves import apply
before = BaseFunction.get_call_type, errors._termcolor_inst
own = numba.njit(lambda card: apply(card) + 1000)
print(own(1) - apply(1), int((BaseFunction.get_call_type, errors._termcolor_inst) == before))
"""
    assert checkout.run(program)[0] == [1000, 1]


def plain_loop(count: int) -> int:
    return worth(count)  # type: ignore[name-defined]  # noqa: F821  # bound by the tests


def test_bind_names_what_it_cannot_bind() -> None:
    with pytest.raises(TypeError, match=r"plain_loop\(\) has no global wroth to bind; it uses worth"):
        jit.bind(plain_loop, "bound", wroth=len)
    with pytest.raises(TypeError, match="takes a plain Python function"):
        jit.bind(len, "bound")


def test_a_bound_function_carries_its_own_name() -> None:
    bound = jit.bind(plain_loop, "greedy_loop", worth=abs)
    python = getattr(bound, "py_func", bound)
    assert python.__name__ == "greedy_loop"
    assert python.__qualname__.startswith("greedy_loop_")
    assert python.__module__ == plain_loop.__module__
    assert bound(-3) == 3
    assert "worth" not in plain_loop.__globals__


def test_only_jit_py_calls_numbas_decorators() -> None:
    """`numba.extending`, which makes instructions and compiles nothing by itself, is for two files of `core/`."""
    decorator = re.compile(
        r"(?<!jax\.)\b(n?jit|vectorize|guvectorize|cfunc(?!=)|stencil|jitclass|generated_jit)\b(?!\.|`)"
    )
    extending = re.compile(r"numba\.extending|from numba import extending")
    found = []
    for path in sorted(path for top in ("banakil_env", "train") for path in (REPOSITORY / top).rglob("*.py")):
        name = path.relative_to(REPOSITORY).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            imports_ours = re.search(r"\bcore(\.| import )jit\b", line)
            if name != "banakil_env/core/jit.py" and decorator.search(line) and not imports_ours:
                found.append(f"{name}:{number}: {line.strip()}")
            extends = name in ("banakil_env/core/bits.py", "banakil_env/core/scratch.py")
            if not extends and extending.search(line):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_a_record_is_named_by_its_fields_in_symbols():
    """Not by a number that each process counts anew: two games compiled apart would have functions of one name."""
    number, bits = (numba.from_dtype(np.dtype([("rng", kind), ("seat", "u1")])) for kind in ("<i8", "<u8"))
    again = numba.from_dtype(np.dtype([("rng", "<i8"), ("seat", "u1")]))
    assert number.mangling_args == again.mangling_args != bits.mangling_args
    program = (
        "import numba, numpy as np, banakil_env.core.jit\n"
        "for i in range(5): numba.from_dtype(np.dtype([(f'other{i}', 'u1')]))\n"
        "print(numba.from_dtype(np.dtype([('rng', '<i8'), ('seat', 'u1')])).mangling_args[1][0])"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=REPOSITORY)
    assert said.stdout.strip() == number.mangling_args[1][0]
