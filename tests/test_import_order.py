"""Does every part import only what lies below it?

core < kit < games < envs, render, arena < record, bench, cli < agents < train.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

# The height of each part; one of a height may import its own and lower ones. The package's own `__init__` is a face.
HEIGHTS = {
    "banakil_env.core": 0,
    "banakil_env.kit": 1,
    "banakil_env.games": 2,
    "banakil_env.envs": 3,
    "banakil_env.render": 3,
    "banakil_env.arena": 3,
    "banakil_env.record": 4,
    "banakil_env.bench": 4,
    "banakil_env": 4,
    "banakil_env.cli": 5,
    "banakil_env.agents": 6,
    "train": 7,
}
FILES = [path for top in ("banakil_env", "train") for path in sorted((REPOSITORY / top).rglob("*.py"))]
HEAVY = ("numba", "torch", "stable_baselines3", "matplotlib")


def part_of(module: str) -> str | None:
    """The part that a module belongs to, None for other people's."""
    owners = [part for part in HEIGHTS if module == part or module.startswith(part + ".")]
    return max(owners, key=len, default=None)


def module_of(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> list[tuple[int, str]]:
    """The modules that a file names in its imports, wherever in the file, with their lines."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full here"
            # `from banakil_env import core` means banakil_env.core.
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def faults(path: Path, imports: list[tuple[int, str]]) -> list[str]:
    own = part_of(module_of(path))
    assert own is not None
    found = []
    for line, module in imports:
        part = part_of(module)
        if part is not None and HEIGHTS[part] > HEIGHTS[own]:
            found.append(f"{path.relative_to(REPOSITORY)}:{line}: {own} imports {module}, which lies above it")
    return found


def test_nothing_imports_what_lies_above_it() -> None:
    assert [fault for path in FILES for fault in faults(path, imports_of(path))] == []


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("banakil_env/core/kernels.py", "banakil_env.games.banakil.moves", False),
        ("banakil_env/games/banakil/moves.py", "banakil_env.core.bits", True),
        ("banakil_env/games/banakil/moves.py", "banakil_env.envs.aec", False),
        ("banakil_env/envs/aec.py", "banakil_env.render.as_text", True),
        ("banakil_env/envs/aec.py", "banakil_env.agents.human", False),
        ("banakil_env/envs/aec.py", "numpy", True),
    ],
)
def test_the_test_tells_right_from_wrong(importer: str, imported: str, allowed: bool) -> None:
    assert (faults(REPOSITORY / importer, [(1, imported)]) == []) == allowed


def test_importing_the_package_loads_no_compiler_and_no_trainer() -> None:
    program = f"import sys, banakil_env; print([name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
