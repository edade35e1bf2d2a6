"""Measures the clicks that a turn takes in the browser, and the time until the page shows the result of a click.

python docs/turns.py [GAME ...]

Plays a round of each game by clicks, at seat 0 with the adviser's moves against greedy players that move at once: first
with the default settings of the page, then with both switches on that make some moves automatically. A click on the
button of a move counts one. If the button is not in view, a card is clicked first.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from served import Served  # noqa: E402 - the path comes first

CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or "chromium"
TABLES = {"rummy": 2, "gin": 2, "canasta": 4, "contract": 5, "rummy500": 4}
SEED = 3
SWITCHES = "() => { for (const name of ['pass', 'forced']) localStorage.setItem(`auto-${name}`, 'yes'); }"
MOVED = "before => Number(document.querySelector('.log li') && document.querySelector('.log ol').start) > before"
IN_VIEW = """id => {
    const list = document.querySelector('.choices'), move = document.querySelector(`[data-action="${id}"]`);
    return move !== null && move.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 1;
}"""
# The same moves by which the page distinguishes a turn from an offer.
OWN_TURN = {"draw", "discard", "open", "add", "meld", "knock", "stop"}


@dataclass
class Round:
    """Measurements of a round: the turns of seat 0, its moves and clicks, and the response times in seconds.

    A response time is the time from a click until the page shows the move.
    """

    turns: int = 0
    moves: int = 0
    passes: int = 0
    clicks: int = 0
    seconds: list[float] = field(default_factory=list)


def main() -> None:
    """Measure, and print a table."""
    print("| game | players | turns | moves | of them *pass* | clicks | a turn | with switches | a turn | ms a click |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Served(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            for game in sys.argv[1:] or TABLES:
                plain, switched = (measured(browser, server, game, by_itself) for by_itself in (False, True))
                print(line(game, plain, switched), flush=True)
        finally:
            browser.close()
            server.kill()


def line(game: str, plain: Round, switched: Round) -> str:
    """The row of a game in the table."""
    shown = 1000 * statistics.median(plain.seconds)
    cells = [
        game,
        TABLES[game],
        plain.turns,
        plain.moves,
        plain.passes,
        plain.clicks,
        f"{plain.clicks / plain.turns:.1f}",
    ]
    cells += [switched.clicks, f"{switched.clicks / switched.turns:.1f}", f"{shown:.0f}"]
    return f"| {' | '.join(map(str, cells))} |"


def measured(browser: Browser, server: Served, game: str, by_itself: bool) -> Round:
    """Play a round by clicks to its end, and measure it. `by_itself`: whether both switches are on."""
    key = server.table(game, [None, *["greedy"] * (TABLES[game] - 1)], seed=SEED, practice=True)[0]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page, found, turn = context.new_page(), Round(), None
    page.goto(server.address)
    if by_itself:
        page.evaluate(SWITCHES)
    page.goto(f"{server.address}/#/seat/{key}")
    while not (view := server.wait(key))["over"]:
        found.moves += 1
        number = next(fact for fact in view["facts"] if fact.startswith("turn "))
        if not is_offer(view) and number != turn:
            turn, found.turns = number, found.turns + 1
        page.wait_for_function(MOVED, arg=view["moves"] - 1)
        if by_itself and (is_offer(view) or len(view["actions"]) == 1):
            page.wait_for_function(MOVED, arg=view["moves"])
            continue
        click(page, server.post("/api/table/hint", {}, key), view, found)
    context.close()
    return found


def click(page: Page, advice: Any, view: Any, found: Round) -> None:
    """Make the advised move by clicks, and add the clicks and the response time to `found`."""
    move = page.locator(f"[data-action='{advice['action']}']")
    found.passes += advice["text"] == "pass"
    move.wait_for(state="attached")
    if not page.evaluate(IN_VIEW, advice["action"]):
        card = next(word for action in view["actions"] if action["id"] == advice["action"] for word in action["cards"])
        page.locator(f".own-hand [data-card^='{card}']").first.click(position={"x": 9, "y": 22})
        found.clicks += 1
    begun = time.perf_counter()
    move.click()
    page.wait_for_function(MOVED, arg=view["moves"])
    found.seconds.append(time.perf_counter() - begun)
    found.clicks += 1


def is_offer(view: Any) -> bool:
    """Whether a card is offered and passing is one of the answers.

    One switch of the page answers this automatically.
    """
    verbs = {action["verb"] for action in view["actions"]}
    return "pass" in verbs and not verbs & OWN_TURN


if __name__ == "__main__":
    main()
