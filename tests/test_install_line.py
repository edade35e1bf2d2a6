"""Do messages name a command that installs what is missing, however the package itself was installed?"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from banakil_env.arena.players import make_player
from banakil_env.cli import COMMANDS
from banakil_env.core import install

REPOSITORY = Path(__file__).resolve().parents[1]
SOURCES = [*(REPOSITORY / "banakil_env").rglob("*.py"), *(REPOSITORY / "train").rglob("*.py")]
SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def installed_from(monkeypatch: pytest.MonkeyPatch, folder: Path, origin: dict[str, Any] | None) -> None:
    """The package as it would be in a folder outside any checkout, with what pip writes down of its origin."""
    text = None if origin is None else json.dumps(origin)
    monkeypatch.setattr(install, "PACKAGE", folder / "site-packages" / "banakil_env")
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: SimpleNamespace(read_text=lambda file: text))


def test_a_checkout_is_installed_by_its_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(REPOSITORY)
    assert install.install_line("cli") == "pip install -e '.[cli]'"
    monkeypatch.chdir(tmp_path)
    assert install.install_line("cli", "web") == f"pip install -e '{REPOSITORY}[cli,web]'"


def test_a_trained_player_without_pytorch_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.delitem(sys.modules, "banakil_env.agents.network", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"'net:mine' needs torch: pip install -e '\.\[train\]'"):
        make_player("net:mine")


def test_a_wheel_is_installed_by_its_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wheel = "file:///home/me/banakil_env-0.1.0-py3-none-any.whl"
    installed_from(monkeypatch, tmp_path, {"url": wheel, "archive_info": {}})
    assert install.install_line("cli") == f"pip install 'banakil-env[cli] @ {wheel}'"


def test_a_repository_is_installed_by_its_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    origin = {"url": "https://example.org/banakil-env", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    installed_from(monkeypatch, tmp_path, origin)
    assert install.install_line("cli") == "pip install 'banakil-env[cli] @ git+https://example.org/banakil-env@abc'"


def test_what_came_from_an_index_is_installed_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed_from(monkeypatch, tmp_path, None)
    assert install.install_line("cli") == "pip install 'banakil-env[cli]'"


def test_the_command_prompt_of_windows_needs_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setattr(install, "WINDOWS", True)
    assert install.install_line("cli") == 'pip install -e ".[cli]"'


def test_no_message_says_it_by_itself() -> None:
    told = {path.name for path in SOURCES if "pip install 'banakil-env" in path.read_text(encoding="utf-8")}
    assert told == set()


def test_every_extra_in_a_message_exists() -> None:
    named = {
        extra
        for path in SOURCES
        for said in re.findall(r"install_line\(([^)]*)\)", path.read_text(encoding="utf-8"))
        for extra in re.findall(r"['\"]([a-z]+)['\"]", said)
    }
    assert "cli" in named
    assert named <= set(SETTINGS["project"]["optional-dependencies"])


def test_every_extra_in_the_documentation_exists() -> None:
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    named = {
        extra
        for page in pages
        for line in re.findall(r"pip install -e '\.\[([a-z,]+)\]'", page.read_text(encoding="utf-8"))
        for extra in line.split(",")
    }
    assert {"cli", "web"} <= named <= set(SETTINGS["project"]["optional-dependencies"])


def test_every_install_line_of_a_checkout_brings_the_compiler() -> None:
    """Without Numba the first step of an environment would be an error."""
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    lines = {
        line
        for page in pages
        for line in re.findall(
            r"pip install[^\n`]* -e ['\"]?\.(?:\[[a-z,]+\])?['\"]?(?=[\s`])", page.read_text("utf-8")
        )
    }
    assert lines
    assert {line for line in lines if not re.search(r"\b(?:compile|dev|test|browser)\b", line)} == set()


def test_pages_install_what_their_commands_need_and_pytorch_before_it() -> None:
    """Pages of libraries: `banakil` needs the extra `cli`, and pip would choose a build of PyTorch by itself."""
    with_torch = {
        extra
        for extra, needed in SETTINGS["project"]["optional-dependencies"].items()
        if any(library.startswith("torch>") for library in needed)
    }
    for page in (REPOSITORY / "docs" / "plugins").glob("*.md"):
        install, _, rest = page.read_text(encoding="utf-8").partition("## Make")
        extras = set(re.findall(r"[a-z]+", " ".join(re.findall(r"-e '\.\[([a-z,]+)\]'", install))))
        if extras and re.search(r"^banakil ", rest, re.MULTILINE):
            assert "cli" in extras, page.name
        if extras & with_torch and page.name != "openenv.md":  # its server needs none
            assert "pip install torch " in install, page.name


def test_no_page_installs_from_a_registry_that_does_not_have_the_package() -> None:
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md"), *(REPOSITORY / "train").rglob("*.py")]
    told = {
        page.relative_to(REPOSITORY).as_posix()
        for page in pages
        if re.search(r"pip\s+install\s+['\"]?banakil-env\[", page.read_text(encoding="utf-8"))
    }
    assert told == set()


def test_the_command_line_without_its_libraries_prints_a_line_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('not installed')\n", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from banakil_env.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True)
    line = done.stderr.strip().partition(": ")[2]
    extras = shlex.split(line)[-1]
    assert extras == ".[cli]"
    assert "pip install -e '.[cli" in (REPOSITORY / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", ["build", "warmup"])
def test_libraries_are_built_without_the_libraries_of_the_command_line(word: str, tmp_path: Path) -> None:
    for module in ("typer", "rich"):
        (tmp_path / f"{module}.py").write_text("raise ImportError('not installed')\n", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from banakil_env.cli import main; main()"

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, word, *words], cwd=REPOSITORY, capture_output=True, text=True
        )

    done = command("--game", "tonk", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "libraries are ready" in done.stdout
    assert command("--game", "bridge").stderr.startswith("banakil build: there is no game 'bridge'")
    assert "processes that build at once" in command("--help").stdout


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("sb3", "stable_baselines3", "train"),
        ("rllib", "torch", "rllib"),
        ("torchrl", "torch", "torchrl"),
        ("jax", "jax", "jax"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_an_environment_of_a_missing_library_names_the_command(
    module: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {library, *(name for name in sys.modules if name.partition(".")[0] == library)}:
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if name.startswith(f"banakil_env.envs.{module}")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError) as refused:
        importlib.import_module(f"banakil_env.envs.{module}")
    assert str(refused.value) == f"banakil_env.envs.{module} needs {library}: {install.install_line(extra)}"
    assert refused.value.name == library


def test_the_help_lists_all_commands_with_the_extra_cli_alone() -> None:
    missing = ["anyio", "mcp", "starlette", "uvicorn", "torch", "stable_baselines3", "pandas", "matplotlib", "PIL"]
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); from banakil_env.cli import main; main()"
    wide = os.environ | {"COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], cwd=REPOSITORY, capture_output=True, text=True, env=wide
    )
    assert done.returncode == 0, done.stderr
    assert {*COMMANDS} <= set(re.findall(r"^\W*([a-z-]+) {2,}", done.stdout, re.MULTILINE))
