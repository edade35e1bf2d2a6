"""Are the files that platforms read well formed, and do they agree with the project's own settings?"""

from __future__ import annotations

import tomllib
from pathlib import Path

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
