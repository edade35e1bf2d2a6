"""Is a library kept from one process to the next, and never when anything that it was made from has changed?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from jit_checkout import CALL, LOOPS, MELDS, MOVES, WITHOUT_NUMBA, Checkout

from banakil_env.core.jit.library import processor
from banakil_env.core.jit.reach import fingerprint, layout_of


def test_the_second_process_builds_nothing_and_needs_no_compiler(checkout: Checkout) -> None:
    result, said = checkout.run(CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True"))
    assert result == [111, 0]
    assert re.fullmatch(r"banakil_env: building moves, for this machine, once \(about \d+ s\) \.\.\.\n", said)
    without = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"
    assert checkout.run(without + CALL) == ([111, 0], "")


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


def test_a_library_has_no_symbol_of_python_or_of_numba(built: Checkout) -> None:
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("the program nm is not here")
    [library] = built.libraries()
    needed = subprocess.run([nm, "-D", "--undefined-only", library], check=True, capture_output=True, text=True).stdout
    assert not [line for line in needed.splitlines() if re.search(r"Py|numba|NRT", line)]


def test_an_edited_helper_takes_effect_in_its_caller(built: Checkout) -> None:
    built.write("melds.py", MELDS.replace("10", "20"))
    assert built.run(CALL)[0] == [121, 1]


@pytest.mark.second("test_an_edited_helper_takes_effect_in_its_caller")
def test_an_edit_that_python_misses_is_not_missed_for_good(checkout: Checkout) -> None:
    helper = checkout.package / "melds.py"
    assert checkout.run(CALL)[0] == [111, 1]
    seconds = helper.stat().st_mtime
    checkout.write("melds.py", MELDS.replace("10", "20"))
    os.utime(helper, (seconds, seconds))  # as large and as old as before: Python runs what it read then
    assert checkout.run(CALL)[0][0] == 111
    helper.touch()
    assert checkout.run(CALL)[0][0] == 121


def test_only_the_files_that_are_reached_count(built: Checkout) -> None:
    """Thirteen games share a kit: an edit in it must not make all of their libraries again."""
    built.write("scoring.py", "")
    built.write("loops.py", LOOPS + "\n# edited\n")
    assert built.run(CALL)[0] == [111, 0]


@pytest.mark.second("test_only_the_files_that_are_reached_count")
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


def test_the_declared_arguments_count(built: Checkout) -> None:
    built.write("moves.py", MOVES.replace("INT,", "SEED,").replace(": INT", ": SEED"))
    assert built.run(CALL)[0] == [111, 1]


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


def test_a_library_serves_a_user_who_has_removed_the_compiler(built: Checkout) -> None:
    gone = """
import importlib.metadata, sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
def version(name):
    raise importlib.metadata.PackageNotFoundError(name)
importlib.metadata.version = version
"""
    assert built.run(gone + CALL) == ([111, 0], "")


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


@pytest.mark.second("test_values_from_outside_the_package_count")
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


@pytest.mark.second("test_values_from_outside_the_package_count")
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
