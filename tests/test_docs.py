"""Does the documentation say what the code does? Generated tables are current, links lead somewhere, examples run."""

from __future__ import annotations

import importlib.util
import re
import runpy
import textwrap
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])


def test_generated_tables_are_current() -> None:
    spec = importlib.util.spec_from_file_location("generate", REPOSITORY / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.stale_pages(write=False) == [], "run 'make docs'"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


# The pages of docs/plugins/ need libraries that are not all installed here: their groups of tests run what they say.
RUNNABLE = [page for page in PAGES if page.parent.name != "plugins"]


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_examples_run_as_scripts(page: Path, tmp_path: Path) -> None:
    for number, example in enumerate(
        re.findall(r"^ *```python\n(.*?)^ *```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    ):
        script = tmp_path / f"{page.stem}_{number}.py"
        script.write_text(textwrap.dedent(example), encoding="utf-8")
        runpy.run_path(str(script), run_name="__main__")


def test_the_first_program_prints_what_the_readme_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A round that scores, at the end."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    section = text.partition("## A first program")[2].partition("\n## ")[0]
    program, shown = re.findall(r"```(?:python)?\n(.*?)```", section, flags=re.DOTALL)
    script = tmp_path / "first.py"
    script.write_text(program, encoding="utf-8")
    runpy.run_path(str(script), run_name="__main__")
    lines = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    assert lines == [line.rstrip() for line in shown.strip().splitlines()]
    points = re.search(r"points of the round by seat: ([-0-9 ]+)", shown)
    assert points is not None
    assert any(map(int, points[1].split()))


def test_one_lower_bound_of_python_is_claimed_everywhere() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    least = settings["project"]["requires-python"].removeprefix(">=")
    major, minor = least.split(".")
    assert settings["tool"]["ruff"]["target-version"] == f"py{major}{minor}"
    for name in ("README.md", "CONTRIBUTING.md", "Makefile"):
        text = (REPOSITORY / name).read_text(encoding="utf-8")
        assert {*re.findall(r"Python (3\.[0-9]+) or (?:newer|later)", text)} == {least}, name
    assert f"v >= ({major}, {minor})" in (REPOSITORY / "Makefile").read_text(encoding="utf-8")


def test_the_oldest_versions_that_are_tested_are_those_that_are_claimed() -> None:
    """`make test-lowest` installs what constraints-lowest.txt says, and .ci/run calls it."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = dict(
        re.findall(r"^([a-z]+)==([0-9.]+)", (REPOSITORY / "constraints-lowest.txt").read_text("utf-8"), re.MULTILINE)
    )
    for claimed in settings["project"]["dependencies"]:
        name, _, version = claimed.partition(">=")
        assert f"{pinned[name]}.".startswith(f"{version}."), claimed
    assert "make test-lowest" in (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
