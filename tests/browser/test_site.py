"""Is the documentation site whole? Built with warnings as errors, its links lead somewhere, and it asks nobody else."""

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
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from banakil_env.games import GAMES, find

ROOT = Path(__file__).resolve().parents[2]


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
