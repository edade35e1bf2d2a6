"""How are events said? One sentence an event, without what the reader has not seen."""

from __future__ import annotations

import pytest

from banakil_env.core.events import Event, seen_events
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.play.session import Session
from banakil_env.text import deeds_text, event_text
from banakil_env.text.seat import _table


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Event("take", 2, ("7h", "8h"), "pile", "hand"), "Seat 2 takes the top two cards of the pile (7h 8h)"),
        (Event("take", 2, ("7h",), "pile", "hand"), "Seat 2 takes 7h from the pile"),
        (Event("draw", 0, ("7h",), "stock", "hand", (0,)), "Seat 0 draws a card (7h)"),
        (Event("draw", 0, (None, None), "stock", "hand", (0,)), "Seat 0 draws two cards"),
        (Event("meld", 1, ("7h", "8h", "9h"), "hand", "meld 3"), "Seat 1 melds 7h 8h 9h as meld 3"),
        (Event("meld", 1, ("7h", "7d", "2c"), "hand", "meld of 7s"), "Seat 1 melds 7h 7d 2c"),
        (Event("add", 1, ("7s",), "hand", "meld of 7s"), "Seat 1 adds 7s to the meld of 7"),
        (Event("swap", 1, ("7s",), "hand", "meld 0"), "Seat 1 puts 7s in the place of a wild card of meld 0"),
        (Event("swap", 1, ("JK",), "meld 0", "hand"), "Seat 1 takes JK out of meld 0"),
        (Event("add", 1, ("Ks",), "hand", "meld of Ks"), "Seat 1 adds Ks to the meld of K"),
        (Event("discard", 3, ("Kd",), "hand", "pile"), "Seat 3 discards Kd"),
        (Event("discard", 3, ("4c", "4d"), "laid", "pile"), "Seat 3 puts 4c 4d on the pile"),
        (Event("pick up", 3, (None, None), "foot 3", "hand", (3,)), "Seat 3 takes up two cards of the foot"),
        (Event("say", 3, said="knock"), 'Seat 3 says "knock"'),
        (Event("reshuffle", None, ("7h",) * 20, "pile", "stock"), "20 cards of the pile become the new stock"),
        (Event("turn up", None, ("7h",), "stock", "pile"), "7h is turned up"),
        (
            Event("round over", None, said="out, seat 1", points=(0, 25)),
            "The round is over: out, seat 1. Points: Seat 0 0, Seat 1 25",
        ),
    ],
)
def test_an_event_is_a_sentence(event: Event, said: str) -> None:
    assert event_text(event) == said


def test_seats_are_called_by_their_names() -> None:
    event = Event("draw", 1, ("7h",), "stock", "hand", (1,))
    assert event_text(event.seen_from(0), ("Ann", "Ben")) == "Ben draws a card"
    assert event_text(event.seen_from(1), ("Ann", "Ben")) == "Ben draws a card (7h)"


def test_the_deeds_of_one_seat_leave_out_its_name() -> None:
    events = [
        Event("take", 1, ("7h",), "pile", "hand"),
        Event("discard", 1, ("Kd",), "hand", "pile"),
        Event("draw", 0, (None,), "stock", "hand", (0,)),
    ]
    assert deeds_text(events, 1) == "takes 7h from the pile; discards Kd; Seat 0 draws a card"


def test_a_session_tells_each_seat_what_it_saw_and_forgets_moves_that_were_taken_back() -> None:
    session = Session.deal("rummy", [None, None], seed=1, names=["Ann", "Ben"])
    session.play(session.plain.parse_action("draw"))
    assert session.deeds(0, 1) == "draws a card"
    assert session.deeds(0, 0) == session.deeds(0, None) != "draws a card"
    session.back_to(0)
    session.play(session.plain.parse_action("take"))
    assert session.deeds(0, 1).endswith(" from the pile")


def test_what_only_one_seat_knows_of_is_not_noticed_by_the_others() -> None:
    event = Event("say", 2, said="keep", noticed_by=(2,))
    assert event.seen_from(2) == event
    assert event.seen_from(0) is event.seen_from(None) is None
    assert seen_events([event], 1) == []


def a_scene(melds: tuple[Meld, ...], areas: tuple[Area, ...] = ()) -> str:
    """What is told of a table with these melds and heaps."""
    seats = tuple(SeatView(seat, seat % 2, None, 4) for seat in range(4))
    scene = Scene("", "", seats, areas, melds, None, 0, "")
    return "\n".join(_table(scene, 0, melds=True))


def test_melds_without_numbers_are_told_by_side_and_long_ones_as_numbers_of_cards() -> None:
    melds = (
        Meld(None, 0, ("4",) * 3),
        Meld(None, 0, ("5",) * 7, note="clean pile"),
        Meld(None, 0, ("T",) * 5 + ("2", "JK"), note="dirty pile"),
        Meld(None, 0, ("K",) * 7, note="clean pile"),
        Meld(None, 1, ("7", "7", "7", "2")),
    )
    lines = a_scene(melds).splitlines()
    assert lines[-2] == (
        "Melds of side 0: 4 4 4; clean pile: 5 x7 | K x7; dirty pile: T x5 2 JK (`7 x5` is five sevens)"
    )
    assert lines[-1] == "Melds of side 1: 7 7 7 2"


def test_melds_with_numbers_are_told_one_a_line() -> None:
    meld = Meld(3, 1, ("7c", "2", "9c"), stands_for=(None, "8c", None))
    assert a_scene((meld,)).splitlines()[-1] == "  meld 3 (seat 1): 7c 2 9c [2 stands for 8c]"


def test_heaps_of_several_seats_that_lie_face_down_are_told_together() -> None:
    areas = tuple(Area(f"foot {seat}", (None,) * size, size, owner=seat) for seat, size in ((0, 11), (1, 11), (3, 4)))
    told = a_scene((), areas)
    assert "\nFoot 0, 1: 11 cards each\n" in told
    assert "\nFoot 3: 4 cards\n" in told
