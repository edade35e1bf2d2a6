"""Does the page work in a real Chromium? Rounds by click and keyboard, replays, branches, two browsers, restarts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from served import Served

from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain

every_game = pytest.mark.parametrize("name", GAMES)
MOVES = ".choices .kind button"
MOVED = "before => document.querySelector('.log li') && document.querySelector('.log ol').start > before"
# Functions, not expressions: the page forbids scripts that are made from text.
READY = "() => document.querySelector('.choices .kind button') || document.querySelector('[data-key=record]')"
STRIP = {"x": 9, "y": 22}  # of a card in the hand that its right neighbour leaves free
SEED = 3


def seat_of(server: Served, game: str, **wanted: Any) -> tuple[str, str]:
    """The key and the address of seat 0 at a new table with players that move at once."""
    others = list(find(game).players)[-1]  # the strongest: rounds are short
    keys = server.table(game, [None, *[others] * (find(game).seats[0] - 1)], seed=SEED, **wanted)
    return keys[0], f"{server.address}/#/seat/{keys[0]}"


def moves_made(page: Page) -> int:
    """The number of the last move in the list."""
    return int(page.locator(".log ol").get_attribute("start") or 0) if page.locator(".log li").count() else 0


def play_round(page: Page, move: Callable[[], None]) -> None:
    """Make moves until the round is over. Each waits until the page has told of the last."""
    expect(page.locator("#moves")).to_be_visible()
    for _ in range(400):
        page.wait_for_function(READY)
        if page.locator("[data-key=record]").count():
            return
        before = moves_made(page)
        move()
        page.wait_for_function(MOVED, arg=before)
    raise AssertionError("the round does not end")


def record_of(server: Served, key: str) -> str:
    return server.request("GET", "/api/table/record", key=key)[1].decode()


@every_game
def test_a_round_by_clicks(name: str, server: Served, page: Page) -> None:
    key, address = seat_of(server, name)
    page.goto(address)

    def click() -> None:
        # The last move in the list, a discard as a rule; by its card where a card is enough to say it.
        last = page.locator(MOVES).last
        card = re.fullmatch(
            r"discard (\S+)", page.evaluate("e => e.ariaLabel && e.textContent", last.element_handle()) or ""
        )
        if card:
            action = last.get_attribute("data-action")
            of_hand = page.locator(".own-hand button:not(.idle)").last
            of_hand.click(position=STRIP)
            chosen = page.locator(f"{MOVES}[data-action='{action}']")
            (chosen if chosen.count() else page.locator(MOVES).last).click()
        else:
            last.click()

    play_round(page, click)
    expect(page.locator("#moves")).to_contain_text("Over: ")
    text = record_of(server, key)
    assert Plain(find(name)).replay(text) is not None
    with page.expect_download() as download:
        page.locator("[data-key=record]").click()
    assert Path(download.value.path()).read_text(encoding="utf-8") == text


@every_game
def test_a_round_by_keyboard(name: str, server: Served, page: Page) -> None:
    key, address = seat_of(server, name)
    page.goto(address)

    def press() -> None:
        # From wherever the focus is: to the field for a move by "/", back to the buttons, to the last of them.
        page.keyboard.press("Escape")
        page.locator("#moves").focus()
        page.keyboard.press("Tab")
        if not page.evaluate("document.activeElement.matches('.choices .kind button')"):
            page.keyboard.press("Tab")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")

    play_round(page, press)
    assert Plain(find(name)).replay(record_of(server, key)) is not None


def test_cards_are_dragged_to_the_pile(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#moves")).to_contain_text("discard")
    before = moves_made(page)
    card = page.locator(".own-hand button").last
    name = card.get_attribute("aria-label")
    card.drag_to(page.locator("[data-drop=pile]"))
    page.wait_for_function(MOVED, arg=before)
    words = page.locator(".log li.mine").first.inner_text()
    assert words.split()[-1][0] == (name or "")[0]


def test_a_move_is_written_and_the_reason_is_given_where_it_is_not_legal(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    page.keyboard.press("/")
    page.keyboard.type("discard 7h")
    page.keyboard.press("Enter")
    expect(page.locator(".moves-panel [role=alert]")).to_contain_text("is not legal")
    page.locator("[data-key=typed]").fill("dra")
    page.keyboard.press("Enter")
    expect(page.locator("#moves")).to_contain_text("discard")
    page.locator(".own-hand button").first.click(position=STRIP)
    expect(page.locator(".choices")).to_contain_text("moves with")
    page.keyboard.press("Escape")
    expect(page.locator(".choices")).not_to_contain_text("moves with")


def test_practice_has_hints_and_takes_moves_back(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy", practice=True)
    page.goto(address)
    page.locator("[data-key=hint]").click()
    expect(page.locator(".explanation")).to_contain_text("would")
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#moves")).to_contain_text("discard")
    page.locator("[data-key=undo]").click()
    expect(page.locator("#moves")).to_contain_text("draw or take")


def test_what_the_others_did_stands_with_the_decision(server: Served, page: Page) -> None:
    keys = server.table("rummy", [None, "greedy", "greedy"], seed=SEED)
    page.goto(f"{server.address}/#/seat/{keys[0]}")
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#moves")).to_contain_text("discard")
    before = moves_made(page)
    page.locator(MOVES).last.click()
    page.wait_for_function(MOVED, arg=before)
    told = page.locator(".told li")
    expect(told).to_have_count(2)
    expect(told.nth(0)).to_contain_text("Seat 1 (greedy): ")
    expect(told.nth(1)).to_contain_text("Seat 2 (greedy): ")
    expect(told.nth(1)).to_contain_text("discard")


def test_a_table_is_set_up_in_the_lobby(server: Served, page: Page) -> None:
    page.goto(server.address)
    page.locator("[name=game]").select_option("yaniv")
    page.locator("[name=count]").select_option("3")
    page.locator("[name=seat-1]").select_option("random")
    page.get_by_label("Players move").select_option("0")
    page.get_by_label("Seed").fill("12")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator("h1")).to_contain_text("Yaniv", timeout=60_000)
    expect(page.locator(".seat")).to_have_count(3)
    page.goto(f"{server.address}/#/")
    expect(page.locator("#before")).to_be_visible()


def test_what_is_wrong_in_the_form_is_said(server: Served, page: Page) -> None:
    page.goto(server.address)
    page.get_by_label("Switches of the rules").fill("nonsense=1")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be set up")


def test_a_match_for_two_browsers(server: Served, new_page: Callable[..., Page]) -> None:
    first, second = new_page(), new_page(viewport={"width": 390, "height": 780})
    first.goto(server.address)
    first.locator("[name=game]").select_option("gin")
    first.locator("[name=seat-1]").select_option("a person")
    first.get_by_label("Name at seat 0").fill("Ann")
    first.get_by_label("Name at seat 1").fill("Ben")
    first.get_by_label("Length").select_option("match")
    first.get_by_label("Seed").fill("5")
    first.get_by_role("button", name="Set up the table").click()
    link = first.locator("[data-link='1']").input_value(timeout=60_000)
    second.goto(link)
    first.get_by_role("link", name="Go to seat 0").click()
    expect(first.locator(".seat[data-seat='1']")).to_contain_text("here")
    for _ in range(12):
        mover = first if first.locator(MOVES).count() else second
        before = moves_made(first)
        mover.locator(MOVES).last.click()
        for each in (first, second):
            each.wait_for_function(MOVED, arg=before)
        cards = [
            each.locator(".own-hand .card").evaluate_all("cards => cards.map(card => card.dataset.card)")
            for each in (first, second)
        ]
        assert cards[0] != cards[1]
        mover.wait_for_timeout(50)
    expect(first.locator(".facts").first).to_contain_text("match")
    expect(second.locator(".board")).to_contain_text("Ann")


def test_a_reload_in_the_middle(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#moves")).to_contain_text("discard")
    before = page.locator(".own-hand").inner_html()
    page.reload()
    expect(page.locator("#moves")).to_contain_text("discard")
    assert page.locator(".own-hand").inner_html() == before


def test_the_server_is_killed_and_started_again(tmp_path: Path, chromium: Browser) -> None:
    own = Served(tmp_path)
    page = chromium.new_context().new_page()
    try:
        _, address = seat_of(own, "rummy")
        page.goto(address)
        page.locator(MOVES, has_text="draw").click()
        expect(page.locator("#moves")).to_contain_text("discard")
        hand = page.locator(".own-hand").inner_html()
        own.kill()
        expect(page.locator("main")).to_contain_text("The connection is lost")
        own.start()
        expect(page.locator("main")).not_to_contain_text("The connection is lost", timeout=60_000)
        assert page.locator(".own-hand").inner_html() == hand
        before = moves_made(page)
        page.locator(MOVES).last.click()
        page.wait_for_function(MOVED, arg=before)
    finally:
        own.kill()


# Study ----------------------------------------------------------------------------------------------------------------


def recorded(server: Served, game: str) -> str:
    """The address of a study of a round between players."""
    (key,) = server.table(game, ["random"] * find(game).seats[0], seed=SEED).values()
    server.wait(key)
    made = server.post("/api/studies", {"text": record_of(server, key)})
    return f"{server.address}/#/study/{made['study']}"


@every_game
def test_a_replay_at_its_first_middle_and_last_step(name: str, server: Served, page: Page) -> None:
    address = recorded(server, name)
    page.goto(f"{address}/0")
    output = page.locator(".slider output")
    expect(output).to_contain_text("0 of ")
    last = int(output.inner_text().split()[-1])
    expect(page.locator(".banner")).to_contain_text("is to")
    page.locator("[data-key=next]").click()
    expect(output).to_have_text(f"1 of {last}")
    page.keyboard.press("ArrowLeft")
    expect(output).to_have_text(f"0 of {last}")
    page.goto(f"{address}/{last // 2}")
    page.reload()  # the link leads to the same position
    expect(output).to_have_text(f"{last // 2} of {last}")
    page.get_by_label("View").select_option("1")
    page.wait_for_url(f"**/{last // 2}?seat=1")
    expect(page.locator(".seat[data-seat='0'] .backs, .seat[data-seat='1'] .open")).not_to_have_count(0)
    page.locator("[data-key=last]").click()
    expect(output).to_have_text(f"{last} of {last}")
    expect(page.locator(".banner")).to_contain_text("Over: ")


def test_steps_in_quick_succession_all_count(server: Served, page: Page) -> None:
    page.goto(f"{recorded(server, 'rummy')}/0")
    output = page.locator(".slider output")
    expect(output).to_contain_text("0 of ")
    page.route(re.compile("/api/studies/[^/]+/1[?]"), lambda route: (page.wait_for_timeout(300), route.continue_()))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(output).to_contain_text("3 of ")
    page.wait_for_timeout(600)
    expect(output).to_contain_text("3 of ")


def test_a_study_says_that_the_server_does_not_answer_and_goes_on(tmp_path: Path, chromium: Browser) -> None:
    own, faults = Served(tmp_path), []
    page = chromium.new_context().new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        page.goto(f"{recorded(own, 'rummy')}/0")
        expect(page.locator(".slider output")).to_contain_text("0 of ")
        own.kill()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("alert").first).to_contain_text("cannot be shown")
        expect(page.locator(".slider output")).to_contain_text("0 of ")
        own.start()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".slider output")).to_contain_text("1 of ", timeout=60_000)
        assert faults == []
    finally:
        page.context.close()
        own.kill()


def test_a_player_is_asked_and_a_branch_is_played(server: Served, page: Page) -> None:
    page.goto(f"{recorded(server, 'rummy')}/0")
    page.get_by_label("Player").select_option("search:100")
    page.locator("[data-key=ask]").click()
    expect(page.locator(".explanation")).to_contain_text("search:100 would", timeout=60_000)
    expect(page.locator(".explanation table")).to_contain_text("played")
    page.get_by_label("Player").select_option("greedy")
    page.locator("[data-key=ask]").click()
    expect(page.locator(".explanation").first).to_contain_text("greedy would")
    page.locator("[data-key=branch]").click()
    expect(page.locator("#moves")).to_contain_text("Your move", timeout=60_000)
    page.locator(MOVES).last.click()


def test_a_record_is_opened_from_a_file(server: Served, page: Page, tmp_path: Path) -> None:
    plain = Plain(find("canasta"))
    state = plain.new(seed=3)
    file = tmp_path / "position.txt"
    file.write_text(plain.to_text(state), encoding="utf-8")
    page.goto(f"{server.address}/#/study")
    page.get_by_label("Game, for a position").select_option("canasta")
    page.get_by_label("A record or a position from a file").set_input_files(file)
    expect(page.locator("h1")).to_contain_text("Study: Canasta")
    page.goto(f"{server.address}/#/study")
    page.get_by_label("or as text").fill("nonsense")
    page.get_by_role("button", name="Open the text").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be studied")


def test_ranks_are_written_and_spoken_as_people_do(server: Served, page: Page) -> None:
    page.goto(server.address)
    texts = ["add T", "open 9d Td JK", "add 2 to K", "discard 7h"]
    script = """async texts => {
        const {pretty, spokenText} = await import("/page/cards.js");
        return texts.map(text => [pretty(text), spokenText(text)]);
    }"""
    assert page.evaluate(script, texts) == [
        ["add 10", "add 10"],
        ["open 9♦ 10♦ Joker", "open 9 of diamonds 10 of diamonds Joker"],
        ["add 2 to K", "add 2 to King"],
        ["discard 7♥", "discard 7 of hearts"],
    ]


# For everybody --------------------------------------------------------------------------------------------------------


def violations(page: Page) -> list[str]:
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    )
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found.response["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390, 320])
def test_pages_have_no_accessibility_faults_and_fit(
    scheme: str, width: int, server: Served, new_page: Callable[..., Page]
) -> None:
    page = new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    _, table = seat_of(server, "rummy", practice=True)
    _, books = seat_of(server, "canasta")
    study = recorded(server, "banakil")
    for address, ready in (
        (server.address, "form .primary"),
        (table, MOVES),
        (books, MOVES),
        (f"{study}/20", ".board"),
        (f"{server.address}/#/study", "textarea"),
    ):
        page.goto(address)
        page.locator(ready).first.wait_for()
        if address == table:
            page.locator(".own-hand button").first.click(position=STRIP)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_what_happens_is_said(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#live")).to_contain_text("You are to")
    page.locator(MOVES).last.click()
    expect(page.locator("#live")).to_contain_text("Seat 1 (greedy)")
