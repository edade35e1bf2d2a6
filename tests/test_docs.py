"""Does the documentation say what the code does? Generated tables are current, links lead somewhere, examples run."""

from __future__ import annotations

import importlib
import importlib.util
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from page_examples import GROUPS, PLUGINS, examples, run_examples

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


# The libraries of other pages of docs/plugins/ are not installed here: the tests of their groups run the programs.
RUNNABLE = [page for page in PAGES if page.parent != PLUGINS or page.name == "sb3.md"]


GUIDE = REPOSITORY / "docs" / "adding-a-game.md"
KIT = REPOSITORY / "banakil_env" / "kit"


def test_the_guide_names_every_module_of_the_kit_that_games_may_share() -> None:
    """Those at the top, those of melds, and the families; names that begin with `_` do not count."""
    named = set(re.findall(r"`([a-z0-9_/]+)`", GUIDE.read_text(encoding="utf-8")))
    modules = {path.stem for folder in (KIT, KIT / "melds") for path in folder.glob("[a-z]*.py")}
    folders = {f"kit/{path.parent.name}/" for path in KIT.glob("*/__init__.py")}
    assert modules | folders <= named


def test_the_guide_names_every_hook_of_the_kit() -> None:
    """As `module.hook`, or as `hook` after another of its module."""
    rows = re.findall(r"^\| (`.*?) \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"[a-z_]+", row)}
    declared = {
        hook
        for path in KIT.rglob("*.py")
        for hook in re.findall(r"^@hook\ndef (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(declared) > 20
    assert declared <= named


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_examples_run_as_scripts(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_examples(page, tmp_path, monkeypatch)


@pytest.mark.parametrize("page", [page for page in PAGES if examples(page)], ids=lambda page: page.name)
def test_examples_use_no_name_that_they_do_not_define(page: Path, tmp_path: Path) -> None:
    """Of every page, those of docs/plugins/ too: each program begins with what it imports."""
    for number, (_, code) in enumerate(examples(page)):
        (tmp_path / f"{number}.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821,F823,E9", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_page_of_a_library_is_run_by_a_group() -> None:
    """`GROUPS` of page_examples says by which; its folder of tests has the test."""
    pages = {page.name for page in PLUGINS.glob("*.md") if examples(page)} - {"sb3.md"}
    assert pages == set(GROUPS)
    for page, group in GROUPS.items():
        tests = "".join(
            path.read_text("utf-8") for path in (REPOSITORY / "tests" / "plugins" / group).glob("test_*.py")
        )
        assert f'"{page}"' in tests, page
        assert "run_examples" in tests


@pytest.mark.second("test_examples_run_as_scripts")
def test_the_commands_of_five_minutes_make_a_video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the model that the page's first program trains."""
    pytest.importorskip("imageio_ffmpeg")
    runner = pytest.importorskip("typer.testing").CliRunner()
    from banakil_env.cli import application

    page = REPOSITORY / "docs" / "five-minutes.md"
    monkeypatch.chdir(tmp_path)
    exec(compile(examples(page)[0][1], "first.py", "exec"), {"__name__": "__main__"})
    section = page.read_text(encoding="utf-8").partition("## A video")[2]
    commands = re.findall(r"^banakil (.*)$", section, flags=re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = runner.invoke(application(), shlex.split(command))
        assert done.exit_code == 0, done.output
    assert (tmp_path / "game.mp4").stat().st_size > 1000


def test_every_target_of_make_is_there_as_a_plain_command() -> None:
    """The table of docs/installing.md says what the Makefile does."""
    page = (REPOSITORY / "docs" / "installing.md").read_text(encoding="utf-8")
    recipes = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `make ([a-z-]+)[^`]*` \| (.*) \|$", page, flags=re.MULTILINE))
    helped = set(re.findall(r"^([a-z-]+):.*## ", recipes, flags=re.MULTILINE))
    assert helped - set(said) <= {"help", "clean", "test-plugins", "test-lowest", "screenshots"}
    for target, commands in said.items():
        assert target in helped or target.startswith("plugins-")
        for command in re.findall(r"`([^`]+)`", commands):
            words = [word for word in re.split(r"\s+", command) if "/" not in word and "=" not in word][:3]
            assert all(word.strip("'") in recipes for word in words if word not in ("-n", "pip", "2000")), command


@pytest.mark.parametrize("page", ["README.md", "docs/notation.md", "docs/state-and-search.md", "docs/evaluating.md"])
def test_where_a_whole_position_is_shown_it_is_said_that_all_hands_are(page: str) -> None:
    """And how the view of one seat is had."""
    text = " ".join((REPOSITORY / page).read_text(encoding="utf-8").split())
    assert re.search(r"shows? all hands", text)
    assert "env.observe(agent)" in text


def test_the_first_program_prints_what_the_readme_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A round that scores, at the end."""
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    section = text.partition("## A first program")[2].partition("\n## ")[0]
    program, shown = re.findall(r"```(?:python)?\n(.*?)```", section, flags=re.DOTALL)
    script = tmp_path / "first.py"
    script.write_text(program, encoding="utf-8")
    runpy.run_path(str(script), run_name="__main__")
    lines = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    expected = [line.rstrip() for line in shown.strip().splitlines()]
    assert lines[: len(expected)] == expected
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
        name, _, versions = claimed.partition(">=")
        version = versions.partition(",")[0]
        assert f"{pinned[name]}.".startswith(f"{version}."), claimed
    assert "make test-lowest" in (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "theme"), [("training.webp", "light"), ("training-dark.webp", "dark")])
def test_the_film_of_training_shows_what_the_run_has_recorded(
    name: str, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make pictures` writes the film: its first and its last picture are those that the program draws now."""
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    from banakil_env.render.png import pixels

    monkeypatch.syspath_prepend(str(REPOSITORY / "docs"))
    learning = importlib.import_module("learning")
    file = REPOSITORY / "docs" / "pictures" / name
    drawn = list(learning.frames(learning.read(), theme))
    assert file.stat().st_size < 500_000
    with image.open(file) as film:
        length = 0
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            length += film.info["duration"]
            if number in (0, film.n_frames - 1):
                seen = np.asarray(film.convert("RGB"), float)
                assert abs(seen - pixels(drawn[0 if number == 0 else -1])).mean() < 3
    assert length == round(1000 * learning.FRAME_SECONDS) * len(drawn)


def test_the_run_of_the_film_is_recorded_with_its_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each point has the discards of a hand of eleven cards, and the run is the one that the program would begin."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs"))
    learning = importlib.import_module("learning")
    data = learning.read()
    assert data["run"] == learning.RUN
    assert data["position"] == learning.Plain(learning.find("gin")).to_text(learning.position())
    assert all(len(point["discards"]) == 11 for point in data["points"])
    assert all(abs(sum(point["discards"].values()) - 1) < 0.01 for point in data["points"])
    steps = [point["steps"] for point in data["points"]]
    assert steps == sorted(set(steps))
