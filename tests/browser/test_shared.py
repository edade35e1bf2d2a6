"""Does a game in one file show itself in a real Chromium, opened from the disk, without a request to any server?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from served import Served

from banakil_env.games import GAMES, find
from banakil_env.play.session import Session
from banakil_env.web.shared import shared_page

HOSTILE = "</script><img src=x onerror=\"document.title='broken'\">"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
Opened = Callable[..., Page]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    """Opens files without a network. At the end: no script failed, and nothing but the files was asked for."""
    faults: list[str] = []
    contexts = []

    def open_file(path: Path, **options: object) -> Page:
        context = chromium.new_context(offline=True, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: faults.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.locator(".board").wait_for()
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert faults == []


def file_of(tmp_path: Path, name: str, seats: int, names: list[str | None] | None = None, **options: object) -> Path:
    """The file of a game between greedy players."""
    session = Session.deal(name, ["greedy"] * seats, seed=3, options=options, names=names or [])
    while session.player_to_move is not None:
        session.move_player()
    path = tmp_path / "game.html"
    path.write_text(shared_page(session), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_shown_to_its_end(name: str, tmp_path: Path, opened: Opened) -> None:
    page = opened(file_of(tmp_path, name, find(name).seats[-1]))
    page.keyboard.press("End")
    expect(page.locator(".banner")).to_contain_text("Over: ")
    expect(page.locator(".hand.closed")).to_have_count(0)
    expect(page.locator(".seat .card").first).to_be_visible()


def test_a_game_is_shared_at_its_end_and_in_study(server: Served, page: Page, tmp_path: Path, opened: Opened) -> None:
    (key,) = server.table("rummy", ["greedy", "expert"], seed=3).values()
    server.wait(key)
    study = server.post("/api/studies", {"text": server.request("GET", "/api/table/record", key=key)[1].decode()})
    for number, address in enumerate((f"#/seat/{key}", f"#/study/{study['study']}/0")):
        page.goto(f"{server.address}/{address}")
        with page.expect_download() as download:
            page.locator("[data-key=share]").click()
        path = tmp_path / f"{number}.html"
        download.value.save_as(path)
        assert path.stat().st_size < 300_000
        file = opened(path)
        expect(file.locator(".seat[data-seat='1'] .name")).to_have_text("Expert")
        file.keyboard.press("End")
        expect(file.locator(".sheet tfoot")).to_be_visible()


def test_steps_keys_the_slider_and_the_list_lead_to_the_same_positions(tmp_path: Path, opened: Opened) -> None:
    page = opened(file_of(tmp_path, "gin", 2))
    output = page.locator(".slider output")
    expect(output).to_contain_text("0 of ")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(output).to_contain_text("3 of ")
    third = page.locator(".board").inner_html()
    page.locator("[data-key=first]").click()
    expect(output).to_contain_text("0 of ")
    page.locator("[data-key=log-2]").click()
    expect(output).to_contain_text("3 of ")
    assert page.locator(".board").inner_html() == third
    page.locator("[data-key=slider]").fill("5")
    expect(output).to_contain_text("5 of ")
    page.locator("#main").focus()
    page.keyboard.press("Home")
    expect(output).to_contain_text("0 of ")


def test_a_game_is_played_through_faster_slower_and_paused(tmp_path: Path, opened: Opened) -> None:
    page = opened(file_of(tmp_path, "yaniv", 2))
    pace = page.locator(".pace output")
    expect(pace).to_have_text("0.6 s a move")
    page.keyboard.press("-")
    expect(pace).to_have_text("1.2 s a move")
    for _ in range(4):
        page.locator("[data-key=faster]").click()
    expect(pace).to_have_text("at once")
    page.locator("[data-key=pause]").click()
    expect(page.locator(".banner")).to_contain_text("Over: ")
    expect(page.locator("[data-key=pause]")).to_have_text("Play")


def test_a_seat_sees_its_own_hand_alone(tmp_path: Path, opened: Opened) -> None:
    page = opened(file_of(tmp_path, "canasta", 4))
    expect(page.locator(".hand.closed")).to_have_count(0)
    page.get_by_label("View").select_option("2")
    expect(page.locator(".hand.closed")).to_have_count(3)
    expect(page.locator(".seat[data-seat='2'] .hand.open")).to_have_count(1)


def test_hostile_names_are_shown_as_text(tmp_path: Path, opened: Opened) -> None:
    page = opened(file_of(tmp_path, "rummy", 2, [HOSTILE, "Ann & <b>Ben</b>"]))
    expect(page.locator(".seat[data-seat='0'] .name")).to_have_text(HOSTILE)
    expect(page.locator(".seat[data-seat='1'] .name")).to_have_text("Ann & <b>Ben</b>")
    assert page.title() == f"Rummy: {HOSTILE}, Ann & <b>Ben</b>"
    expect(page.locator("img")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_file_has_no_accessibility_faults_and_fits(width: int, scheme: str, tmp_path: Path, opened: Opened) -> None:
    page = opened(
        file_of(tmp_path, "tonk", 4, episode="match"), viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    for key in ("Home", "End"):
        page.keyboard.press(key)
        found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
        assert [one["nodes"][0]["html"][:200] for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
