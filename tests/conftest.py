"""What every test module shares: options, groups of tests, and properties tried on the same examples each time."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
import short_run
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
    parser.addoption("--short", action="store_true", help="every kind of test at the main table of every game")
    parser.addoption("--measure", action="store_true", help="write the time of each test to tests/seconds.json")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--measure") and not hasattr(config, "workerinput"):  # in the first of several processes
        config.pluginmanager.register(short_run.Measure())


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each test a group; `--dist loadgroup` runs the tests of a group in one process, one after the other.

    Groups are begun in the order of their first tests: those that take longest come first, so that no process has a
    long one at the end.
    """
    if config.getoption("--short"):
        kept = short_run.chosen(items, _game_of, short_run.read())
        left_out = [item for item in items if item.nodeid not in kept]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid in kept]
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group_of(item)))
    if hasattr(config, "workerinput"):
        taken = short_run.seconds_of_groups(items, _group_of, short_run.read())
        items.sort(key=lambda item: (-taken[_group_of(item)], _group_of(item)))


def pytest_collection_finish() -> None:
    """Leave 23,000 collected tests to themselves: each full garbage collection would walk over all of them."""
    gc.freeze()
    gc.enable()


def _game_of(item: pytest.Item) -> str:
    """The game that a test is about, so that its functions are compiled in one process only; "": no single game.

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
    return ""


def _group_of(item: pytest.Item) -> str:
    """The tests of a game are one group, and so are all others of a file."""
    return _game_of(item) or item.path.name


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether to use the larger counts. Every test runs without it too, with counts that find most errors."""
    return bool(request.config.getoption("--long"))
