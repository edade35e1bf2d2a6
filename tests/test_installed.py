"""Does all that the arena names play where nothing but the package is installed, outside a checkout?"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

PROGRAM = """
import sys
import banakil_env.agents
from banakil_env.arena.players import make_players


def mine(observation, mask):
    return mask.argmax()


assert banakil_env.agents.__file__.startswith(sys.argv[1]), banakil_env.agents.__file__
for name in sys.argv[2:]:
    print(make_players([name], "rummy")[0].name)
print(make_players([mine], "rummy")[0].name)
"""


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder of the package alone, as pip installs it: what `packages.find` of pyproject.toml includes."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["setuptools"]["packages"]["find"]["include"] == ["banakil_env*"]
    folder = tmp_path / "installed"
    folder.mkdir()
    (folder / "banakil_env").symlink_to(REPOSITORY / "banakil_env")
    return folder


def test_players_of_every_kind_sit_down_outside_a_checkout(alone: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "own.py").write_text("def play(observation, mask):\n    return mask.argmax()\n")
    agent = f"net:{REPOSITORY / 'agents' / 'zoo' / 'rummy-2p'}"
    names = ["greedy", "human", "search:20", "own:play", "own.py:play", agent]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(alone), *names],
        cwd=tmp_path / "user",
        env={**os.environ, "PYTHONPATH": str(alone)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["greedy", "human", "search:20", "play", "play", agent, "mine"], done.stderr


@pytest.mark.parametrize(("version", "refused"), [((3, 10, 12), True), ((3, 2, 0), True), ((3, 11, 0), False)])
def test_a_python_that_is_too_old_is_refused_before_pip_looks_for_anything(
    version: tuple[int, ...], refused: bool
) -> None:
    """Old versions of pip try one NumPy after the other otherwise, for minutes. They all run `setup.py` first."""
    program = (
        "import sys, setuptools\n"
        "setuptools.setup = lambda **said: print('goes on')\n"
        f"sys.version_info = {version!r}\n"
        f"__file__ = {str(REPOSITORY / 'setup.py')!r}\n"
        "exec(open(__file__, encoding='utf-8').read())\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if refused:
        assert said.returncode == 1
        assert f"needs Python 3.11 or newer, and this is Python {version[0]}.{version[1]} (" in said.stderr
    else:
        assert (said.returncode, said.stdout) == (0, "goes on\n"), said.stderr
