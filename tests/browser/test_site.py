"""Is the documentation site whole? Built with warnings as errors, its links lead somewhere, and it sends no
request to other servers.
"""

from __future__ import annotations

import functools
import http.server
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from banakil_env.games import GAMES, find

ROOT = Path(__file__).resolve().parents[2]
# Whether something sticks out: of the page, or a line of code out of its block. On a phone the lines of a position do,
# and their block is scrolled.
TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth + 1
    || [...document.querySelectorAll(innerWidth > 1000 ? "pre > code" : ":not(.position) > pre > code")]
        .some(code => code.scrollWidth > code.clientWidth + 1)"""
LIST_IN_A_PARAGRAPH = re.compile(r"<p>[^<]*(?:<(?!/p)[^<]*)*\n(?:[*+-]|1\.) ")  # Markdown for a list, shown as text


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with the notebooks as they are kept."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "docs/site.py", "--out", str(out)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return out


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *said: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


class Targets(HTMLParser):
    """What a page links to and shows."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attributes if name in ("href", "src") and value]


def test_every_link_inside_the_site_leads_to_a_file(site: Path) -> None:
    missing = []
    for page in site.rglob("*.html"):
        targets = Targets()
        targets.feed(page.read_text(encoding="utf-8"))
        for target in targets.found:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            base = site if parts.path.startswith("/") else page.parent
            goal = base / unquote(parts.path.lstrip("/"))
            if not (goal.is_file() or (goal / "index.html").is_file()):
                missing.append(f"{page.relative_to(site)}: {target}")
    assert missing == []


def test_every_game_has_its_page_and_its_picture_in_the_gallery(site: Path) -> None:
    gallery = (site / "docs" / "games" / "index.html").read_text(encoding="utf-8")
    for name in GAMES:
        assert f"pictures/{name}.svg" in gallery
        page = (site / "docs" / "games" / name / "index.html").read_text(encoding="utf-8")
        for part in (find(name).title, find(name).id, "Actions", "Rewards", "Version history"):
            assert part in page


def test_the_first_page_has_a_gallery_that_moves(address: str, chromium: Browser) -> None:
    """Films of all games; still pictures for readers whose browser is set to reduced motion."""
    for motion, kind in (("no-preference", "webp"), ("reduce", "svg")):
        page = chromium.new_page(reduced_motion=motion)  # type: ignore[arg-type]
        page.goto(address, wait_until="domcontentloaded")
        for name in GAMES:
            picture = page.locator(f".gallery img[src$='/{name}.webp']")
            picture.scroll_into_view_if_needed()
            expect(picture).to_have_js_property("complete", True)
            assert picture.evaluate("image => image.currentSrc").endswith(f"/{name}.{kind}")
            assert picture.evaluate("image => image.naturalWidth") > 0
        page.close()


def test_lists_are_lists_and_text_after_code_is_a_paragraph(site: Path) -> None:
    """MkDocs needs a blank line before a list and around code, which pages of the repository have not everywhere."""
    for file in site.rglob("index.html"):
        if file.relative_to(site).parts[0] != "api":  # docstrings may have a product at the beginning of a line
            page = file.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
            page = re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
            assert not LIST_IN_A_PARAGRAPH.search(page), file
            assert '<p><div class="highlight">' not in page, file


def test_the_api_is_there(site: Path) -> None:
    page = (site / "api" / "environments" / "index.html").read_text(encoding="utf-8")
    assert "RummyAEC" in page
    assert re.search(r"IllegalAction", page)


def test_it_is_read_without_asking_any_other_server(address: str, chromium: Browser) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/docs/games/", "/docs/games/rummy/", "/api/games/", "/notebooks/first_round/"):
        page.goto(address + path)
        expect(page.locator("h1").first).to_be_visible()
    page.get_by_placeholder("Search").first.fill("meld")
    page.wait_for_timeout(500)
    page.close()
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_code_fits_its_column(width: int, height: int, site: Path, address: str, chromium: Browser) -> None:
    """No page is wider than the screen, and no line of code is cut off: on every page of the documentation."""
    page = chromium.new_page(viewport={"width": width, "height": height})
    too_wide = []
    for file in sorted((site / "docs").rglob("index.html")):
        path = file.parent.relative_to(site).as_posix()
        page.goto(f"{address}/{path}/", wait_until="domcontentloaded")
        if page.evaluate(TOO_WIDE):
            too_wide.append(path)
    page.close()
    assert too_wide == []


def test_a_program_keeps_its_indentation_on_a_phone(address: str, chromium: Browser) -> None:
    """Only the blanks before a comment in a column of commands are left out there."""
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(address + "/docs/gymnasium/")
    loop = page.locator("pre > code", has_text="while not over").first
    expect(loop).to_be_visible()
    expect(loop).to_have_css("white-space", "pre-wrap")
    assert "\n    action = " in loop.inner_text()
    page.goto(address + "/docs/installing/")
    commands = page.locator("pre > code", has_text="make demo").first
    expect(commands).to_have_css("white-space", "pre-line")
    page.close()


def test_a_heading_has_no_empty_line_on_a_phone(address: str, chromium: Browser) -> None:
    """The sign of its link, shown under a mouse, takes no room there."""
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(address + "/docs/gymnasium/")
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator("h1 .headerlink").first).to_be_hidden()
    page.close()


def test_the_menu_of_a_section_begins_with_its_own_page(address: str, chromium: Browser) -> None:
    """A list of a folder, such as that of agents, is no section's first page."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    for section, title in {"Results": "Results", "Games": "Games", "Contributing": "Contributing"}.items():
        page.locator(".md-tabs").get_by_role("link", name=section, exact=True).click()
        expect(page.locator("h1").first).to_contain_text(title)
    page.close()


def test_the_first_steps_are_shown_with_their_outputs(site: Path) -> None:
    """Without the cell that finds the repository in Colab."""
    text = (site / "notebooks" / "first_gymnasium" / "index.html").read_text(encoding="utf-8")
    assert "points per round against greedy" in text
    assert "REPOSITORY" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("path", ["/", "/docs/gymnasium/", "/docs/games/gin/", "/docs/adding-a-game/", "/api/games/"])
def test_pages_are_accessible(path: str, width: int, scheme: Any, address: str, chromium: Browser) -> None:
    """Contrast, names, landmarks and the keyboard, in both themes: axe finds nothing, in parts of the theme either."""
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(address + path)
    expect(page.locator("h1").first).to_be_visible()
    if width > 1000 and page.locator(".md-typeset pre").count():
        expect(page.locator(".md-code__nav").first).to_be_attached()  # the theme adds it after the page
    found = Axe().run(page).response["violations"]
    page.close()
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
