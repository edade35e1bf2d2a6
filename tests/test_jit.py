"""Is machine code kept from one process to the next, and never when anything that it was made from has changed?

Most tests run small programs in processes of their own, in a copy of the package that holds only `core/jit/`, a
compiled helper (`melds.py`) and its compiled caller (`moves.py`).
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numba
import numpy as np
import pytest

from banakil_env.core import jit
from banakil_env.core.hooks import hook
from banakil_env.core.jit import entries
from banakil_env.core.jit.cache import EntryCache
from banakil_env.core.jit.reach import constants_of, records_in, with_callees
from banakil_env.core.scratch import scratch
from banakil_env.games import GAMES, find

REPOSITORY = Path(__file__).resolve().parents[1]
JIT = REPOSITORY / "banakil_env" / "core" / "jit"

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
        shutil.copytree(JIT, self.package / "core" / "jit", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("bits.py", "records.py", "scratch.py"):
            shutil.copy(JIT.parent / name, self.package / "core" / name)
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
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        return [int(number) for number in output.split()], errors

    def entries(self) -> list[Path]:
        return sorted(self.folder.rglob(f"*{EntryCache.suffix}"))


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
    """Twelve games share a kit: an edit in it must not compile all of them again."""
    checkout.run(CALL)
    checkout.write("scoring.py", "")
    checkout.write("loops.py", LOOPS + "\n# edited\n")
    assert checkout.run(CALL)[0] == [111, 1, 0]


CALL_WITH_PARTS = """
from banakil_env.moves import apply, worth
print(apply(1), sum(apply.stats.cache_misses.values()))
for part in apply.part, worth.part:
    print(sum(part.stats.cache_hits.values()), sum(part.stats.cache_misses.values()))
"""


def test_an_edit_lowers_only_the_functions_that_reach_it(checkout: Checkout) -> None:
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 0, 0, 1]
    checkout.write("moves.py", MOVES.replace("BONUS = 100", "BONUS = 200"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [211, 1, 0, 0, 1, 0]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [221, 1, 0, 0, 0, 1]


def test_parts_bring_the_parts_that_they_call(checkout: Checkout) -> None:
    caller = "from banakil_env.core.jit import compiled\nfrom banakil_env.moves import apply\n@compiled\n"
    call = "from banakil_env.turns import turn\nprint(turn(1), sum(turn.stats.cache_misses.values()))"
    checkout.write("turns.py", caller + "def turn(card):\n    return apply(card)\n")
    assert checkout.run(call)[0] == [111, 1]
    checkout.write("turns.py", caller + "def turn(card):\n    return 1000 + apply(card)\n")
    loads = call + "\nfrom banakil_env.moves import apply, worth\n"
    loads += "print(*(sum(each.part.stats.cache_hits.values()) for each in (apply, worth)))"
    assert checkout.run(loads)[0] == [1111, 1, 1, 0]


def test_a_part_whose_callee_is_gone_is_lowered_again(checkout: Checkout) -> None:
    checkout.run(CALL_WITH_PARTS)
    for path in [*checkout.entries(), *checkout.folder.rglob("melds.*.part.nbc")]:
        path.unlink()
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 0, 0, 1]


def test_of_core_only_the_compiler_and_what_is_reached_count(checkout: Checkout) -> None:
    checkout.write("core/cards.py", MELDS)
    checkout.write("moves.py", MOVES.replace("banakil_env.melds", "banakil_env.core.cards"))
    checkout.run(CALL)
    checkout.write("core/other.py", "")
    assert checkout.run(CALL)[0] == [111, 1, 0]
    checkout.write("core/cards.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL)[0] == [121, 0, 1]
    for name in ("core/jit/passes.py", "core/jit/meanings/more.py"):
        checkout.write(name, "")
        assert checkout.run(CALL)[0] == [121, 0, 1]


def test_an_unknown_numba_keeps_nothing(checkout: Checkout) -> None:
    """Its compiled functions can have another shape inside, and what is kept could not be trusted."""
    pretend = "import numba\nnumba.__version__ = '0.99.0'\n"
    for _ in range(2):
        assert checkout.run(pretend + CALL)[0] == [111, 0, 1]
    assert checkout.entries() == []


def test_an_allocation_is_an_error_of_the_compiler() -> None:
    @jit.compiled
    def hand(size: int) -> Any:
        return np.zeros(size)

    with pytest.raises(numba.core.errors.NumbaError, match="zeros"):
        hand(3)


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
    """Their addresses would be a part of the key of the machine code, and every process would compile again."""
    game = find(name)
    functions = [*vars(game.engine).values(), *game.players.values()]
    for function in (getattr(each, "py_func", each) for each in functions if callable(each)):
        for callee in with_callees(function):
            tuples = {key: value for key, value in constants_of(callee).items() if isinstance(value, tuple)}
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
    assert len(list(told.rglob(f"*{EntryCache.suffix}"))) == 1
    assert checkout.run(CALL, NUMBA_CACHE_DIR=str(told))[0] == [111, 1, 0]


def test_damaged_entries_are_made_anew(checkout: Checkout) -> None:
    checkout.run(CALL)
    for entry in checkout.entries():
        entry.write_bytes(entry.read_bytes()[:100])
    assert checkout.run(CALL)[0] == [111, 0, 1]
    assert checkout.run(CALL)[0] == [111, 1, 0]


LOAD = """
import sys
from pathlib import Path
import numba
from banakil_env.core.jit.cache import EntryCache
from banakil_env.moves import apply
signature, context = (numba.int64,), apply.targetctx
def loaded():
    return int(EntryCache(apply.py_func).load_overload(signature, context) is not None)
"""


def test_an_entry_with_any_bit_flipped_is_not_loaded(checkout: Checkout) -> None:
    checkout.run(CALL)
    [entry] = checkout.entries()
    flip = f"""
entry = Path({str(entry)!r})
whole = entry.read_bytes()
print(loaded())
for place in [*range(64), *range(64, len(whole), max(1, len(whole) // 200)), len(whole) - 1]:
    damaged = bytearray(whole)
    damaged[place] ^= 1 << place % 8
    entry.write_bytes(damaged)
    print(loaded())
for length in 0, 1, 31, 32, 33, len(whole) // 2, len(whole) - 1:
    entry.write_bytes(whole[:length])
    print(loaded())
"""
    result, _ = checkout.run(LOAD + flip)
    assert result[0] == 1
    assert len(result) > 200
    assert sum(result[1:]) == 0
    assert checkout.run(CALL)[0] == [111, 0, 1]
    assert checkout.run(CALL)[0] == [111, 1, 0]


def test_swapped_entries_are_not_loaded(checkout: Checkout) -> None:
    call = """
from banakil_env.loops import count_cards, count_squares
for loop in count_cards, count_squares:
    print(loop(4), sum(loop.stats.cache_hits.values()))
"""
    checkout.run(call)
    one, other = checkout.entries()
    contents = one.read_bytes(), other.read_bytes()
    one.write_bytes(contents[1])
    other.write_bytes(contents[0])
    assert checkout.run(call)[0] == [4, 0, 14, 0]
    assert checkout.run(call)[0] == [4, 1, 14, 1]


class Trap:
    """Unpickling it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "unpickled")


def test_a_damaged_entry_is_not_even_unpickled(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run(CALL)
    [entry] = checkout.entries()
    trap = pickle.dumps((Trap(tmp_path / "sprung"), ()))
    for content in (trap, bytes(32) + trap, entry.read_bytes()[:32] + trap):
        entry.write_bytes(content)
        assert checkout.run(CALL)[0] == [111, 0, 1]
        assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
@pytest.mark.parametrize("what", ["entry", "folder", "owner"])
def test_an_entry_that_another_user_can_have_written_is_not_unpickled(
    checkout: Checkout, tmp_path: Path, what: str
) -> None:
    """The digest proves nothing here: a user who writes an entry can write its digest too."""
    checkout.run(CALL)
    [entry] = checkout.entries()
    entries.write_entry(entry, pickle.dumps((Trap(tmp_path / "sprung"), ())))
    if what == "owner" and os.geteuid() == 0:
        os.chown(entry, 65534, -1)
        before = LOAD
    elif what == "owner":
        before = "import os\nown = os.geteuid()\nos.geteuid = lambda: own + 1\n" + LOAD
    else:
        (entry if what == "entry" else entry.parent).chmod(0o666 if what == "entry" else 0o777)
        before = LOAD
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    result, _ = checkout.run(before + "print(loaded(), apply(1))", **home)
    assert result == [0, 111]
    assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_a_folder_that_others_can_write_is_passed_over(checkout: Checkout, tmp_path: Path) -> None:
    for folder in (checkout.package, checkout.package / "core"):
        (folder / "__pycache__").mkdir(exist_ok=True)
        (folder / "__pycache__").chmod(0o777)
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert checkout.run(CALL, **home)[0] == [111, 0, 1]
    assert checkout.entries() == []
    assert checkout.run(CALL, **home)[0] == [111, 1, 0]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_who_can_write_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o644)
    found = file.stat()

    def trusted(**changed: int) -> bool:
        values = {f"st_{name}": changed.get(name, getattr(found, f"st_{name}")) for name in ("mode", "uid", "gid")}
        return entries.only_we_can_write(cast(os.stat_result, SimpleNamespace(**values)))

    stranger = 65534 if os.geteuid() != 65534 else 65533
    assert trusted()
    assert trusted(uid=0)
    assert not trusted(uid=stranger)
    assert not trusted(mode=found.st_mode | 0o002)
    assert not trusted(mode=found.st_mode | 0o020, gid=stranger)


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
        output, errors = process.communicate(timeout=300)
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


def worth(count: int) -> int:
    """Bound by the tests."""
    raise NotImplementedError


def plain_loop(count: int) -> int:
    return worth(count)


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
    assert plain_loop.__globals__["worth"] is worth


def test_only_the_package_jit_calls_numbas_decorators() -> None:
    """`numba.extending`, which makes instructions and compiles nothing by itself, is for four files of `core/`."""
    decorator = re.compile(
        r"(?<!jax\.)\b(n?jit|vectorize|guvectorize|cfunc(?!=)|stencil|jitclass|generated_jit)\b(?!\.|`)"
    )
    extending = re.compile(r"numba\.extending|from numba import extending")
    found = []
    for path in sorted(path for top in ("banakil_env", "train") for path in (REPOSITORY / top).rglob("*.py")):
        name = path.relative_to(REPOSITORY).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            imports_ours = re.search(r"\bcore(\.| import )jit\b", line)
            if JIT not in path.parents and decorator.search(line) and not imports_ours:
                found.append(f"{name}:{number}: {line.strip()}")
            extends = Path(name).name in ("bits.py", "hooks.py", "records.py", "scratch.py")
            if not extends and extending.search(line):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_the_package_jit_has_one_door() -> None:
    """What is behind the door can change with Numba. Tests may look inside."""
    found = [
        f"{path.relative_to(REPOSITORY).as_posix()}: {match.group()}"
        for top in ("banakil_env", "train", "docs")
        for path in (REPOSITORY / top).rglob("*.py")
        if JIT not in path.parents
        for match in re.finditer(r"core\.jit(\.\w+)? import \(?([\w,\s]+?)\)?$", path.read_text("utf-8"), re.MULTILINE)
        if match[1] or not {name.strip() for name in match[2].split(",") if name.strip()} <= set(jit.__all__)
    ]
    assert found == [], f"import from banakil_env.core.jit itself, which has {', '.join(jit.__all__)}"


def test_records_are_found_in_arrays_in_tuples_and_in_fields():
    """By them an entry knows which game's hooks its code reaches."""
    inner, outer = np.dtype([("cards", "u1")]), np.dtype([("seat", "i1"), ("table", [("cards", "u1")])])
    small, large = numba.from_dtype(inner), numba.from_dtype(outer)
    rows, count = numba.types.Array(large, 1, "C"), numba.types.int64
    for kinds in ((rows, count), (numba.types.Tuple((count, rows)),), (numba.types.Tuple((rows, rows)),)):
        assert {small, large} == set(records_in(kinds))
    assert list(records_in((count, numba.types.UniTuple(count, 3)))) == []


def test_a_record_is_named_by_its_fields_in_symbols():
    """Not a number that each process counts from 0: two games compiled apart would have functions of one name."""
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


TABLE = """
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled

@hook
def worth(state):
    raise NotImplementedError

@hook
def bonus(state):
    return 100

@compiled
def total(states):
    return worth(states[0]) + bonus(states[0])
"""

GAME_OF = """
import numpy as np
from banakil_env.table import bonus, total, worth

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
from banakil_env.{game} import STATE, total
print(total(np.zeros(1, STATE)), sum(total.stats.cache_hits.values()))
"""


def test_a_hook_means_the_function_of_the_game_whose_record_is_given(checkout: Checkout) -> None:
    program = CALL_GAME.format(game="chess") + CALL_GAME.format(game="go")
    assert with_games(checkout).run(program)[0] == [101, 0, 102, 0]
    assert checkout.run(CALL_GAME.format(game="go") + CALL_GAME.format(game="chess"))[0] == [102, 1, 101, 2]


def test_an_edit_of_a_function_that_fills_a_hook_in_makes_that_games_entry_again(checkout: Checkout) -> None:
    chess, go = CALL_GAME.format(game="chess"), CALL_GAME.format(game="go")
    with_games(checkout).run(chess + go)
    checkout.write("go.py", GAME_OF % ("stone", 3))
    assert checkout.run(go)[0] == [103, 0]
    assert checkout.run(chess)[0] == [101, 1]


def test_a_game_that_fills_a_hook_in_where_there_was_a_default_is_compiled_again(checkout: Checkout) -> None:
    go = CALL_GAME.format(game="go")
    with_games(checkout).run(go)
    checkout.write("go.py", GAME_OF % ("stone", 2) + "\n@bonus.fill(STATE)\ndef _bonus(state):\n    return 500\n")
    assert checkout.run(go)[0] == [502, 0]


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
    program = "import numpy as np\nfrom banakil_env.go import STATE, total\nprint(total(np.zeros(1, STATE)))"
    assert with_games(checkout).run(program, NUMBA_DISABLE_JIT="1")[0] == [102]


def test_a_hook_that_a_game_leaves_out_is_named(checkout: Checkout) -> None:
    program = """
import numpy as np
from banakil_env.table import total
try:
    total(np.zeros(1, np.dtype((np.record, [("other", "<i8")]))))
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
    with pytest.raises(ValueError, match=r"first by .*test_jit\..*three; fill it in once for each game"):
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


def test_another_number_in_a_hook_makes_the_entry_again(checkout: Checkout) -> None:
    go = CALL_GAME.format(game="go")
    with_games(checkout).write("numbers.py", "GO = 5\n")
    number = "\nfrom banakil_env import numbers\nbonus.fill_number(STATE, numbers.GO)\n"
    checkout.write("go.py", GAME_OF % ("stone", 2) + number)
    assert checkout.run(go)[0] == [7, 0]
    assert checkout.run(go)[0] == [7, 1]
    checkout.write("numbers.py", "GO = 6\n")
    assert checkout.run(go)[0] == [8, 0]
