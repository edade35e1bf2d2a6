"""What every test module shares: options, groups of tests, and properties tried on the same examples each time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import groups
import pytest
import short_run
from hypothesis import HealthCheck, settings

from banakil_env.core.openmp import sleep_while_waiting

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # mypy has no word for a module that may be missing

MEMORY = pytest.StashKey[dict[str, float]]()

sleep_while_waiting()  # before any test loads PyTorch

# While tests are collected, nothing that is made is thrown away: garbage collections would find nothing.
gc.disable()

# No example has a time limit: the first one may compile, and the machine may be busy.
settings.register_profile("banakil", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("banakil")

# The referee of a game, and what else its tests share, can be imported everywhere: the names begin with the game's.
sys.path += [str(Path(__file__).parent / folder) for folder in groups.FOLDERS]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play more games and try more examples: minutes to hours")
    parser.addoption("--short", action="store_true", help="every kind of test at the main table of every game")
    parser.addoption("--measure", action="store_true", help="write the time of each test to tests/seconds.json")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--measure") and not hasattr(config, "workerinput"):  # in the first of several processes
        config.pluginmanager.register(short_run.Measure())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the short run. For several processes, the groups that take longest come first, not last."""
    if config.getoption("--short"):
        names = [item.nodeid for item in items if item.get_closest_marker("second") is None]
        kept = short_run.chosen(names, groups.game_of, short_run.read())
        left_out = [item for item in items if item.nodeid not in kept]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid in kept]
    if hasattr(config, "workerinput"):
        taken = short_run.seconds_of_groups([item.nodeid for item in items], groups.group_of, short_run.read())
        items.sort(key=lambda item: -taken[groups.group_of(item.nodeid)])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> groups.Groups | None:
    """How `--dist loadgroup` shares the tests."""
    return groups.Groups(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """What a process used in all, for the last lines of a run."""
    if taken := getattr(node, "workeroutput", {}).get("most_memory"):
        node.config.stash.setdefault(MEMORY, {})[node.gateway.id] = taken


def pytest_sessionfinish(session: pytest.Session) -> None:
    if resource is not None and hasattr(session.config, "workeroutput"):
        kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "darwin" else 1)
        session.config.workeroutput["most_memory"] = kilobytes / (1 << 20)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The most memory that each process had: 1.5 GB is the aim, with libraries built."""
    for name, taken in sorted(config.stash.get(MEMORY, {}).items()):
        terminalreporter.write_line(f"{name}: at most {taken:.2f} GB of memory")


def pytest_collection_finish() -> None:
    """Leave 23,000 collected tests to themselves: each full garbage collection would walk over all of them."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether to use the larger counts. Every test runs without it too, with counts that find most errors."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(scope="session")
def amount(request: pytest.FixtureRequest) -> Callable[[int, int, int], int]:
    """How much a test tries: `amount(20, 40, 3000)` is 20 in a short run, 3000 with `--long`, else 40."""
    option = request.config.getoption
    return lambda short, usual, long: short if option("--short") else long if option("--long") else usual
