"""Is every page of the documentation in a menu of the site, and every public name that it mentions in the API?"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mkdocs")

from banakil_env.games import GAMES

REPOSITORY = Path(__file__).resolve().parents[1]
NOTES = REPOSITORY / "docs" / "contributing"
GUIDES = [
    path for path in (REPOSITORY / "docs").rglob("*.md") if path.parent.name not in ("rules", "games", NOTES.name)
]
# Pages for users. People who add a game, or change how games are compiled, read the source, which has no API pages.
PAGES = [path for path in (*GUIDES, REPOSITORY / "README.md") if path.name != "adding-a-game.md"]

# A game offers the functions of `Plain` as its own: these are documented once.
PLAIN = {f"banakil_env.games.{name}" for name in GAMES}


@cache
def site() -> Any:
    spec = importlib.util.spec_from_file_location("site_of_docs", REPOSITORY / "docs" / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_menus() -> list[str]:
    """The pages that the menus name."""
    sections = [what for entry in site().menu() for what in entry.values() if isinstance(what, list)]
    return [page for section in sections for entry in section for page in entry.values() if not page.isupper()]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_a_page_is_in_a_menu(page: Path) -> None:
    """The pages of games and of rules are listed from `GAMES`."""
    assert page.relative_to(REPOSITORY).as_posix() in in_menus()


def test_a_menu_leads_to_pages_each_once() -> None:
    assert [page for page in in_menus() if not (REPOSITORY / page).is_file()] == []
    assert len(in_menus()) == len(set(in_menus()))


def test_menus_have_two_levels() -> None:
    """A section of a section would hide its pages."""
    assert all(isinstance(page, str) for entry in site().menu() for page in _pages(entry))


def _pages(entry: dict[str, Any]) -> list[Any]:
    [what] = entry.values()
    return [page for each in what for page in each.values()] if isinstance(what, list) else [what]


def test_notes_for_contributors_are_listed_on_their_first_page_and_in_no_menu() -> None:
    listing = (NOTES / "overview.md").read_text(encoding="utf-8")
    notes = {path.name for path in NOTES.glob("*.md")} - {"overview.md"}
    assert set(re.findall(r"\]\(([a-z-]+\.md)\)", listing)) == notes
    assert {Path(page).parent.name for page in in_menus() if Path(page).name in notes} & {NOTES.name} == set()


def test_an_agent_is_on_the_page_of_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one table the newest comes first; a link to its card leads there."""
    monkeypatch.setattr(site(), "SOURCE", tmp_path)
    assert site().write_agents() == "agents/zoo/cards.md"
    gin = (tmp_path / "agents" / "zoo" / "gin.md").read_text(encoding="utf-8")
    names = re.findall(r"^## .* \{ #(\S+) \}$", gin, flags=re.MULTILINE)
    assert names.index("gin-2p-5") < names.index("gin-2p") < names.index("gin-2p-learned")
    assert {path.stem for path in (tmp_path / "agents" / "zoo").glob("*.md")} <= {*GAMES, "all-games", "cards"}
    page = REPOSITORY / "docs" / "results.md"
    found = site().relinked("[a](../agents/zoo/gin-2p-5/README.md)", page, page.relative_to(REPOSITORY))
    assert found == "[a](../agents/zoo/gin.md#gin-2p-5)"


def test_pictures_in_html_are_found_from_the_folder_of_their_page() -> None:
    page = (REPOSITORY / "docs" / "training.md").read_text(encoding="utf-8")
    sources = re.findall(r'(?:src|srcset)="([^"]+)"', site().one_folder_up(page))
    assert sources
    assert all((REPOSITORY / "docs" / "training" / source).resolve().is_file() for source in sources)
    assert site().one_folder_up('<img src="https://example.org/a.png">') == '<img src="https://example.org/a.png">'


@cache
def documented() -> set[str]:
    """The names on the API pages: what the modules named there define, with the methods of their classes."""
    return {name for modules in site().API.values() for module in modules for name in defined_in(module)}


@cache
def defined_in(module: str) -> set[str]:
    """What a module of this package defines, and what its classes inherit from classes of other modules."""
    file = REPOSITORY / module.replace(".", "/")
    text = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")
    names = set(re.findall(r"^(?:    )?(?:async )?(?:def|class) ([A-Za-z]\w*)", text, flags=re.MULTILINE))
    names |= set(re.findall(r"^([A-Z][A-Z_]+)\b.* = ", text, flags=re.MULTILINE))
    for bases in re.findall(r"^class \w+\(([\w, ]+)\):", text, flags=re.MULTILINE):
        for base in bases.split(", "):
            found = re.search(rf"^from (banakil_env\S*) import (?:.*\b)?{base}\b", text, flags=re.MULTILINE)
            names |= defined_in(found[1]) if found else set()
    return names


def imported(page: Path) -> set[tuple[str, str]]:
    """What the examples of a page import from this package: module and name."""
    found = set()
    blocks = re.findall(r"^ *```[a-z]*\n(.*?)^ *```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for module, names in re.findall(r"^\s*from (banakil_env[.\w]*) import ([\w, ]+)", "\n".join(blocks), re.MULTILINE):
        found |= {(module, name.strip()) for name in names.split(",")}
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_the_examples_import_is_in_the_api(page: Path) -> None:
    missing = []
    for module, name in imported(page):
        file = REPOSITORY / module.replace(".", "/")
        is_module = (file / name).is_dir() or (file / f"{name}.py").is_file()
        if not is_module and module not in PLAIN and name not in documented():
            missing.append(f"{module}.{name}")
    assert missing == []


@pytest.mark.parametrize("name", ["play_match", "TablesVecEnv", "as_text", "encode", "make_player", "Tables", "frozen"])
def test_a_name_that_users_look_for_is_in_the_api(name: str) -> None:
    assert name in documented()


def test_a_call_that_a_page_mentions_is_in_the_api() -> None:
    """`name(...)` in prose, where this package has a function of that name."""
    own = {
        name
        for path in (REPOSITORY / "banakil_env").rglob("*.py")
        for name in re.findall(r"^def ([a-z]\w*)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }
    mentioned = {
        name for page in PAGES for name in re.findall(r"`(?:\w+\.)*([a-z]\w*)\(", page.read_text(encoding="utf-8"))
    }
    assert sorted((mentioned & own) - documented()) == []
