"""Is the page without a server playable in a real Chromium, opened from the disk, with no request to anybody?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from banakil_env.browser.network import network_file
from banakil_env.browser.page import offline_page
from banakil_env.games import find

GAMES = ("gin", "yaniv")  # two games, so that the modules are built in a minute
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOVES = 400  # of the person, at most, until a round is over
Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("offline") / "play.html"
    path.write_text(offline_page([find(name) for name in GAMES], network_file()), encoding="utf-8")
    return path


@pytest.fixture
def opened(chromium: Browser, file: Path) -> Iterator[Opened]:
    """Opens the page without a network. At the end: no script failed, and nothing but the file was asked for."""
    faults: list[str] = []
    contexts = []

    def open_page(**options: object) -> Page:
        context = chromium.new_context(offline=True, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: faults.append(request.url) if not is_own(request.url) else None)
        page.goto(file.as_uri())
        page.locator("h1").wait_for()
        return page

    def is_own(url: str) -> bool:
        return url.startswith((file.as_uri(), "data:", "blob:"))

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def sit_down(page: Page, game: str, **more: str) -> None:
    """Set up a table with a seed, at which players move at once, and go to it."""
    page.locator(f"input[value={game}]").check()
    page.locator("summary", has_text="More: rules").click()
    for name, value in {"pause": "0", **more}.items():
        page.locator(f"select[name={name}]").select_option(value)
    page.locator("[name=seed]").fill("3")
    page.locator("[name=practice]").check()
    page.get_by_role("button", name=f"Play {find(game).title}").click()
    page.locator(".choices .kind button").first.wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_played_to_its_end(game: str, opened: Opened) -> None:
    page = opened(viewport={"width": 1440, "height": 900})
    sit_down(page, game)
    for _ in range(MOVES):
        over = page.locator(".banner.over")
        move = page.locator(".choices .kind button")
        expect(over.or_(move).first).to_be_visible()
        if over.count():
            break
        version = page.locator(".log li").count()
        move.last.click()
        expect(page.locator(".log li")).not_to_have_count(version)
    expect(page.locator(".banner")).to_contain_text("Over: ")
    expect(page.locator(".hand.closed")).to_have_count(0)
    expect(page.locator("[data-key=study]")).to_have_count(0)
    with page.expect_download() as download:
        page.locator("[data-key=record]").click()
    assert f"game: {game}-v" in Path(download.value.path()).read_text(encoding="utf-8")


def test_hints_undo_rules_and_a_move_that_is_not_legal(opened: Opened) -> None:
    page = opened()
    sit_down(page, "gin")
    page.locator("[data-key=hint]").click()
    expect(page.locator(".explanation")).to_contain_text("Expert would")
    page.locator(".choices .kind button", has_text="pass").click()
    expect(page.locator(".log li").first).to_be_visible()
    page.locator("[data-key=typed]").fill("knock")
    page.locator("[data-key=typed-play]").click()
    expect(page.locator(".moves-panel .problem")).to_contain_text("is not legal: seat 0 is to")
    page.locator("[data-key=undo]").click()
    expect(page.locator(".log li")).to_have_count(0)
    page.locator("[data-key=rules]").first.click()
    expect(page.locator("dialog")).to_contain_text("Gin Rummy: the rules of this table")


def test_a_table_is_there_again_after_the_page_was_closed(opened: Opened) -> None:
    page = opened()
    sit_down(page, "yaniv", count="3")
    page.locator(".choices .kind button").last.click()
    expect(page.locator(".log li").first).to_be_visible()
    page.wait_for_timeout(300)
    told = page.locator(".log li").all_inner_texts()
    page.reload()
    expect(page.locator(".log li")).to_have_text(told, use_inner_text=True)


def test_players_alone_are_watched(opened: Opened) -> None:
    page = opened()
    page.locator("input[value=gin]").check()
    page.locator("summary", has_text="More: rules").click()
    page.locator("[name=seat-0]").select_option("greedy")
    page.locator("[name=pause]").select_option("0")
    page.get_by_role("button", name="Play Gin Rummy").click()
    expect(page.locator(".banner")).to_contain_text("Over: ")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_it_is_accessible(width: int, theme: str, opened: Opened) -> None:
    page = opened(viewport={"width": width, "height": 860}, color_scheme=theme)
    for _ in range(2):
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
        assert found.violations_count == 0, found.generate_report()
        if page.locator(".board").count() == 0:
            sit_down(page, "yaniv")


def test_suits_are_drawn_in_four_colors(opened: Opened) -> None:
    page = opened()
    page.locator("#four-colors").check()
    expect(page.locator("use[href^='#four-card-']").first).to_be_attached()
    assert page.evaluate(
        "[...document.querySelectorAll('use')].every((each) => document.querySelector(each.getAttribute('href')))"
    )
