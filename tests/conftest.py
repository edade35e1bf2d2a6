"""What every test module shares: the `--long` option, and properties that are tried on the same examples each time."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from banakil_env.core.openmp import sleep_while_waiting
from banakil_env.games import GAMES

sleep_while_waiting()  # before any test loads PyTorch

# While tests are collected, nothing that is made is thrown away: garbage collections would find nothing.
gc.disable()

# No example has a time limit: the first one may compile, and the machine may be busy.
settings.register_profile("banakil", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("banakil")

# The folders with the tests of one game, and the game.
FOLDERS = {path.name: path.name for path in Path(__file__).parent.iterdir() if path.name in GAMES}
FOLDERS |= {"contract_rummy": "contract"}
del FOLDERS["contract"], FOLDERS["banakil"]  # the tests that every game must pass; and too many for one process

# The referee of a game, and what else its tests share, can be imported everywhere: the names begin with the game's.
sys.path += [str(Path(__file__).parent / folder) for folder in FOLDERS]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play more games and try more examples: minutes to hours")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test a group; `--dist loadgroup` runs the tests of a group in one process, one after the other."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group_of(item)))


def pytest_collection_finish() -> None:
    """Leave 23,000 collected tests to themselves: each full garbage collection would walk over all of them."""
    gc.freeze()
    gc.enable()


def _group_of(item: pytest.Item) -> str:
    """The game that a test is about, so that the functions of a game are compiled in one process only; else its file.

    Banakil's folder has too many tests for one group.
    """
    folder = FOLDERS.get(item.path.parent.name)
    if folder is not None:
        return folder
    callspec = getattr(item, "callspec", None)
    for value in callspec.params.values() if callspec else ():
        name = getattr(value, "name", value)
        if isinstance(name, str) and name in GAMES:
            return name
    return str(item.path)


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether to use the larger counts. Every test runs without it too, with counts that find most errors."""
    return bool(request.config.getoption("--long"))
