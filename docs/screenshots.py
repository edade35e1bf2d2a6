"""Which pictures of the browser stand in the documentation? Takes them anew, into docs/pictures/.

make screenshots
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from served import Served  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or "chromium"
SEED = 3


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            key = table(server, "banakil", 4, 24)
            take(browser, f"{server.address}/#/seat/{key}", "browser-play", 1280, "light")
            key = table(server, "canasta", 4, 24)
            take(browser, f"{server.address}/#/seat/{key}", "browser-phone", 390, "dark")
            take(browser, study(server, "rummy", 30), "browser-study", 1280, "dark", ask="search:100")
        finally:
            browser.close()
            server.kill()


def table(server: Served, game: str, seats: int, moves: int) -> str:
    """The key of seat 0 at a practice table at which some moves have been made, as the adviser would."""
    keys = server.table(game, [None, *["greedy"] * (seats - 1)], seed=SEED, practice=True)
    for _ in range(moves):
        view = server.wait(keys[0])
        if view["over"] or view["moves"] >= moves:
            break
        action = server.post("/api/table/hint", {}, keys[0])["action"]
        server.post("/api/table/move", {"action": action, "version": view["version"]}, keys[0])
    server.wait(keys[0])
    return keys[0]


def study(server: Served, game: str, at: int) -> str:
    """The address of a study of a round between players, at a move."""
    (key,) = server.table(game, ["greedy", "greedy"], seed=SEED).values()
    server.wait(key)
    text = server.request("GET", "/api/table/record", key=key)[1].decode()
    return f"{server.address}/#/study/{server.post('/api/studies', {'text': text})['study']}/{at}"


def take(browser: Browser, address: str, name: str, width: int, scheme: Any, ask: str = "") -> None:
    """One picture."""
    page: Page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(address)
    page.locator(".board").wait_for()
    if ask:
        page.get_by_label("Player").select_option(ask)
        page.locator("[data-key=ask]").click()
        page.locator(".explanation").wait_for(timeout=120_000)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=width < 600)
    page.close()
    print(f"written: docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
