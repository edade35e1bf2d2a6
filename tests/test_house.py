"""Does the house stand? Imports go one way, and nothing outside a game's own folders imports a game's module.

The source is parsed; imports inside functions count, those for type checkers alone do not.
"""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from banakil_env.games import GAMES

REPOSITORY = Path(__file__).resolve().parents[1]

# A package may import those of its own row and of the rows above.
ROWS = (
    ("banakil_env.core",),
    ("banakil_env.kit",),
    ("banakil_env.games",),
    ("banakil_env.envs", "banakil_env.render", "banakil_env.arena", "banakil_env.text"),
    (
        *("banakil_env.record", "banakil_env.bench", "banakil_env.study", "banakil_env.play"),
        *("banakil_env.web", "banakil_env.browser", "banakil_env.written", "banakil_env.capi"),
        *("banakil_env.listing", "banakil_env.cli"),
    ),
    ("banakil_env.agents",),
    ("banakil_env.suite", "banakil_env.build", "banakil_env.libraries"),
    ("train",),
)
ROW_OF = {package: number for number, row in enumerate(ROWS) for package in row}

# Where the modules of a game may be imported: `{game}` is its name. The tests of Contract Rummy, whose name is
# `contract`, are in tests/contract_rummy, since tests/contract holds the contract tests of every game.
OWN_FOLDERS = (
    "banakil_env/games/{game}/",
    "train/{game}/",
    "tests/{game}/",
    "tests/{game}_rummy/",
    "tests/plugins/openspiel/test_{game}_",
)

# Imports against the direction that are still there: "file -> package". The list may only shrink.
UPWARD: set[str] = set()

# The compiler is loaded late: a process that finds its libraries imports no Numba.
CIRCLES = [{"banakil_env.core.jit.build", "banakil_env.core.jit.library"}]

# What a plain `import banakil_env` must not load: a compiler, trainers, drawing.
HEAVY = ("numba", "torch", "stable_baselines3", "matplotlib")


def sources(*tops: str) -> list[Path]:
    """The source files of these folders."""
    return sorted(path for top in tops for path in (REPOSITORY / top).rglob("*.py"))


def name_of(path: Path) -> str:
    """The path within the repository."""
    return path.relative_to(REPOSITORY).as_posix()


class Imports(ast.NodeVisitor):
    """Collects the modules that a file imports, those inside functions too."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.found: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        test = node.test
        name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
        for child in node.orelse if name == "TYPE_CHECKING" else [*node.body, *node.orelse]:
            self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        self.found |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = node.module or ""
        if node.level:
            parts = self.package.split(".")
            base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
        # What is imported may be a module or a name in one: both are kept.
        self.found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}

    def visit_Call(self, node: ast.Call) -> None:
        """`importlib.import_module("a.b")` with the name written out."""
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "import_module" and node.args and isinstance(node.args[0], ast.Constant):
            self.found.add(str(node.args[0].value))
        self.generic_visit(node)


@functools.cache
def imports_of(path: Path, source: str | None = None) -> frozenset[str]:
    """The modules that a file imports, and the names that it takes from them, with dots."""
    package = ".".join(path.relative_to(REPOSITORY).parent.parts)
    visitor = Imports(package)
    visitor.visit(ast.parse(path.read_text(encoding="utf-8") if source is None else source))
    return frozenset(visitor.found)


def package_in(module: str) -> str | None:
    """The package of `ROWS` that a module belongs to."""
    return next((package for package in ROW_OF if module == package or module.startswith(f"{package}.")), None)


def upward() -> Iterator[str]:
    """Imports of a package that stands lower in `ROWS`."""
    for path in sources("banakil_env", "train"):
        module = name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        own = package_in(module)
        if own is not None:
            for package in sorted({found for found in map(package_in, imports_of(path)) if found is not None}):
                if ROW_OF[package] > ROW_OF[own]:
                    yield f"{name_of(path)} -> {package}"


def circles() -> list[set[str]]:
    """Groups of modules that import each other."""
    modules = {name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in _SOURCES}
    graph = {
        module: {_module_of(name, modules) for name in _last(imports_of(path))} & modules.keys() - {module}
        for module, path in modules.items()
    }
    reached = {module: _reached(graph, module) for module in graph}
    groups = {frozenset(one for one in reached[module] if module in reached[one]) for module in graph}
    return sorted((set(group) for group in groups if group), key=sorted)


_SOURCES = sources("banakil_env", "train")


def _last(names: frozenset[str]) -> set[str]:
    """The names without packages of which something is imported: that alone counts."""
    return {name for name in names if not any(other.startswith(f"{name}.") for other in names)}


def _module_of(name: str, modules: Mapping[str, Path]) -> str:
    """The module of a dotted name, which may end with a name in the module."""
    return name if name in modules else name.rpartition(".")[0]


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """The modules that one imports, or those import, and so on."""
    found, new = set[str](), graph[start]
    while new:
        found |= new
        new = set[str]().union(*(graph[module] for module in new)) - found
    return found


def games_imported(path: Path, source: str | None = None) -> set[str]:
    """The games whose modules a file imports."""
    modules = {f"banakil_env.games.{game}": game for game in GAMES}
    imported = imports_of(path, source)
    return {game for module, game in modules.items() if any(f"{each}.".startswith(f"{module}.") for each in imported)}


def about_one_game() -> Iterator[str]:
    """Files outside a game's folders that import its modules. Notebooks may: people play games in them."""
    for path in sources("banakil_env", "train", "docs", "tests"):
        for game in games_imported(path):
            if not name_of(path).startswith(tuple(folder.format(game=game) for folder in OWN_FOLDERS)):
                yield name_of(path)


def test_every_package_has_its_place() -> None:
    """`ROWS` has every package."""
    found = {
        "banakil_env." + path.relative_to(REPOSITORY / "banakil_env").parts[0].removesuffix(".py")
        for path in (REPOSITORY / "banakil_env").rglob("*.py")
    }
    assert found - {"banakil_env.__init__"} == {package for package in ROW_OF if package.startswith("banakil_env.")}


def test_imports_go_one_way() -> None:
    assert sorted(set(upward()) - UPWARD) == []


def test_no_modules_import_each_other() -> None:
    assert circles() == CIRCLES


def test_no_import_is_excused_that_is_gone() -> None:
    assert sorted(UPWARD - set(upward())) == [], "take these out of UPWARD"


def test_nothing_outside_a_games_folders_imports_its_modules() -> None:
    assert sorted(about_one_game()) == []


def test_no_game_imports_another() -> None:
    for game in GAMES:
        for path in sorted((REPOSITORY / "banakil_env" / "games" / game).rglob("*.py")):
            assert games_imported(path) <= {game}, name_of(path)


def test_every_folder_of_a_game_is_in_the_list() -> None:
    folders = {path.parent.name for path in (REPOSITORY / "banakil_env" / "games").glob("*/__init__.py")}
    assert folders == set(GAMES)


def test_the_contract_tests_name_no_game() -> None:
    """They find games by `GAMES` alone, so that they hold for the next one as well."""
    for path in sources("tests/contract"):
        assert games_imported(path) == set(), name_of(path)


def test_importing_the_package_loads_no_compiler_and_no_trainer() -> None:
    program = f"import sys, banakil_env; print([name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


GAME = next(iter(GAMES))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (f"import banakil_env.games.{GAME}.state", True),
        (f"from banakil_env.games import {GAME}", True),
        (f"from banakil_env.games.{GAME} import state as S", True),
        (f"def f():\n    from banakil_env.games.{GAME}.game import GAME", True),
        (f"from ..games.{GAME} import GAME", True),
        (f"import importlib\nimportlib.import_module('banakil_env.games.{GAME}')", True),
        (f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from banakil_env.games import {GAME}", False),
        ("from banakil_env.games import GAMES, find", False),
        (f"from banakil_env.games.{GAME}_and_more import GAME", False),
        (f'"""import banakil_env.games.{GAME}"""', False),
    ],
)
def test_the_test_of_imports_finds_them(source: str, found: bool) -> None:
    """As if it stood in `envs/`."""
    assert (games_imported(REPOSITORY / "banakil_env" / "envs" / "aec.py", source) != set()) == found
