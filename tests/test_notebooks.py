"""Do the notebooks run? Each is executed from top to bottom, in a kernel of its own and in its short form."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FIRST_STEPS = {"first_gymnasium.ipynb", "first_pettingzoo.ipynb", "first_sb3.ipynb"}
SECONDS = 300  # a cell; the first compiles


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_says_something(path, monkeypatch):
    monkeypatch.setenv("BANAKIL_NOTEBOOKS", "short")
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))))
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(ROOT)}}).execute()
    assert any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_first_steps_are_kept_with_their_outputs_and_other_notebooks_without(path):
    """`jupyter nbconvert --execute --inplace` stores them; no error and no path of a machine is among them."""
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    if path.name not in FIRST_STEPS:
        assert not [cell for cell in cells if cell.outputs or cell.execution_count]
        return
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert len(outputs) > 1
    assert {output.output_type for output in outputs} <= {"stream", "execute_result", "display_data"}
    assert not re.search(r"/(?:home|root|tmp|work|usr)/", json.dumps([dict(output) for output in outputs]))


def test_there_are_first_steps_for_each_usual_interface():
    assert {path.name for path in NOTEBOOKS} >= FIRST_STEPS


# In Colab -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def colab():
    """docs/colab.py, which is no module of a package."""
    spec = importlib.util.spec_from_file_location("colab", ROOT / "docs" / "colab.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_begins_with_the_cells_for_colab(path, colab):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert colab.with_setup(notebook, path.name, colab.repository()) == notebook


def test_an_address_gives_a_badge_and_taking_it_away_the_notebook_as_it_was(colab):
    notebook = json.loads(NOTEBOOKS[0].read_text(encoding="utf-8"))
    public = colab.with_setup(notebook, "a.ipynb", "https://github.com/some/body")
    assert "/github/some/body/blob/main/notebooks/a.ipynb)" in public["cells"][0]["source"][0]
    assert 'REPOSITORY = "https://github.com/some/body"\n' in public["cells"][1]["source"]
    assert colab.with_setup(public, "a.ipynb", "") == notebook
    with pytest.raises(ValueError, match="the repository is on GitHub"):
        colab.with_setup(notebook, "a.ipynb", "ftp://some/body")


def test_without_a_checkout_the_repository_is_cloned_and_installed(colab, tmp_path):
    """The first cell in an empty folder: the clone is a real one, the installation is only noted."""
    cell = json.loads(NOTEBOOKS[0].read_text(encoding="utf-8"))["cells"][1]["source"]
    (tmp_path / "theirs" / "banakil_env").mkdir(parents=True)
    (tmp_path / "theirs" / "banakil_env" / "__init__.py").write_text("here = 'cloned'\n")
    git = ["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(tmp_path / "theirs")]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "m"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "empty").mkdir()
    program = (
        "import subprocess as s; real = s.run\n"
        "s.run = lambda words, **how: real(words, **how) if words[0] == 'git' else print(words[1:])\n"
        + "".join(cell)
        + "\nimport banakil_env; print(banakil_env.here)"
    )
    environment = {**os.environ, "BANAKIL_REPOSITORY": (tmp_path / "theirs").as_uri(), "PYTHONPATH": ""}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path / "empty", env=environment, capture_output=True, text=True, check=True)
    root = tmp_path / "empty" / "banakil-env"
    installed = ["-m", "pip", "install", "--quiet", "-e", f"{root}[train,cli,arena,compile]"]
    assert done.stdout.splitlines() == [str(installed), "cloned"]
