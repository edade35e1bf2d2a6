"""Does the short run have every kind of test, at the main table of every game, and is it short?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import short_run


def chosen(names: list[str], seconds: dict[str, float]) -> set[str]:
    """The tests of these names that run; the game is the first word of the parameters."""
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    return short_run.chosen(items, lambda item: item.nodeid.partition("[")[2].partition("-")[0], seconds)


def test_each_function_has_its_first_parameters_for_each_game() -> None:
    names = [f"a.py::test_slow[{game}-{seed}]" for game in ("gin", "hand") for seed in range(3)] + ["a.py::test_alone"]
    assert chosen(names, {"a.py::test_slow": 9.0, "a.py::test_alone": 9.0}) == {names[0], names[3], names[6]}


def test_quick_tests_have_more_parameters() -> None:
    names = [f"a.py::test_quick[gin-{seed}]" for seed in range(100)]
    assert chosen(names, {"a.py::test_quick": 0.1}) == {*names[:2]}
    assert chosen(names, {}) == {*names[:12]}


def test_tests_are_given_to_processes_in_groups(request: pytest.FixtureRequest) -> None:
    """Each process then builds and loads what it needs for its own games only."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("one process, or another way to share tests")
    assert request.node.nodeid.endswith("@test_short_run.py")


def test_times_are_kept_by_function() -> None:
    assert all("::" in name and "[" not in name for name in short_run.read())


def test_a_measurement_adds_setup_call_and_teardown(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(short_run, "FILE", tmp_path / "seconds.json")
    measure = short_run.Measure()
    taken = (("test[1]@gin", 1.0), ("test[1]@gin", 0.5), ("test[2]@gin", 0.5), ("quick@a.py", 0.0))
    for name, seconds in taken:
        report: Any = SimpleNamespace(nodeid=f"a.py::{name}", duration=seconds)
        measure.pytest_runtest_logreport(report)
    measure.pytest_sessionfinish()
    assert short_run.read() == {"a.py::test": 1.0}
