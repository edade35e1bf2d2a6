"""Does the short run have every kind of test, at the main table of every game, and is it short?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import groups
import short_run


def chosen(names: list[str], seconds: dict[str, float]) -> set[str]:
    """The tests of these names that run; the game is the first word of the parameters."""
    return short_run.chosen(names, groups.game_of, seconds)


def test_each_function_has_its_first_parameters_for_each_game() -> None:
    names = [f"a.py::test_slow[{game}-{seed}]" for game in ("gin", "hand") for seed in range(3)] + ["a.py::test_alone"]
    assert chosen(names, {"a.py::test_slow": 9.0, "a.py::test_alone": 9.0}) == {names[0], names[3], names[6]}


def test_quick_tests_have_more_parameters() -> None:
    names = [f"a.py::test_quick[gin-{seed}]" for seed in range(100)]
    assert chosen(names, {"a.py::test_quick": 0.4 * short_run.BUDGET}) == {*names[:2]}
    assert chosen(names, {}) == {*names[:5]}


RUNS_IN = """
import os, pytest

@pytest.mark.parametrize("name", ["gin", "hand"])
@pytest.mark.parametrize("number", range(20))
def test_of_a_game(name, number): print("ran", name, os.environ["PYTEST_XDIST_WORKER"])
"""


def run_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The tests of a folder, with the options of ours; what they print is shown."""
    words = ["-m", "pytest", "-q", "-rP", "-p", "no:cacheprovider", "-c", os.devnull, "-p", "conftest", *options]
    folders = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, *words, "--rootdir", str(folder), str(folder)],
        env=inherited | {"PYTHONPATH": folders},
        capture_output=True,
        text=True,
    )


def test_the_tests_of_a_game_run_in_one_process(tmp_path: Path) -> None:
    """Each process then builds and loads what it needs for its own games only."""
    (tmp_path / "test_games.py").write_text(RUNS_IN)
    run = run_in(tmp_path, "-n", "2", "--dist", "loadgroup")
    found = set(re.findall(r"ran (\w+) (\w+)", run.stdout))
    assert len(found) == len({worker for _, worker in found}) == 2, run.stdout[-2000:] + run.stderr


def test_the_game_of_a_test_is_in_its_name() -> None:
    names = {
        "tests/gin/test_gin_rules.py::test_a": "gin",
        "tests/contract_rummy/test_contract_rummy_rules.py::test_a[hand]": "contract",
        "tests/contract/test_contract_text.py::test_a[hand-pagat-2p-round]": "hand",
        "tests/test_engines.py::test_a[rummy500-0]": "rummy500",
        "tests/test_words.py::test_a[the hand-off]": "hand",  # not so, which costs nothing
        "tests/banakil/test_pack.py::test_a[pagat two]": "",
    }
    assert {name: groups.game_of(name) for name in names} == names
    assert groups.group_of("tests/banakil/test_pack.py::test_a[pagat two]") == "tests/banakil/test_pack.py"


def test_times_are_kept_by_function() -> None:
    assert all("::" in name and "[" not in name for name in short_run.read())


def test_a_measurement_adds_setup_call_and_teardown(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(short_run, "FILE", tmp_path / "seconds.json")
    measure = short_run.Measure()
    taken = (("test[1]", 1.0), ("test[1]", 0.5), ("test[2]", 0.5), ("quick", 0.0))
    for name, seconds in taken:
        report: Any = SimpleNamespace(nodeid=f"a.py::{name}", duration=seconds)
        measure.pytest_runtest_logreport(report)
    measure.pytest_sessionfinish()
    assert short_run.read() == {"a.py::test": 1.0}


SECOND = re.compile(r'@pytest\.mark\.second\("(\w+)"\)\n(?:@.*\n)*def (\w+)')


def test_what_is_left_out_names_a_test_of_its_file_that_is_not() -> None:
    found = 0
    for path in Path(__file__).parent.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        pairs = SECOND.findall(text)
        left_out = {name for _, name in pairs}
        for first, name in pairs:
            assert f"def {first}(" in text, f"{path.name}: {name} names {first}"
            assert first not in left_out, f"{path.name}: {name} names {first}, which is left out too"
        found += len(pairs)
    assert found > 5


def test_a_second_test_is_in_longer_runs_only(tmp_path: Path) -> None:
    (tmp_path / "test_two.py").write_text(
        "import pytest\ndef test_a(amount): print('ran a', amount(1, 2, 3))\n"
        "@pytest.mark.second('test_a')\ndef test_b(): print('ran b')\n"
    )
    for options, expected in ((["--short"], ["a 1"]), ([], ["a 2", "b"]), (["--long"], ["a 3", "b"])):
        assert re.findall(r"^ran (.*)$", run_in(tmp_path, *options).stdout, re.MULTILINE) == expected
