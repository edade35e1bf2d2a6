"""Takes the pictures of the browser for the documentation, into docs/pictures/.

make screenshots                    # with the first screen of the site if the site is built (make docs-site)
python docs/screenshots.py FOLDER   # every game with the most players, desktop and phone, light and dark: to look at
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from served import Served  # noqa: E402 - the path comes first

from banakil_env.games import GAMES, find  # noqa: E402 - the path comes first

FOLDER = ROOT / "docs" / "pictures"
SITE = ROOT / "build" / "site"
CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or "chromium"
SEED = 3
MIDDLE = 8  # moves of the person before a picture in the middle of a round
MOST = 300  # largest number of moves of the person in a round
WINDOWS = {"desk": (1440, 900), "phone": (390, 844)}


def main() -> None:
    """Take the pictures of the documentation, or those of every game into a folder."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            if sys.argv[1:]:
                take_games(browser, server, Path(sys.argv[1]), sys.argv[2:] or list(GAMES))
            else:
                take_documented(browser, server)
                take_first_screens(browser)
        finally:
            browser.close()
            server.kill()


def take_documented(browser: Browser, server: Served) -> None:
    """Take the pictures of the documentation."""
    key = table(server, "banakil", 4, 24)
    take(browser, f"{server.address}/#/seat/{key}", "browser-play", 1280, "light")
    key = table(server, "canasta", 4, 24)
    take(browser, f"{server.address}/#/seat/{key}", "browser-phone", 390, "dark")
    take(browser, study(server, "rummy", 30), "browser-study", 1280, "dark", ask="search:100")


def take_first_screens(browser: Browser) -> None:
    """The first screen of the site, at a desk and on a phone, light and dark. Films are still."""
    if not (SITE / "index.html").exists():
        print("the site is not built (make docs-site): its pictures stay")
        return
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            for window, (width, height) in WINDOWS.items():
                for scheme in ("light", "dark"):
                    page = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,  # type: ignore[arg-type]
                        reduced_motion="reduce",
                    )
                    page.goto(f"http://127.0.0.1:{server.server_address[1]}")
                    page.locator(".films img").last.wait_for()
                    page.wait_for_timeout(300)
                    page.screenshot(path=FOLDER / f"site-{window}-{scheme}.png")
                    page.close()
                    print(f"written: docs/pictures/site-{window}-{scheme}.png")
        finally:
            server.shutdown()


def take_games(browser: Browser, server: Served, folder: Path, games: list[str]) -> None:
    """Take pictures of the middle and the end of a round of each game, at a table with the most players."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        keys = server.table(game, [None, *["greedy"] * (find(game).seats[-1] - 1)], seed=SEED, practice=True)
        for when, moves in (("middle", MIDDLE), ("end", MOST)):
            advance(server, keys[0], moves)
            for window, (width, height) in WINDOWS.items():
                for scheme in ("light", "dark"):
                    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                    page.goto(f"{server.address}/#/seat/{keys[0]}")
                    page.locator(".board").wait_for()
                    page.wait_for_timeout(300)
                    page.screenshot(path=folder / f"{game}-{when}-{window}-{scheme}.png")
                    page.close()
        print(f"written: {folder}/{game}-*.png", flush=True)


def table(server: Served, game: str, seats: int, moves: int) -> str:
    """Create a practice table and play some moves that the adviser chooses; returns the key of seat 0."""
    keys = server.table(game, [None, *["greedy"] * (seats - 1)], seed=SEED, practice=True)
    advance(server, keys[0], moves, moves)
    return keys[0]


def advance(server: Served, key: str, own: int, moves: int = 10**9) -> None:
    """Play the adviser's moves at a person's seat until this seat has made `own` moves.

    Stop earlier if the game is over, or if all seats together have made `moves` moves.
    """
    for _ in range(own):
        view = server.wait(key)
        if view["over"] or view["moves"] >= moves:
            return
        action = server.post("/api/table/hint", {}, key)["action"]
        server.post("/api/table/move", {"action": action, "version": view["version"]}, key)
    server.wait(key)


def study(server: Served, game: str, at: int) -> str:
    """The address of a study of a round between players, opened at move `at`."""
    (key,) = server.table(game, ["greedy", "greedy"], seed=SEED).values()
    server.wait(key)
    text = server.request("GET", "/api/table/record", key=key)[1].decode()
    return f"{server.address}/#/study/{server.post('/api/studies', {'text': text})['study']}/{at}"


def take(browser: Browser, address: str, name: str, width: int, scheme: Any, ask: str = "") -> None:
    """Open an address in the browser, and save a picture of the page."""
    page: Page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.goto(address)
    page.locator(".board").wait_for()
    if ask:
        page.get_by_label("Player").select_option(ask)
        page.locator("[data-key=ask]").click()
        page.locator(".explanation").wait_for(timeout=120_000)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.png")
    page.close()
    print(f"written: docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
