"""What does the wheel hold, and is it enough? Built from the sources alone, installed, and used far from a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("setuptools")

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "banakil_env", "agents/zoo")
# The files in the wheel other than Python: their suffixes, by the part of the package.
DATA = {
    "core": {".c", ".pyi", ".so"},
    "games": {".json", ".toml"},
    "render": {".json", ""},
    "suite": {".toml"},
    "web": {".js", ".css", ".html", ".svg"},
    "written": {".txt"},
    "zoo": {".safetensors"},
    "py.typed": {".typed"},
}

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
        env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_package_its_data_and_the_zoo(wheel: Path) -> None:
    """Every source of the package, data of known kinds, the weights of every agent; no tests, no training."""
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    sources = {name for name in names if name.endswith(".py")}
    assert sources == {path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "banakil_env").rglob("*.py")}
    for name in names - sources:
        top, part = name.split("/")[:2]
        assert top == "banakil_env"
        assert Path(name).suffix in DATA[part] or (part == "py.typed"), name
    agents = {name.split("/")[2] for name in names if name.startswith("banakil_env/zoo/")}
    assert agents == {path.parent.name for path in (REPOSITORY / "agents" / "zoo").glob("*/model.safetensors")}


def test_the_same_sources_are_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_what_is_installed_plays_a_game_and_the_suite_and_seats_the_zoo(wheel: Path, tmp_path: Path) -> None:
    """In a folder of its own, where no checkout is; libraries are those of this environment."""
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(installed)]
    subprocess.run([*words, str(wheel)], check=True, capture_output=True)
    try:
        import torch  # noqa: F401

        player = "zoo:gin-2p"
    except ImportError:
        player = "greedy"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(installed), player],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [player, "replayed"], done.stderr
