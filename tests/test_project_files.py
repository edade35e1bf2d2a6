"""Are the files that platforms read well formed, and do they agree with the project's own settings?"""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

REPOSITORY = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version() -> None:
    said = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= said.keys()
    assert said["version"] == PROJECT["version"]
    assert said["license"] == PROJECT["license"]
    assert said["title"].startswith(PROJECT["name"])
    assert [author["name"] for author in said["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_every_place_that_names_the_version_has_the_one_of_the_project() -> None:
    """It is written once, in pyproject.toml: pages follow by docs/generate.py, the agents' package by this test."""
    version = PROJECT["version"]
    agents = tomllib.loads((REPOSITORY / "agents" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert agents["version"] == version
    for page in ("README.md", "docs/evaluating.md"):
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        assert set(re.findall(r"banakil-env (\d[\w.]*\w)", text)) == {version}
    assert f"version = {{{version}}}" in (REPOSITORY / "docs" / "cite.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d\S*)", (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert released[0] == version


@pytest.mark.parametrize("path", sorted((REPOSITORY / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_every_form_and_workflow_can_be_read(path: Path) -> None:
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(said, dict)
    if path.parent.name == "ISSUE_TEMPLATE" and path.name != "config.yml":
        assert {"name", "description", "body"} <= said.keys()
        ids = [part["id"] for part in said["body"]]
        assert len(set(ids)) == len(ids)
        assert all(part["attributes"]["label"] for part in said["body"])


def test_publishing_is_started_by_a_maintainer_and_keeps_no_token() -> None:
    text = (REPOSITORY / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    said = yaml.safe_load(text)
    assert list(said[True]) == ["workflow_dispatch"]  # `on` is a truth value of YAML 1.1
    assert said[True]["workflow_dispatch"]["inputs"]["publish"]["default"] is False
    assert "secrets." not in text
    assert said["jobs"]["publish"]["environment"] == "pypi"


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Any:
    """docs/address.py."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs"))
    return importlib.import_module("address")


def test_one_setting_gives_badges_clone_lines_and_links(address: Any) -> None:
    """Empty, as long as there is no public repository: no link leads nowhere."""
    assert address.badges("") == ""
    assert address.clone("").splitlines() == ["```", "pip install -e '.[compile]'", "```"]
    public = "https://github.com/some/body"
    assert address.badges(public).count(public) == 3
    assert "git clone https://github.com/some/body\ncd body\n" in address.clone(public)
    with pytest.raises(ValueError, match=r"https://github\.com/OWNER/NAME, and not 'ftp://some/body'"):
        address.name_of("ftp://some/body")


def test_the_address_of_the_repository_is_written_nowhere_else(address: Any) -> None:
    """The README has what the setting gives; CITATION.cff names the repository if there is one."""
    here = address.repository()
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert f"<!-- begin clone -->\n{address.clone(here)}\n<!-- end clone -->" in readme
    said = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    assert said.get("repository-code", "") == here
