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
GUIDES = [path for path in (REPOSITORY / "docs").rglob("*.md") if path.parent.name not in ("notes", "rules", "games")]
# Pages for users. People who add a game, or change how games are compiled, read the source, which has no API pages.
FOR_AUTHORS = ("adding-a-game.md", "compiling.md")
PAGES = [path for path in (*GUIDES, REPOSITORY / "README.md") if path.name not in FOR_AUTHORS]

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


def in_menus() -> set[str]:
    menus = site().TUTORIALS, site().GUIDES, site().PLUGINS, site().ABOUT
    return {site().HOME, *(page for menu in menus for page in menu.values())}


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.name)
def test_a_page_is_in_a_menu(page: Path) -> None:
    """The pages of games and of rules are listed from `GAMES`."""
    assert page.relative_to(REPOSITORY).as_posix() in in_menus()


def test_a_menu_leads_to_pages() -> None:
    assert [page for page in in_menus() if not (REPOSITORY / page).is_file()] == []


def test_pictures_in_html_are_found_from_the_folder_of_their_page() -> None:
    page = (REPOSITORY / "docs" / "training.md").read_text(encoding="utf-8")
    sources = re.findall(r'(?:src|srcset)="([^"]+)"', site().one_folder_up(page))
    assert sources
    assert all((REPOSITORY / "docs" / "training" / source).resolve().is_file() for source in sources)
    assert site().one_folder_up('<img src="https://example.org/a.png">') == '<img src="https://example.org/a.png">'


@cache
def documented() -> set[str]:
    """The names on the API pages: what the modules named there define, with the methods of their classes."""
    names: set[str] = set()
    for module in (module for modules in site().API.values() for module in modules):
        file = REPOSITORY / module.replace(".", "/")
        text = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")
        names |= set(re.findall(r"^(?:    )?(?:async )?(?:def|class) ([A-Za-z]\w*)", text, flags=re.MULTILINE))
        names |= set(re.findall(r"^([A-Z][A-Z_]+)\b.* = ", text, flags=re.MULTILINE))
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
