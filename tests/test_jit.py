"""Is compiled code kept from one process to the next, and never when anything that it was made from has changed?

Most tests run small programs in processes of their own, in a copy of the package that holds only `core/jit/`, a
compiled helper (`melds.py`) and a library whose entry calls it (`moves.py`).
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

from banakil_env.core import engine, jit
from banakil_env.core.hooks import hook
from banakil_env.core.jit import files
from banakil_env.core.jit.library import alignment_of, processor
from banakil_env.core.jit.parts import SUFFIX as PART
from banakil_env.core.jit.parts import records_in
from banakil_env.core.jit.reach import constants_of, fingerprint, is_hook, layout_of, meanings_among, with_callees
from banakil_env.core.record_type import record_dtype
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
from banakil_env.core.jit import INT, Library, compiled
from banakil_env.melds import worth

BONUS = 100

def _apply(card):
    return worth(card) + BONUS

apply = Library("moves").entry(_apply, {"card": INT}, result=True)
"""

LOOPS = """
from banakil_env.core.jit import INT, Library, bind, compiled

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

def library_of(worth, name="loops"):
    return Library(name).entry(total, {"count": INT}, result=True, worth=worth)
"""

# Prints what the entry of MOVES gives, and how many libraries were built for that.
CALL = """
from banakil_env.core.jit import telling
from banakil_env.moves import apply
built = []
with telling(lambda name, seconds: built.append(name)):
    print(apply(1), len(built))
"""

# The same, and of each function how many parts were loaded and lowered.
CALL_WITH_PARTS = (
    CALL
    + """
from banakil_env.moves import worth
for part in apply.compiled.part, worth.part:
    print(sum(part.stats.cache_hits.values()), sum(part.stats.cache_misses.values()))
"""
)


class Checkout:
    """A small copy of the package in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "banakil_env"
        self.kept = folder / "kept"
        self.seconds = int(time.time()) - 1000
        (self.package / "core").mkdir(parents=True)
        shutil.copytree(JIT, self.package / "core" / "jit", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("bits.py", "records.py", "record_type.py", "scratch.py", "install.py"):
            shutil.copy(JIT.parent / name, self.package / "core" / name)
        for path in ("__init__.py", "core/__init__.py"):
            (self.package / path).touch()
        self.write("melds.py", MELDS)
        self.write("moves.py", MOVES)
        self.write("loops.py", LOOPS)

    def write(self, name: str, text: str) -> None:
        """Write a file of the package, by its path in it."""
        self.write_file(self.package / name, text)

    def write_file(self, path: Path, text: str) -> None:
        """As an editor does, never twice in one second: Python takes an edit of the same size for none within it."""
        path.write_text(text)
        self.seconds += 1
        os.utime(path, (self.seconds, self.seconds))

    def start(self, program: str, **environment: str) -> subprocess.Popen[str]:
        """A Python process that runs `program`, with no setting of Numba's but those given and the folder `kept`."""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "BANAKIL_", "PYTHON"))
        }
        own = {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": str(self.kept)}
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env=inherited | own | environment,
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

    def libraries(self) -> list[Path]:
        return sorted(path for path in self.kept.glob("*") if path.suffix in (".so", ".dll", ".o"))

    def parts(self) -> list[Path]:
        return sorted(self.kept.glob(f"*{PART}"))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


# Libraries ------------------------------------------------------------------------------------------------------------


def test_the_second_process_builds_nothing_and_needs_no_compiler(checkout: Checkout) -> None:
    result, said = checkout.run(CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True"))
    assert result == [111, 0]
    assert re.fullmatch(r"banakil_env: building moves, for this machine, once \(about \d+ s\) \.\.\.\n", said)
    without = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"
    assert checkout.run(without + CALL) == ([111, 0], "")


WITHOUT_NUMBA = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"

# Prints whether the call is refused with the way out.
CALL_REFUSED = """
from banakil_env.moves import apply
try:
    apply(1)
except ImportError as error:
    words = "no compiled library moves", "Numba", "pip install", "[compile]", "NUMBA_DISABLE_JIT=1"
    print(int(all(word in str(error) for word in words)))
"""


def test_without_a_library_and_without_numba_the_error_names_the_extra(checkout: Checkout) -> None:
    assert checkout.run(WITHOUT_NUMBA + CALL_REFUSED) == ([1], "")
    assert not checkout.libraries()


def test_plain_python_needs_no_numba(checkout: Checkout) -> None:
    assert checkout.run(WITHOUT_NUMBA + CALL, NUMBA_DISABLE_JIT="1") == ([111, 0], "")


# As `setup.py` does for a wheel: puts the library into the package. Prints the number of files.
SHIP = """
from banakil_env.core.jit.library import SHIPPED
from banakil_env.moves import apply
SHIPPED.mkdir()
apply.library.build_for(PROCESSORS, SHIPPED)
print(len(list(SHIPPED.glob("*.so"))))
"""
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="wheels bring libraries for Linux only")


def ship(checkout: Checkout, *processors: str) -> None:
    assert checkout.run(f"PROCESSORS = {processors}\n{SHIP}")[0] == [len(processors)]
    shutil.rmtree(checkout.kept, ignore_errors=True)


@needs_linux
def test_a_library_in_the_package_needs_no_compiler(checkout: Checkout) -> None:
    ship(checkout, processor())
    assert checkout.run(WITHOUT_NUMBA + CALL) == ([111, 0], "")
    assert checkout.run(CALL) == ([111, 0], "")  # one of another version of Numba serves too
    assert not checkout.kept.exists() or not checkout.libraries()


@needs_linux
@pytest.mark.skipif(not processor().startswith("x86-64-v3"), reason="there is one kind of this processor")
def test_the_library_for_the_processor_is_taken(checkout: Checkout) -> None:
    """By what the processor can do, as NumPy has found out."""
    ship(checkout, "x86-64-v2", "x86-64-v3")
    older = """
from banakil_env.core.jit import library
library.processor = lambda: "x86-64-v2"
"""
    name = "from banakil_env.moves import apply\nprint(int(apply.library.key({cpu!r}) in str(apply.library.file())))"
    assert checkout.run(name.format(cpu="x86-64-v3"))[0] == [1]
    assert checkout.run(older + name.format(cpu="x86-64-v2"))[0] == [1]
    assert checkout.run(older + CALL)[0] == [111, 0]


@needs_linux
@pytest.mark.parametrize("what", ["source", "damage", "mode", "bounds"])
def test_a_library_in_the_package_that_does_not_fit_is_not_opened(checkout: Checkout, what: str) -> None:
    """An edited source, a flipped bit, a file that other users can write, and checked indices."""
    ship(checkout, processor())
    [library] = (checkout.package / "machine_code").glob("*.so")
    if what == "source":
        checkout.write("melds.py", MELDS.replace("10", "20"))
    elif what == "damage":
        content = bytearray(library.read_bytes())
        content[len(content) // 2] ^= 1
        library.write_bytes(content)
    elif what == "mode":
        library.chmod(0o666)
    bounds = {"NUMBA_BOUNDSCHECK": "1"} if what == "bounds" else {}
    assert checkout.run(WITHOUT_NUMBA + CALL_REFUSED, **bounds)[0] == [1]
    assert checkout.run(CALL, **bounds)[0] == [121 if what == "source" else 111, 1]


@needs_linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_package_of_another_user_serves_with_its_libraries(checkout: Checkout) -> None:
    """Who can write the package can run any code here anyway."""
    ship(checkout, processor())
    for path in [*checkout.package.rglob("*"), checkout.package]:
        os.chown(path, 65534, 65534)
    assert checkout.run(WITHOUT_NUMBA + CALL) == ([111, 0], "")


@needs_linux
@pytest.mark.parametrize("cpu", ["x86-64-v2", "x86-64-v3", "aarch64"])
def test_libraries_are_built_for_other_processors(checkout: Checkout, cpu: str) -> None:
    """As object files: what links them is the business of `release/wheels.py`."""
    program = f"""
from pathlib import Path
from banakil_env.core.jit import build
from banakil_env.moves import apply
build._library_of = lambda content: (".o", content)
[path] = build.build_for(apply.library, {{{cpu!r}: Path("other")}})
content = path.read_bytes()
print(int.from_bytes(content[18:20], "little"))  # e_machine of an ELF file
"""
    assert checkout.run(program)[0] == [183 if cpu == "aarch64" else 62]


def test_keys_hold_nothing_of_python_and_numpy() -> None:
    """A wheel serves all versions: its keys know constants by their values, not by how a version prints them."""
    plain = {"a": 3, "b": (1, 2.5), "c": np.dtype([("x", "<i8"), ("y", "u1", 2)])}
    assert fingerprint({"a": np.int64(3)}) == fingerprint({"a": np.int64(3)}) != fingerprint({"a": np.int32(3)})
    assert fingerprint(plain) == "9c68b748"
    assert layout_of(plain["c"]) == (
        "|V10",
        (),
        10,
        False,
        [("x", 0, ("<i8", (), 8, False, [])), ("y", 8, ("|u1", (2,), 2, False, []))],
    )


def test_a_library_has_no_symbol_of_python_or_of_numba(checkout: Checkout) -> None:
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("the program nm is not here")
    checkout.run(CALL)
    [library] = checkout.libraries()
    needed = subprocess.run([nm, "-D", "--undefined-only", library], check=True, capture_output=True, text=True).stdout
    assert not [line for line in needed.splitlines() if re.search(r"Py|numba|NRT", line)]


def test_an_edited_helper_takes_effect_in_its_caller(checkout: Checkout) -> None:
    assert checkout.run(CALL)[0] == [111, 1]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL)[0] == [121, 1]


def test_an_edit_that_python_misses_is_not_missed_for_good(checkout: Checkout) -> None:
    helper = checkout.package / "melds.py"
    assert checkout.run(CALL)[0] == [111, 1]
    seconds = helper.stat().st_mtime
    checkout.write("melds.py", MELDS.replace("10", "20"))
    os.utime(helper, (seconds, seconds))  # as large and as old as before: Python runs what it read then
    assert checkout.run(CALL)[0][0] == 111
    helper.touch()
    assert checkout.run(CALL)[0][0] == 121


def test_only_the_files_that_are_reached_count(checkout: Checkout) -> None:
    """Thirteen games share a kit: an edit in it must not make all of their libraries again."""
    checkout.run(CALL)
    checkout.write("scoring.py", "")
    checkout.write("loops.py", LOOPS + "\n# edited\n")
    assert checkout.run(CALL)[0] == [111, 0]


def test_of_core_only_the_compiler_and_what_is_reached_count(checkout: Checkout) -> None:
    checkout.write("core/cards.py", MELDS)
    checkout.write("moves.py", MOVES.replace("banakil_env.melds", "banakil_env.core.cards"))
    checkout.run(CALL)
    checkout.write("core/other.py", "")
    assert checkout.run(CALL)[0] == [111, 0]
    checkout.write("core/cards.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL)[0] == [121, 1]
    for name in ("core/jit/passes.py", "core/jit/meanings/more.py"):
        checkout.write(name, "")
        assert checkout.run(CALL)[0] == [121, 1]


def test_the_declared_arguments_count(checkout: Checkout) -> None:
    checkout.run(CALL)
    checkout.write("moves.py", MOVES.replace("INT,", "SEED,").replace(": INT", ": SEED"))
    assert checkout.run(CALL)[0] == [111, 1]


def test_how_functions_are_compiled_counts(checkout: Checkout) -> None:
    """Sums of which the order is free have other code, also in a callee and in a part that is kept."""
    call = """
import os
import numpy as np
from banakil_env.core.jit import Library, compiled, read, reordered, telling, written

def _add(cells):
    total = np.float32(0)
    for i in range(cells.shape[0]):
        total += cells[i]
    return total

add = (reordered if os.environ["FREE"] == "1" else compiled)(_add)

def _sum(cells, out):
    out[0] = add(cells)

built = []
with telling(lambda name, seconds: built.append(name)):
    sums = Library("sums").entry(_sum, {"cells": read("f4", "n"), "out": written("f4", 1)})
    out = np.zeros(1, np.float32)
    sums(np.random.default_rng(0).random(10_000, np.float32), out)
print(out.view(np.int32)[0], len(built))
"""
    (checkout.folder / "sums.py").write_text(call)
    in_order, built = checkout.run("import sums", FREE="0")[0]
    free, built_again = checkout.run("import sums", FREE="1")[0]
    assert in_order != free
    assert built == built_again == 1
    assert checkout.run("import sums", FREE="0")[0] == [in_order, 0]


def test_a_library_serves_a_user_who_has_removed_the_compiler(checkout: Checkout) -> None:
    checkout.run(CALL)
    gone = """
import importlib.metadata, sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
def version(name):
    raise importlib.metadata.PackageNotFoundError(name)
importlib.metadata.version = version
"""
    assert checkout.run(gone + CALL) == ([111, 0], "")


def test_a_library_that_cannot_be_opened_costs_only_time(checkout: Checkout) -> None:
    """As on a file system from which nothing may be executed."""
    refuse = """
import ctypes, numba  # which opens libraries of its own
def refused(*names):
    raise OSError("failed to map segment from shared object")
ctypes.CDLL = refused
"""
    result, said = checkout.run(refuse + CALL)
    assert result[0] == 111
    assert "the library moves cannot be opened (failed to map segment" in said


def test_a_folder_is_named_once_wherever_the_process_goes(checkout: Checkout) -> None:
    go = "import os\nfrom banakil_env.moves import apply\nos.chdir('/')\n"
    assert checkout.run(go + CALL, NUMBA_CACHE_DIR="kept")[0] == [111, 1]
    assert len(checkout.libraries()) == 1


def test_the_defaults_of_arguments_count(checkout: Checkout) -> None:
    start = "import os\nBONUS = 100\nSTART = int(os.environ['START'])\n\n"
    more = start + "@compiled\ndef more(card, by=START):\n    return card + by\n"
    checkout.write("moves.py", MOVES.replace("BONUS = 100\n", more).replace("+ BONUS", "+ more(BONUS)"))
    assert checkout.run(CALL, START="0")[0] == [111, 1]
    assert checkout.run(CALL, START="5")[0] == [116, 1]


def test_a_process_edited_under_leaves_the_disk_alone(checkout: Checkout) -> None:
    edit_and_reload = f"""
import importlib, pathlib
from banakil_env import melds, moves
moves.apply(1)
pathlib.Path(melds.__file__).write_text({MELDS.replace("10", "200")!r})
importlib.reload(melds)
importlib.reload(moves)
print(moves.apply(1))
"""
    assert checkout.run(edit_and_reload)[0] == [301]
    assert len(checkout.libraries()) == 1
    assert checkout.run(CALL)[0] == [301, 1]


def test_values_from_outside_the_package_count(checkout: Checkout) -> None:
    checkout.write("moves.py", MOVES.replace("BONUS = 100", "import os\nBONUS = int(os.environ['BONUS'])"))
    assert checkout.run(CALL, BONUS="100")[0] == [111, 1]
    assert checkout.run(CALL, BONUS="500")[0] == [511, 1]
    assert checkout.run(CALL, BONUS="100")[0] == [111, 0]


def test_functions_outside_the_package_follow_every_file_they_use(checkout: Checkout) -> None:
    """They follow their own file, the values that they use, and what they call."""
    agents = checkout.folder / "agents"
    agents.mkdir()
    (agents / "__init__.py").touch()
    checkout.write_file(agents / "weights.py", "WEIGHT = 1\n")
    (agents / "greedy.py").write_text(
        "from banakil_env.core.jit import compiled\n"
        "from banakil_env.melds import worth\n"
        "from agents.weights import WEIGHT\n"
        "@compiled\ndef choose(card):\n    return worth(card) * WEIGHT\n"
    )
    script = checkout.folder / "script.py"
    moves = MOVES.replace("banakil_env.melds import worth", "agents.greedy import choose as worth")
    checkout.write_file(script, moves)
    call = CALL.replace("banakil_env.moves", "script")

    assert checkout.run(call)[0] == [111, 1]
    assert checkout.run(call)[0] == [111, 0]
    checkout.write_file(agents / "weights.py", "WEIGHT = 2\n")
    assert checkout.run(call)[0] == [122, 1]
    checkout.write_file(script, moves.replace("100", "200"))
    assert checkout.run(call)[0] == [222, 1]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(call)[0] == [242, 1]
    assert checkout.run(call)[0] == [242, 0]


def test_one_name_bound_twice_is_kept_apart_across_processes(checkout: Checkout) -> None:
    """Each process knows one binding only; the third has both."""
    loops = "from banakil_env import loops\n"
    one, square = (f"print(loops.library_of(loops.{worth})(4))\n" for worth in ("one", "square"))
    assert checkout.run(loops + one)[0] == [4]
    assert checkout.run(loops + square)[0] == [14]
    result, said = checkout.run(loops + one + square)
    assert result == [4, 14]
    assert said == ""


def test_a_closure_is_never_kept(checkout: Checkout) -> None:
    closures = """
from banakil_env import loops
from banakil_env.core.jit import compiled
def make(points):
    @compiled
    def fixed(card):
        return points
    return fixed
POINTS = int(__import__("os").environ["POINTS"])
print(loops.library_of(make(POINTS))(4))
"""
    assert checkout.run(closures, POINTS="1")[0] == [4]
    assert checkout.run(closures, POINTS="3")[0] == [12]
    assert checkout.libraries() == []


def test_bounds_are_checked_when_asked_whatever_is_kept(checkout: Checkout) -> None:
    look = """
import numpy as np
from banakil_env.core.jit import INT, Library, read

def _look(cells, place):
    return cells[place]

look = Library("looks").entry(_look, {"cells": read("i8", "n"), "place": INT}, result=True)
try:
    look(np.zeros(3, np.int64), 3)
    print(0)
except IndexError as error:
    print(int("look() has left the bounds of an array; NUMBA_DISABLE_JIT=1 shows where" in str(error)))
"""
    (checkout.folder / "looks.py").write_text(look)
    assert checkout.run("import looks")[0] == [0]
    assert checkout.run("import looks", NUMBA_BOUNDSCHECK="1")[0] == [1]
    assert checkout.run("import looks")[0] == [0]


def test_with_the_compiler_off_the_functions_are_plain(checkout: Checkout) -> None:
    call = """
from banakil_env import loops, moves
print(moves.apply(1), loops.library_of(loops.square)(4), int(hasattr(moves.worth, "py_func")))
"""
    result, said = checkout.run(call, NUMBA_DISABLE_JIT="1")
    assert result == [111, 14, 0]
    assert said == ""
    assert checkout.libraries() == []


def test_without_a_linker_the_object_file_is_loaded(checkout: Checkout) -> None:
    assert checkout.run(CALL, CC="no-such-linker")[0] == [111, 1]
    assert [path.suffix for path in checkout.libraries()] == [".o"]
    assert checkout.run(CALL, CC="no-such-linker")[0] == [111, 0]


# Parts ----------------------------------------------------------------------------------------------------------------


def test_an_edit_lowers_only_the_functions_that_reach_it(checkout: Checkout) -> None:
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 1, 0, 1]
    checkout.write("moves.py", MOVES.replace("BONUS = 100", "BONUS = 200"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [211, 1, 0, 1, 1, 0]
    checkout.write("melds.py", MELDS.replace("10", "20"))
    assert checkout.run(CALL_WITH_PARTS)[0] == [221, 1, 0, 1, 0, 1]


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


def test_a_part_whose_callee_is_gone_is_lowered_again(checkout: Checkout) -> None:
    checkout.run(CALL)
    for path in [*checkout.libraries(), *checkout.kept.glob(f"melds.*{PART}")]:
        path.unlink()
    assert checkout.run(CALL_WITH_PARTS)[0] == [111, 1, 0, 1, 0, 1]


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


# Files ----------------------------------------------------------------------------------------------------------------

LOAD = """
from pathlib import Path
from banakil_env.core.jit.library import _whole
from banakil_env.moves import apply
library = apply.library
stem = Path({kept!r}) / f"{{library.name}}.{{library.made_of.digest}}.{{library.key_here()}}"
def loaded():
    return int(_whole(stem) is not None)
"""


def test_a_library_with_any_bit_flipped_is_not_opened(checkout: Checkout) -> None:
    checkout.run(CALL)
    [library] = checkout.libraries()
    flip = f"""
file = Path({str(library)!r})
whole = file.read_bytes()
print(loaded())
for place in [*range(64), *range(64, len(whole), max(1, len(whole) // 200)), len(whole) - 1]:
    damaged = bytearray(whole)
    damaged[place] ^= 1 << place % 8
    file.write_bytes(damaged)
    print(loaded())
for length in 0, 1, 31, 32, 33, len(whole) // 2, len(whole) - 1:
    file.write_bytes(whole[:length])
    print(loaded())
"""
    result, _ = checkout.run(LOAD.format(kept=str(checkout.kept)) + flip)
    assert result[0] == 1
    assert len(result) > 200
    assert sum(result[1:]) == 0
    assert checkout.run(CALL)[0] == [111, 1]
    assert checkout.run(CALL)[0] == [111, 0]


def test_swapped_libraries_are_not_opened(checkout: Checkout) -> None:
    loops = "from banakil_env import loops\n"
    call = loops + "".join(f"print(loops.library_of(loops.{worth}, '{worth}')(4))\n" for worth in ("one", "square"))
    checkout.run(call)
    one, other = checkout.libraries()
    for suffix in ("", ".sha256"):
        paths = [path.with_name(path.name + suffix) for path in (one, other)]
        contents = [path.read_bytes() for path in paths]
        for path, content in zip(paths, reversed(contents)):
            path.write_bytes(content)
    result, said = checkout.run(call)
    assert result == [4, 14]
    assert said.count("building") == 2


class Trap:
    """Unpickling it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "unpickled")


def test_a_damaged_part_is_not_even_unpickled(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run(CALL)
    trap = pickle.dumps((Trap(tmp_path / "sprung"), ()))
    for before in (b"", bytes(32), checkout.parts()[0].read_bytes()[:32]):
        for path in checkout.libraries():
            path.unlink()
        for part in checkout.parts():
            part.write_bytes(before + trap)
        assert checkout.run(CALL)[0] == [111, 1]
        assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
@pytest.mark.parametrize("what", ["file", "folder", "owner"])
def test_what_another_user_can_have_written_is_not_loaded(checkout: Checkout, tmp_path: Path, what: str) -> None:
    """The digest proves nothing here: a user who writes a file can write its digest too."""
    checkout.run(CALL)
    [library], parts = checkout.libraries(), checkout.parts()
    for part in parts:
        files.write_whole(part, pickle.dumps((Trap(tmp_path / "sprung"), ())))
    before = LOAD.format(kept=str(checkout.kept))
    if what == "owner" and os.geteuid() == 0:
        for path in (library, *parts):
            os.chown(path, 65534, -1)
    elif what == "owner":
        before = "import os\nown = os.geteuid()\nos.geteuid = lambda: own + 1\n" + before
    elif what == "file":
        for path in (library, *parts):
            path.chmod(0o666)
    else:
        checkout.kept.chmod(0o777)
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    result, _ = checkout.run(before + "print(loaded(), apply(1))", **home)
    assert result == [0, 111]
    assert not (tmp_path / "sprung").exists()


def in_home(folder: Path) -> dict[str, str]:
    """A home folder, and no other place for compiled code."""
    home = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    return home | {"NUMBA_CACHE_DIR": ""}


def test_the_users_cache_is_the_place_when_none_is_named(checkout: Checkout, tmp_path: Path) -> None:
    home = in_home(tmp_path / "home")
    assert checkout.run(CALL, **home)[0] == [111, 1]
    assert checkout.libraries() == []
    assert checkout.run(CALL, **home)[0] == [111, 0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the folder belongs to root")
def test_what_root_has_built_serves_other_users(checkout: Checkout, tmp_path: Path) -> None:
    """They cannot write the folder that NUMBA_CACHE_DIR names, and need no compiler."""
    checkout.run(CALL)
    other = """
import os, tempfile
write = tempfile.TemporaryFile
def refused(*, dir):
    if dir.name == "kept":
        raise PermissionError(dir)
    return write(dir=dir)
os.geteuid, tempfile.TemporaryFile = lambda: 65534, refused
"""
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert checkout.run(other + WITHOUT_NUMBA + CALL, **home) == ([111, 0], "")


def test_nothing_writable_costs_only_time(checkout: Checkout, tmp_path: Path) -> None:
    (checkout.package / "core" / "jit" / "__pycache__").write_text(
        ""
    )  # a file where the folder would be stops root too
    (tmp_path / "file").write_text("")
    once = CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True")
    for _ in range(2):
        result, said = checkout.run(once, **in_home(tmp_path / "file"))
        assert result == [111, 0]
        assert "in every process: no folder that only you can write keeps them" in said


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_a_folder_that_others_can_write_is_passed_over(checkout: Checkout, tmp_path: Path) -> None:
    checkout.kept.mkdir()
    checkout.kept.chmod(0o777)
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert checkout.run(CALL, **home)[0] == [111, 1]
    assert checkout.libraries() == []
    assert checkout.run(CALL, **home)[0] == [111, 0]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_who_can_write_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o644)
    found = file.stat()

    def trusted(**changed: int) -> bool:
        values = {f"st_{name}": changed.get(name, getattr(found, f"st_{name}")) for name in ("mode", "uid", "gid")}
        return files.only_we_can_write(cast(os.stat_result, SimpleNamespace(**values)))

    stranger = 65534 if os.geteuid() != 65534 else 65533
    assert trusted()
    assert trusted(uid=0)
    assert not trusted(uid=stranger)
    assert not trusted(mode=found.st_mode | 0o002)
    assert not trusted(mode=found.st_mode | 0o020, gid=stranger)


def test_old_files_of_other_sources_are_removed(checkout: Checkout) -> None:
    checkout.run(CALL)
    outdated = [path for path in checkout.kept.iterdir() if path.suffix != ".lock"]
    for path in outdated:
        os.utime(path, (0, 0))
    checkout.write("melds.py", MELDS.replace("10", "20"))
    checkout.run(CALL)
    assert not any(path.exists() for path in outdated)
    assert len([path for path in checkout.kept.iterdir() if path.suffix != ".lock"]) == len(outdated)


def test_processes_may_start_together(checkout: Checkout) -> None:
    processes = [checkout.start(CALL) for _ in range(4)]
    built = 0
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert output.startswith("111 "), errors
        built += int(output.split()[1])
    assert built == 1
    assert checkout.run(CALL)[0] == [111, 0]
    assert not list(checkout.kept.glob("*.tmp"))


def test_a_process_says_that_it_waits_for_another(checkout: Checkout) -> None:
    """After two seconds; the other one holds the lock for three."""
    hold = """
import filelock, time
from pathlib import Path
folder = Path("kept")
folder.mkdir()
with filelock.FileLock(folder / "moves.lock"):
    print("held", flush=True)
    time.sleep(4)
"""
    holder = checkout.start(hold)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    result, said = checkout.run(CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True"))
    holder.communicate()
    first, second = said.splitlines()
    assert result == [111, 0]
    assert first == "banakil_env: waiting for another process that builds moves ..."
    assert second.startswith("banakil_env: building moves")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_process_forks_while_a_thread_opens_a_library(checkout: Checkout) -> None:
    """The child would otherwise wait for a thread that it does not have."""
    program = """
import os, threading, time
from banakil_env.core.jit import library
from banakil_env.moves import apply
opened = library.open_library
def slowly(*args):
    opening.set()
    time.sleep(1)
    return opened(*args)
opening, library.open_library = threading.Event(), slowly
thread = threading.Thread(target=apply, args=(1,))
thread.start()
opening.wait()
child = os.fork()
if child == 0:
    library.open_library = opened
    os._exit(0 if apply(1) == 111 else 1)
deadline = time.time() + 60
while os.waitpid(child, os.WNOHANG) == (0, 0) and time.time() < deadline:
    time.sleep(0.05)
print(int(time.time() < deadline))
if time.time() >= deadline:
    os.kill(child, 9)
thread.join()
"""
    checkout.run(CALL)
    assert checkout.run(program)[0] == [1]


def test_import_compiles_nothing_and_quiet_is_quiet(checkout: Checkout) -> None:
    imported = "import sys, banakil_env.moves, banakil_env.loops; print(int('numba' in sys.modules))"
    assert checkout.run(imported) == ([0], "")
    assert not checkout.kept.exists()
    call = CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True")
    assert checkout.run(call, BANAKIL_QUIET="1") == ([111, 0], "")


# Calls ----------------------------------------------------------------------------------------------------------------

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
    with pytest.raises(TypeError, match="takes 0 arguments, and was given 1"):
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
    with pytest.raises(TypeError, match=r"add_up\(\) takes 5 arguments, and bind\(\) was given 1"):
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


# Numba ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_no_game_reaches_functions_through_a_tuple(name: str) -> None:
    """Their addresses would be a part of the key of the machine code, and every process would compile again."""
    game = find(name)
    meanings_of = meanings_among([game.state, game.observation])
    of_engine = [meaning for hook in vars(engine).values() if is_hook(hook) for meaning in meanings_of(hook)]
    for callee in with_callees([*of_engine, *game.players.values()], meanings_of):
        tuples = {key: value for key, value in constants_of(callee).items() if isinstance(value, tuple)}
        found = [key for key, value in tuples.items() if any(map(callable, value))]
        assert not found, f"{callee.__module__}.{callee.__qualname__} uses {found}"


def test_numba_itself_is_left_as_it_was(checkout: Checkout, tmp_path: Path) -> None:
    """A user's own cached function keeps Numba's own cache."""
    (tmp_path / "theirs.py").write_text("import numba\n@numba.njit(cache=True)\ndef theirs(x):\n    return x + 1\n")
    program = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from banakil_env.melds import worth
from theirs import theirs
from numba.core.caching import FunctionCache
worth(1)
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
from banakil_env.melds import worth
before = BaseFunction.get_call_type, errors._termcolor_inst
own = numba.njit(lambda card: worth(card) + 1000)
print(own(1) - worth(1), int((BaseFunction.get_call_type, errors._termcolor_inst) == before))
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
    """It alone imports Numba, and nothing does before something is compiled."""
    decorator = re.compile(
        r"(?<!jax\.)\b(n?jit|vectorize|guvectorize|cfunc(?!=)|stencil|jitclass|generated_jit)\b(?!\.|`|/)"
    )
    extending = re.compile(r"numba\.extending|from numba import extending")
    found = []
    for path in sorted(path for top in ("banakil_env", "train") for path in (REPOSITORY / top).rglob("*.py")):
        name = path.relative_to(REPOSITORY).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            imports_ours = re.search(r"\bcore(\.| import )jit\b", line)
            if JIT not in path.parents and decorator.search(line) and not imports_ours:
                found.append(f"{name}:{number}: {line.strip()}")
            if JIT not in path.parents and extending.search(line):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_the_package_jit_has_one_door() -> None:
    """What is behind the door can change with Numba. Tests may look inside."""
    found = [
        f"{path.relative_to(REPOSITORY).as_posix()}: {match.group()}"
        for top in ("banakil_env", "train", "docs")
        for path in (REPOSITORY / top).rglob("*.py")
        if not {JIT, JIT.with_name("targets")} & set(path.parents)  # targets are made of the same parts
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
        "import numba, numpy as np, banakil_env.core.jit.symbols\n"
        "for i in range(5): numba.from_dtype(np.dtype([(f'other{i}', 'u1')]))\n"
        "print(numba.from_dtype(np.dtype([('rng', '<i8'), ('seat', 'u1')])).mangling_args[1][0])"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=REPOSITORY)
    assert said.stdout.strip() == number.mangling_args[1][0]


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
    assert checkout.run(go)[0] == [7, 1]
    assert checkout.run(go)[0] == [7, 0]
    checkout.write("numbers.py", "GO = 6\n")
    assert checkout.run(go)[0] == [8, 1]
