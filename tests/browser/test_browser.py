"""Does the page work in a real Chromium? Rounds by click and keyboard, replays, branches, two browsers, restarts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from served import DEADLINE, Served

from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.text.rules import about, rules_text_of

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


def choose_game(page: Page, name: str) -> None:
    page.locator(f"[name=game][value={name}]").check()


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


def box_of(page: Page, what: str) -> dict[str, float]:
    """Where an element lies, measured in the page: a view that comes in between replaces elements that a test holds."""
    box: dict[str, float] = page.evaluate(
        """async what => {
            let found = null;
            while (!(found = document.querySelector(what))) await new Promise(done => setTimeout(done, 20));
            return found.getBoundingClientRect().toJSON();
        }""",
        what,
    )
    return box


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


def test_the_hand_is_sorted_by_suit_by_rank_or_as_its_player_likes(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    cards = page.locator(".own-hand button")
    cards.first.wait_for()

    def shown() -> list[str]:
        return [str(card) for card in cards.evaluate_all("cards => cards.map(card => card.dataset.card)")]

    by_suit = shown()
    assert [card[1] for card in by_suit] == sorted(card[1] for card in by_suit)
    page.keyboard.press("s")
    by_rank = shown()
    assert sorted(by_rank) == sorted(by_suit)
    assert [card[0] for card in by_rank] == sorted((card[0] for card in by_rank), key="3456789TJQKA2".index)
    cards.first.drag_to(cards.last, source_position=STRIP, target_position={"x": 60, "y": 60})
    own = [*by_rank[1:], by_rank[0]]
    assert shown() == own
    page.reload()
    cards.first.wait_for()
    assert shown() == own
    cards.nth(0).click(position=STRIP)  # a card is chosen by its face, in any order
    expect(page.locator(".own-hand .chosen")).to_have_attribute("data-card", own[0])


def test_a_card_is_dragged_with_a_finger(server: Served, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES, has_text="draw").tap()
    expect(page.locator("#moves")).to_contain_text("discard")
    before = moves_made(page)
    card, pile = box_of(page, ".own-hand button:last-of-type"), box_of(page, "[data-drop=pile]")
    touch = page.context.new_cdp_session(page)
    way = [(card["x"] + 9, card["y"] + 20), (card["x"], card["y"] - 40), (pile["x"] + 20, pile["y"] + 20)]
    for kind, (x, y) in zip(("touchStart", "touchMove", "touchMove"), way):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(MOVED, arg=before)


def test_passing_is_done_by_itself_if_the_player_says_so(server: Served, page: Page) -> None:
    keys = server.table("contract", [None, "greedy", "greedy"], seed=SEED)
    page.goto(f"{server.address}/#/seat/{keys[0]}")
    for _ in range(60):
        page.locator(MOVES).first.wait_for()
        if page.locator("[data-key=auto-pass]").count():
            break
        before = moves_made(page)
        page.locator(MOVES).last.click()
        page.wait_for_function(MOVED, arg=before)
    page.locator("[data-key=auto-pass]").check()
    expect(page.locator("#moves")).to_contain_text(re.compile("Your move: (draw|discard|play|lay)"))
    assert "pass" in page.locator(".log li.mine").first.inner_text()


@pytest.mark.parametrize(("name", "players"), [("rummy500", 8), ("contract", 5), ("canasta", 4)])
def test_everything_to_be_decided_is_in_the_window_of_a_phone(
    name: str, players: int, server: Served, new_page: Callable[..., Page]
) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    keys = server.table(name, [None, *["greedy"] * (players - 1)], seed=SEED)
    server.play(keys, 6)
    page.goto(f"{server.address}/#/seat/{keys[0]}")
    page.locator(MOVES).first.wait_for()
    for what in (".choices", ".own-hand"):
        box = box_of(page, what)
        assert 0 <= box["top"] < box["bottom"] <= 844, what


def test_own_cards_are_large_on_a_desk(server: Served, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    assert box_of(page, ".own-hand button")["width"] >= 80
    assert page.evaluate("document.documentElement.scrollHeight") <= 900


@pytest.mark.parametrize(("name", "players"), [("oklahoma", 8), ("rummy", 6)])
def test_with_most_players_the_own_seat_and_the_points_are_in_sight(
    name: str, players: int, server: Served, new_page: Callable[..., Page]
) -> None:
    """On a desk the viewer's seat lies within the board; on a phone the points of a round fit the window."""
    keys = server.table(name, [None, *["greedy"] * (players - 1)], seed=SEED)
    server.play(keys, 400)
    address = f"{server.address}/#/seat/{keys[0]}"
    desk = new_page(viewport={"width": 1440, "height": 900})
    desk.goto(address)
    desk.locator(".scores").wait_for()
    own, around = desk.evaluate(
        "() => ['.own .seat', '.board'].map(what => document.querySelector(what).getBoundingClientRect().toJSON())"
    )
    assert around["top"] <= own["top"] < own["bottom"] <= around["bottom"] <= 900
    phone = new_page(viewport={"width": 390, "height": 844})
    phone.goto(address)
    phone.locator(".scores").wait_for()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert box_of(phone, ".scores")["right"] <= 390


def test_a_phone_says_discard_once_for_all_cards(server: Served, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES, has_text="draw").click()
    page.locator("[role=group][aria-label=discard] button").first.wait_for()
    shown = page.evaluate("() => document.querySelector('.kind[aria-label=discard]').innerText")
    assert shown.count("discard") == 1
    named = page.evaluate(
        "() => [...document.querySelectorAll('.kind[aria-label=discard] button')].map(each => each.ariaLabel)"
    )
    assert all(label.startswith("discard ") for label in named)


def test_cards_travel_only_where_motion_is_wanted(server: Served, new_page: Callable[..., Page]) -> None:
    for motion, travels in (("no-preference", True), ("reduce", False)):
        page = new_page(reduced_motion=motion)
        _, address = seat_of(server, "rummy")
        page.goto(address)
        page.locator(MOVES).first.wait_for()
        page.evaluate("""() => {
            const animate = Element.prototype.animate;
            window.travelled = 0;
            Element.prototype.animate = function (...given) {
                window.travelled += 1;
                return animate.apply(this, given);
            };
        }""")
        page.locator(MOVES, has_text="draw").click()
        expect(page.locator("#moves")).to_contain_text("discard")
        if travels:
            page.wait_for_function("() => window.travelled > 0")
        else:
            assert page.evaluate("window.travelled") == 0


def test_the_page_weighs_less_than_400_kilobytes(server: Served, page: Page) -> None:
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: len(response.body())}))
    _, address = seat_of(server, "canasta")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    page.goto(f"{server.address}/#/")
    page.locator(".tile").first.wait_for()
    own = {url: size for url, size in sizes.items() if "/api/table/news" not in url}
    assert len(own) > 10
    assert sum(own.values()) < 400_000


# The end of a round ---------------------------------------------------------------------------------------------------


def test_the_end_of_a_round_says_who_has_won_and_adds_up(server: Served, page: Page) -> None:
    key, address = seat_of(server, "canasta")
    page.goto(address)
    play_round(page, lambda: page.locator(MOVES).last.click())
    view = server.get("/api/table", key)
    expect(page.locator("#moves")).to_contain_text(re.compile(r"Over: .*(win|share|Nobody)"))
    rows = page.locator(".sheet tbody tr")
    texts = [line["text"] for line in view["rounds"][0]["lines"][0]]
    assert texts
    for place in range(2):
        cells = [cell or "0" for cell in rows.locator(f"td:nth-of-type({place + 1})").all_inner_texts()]
        total = page.locator(".sheet tfoot td").nth(place).inner_text()
        assert sum(float(cell.replace("−", "-")) for cell in cells) == float(total.replace("−", "-"))
    assert violations(page) == []


def test_a_rematch_has_the_seats_moved(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    play_round(page, lambda: page.locator(MOVES).last.click())
    page.locator("[data-key=rematch]").click()
    expect(page.locator(".seat[data-seat='1']")).to_contain_text("Person 0")
    expect(page.locator(".seat[data-seat='0']")).to_contain_text("Expert")


def test_the_next_round_of_a_match_begins_with_a_sheet_of_the_last(server: Served, page: Page) -> None:
    _, address = seat_of(server, "tonk", episode="match")
    page.goto(address)
    dialog = page.locator("dialog")
    for _ in range(40):
        page.wait_for_function(
            "() => document.querySelector('dialog') || document.querySelector('.choices .kind button')"
        )
        if dialog.count():
            break
        before = moves_made(page)
        page.locator(MOVES).last.click()
        page.wait_for_function(MOVED, arg=before)
    expect(dialog).to_contain_text("Round 1 is over")
    assert violations(page) == []
    page.get_by_role("button", name="Next round").click()
    expect(dialog).to_have_count(0)
    page.locator("[data-key=sheet]").click()
    expect(dialog).to_contain_text("Score sheet")


def test_practice_has_hints_and_takes_moves_back(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy", practice=True)
    page.goto(address)
    page.locator("[data-key=hint]").click()
    expect(page.locator(".explanation")).to_contain_text("would")
    page.locator(MOVES, has_text="draw").click()
    expect(page.locator("#moves")).to_contain_text("discard")
    page.locator("[data-key=undo]").click()
    expect(page.locator("#moves")).to_contain_text("draw or take")


def test_the_card_just_drawn_is_named_and_marked(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    expect(page.locator(".own-hand .drawn")).to_have_count(0)
    before = Counter(page.locator(".own-hand button").evaluate_all("cards => cards.map(card => card.dataset.card)"))
    page.locator(MOVES, has_text="draw").click()
    drawn = page.locator(".own-hand .drawn")
    expect(drawn).to_have_count(1)
    after = Counter(page.locator(".own-hand button").evaluate_all("cards => cards.map(card => card.dataset.card)"))
    assert list((after - before).elements()) == [drawn.get_attribute("data-card")]
    name = (drawn.get_attribute("aria-label") or "").removesuffix(", just drawn")
    expect(page.locator("#live")).to_contain_text(f"You drew {name}.")
    expect(page.locator("#drawn")).to_contain_text("You drew ")
    other = page.locator(".own-hand button:not(.drawn)").first.get_attribute("aria-label") or ""
    assert "drawn" not in other
    before_discard = moves_made(page)
    page.locator(MOVES).last.click()
    page.wait_for_function(MOVED, arg=before_discard)
    expect(page.locator(".own-hand .drawn")).to_have_count(0)


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
    expect(told.nth(0)).to_contain_text("Seat 1 (Greedy): ")
    expect(told.nth(1)).to_contain_text("Seat 2 (Greedy): ")
    expect(told.nth(1)).to_contain_text("discard")


def test_a_table_is_set_up_in_the_lobby(server: Served, page: Page) -> None:
    page.goto(server.address)
    choose_game(page, "yaniv")
    page.locator("[name=count]").select_option("3")
    page.get_by_text("More:").click()
    page.locator("[name=seat-1]").select_option("random")
    page.get_by_label("Players move").select_option("0")
    page.get_by_label("Seed").fill("12")
    page.get_by_role("button", name="Play Yaniv").click()
    expect(page.locator("h1")).to_contain_text("Yaniv")
    expect(page.locator(".seat")).to_have_count(3)
    page.goto(f"{server.address}/#/")
    page.get_by_role("link", name="Continue Yaniv with ").click()
    expect(page.locator(".seat")).to_have_count(3)


def test_a_page_that_is_left_before_it_is_there_does_not_come_back(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.route("**/api/games", lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.goto(server.address)
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    page.wait_for_timeout(800)
    expect(page.locator(".tile")).to_have_count(0)
    expect(page.locator(".board")).to_have_count(1)


def test_two_choices_and_a_button_begin_a_game(server: Served, page: Page) -> None:
    page.goto(server.address)
    games = page.locator(".tile")
    expect(games).to_have_count(len(GAMES))
    for place, name in enumerate(GAMES):
        expect(games.nth(place)).to_contain_text(find(name).title)
        expect(games.nth(place)).to_contain_text(about(name).sentence)
        assert games.nth(place).locator("svg").count() >= 4
    choose_game(page, "rummy")
    page.locator("[name=count]").select_option("2")
    page.locator("[name=level]").select_option("greedy")
    page.get_by_role("button", name="Play Rummy").click()
    expect(page.locator("#moves")).to_contain_text("Your move")
    expect(page.locator(".seat[data-seat='1']")).to_contain_text("Greedy")


def test_players_have_names_and_levels_and_no_paths(server: Served, page: Page) -> None:
    page.goto(server.address)
    choose_game(page, "rummy")
    texts = page.locator("[name=level]").locator("option").all_inner_texts()
    assert texts[:3] == ["Random, any legal move", "Greedy, easy", "Expert, medium"]
    assert texts[-1] == "Search, one second per move, strongest"
    assert not any("/" in text or ":" in text for text in texts)


def test_the_rules_of_a_table_are_one_click_away(server: Served, page: Page) -> None:
    page.goto(server.address)
    choose_game(page, "rummy")
    page.get_by_text("More:").click()
    page.locator("[name=preset]").select_option("free")
    expect(page.locator("#preset-note")).to_have_text(about("rummy").presets["free"])
    page.get_by_role("button", name="Rules", exact=True).click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("Rummy: the rules of this table")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    keys = server.table("rummy", [None, "greedy"], seed=SEED, rules="block")
    page.goto(f"{server.address}/#/seat/{keys[0]}")
    page.locator(MOVES).first.wait_for()
    page.keyboard.press("r")
    state = Plain(find("rummy")).new(2, rules="block")
    said = re.sub(r"[`#*]|^- ", "", rules_text_of(find("rummy"), state), flags=re.MULTILINE).split()
    shown = dialog.inner_text().split()
    assert {word for word in said if word.isalpha() and len(word) > 2} <= set(shown)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_reason_of_an_illegal_move_leads_to_its_rule(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    page.locator("[data-key=typed]").fill("discard 7h")
    page.keyboard.press("Enter")
    page.locator("[role=alert] [data-key^=reason]").first.click()
    expect(page.locator("dialog .asked")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-key^=reason]").first).to_be_focused()


def test_the_keys_are_told(server: Served, page: Page) -> None:
    _, address = seat_of(server, "rummy")
    page.goto(address)
    page.locator(MOVES).first.wait_for()
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("write a move")
    assert violations(page) == []


def test_what_is_wrong_in_the_form_is_said(server: Served, page: Page) -> None:
    page.goto(server.address)
    page.get_by_text("More:").click()
    page.get_by_label("Switches of the rules").fill("nonsense=1")
    page.get_by_role("button", name="Play ").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be set up")


def test_a_match_for_two_browsers(server: Served, new_page: Callable[..., Page]) -> None:
    first, second = new_page(), new_page(viewport={"width": 390, "height": 780})
    first.goto(server.address)
    choose_game(first, "gin")
    first.get_by_text("More:").click()
    first.locator("[name=seat-1]").select_option("a person")
    first.get_by_label("Name at seat 0").fill("Ann")
    first.get_by_label("Name at seat 1").fill("Ben")
    first.get_by_label("Length").select_option("match")
    first.get_by_label("Seed").fill("5")
    first.get_by_role("button", name="Play Gin Rummy").click()
    link = first.locator("[data-link='1']").input_value()
    second.goto(link)
    first.get_by_role("link", name="Go to seat 0").click()
    expect(first.locator(".seat[data-seat='1']")).to_contain_text("here")
    for _ in range(12):
        for each in (first, second):
            if each.locator("dialog").count():  # a round is over
                each.get_by_role("button", name="Next round").click()
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
    page.set_default_timeout(1000 * DEADLINE)
    try:
        _, address = seat_of(own, "rummy")
        page.goto(address)
        page.locator(MOVES, has_text="draw").click()
        expect(page.locator("#moves")).to_contain_text("discard")
        hand = page.locator(".own-hand").inner_html()
        own.kill()
        expect(page.locator("main")).to_contain_text("The connection is lost")
        own.start()
        expect(page.locator("main")).not_to_contain_text("The connection is lost")
        assert page.locator(".own-hand").inner_html() == hand
        before = moves_made(page)
        page.locator(MOVES).last.click()
        page.wait_for_function(MOVED, arg=before)
    finally:
        own.kill()


# Study ----------------------------------------------------------------------------------------------------------------


def recorded(server: Served, game: str, *players: str) -> str:
    """The address of a study of a round between players, those at random if none are named."""
    (key,) = server.table(game, [*players] or ["random"] * find(game).seats[0], seed=SEED).values()
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
    page.set_default_timeout(1000 * DEADLINE)
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
        expect(page.locator(".slider output")).to_contain_text("1 of ")
        assert faults == []
    finally:
        page.context.close()
        own.kill()


def test_a_player_is_asked_and_a_branch_is_played(server: Served, page: Page) -> None:
    page.goto(f"{recorded(server, 'rummy')}/0")
    page.get_by_label("Player").select_option("search:100")
    page.locator("[data-key=ask]").click()
    expect(page.locator(".explanation")).to_contain_text("Search would")
    expect(page.locator(".explanation table")).to_contain_text("played")
    page.get_by_label("Player").select_option("greedy")
    page.locator("[data-key=ask]").click()
    expect(page.locator(".explanation").first).to_contain_text("Greedy would")
    page.locator("[data-key=branch]").click()
    expect(page.locator("#moves")).to_contain_text("Your move")
    page.locator(MOVES).last.click()


def test_the_course_of_a_game_grows_and_leads_to_its_steps(server: Served, page: Page) -> None:
    page.goto(f"{recorded(server, 'rummy', 'expert', 'random')}/0")
    page.locator("[data-key=course-seat]").select_option("1")
    page.locator("[data-key=course]").click()
    expect(page.locator(".chart .curve")).to_have_count(1)
    expect(page.locator(".progress")).to_have_text("")  # it is made
    lost = page.locator(".lost-moves button")
    expect(lost).not_to_have_count(0)  # a player at random loses much
    lost.first.click()
    expect(page.locator(".verdict")).to_contain_text("points by Expert's playouts; better: ")
    expect(page.locator(".log .lost")).not_to_have_count(0)
    at = re.match(r"([0-9]+) of ([0-9]+)", page.locator(".slider output").inner_text())
    assert at is not None
    page.locator(".plot").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".plot")).to_have_attribute("aria-valuenow", str(int(at[1]) + 1))
    expect(page.locator(".plot")).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".plot")).to_have_attribute("aria-valuetext", re.compile("the round ends with [+−]"))
    box = box_of(page, ".plot svg")
    page.mouse.click(box["x"] + 44, box["y"] + box["height"] / 2)  # where the line begins
    expect(page.locator(".slider output")).to_have_text(f"0 of {at[2]}")
    page.locator(".told-of summary").click()
    expect(page.locator(".told-of tbody tr")).to_have_count(int(at[2]) + 1)
    assert violations(page) == []


def test_two_players_are_asked_side_by_side(server: Served, page: Page) -> None:
    page.goto(f"{recorded(server, 'gin')}/4")
    page.locator("[data-key=player]").select_option("search:100")
    page.locator("[data-key=second]").select_option("search:1s")
    page.locator("[data-key=ask]").click()
    expect(page.locator(".explanation p b")).not_to_have_count(0)
    expect(page.locator(".explanation thead th")).to_have_count(3)
    expect(page.locator(".explanation .pill").first).to_be_visible()
    assert violations(page) == []


def test_beliefs_are_shown_beside_the_hands_where_these_are_open(server: Served, page: Page) -> None:
    address = recorded(server, "rummy")
    page.goto(f"{address}/6")
    page.locator(".beliefs summary").click()
    expect(page.locator(".strip")).to_have_count(1)
    expect(page.locator("[data-key=beliefs]")).to_be_focused()
    believer = int(page.locator("[data-key=believer]").input_value())
    other = page.locator(f".board .seat[data-seat='{1 - believer}'] .hand .card")
    expect(page.locator(".strip .held")).to_have_count(other.count())
    assert violations(page) == []
    page.get_by_label("View").select_option(str(believer))
    page.wait_for_url(f"**/6?seat={believer}")
    expect(page.locator(".strip")).to_have_count(1)
    expect(page.locator(".strip .held")).to_have_count(0)
    page.locator("[data-key=next]").click()
    expect(page.locator(".slider output")).to_contain_text("7 of ")
    expect(page.locator(".strip")).to_have_count(1)  # it stays open, for the next position


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


def test_records_of_the_folder_are_shown_by_pages(tmp_path: Path, chromium: Browser) -> None:
    plain, given = Plain(find("rummy")), tmp_path / "given"
    given.mkdir()
    for number in range(60):
        state = plain.new(seed=number)
        (given / f"deal-{number}.txt").write_text(plain.recorder(state, number).text(state), encoding="utf-8")
    own = Served(tmp_path / "served", "--records", str(given))
    page = chromium.new_context().new_page()
    page.set_default_timeout(1000 * DEADLINE)
    try:
        page.goto(f"{own.address}/#/study")
        rows = page.locator(".records tbody tr")
        expect(rows).to_have_count(50)
        expect(rows.nth(2)).to_contain_text("deal-2.txt")
        expect(rows.nth(2)).to_contain_text("Rummy")
        expect(page.locator(".records caption")).to_have_text("1 to 50 of 60")
        expect(page.locator("[data-key=records-before]")).to_be_disabled()
        page.locator("[data-key=records-after]").click()
        expect(rows).to_have_count(10)
        expect(page.locator("[data-key=records-after]")).to_be_disabled()
        assert violations(page) == []
        page.locator("[data-key=order-name]").click()  # the other way round, from the first page on
        expect(rows.first).to_contain_text("deal-59.txt")
        expect(page.locator("[data-key=order-name]")).to_be_focused()
        expect(page.locator("th[aria-sort=descending]")).to_contain_text("Record")
        page.locator("[data-key=records-game]").select_option(label="Rummy")
        expect(page.locator(".records caption")).to_have_text("1 to 50 of 60")
        page.get_by_role("button", name="deal-59.txt").click()
        expect(page.locator("h1")).to_contain_text("Study: Rummy")
    finally:
        page.context.close()
        own.kill()


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


# Watching -------------------------------------------------------------------------------------------------------------


def test_those_who_watch_choose_the_pace(server: Served, page: Page) -> None:
    (key,) = server.table("rummy", ["greedy", "greedy"], seed=SEED, pause=5000).values()
    page.goto(f"{server.address}/#/seat/{key}")
    page.locator("[data-key=pause]").click()
    expect(page.locator("[data-key=pause]")).to_have_text("Play")
    before = moves_made(page)
    page.locator("[data-key=step]").click()
    page.wait_for_function(MOVED, arg=before)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(MOVED, arg=before + 1)
    assert moves_made(page) == before + 2
    page.locator("[data-key=faster]").click()
    expect(page.locator(".pace output")).to_have_text("3 s a move")
    assert violations(page) == []
    server.post("/api/table/pace", {"pause": 0}, key)
    expect(page.locator("#moves")).to_contain_text("Over: ")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_several_tables_are_watched_at_once(
    width: int, scheme: str, server: Served, new_page: Callable[..., Page]
) -> None:
    page = new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url) if "/news" in request.url else None)
    page.goto(server.address)
    choose_game(page, "rummy")
    page.get_by_text("More:").click()
    expect(page.get_by_label("Tables at once")).to_be_hidden()
    page.locator("[name=seat-0]").select_option("greedy")
    page.get_by_label("Players move").select_option("1500")
    page.get_by_label("Tables at once").select_option("4")
    page.get_by_role("button", name="Play Rummy").click()
    tables = page.locator(".grid .board")
    expect(tables).to_have_count(4)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_text("Tables (4)").click()
    page.get_by_label("Rummy, table 2").uncheck()
    expect(tables).to_have_count(3)
    assert streams == []  # browsers allow six connections to a server: none is kept by a table
    page.get_by_role("link", name="Table 1: Rummy").click()
    expect(page.locator(".pace")).to_be_visible()
    page.get_by_role("link", name="Several tables").click()
    expect(tables).to_have_count(4)


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
    expect(page.locator("#live")).to_contain_text("Seat 1 (Expert)")
