"""A small copy of the package in a folder of its own, for tests of what is compiled and kept.

It holds only `core/jit/`, a compiled helper (`melds.py`), a library whose entry calls it (`moves.py`), and another
whose loop is bound to a helper (`loops.py`). Programs run in it in processes of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from banakil_env.core.jit.parts import SUFFIX as PART

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

# Put before a program.
WITHOUT_NUMBA = "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"

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
