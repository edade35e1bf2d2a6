"""What does the wheel hold, and is it enough? Built from the sources alone, installed, and used far from a checkout.

The wheel that is tested has the libraries of one game. Those that are published are made by `release/wheels.py`.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytest.importorskip("setuptools")

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "release", "banakil_env")
GAME = "gin"
# The files in the wheel other than Python: their suffixes, by the part of the package.
DATA = {
    "browser": {".js"},
    "core": {".c", ".pyi", ".so"},
    "envs": {".c", ".pyi", ".so"},
    "games": {".json", ".toml", ".md"},
    "kit": {".md"},
    "machine_code": {".so", ".sha256"},
    "render": {".json", ""},
    "suite": {".toml"},
    "web": {".js", ".css", ".html", ".svg"},
    "written": {".txt"},
    "py.typed": {".typed"},
}
needs_libraries = pytest.mark.skipif(sys.platform != "linux", reason="wheels bring libraries for Linux only")

# Plays the game in every way, and prints what it found out.
PLAYS = """
import importlib.util, sys
import numpy as np, pettingzoo, banakil_env
from banakil_env.arena.match import play_match
from banakil_env.arena.players import make_player
from banakil_env.core.jit import INT, Library
from banakil_env.envs.vector import Tables
from banakil_env.games import gin
from banakil_env.text import rules_text

assert banakil_env.__file__.startswith(sys.argv[1]), banakil_env.__file__
assert "A knock shows your hand." in rules_text("gin")
env, rng = pettingzoo.make("aec", "rummy/gin-v0"), np.random.default_rng(1)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, _, over, cut, _ = env.last()
    env.step(None if over or cut else rng.choice(np.flatnonzero(observation["action_mask"])))
tables = Tables(64, opponents="greedy", game="gin")
tables.reset(seed=3)
for _ in range(200):
    tables.step(tables.random_actions())
results = play_match(["greedy", "expert"], deals=5, game="gin")
remembering = Tables(8, game="gin", history=4)
remembering.reset(seed=3)
state = gin.new(seed=7)
after = state.copy()
gin.apply(after, gin.legal_actions(state)[0])
assert remembering.history.any() and gin.GAME.events(state, gin.legal_actions(state)[0], after)
search = make_player("search:20", "gin")
assert search.act(tables.observations[:1], tables.masks[:1], np.zeros(1, np.uint64)).shape == (1,)
print("played", importlib.util.find_spec("numba"), "numba" in sys.modules)


def _own(count):
    return count + 1


own = Library("own").entry(_own, {"count": INT}, result=True)
try:
    print(own(1))
except ImportError as error:
    print("needs the extra" if "[compile]" in str(error) else error)
"""

PROGRAM = """
import sys
from pathlib import Path

import banakil_env
from banakil_env.games import gin
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task
from banakil_env.suite.verify import verify

assert banakil_env.__file__.startswith(sys.argv[1]), banakil_env.__file__
state = gin.new(seed=7)
while not gin.is_over(state):
    gin.apply(state, gin.legal_actions(state)[0])
out = Path("run.zip")
task, player, without = find_task("gin-2p-v1"), sys.argv[2], sys.argv[2] == "greedy"
run = run_task(task, player, out, RunOptions(deals=3, without_zoo=without, isolate=False))
print(run.manifest["player"]["name"], verify(out).degree)
"""


def build(folder: Path) -> Path:
    """The wheel, from a copy of the sources without anything that was made from them."""
    copy = folder / "sources"
    for name in SOURCES:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        if (REPOSITORY / name).is_dir():
            shutil.copytree(REPOSITORY / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(REPOSITORY / name, copy / name)
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run(
        [*words, "--wheel-dir", str(folder), str(copy)],
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600", "BANAKIL_WHEEL_GAMES": GAME},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("banakil_env-*.whl")
    return wheel


def install(wheels: Iterable[Path], folder: Path) -> Path:
    """A folder with wheels, as pip installs them, without what they need."""
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*words, *map(str, wheels)], check=True, capture_output=True)
    return folder


def link_needed(installed: Path, folder: Path) -> Path:
    """A folder with what the package says that it needs, and nothing else: links into this environment."""
    folder.mkdir()
    [package] = importlib.metadata.distributions(path=[str(installed)])
    waiting, found = [package], {package.name}
    for each in waiting:  # grows while it is walked
        for line in each.requires or ():
            needed = Requirement(line)
            if needed.name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found.add(needed.name)
                waiting.append(importlib.metadata.distribution(needed.name))
    for each in waiting[1:]:
        for top in {file.parts[0] for file in each.files or () if ".." not in file.parts}:
            if not (folder / top).exists():
                (folder / top).symlink_to(str(each.locate_file(top)))
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install([wheel], tmp_path_factory.mktemp("installed"))


def test_the_wheel_holds_the_package_its_data_and_its_libraries(wheel: Path) -> None:
    """Every source of the package, data of known kinds, libraries; no tests, no training, no weights of agents."""
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    sources = {name for name in names if name.endswith(".py")}
    assert sources == {path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "banakil_env").rglob("*.py")}
    for name in names - sources:
        top, part = name.split("/")[:2]
        assert top == "banakil_env"
        assert Path(name).suffix in DATA[part] or (part == "py.typed"), name


@needs_libraries
def test_the_wheel_has_each_library_for_each_processor(wheel: Path) -> None:
    from banakil_env.core.jit.library import processor
    from banakil_env.libraries import COMMON, libraries_of

    processors = ("x86-64-v2", "x86-64-v3") if processor().startswith("x86") else (processor(),)
    with zipfile.ZipFile(wheel) as packed:
        found = {Path(name).stem for name in packed.namelist() if "/machine_code/" in name and name.endswith(".so")}
    assert found == {
        library.stem(library.key(cpu))
        for name in (COMMON, GAME)
        for library in libraries_of(name)
        for cpu in processors
    }


def test_every_library_of_a_game_is_built_ahead_and_shipped() -> None:
    """Each kind that a module of the package declares, for a game that has them all."""
    from banakil_env.libraries import libraries_of

    declared = {
        kind
        for path in (REPOSITORY / "banakil_env").rglob("*.py")
        for kind in re.findall(r'Library\(f"\{game\.name\}_(\w+)"\)', path.read_text(encoding="utf-8"))
    }
    assert len(declared) > 6
    assert declared <= {library.name.removeprefix(f"{GAME}_") for library in libraries_of(GAME)}


@pytest.mark.second("test_the_wheel_holds_the_package_its_data_and_its_libraries")
def test_the_same_sources_are_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


@needs_libraries
@pytest.mark.parametrize("plain", [False, True])
def test_what_is_installed_plays_without_numba(installed: Path, tmp_path: Path, plain: bool) -> None:
    """In an empty environment with the dependencies of the package alone; nothing is compiled, or all is plain."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "empty")], check=True)
    needed = link_needed(installed, tmp_path / "needed")
    own = {"PYTHONPATH": f"{installed}{os.pathsep}{needed}", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    python = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin") / "python"
    program = PLAYS.replace("range(200)", "range(2)").replace("64, opp", "2, opp") if plain else PLAYS
    done = subprocess.run(
        [python, "-W", "error::RuntimeWarning", "-c", program, str(installed)],
        cwd=tmp_path,
        env=inherited | own | ({"NUMBA_DISABLE_JIT": "1"} if plain else {}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["played None False", "2" if plain else "needs the extra"]


def test_what_is_installed_plays_the_suite_and_seats_the_zoo(installed: Path, tmp_path: Path) -> None:
    """In a folder of its own, where no checkout is. The zoo is a package of its own; dependencies are those here."""
    elsewhere, agents = tmp_path / "elsewhere", tmp_path / "agents"
    elsewhere.mkdir()
    for path in (REPOSITORY / "agents" / "zoo").glob("*/model.safetensors"):
        (agents / "zoo" / path.parent.name).mkdir(parents=True)
        shutil.copy(path, agents / "zoo" / path.parent.name)
    shutil.copy(REPOSITORY / "agents" / "pyproject.toml", agents)
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*words, "--target", str(tmp_path / "zoo"), str(agents)], check=True, capture_output=True)
    assert sorted(os.listdir(tmp_path / "zoo" / "banakil_zoo")) == sorted(os.listdir(agents / "zoo"))
    try:
        import torch  # noqa: F401

        player = "zoo:gin-2p"
    except ImportError:
        player = "greedy"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(installed), player],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{tmp_path / 'zoo'}"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [player, "replayed"], done.stderr
