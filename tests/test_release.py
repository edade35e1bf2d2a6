"""Are the wheels of two kinds of machines compared by what they play?"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.filterwarnings("error")

RELEASE = Path(__file__).resolve().parents[1] / "release"


def loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A program of `release/` as a module."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location(f"release_{name}", RELEASE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def digests(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    made = loaded("digests", monkeypatch)
    monkeypatch.setattr(made, "STEPS", 5)
    return made


@pytest.fixture
def on_arm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The program, with a QEMU and two wheels that are empty files, and with nothing to download or install."""
    made = loaded("on_arm", monkeypatch)
    monkeypatch.setattr(made.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(made.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(made, "installed", lambda wheel, machine: Path(machine))
    monkeypatch.setattr(made, "python_for_aarch64", lambda: tmp_path)
    for machine in ("x86_64", "aarch64"):
        (tmp_path / f"banakil_env-1.0-cp311-abi3-manylinux_2_17_{machine}.whl").touch()
    return made


def test_every_form_and_every_player_is_played(digests: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert digests.main(["yaniv"]) == 0
    lines = [line.rsplit(" ", 1) for line in capsys.readouterr().out.splitlines()]
    batches = {
        f"yaniv {form}, {who}"
        for form in ("records", "features", "cards", "histories")
        for who in ("every seat", "random", "greedy", "expert")
    }
    others = {"yaniv AEC environment", "yaniv search"}
    assert {what for what, _ in lines} - batches - others == {f"yaniv {len(digests.recorded('yaniv'))} recorded games"}
    assert len({digest for _, digest in lines}) == len(lines) == len(batches | others) + 1


def test_a_recorded_game_that_is_played_differently_is_named(
    digests: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [path, *_] = sorted((RELEASE.parent / "tests" / "yaniv" / "golden").glob("*.txt"))
    changed = tmp_path / "yaniv" / "golden" / path.name
    changed.parent.mkdir(parents=True)
    changed.write_text(path.read_text(encoding="utf-8").replace("\n1: ", "\n1: call; ", 1), encoding="utf-8")
    monkeypatch.setattr(digests, "TESTS", tmp_path)
    assert digests.main(["yaniv"]) == 1
    assert f"{changed} is played differently" in capsys.readouterr().err


@pytest.mark.parametrize("differs", [False, True])
def test_the_lines_of_both_machines_are_compared(
    on_arm: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    differs: bool,
) -> None:
    there = ["gin search 1", "gin AEC environment 3" if differs else "gin AEC environment 2"]
    played = {Path("x86_64"): ["gin search 1", "gin AEC environment 2"], Path("aarch64"): there}
    monkeypatch.setattr(on_arm, "digests", lambda python, site, games: played[site])
    assert on_arm.main(tmp_path, ["gin"]) == differs
    printed = capsys.readouterr().out.splitlines()
    assert printed[:-1] == (["gin AEC environment 2", "gin AEC environment 3"] if differs else [])
    assert printed[-1] == f"{1 if differs else 2} of 2 digests are the same under aarch64 and x86_64"


def test_what_is_missing_is_named(on_arm: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"has no wheel for x86_64: python release/wheels.py"):
        on_arm.main(tmp_path / "elsewhere", [])
    monkeypatch.setattr(on_arm.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="apt-get install --no-install-recommends qemu-user"):
        on_arm.main(tmp_path, [])
