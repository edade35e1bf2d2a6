"""Does the documentation say what the code does? Generated tables are current, links lead somewhere, examples run."""

from __future__ import annotations

import importlib.util
import re
import runpy
import textwrap
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
