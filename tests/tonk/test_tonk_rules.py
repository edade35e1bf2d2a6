"""The rules as text: a position, what is done, what comes of it. Tests are named by the rule."""

from __future__ import annotations

import numpy as np
import pytest
from card_masks import mask_of_text
from tonk_tables import at, legal, lines, play

from banakil_env.core.game import MARGIN, POINTS
from banakil_env.core.kernels import kernels_of
from banakil_env.games import tonk
from banakil_env.games.tonk.scoring import most_in_spread
from banakil_env.games.tonk.state import is_tonk
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import OPENINGS, completing, melded, run_openings, takes
from banakil_env.kit.melds.runs_and_sets import is_meld, lowest_in_order, run_from
from banakil_env.kit.pack52 import bit_of, faces_of, mask_of

TWO = ("hand 1: 4c 5d",)
THREE = ("hand 1: 4c 5d", "hand 2: 5h 6h 8h")


@pytest.mark.parametrize(("players", "stock"), [(2, 41), (3, 36), (4, 31)])
def test_t21_the_deal(players, stock):
    said = lines(tonk.new(num_players=players, seed=1))
    assert {len(said[f"hand {seat}"].split()) for seat in range(players)} == {5}
    assert (len(said["pile"].split()), len(said["stock"].split())) == (1, stock)


@pytest.mark.parametrize(
    ("rules", "hand", "expected"),
    [
        ("denexa", "Tc Td Jh Kh Qs", True),
        ("denexa", "Tc Td Jh Kh 9s", False),
        ("plain", "Tc Td Jh Kh 9s", True),
        ("plain", "Tc Td Jh Kh 8s", False),
        ("denexa high_tonk=none", "Tc Td Jh Kh Qs", False),
        ("denexa", "Ac Ad 2h 3h 4h", True),
        ("denexa", "Ac Ad 2h 3h 5h", False),
        ("denexa low_tonk=12", "Ac Ad 2h 3h 5h", True),
        ("denexa low_tonk=0", "Ac Ad Ah As 2h", False),
    ],
)
def test_t22_what_is_a_tonk(rules, hand, expected):
    state = tonk.GAME.new(rules=rules)[0]
    assert bool(is_tonk(state.rules, mask_of_text(hand))) == expected


def test_t23_the_dealer_is_asked_last():
    hands = ("hand 0: Tc Td Jh Kh Qs", "hand 1: Kc Ks Ts Qd Qc", "hand 2: 3c 4c 9d 2h 2s")
    state = play(at("players: 3", "dealer: 0", "turn: seat 1, tonk", *hands, "pile: 5s"), "pass")
    assert lines(state)["turn"] == "seat 0, tonk"
    assert lines(play(state, "pass"))["turn"] == "seat 1, draw"


def test_t24_a_seat_that_has_no_tonk_is_never_asked():
    with pytest.raises(tonk.PositionError, match="has no tonk"):
        at("turn: seat 0, tonk", "hand 0: 3c 4c 9d 2h 2s", "hand 1: Kc Ks Ts Qd Qc", "pile: 5s")


def test_t35_a_card_taken_may_be_discarded_again():
    state = play(at("hand 0: 3c 9h", *TWO, "pile: 7d"), "take")
    assert lines(state)["known 0"] == "7d"
    assert "discard 7d" in legal(state)


def test_t41_the_ace_is_low_or_high():
    state = at("turn: seat 0, play", "hand 0: Ac 2c 3c Qc Kc", *TWO, "melds 1: Jh Qh Kh | 2s 3s 4s", "pile: 7d")
    assert {text for text in legal(state) if text.startswith("open")} == {"open Ac 2c 3c", "open Qc Kc Ac"}
    state = at("turn: seat 0, play", "hand 0: Ah As 2h 5s", *TWO, "melds 1: Jh Qh Kh | 2s 3s 4s", "pile: 7d")
    assert {text for text in legal(state) if text.startswith("add")} == {"add Ah", "add As", "add 5s"}
    assert lines(play(state, "add Ah"))["melds 1"] == "Jh Qh Kh Ah | 2s 3s 4s"


def test_t41_nothing_goes_on_behind_a_high_ace():
    state = at("turn: seat 0, play", "hand 0: 2h 2s Jh", *TWO, "melds 1: Qh Kh Ah", "pile: 7d")
    assert {text for text in legal(state) if text.startswith("add")} == {"add Jh"}


def test_t44_an_ace_between_two_runs_has_two_places():
    state = at("turn: seat 0, play", "hand 0: Ah 9s", *TWO, "melds 1: Jh Qh Kh | 2h 3h 4h", "pile: 7d")
    assert lines(play(state, "add Ah", "meld 1"))["melds 1"] == "Jh Qh Kh | Ah 2h 3h 4h"


def test_every_opening_of_high_ace_is_a_run_and_every_run_is_there():
    everything = {int(mask) for mask in OPENINGS}
    three = [bit_of(a) | bit_of(b) | bit_of(c) for c in range(52) for b in range(c) for a in range(b)]
    assert everything == {int(mask) for mask in three if is_meld(mask, True)}


def test_what_high_ace_says_of_hands_is_what_trying_all_openings_says(long):
    rng = np.random.default_rng(1)
    for _ in range(3000 if long else 300):
        cards = mask_of(rng.choice(52, rng.integers(3, 12), replace=False).tolist())
        inside = [int(opening) for opening in OPENINGS if not opening & ~cards]
        assert int(melded(cards)) == sum({1 << face for opening in inside for face in faces_of(opening)})
        assert faces_of(run_openings(cards)) == [i for i, each in enumerate(OPENINGS[:48]) if not each & ~cards]
        missing = {int(opening & ~cards) for opening in OPENINGS if int(opening & ~cards).bit_count() == 1}
        assert int(completing(cards)) == sum(missing)


def test_runs_and_what_they_take_by_growing_them_from_every_opening():
    seen, new = set(), {int(mask) for mask in OPENINGS[:48]}
    while new:
        run = new.pop()
        seen.add(run)
        assert run_from(lowest_in_order(run), run.bit_count()) == run
        found = {face for face in range(52) if not run >> face & 1 and is_meld(run | 1 << face, True)}
        assert set(faces_of(takes(run))) == found
        new |= {run | 1 << face for face in found} - seen
    assert len(seen) == 4 * (
        sum(12 - low for low in range(12)) - 2
    )  # by lowest rank; not fourteen, and all thirteen once


def test_t54_several_hits_hold_for_one_turn():
    state = at("turn: seat 0, play", "hand 0: Qd Kd 3s Ks", *TWO, "melds 1: 9d Td Jd", "pile: 3c")
    state = play(state, "add Qd", "add Kd", "discard Ks", "draw")
    assert all(text.startswith("discard") for text in legal(state))
    assert "held" not in lines(play(state, "discard 4c"))


def test_t54_without_hold():
    state = at("rules: plain", "turn: seat 0, play", "hand 0: Qd 3s Ks", *TWO, "melds 1: 9d Td Jd", "pile: 3c")
    assert "held" not in lines(play(state, "add Qd", "discard Ks"))


def test_t55_a_turn_passed_over_leaves_the_hold():
    setup = (
        "turn: seat 0, play",
        "hand 0: Qd 4s",
        *THREE,
        "melds 1: 9d Td Jd",
        "melds 0: 2c 2d 2h",
        "held: 1",
        "pile: 3c",
    )
    state = play(at(*setup, "hand 3: 7c 8s 9s"), "discard Qd")
    assert lines(state)["turn"] == "seat 2, call, after 0"
    state = play(state, "call", "add Qd", "discard 8h")
    assert (lines(state)["turn"], lines(state)["held"]) == ("seat 3, draw", "1")


def test_t61_no_slaps():
    setup = ("turn: seat 0, play", "hand 0: Qd 4s", *THREE, "melds 1: 9d Td Jd", "pile: 3c")
    assert lines(play(at("rules: quiet", *setup), "discard Qd"))["turn"] == "seat 1, draw"


def test_t64_who_has_called_may_choose_the_spread():
    setup = ("turn: seat 2, call, after 0", "hand 0: 4s", *THREE, "melds 1: 9d Td Jd | Qc Qh Qs", "pile: 3c Qd")
    state = play(at(*setup), "call", "add Qd")
    assert lines(state)["turn"] == "seat 2, choose add Qd, must Qd"
    state = play(state, "meld 1")
    assert lines(state)["turn"] == "seat 2, play"
    assert lines(state)["held"] == "1"


def test_t65_all_are_asked_before_the_ordinary_turn():
    setup = ("turn: seat 0, play", "hand 0: Qd 4s", *THREE, "hand 3: 7c", "melds 1: 9d Td Jd", "pile: 3c")
    state = at(*setup)
    asked = []
    for text in ("discard Qd", "pass", "pass", "pass"):
        asked.append(lines(play(state, text))["turn"])
    assert asked == [*(f"seat {seat}, call, after 0" for seat in (1, 2, 3)), "seat 1, draw"]
    assert legal(state) == {"drop", "draw", "take"}


def test_t85_the_stock_comes_before_the_turns():
    elsewhere = "melds 1: " + " | ".join(" ".join(rank + suit for suit in "cdhs") for rank in "A23456789TJ")
    setup = (
        "rules: denexa max_turns=1",
        "turn: seat 0, play",
        "hand 0: Qd Qc",
        "hand 1: Qh Qs Kh",
        elsewhere,
        "stock:",
    )
    state = play(at(*setup, "pile: Kc Kd Ks"), "discard Qd")
    assert lines(state)["over"] == "exhausted, seat 0"
    assert tonk.GAME.outcome(state).points[:2] == (1, -1)


@pytest.mark.parametrize(
    ("hand", "most"),
    [
        ("Ac 2c 3c Qc Kc", 21),
        ("Ac Kc Kd Kh Qc", 30),
        ("9c Tc Jc Qc 9d", 39),
        ("5c 6c 7c 7d 7h", 21),
        ("2c 3c 4c 4d 4h", 12),
        ("2c 2d 4c 4d Kh", 0),
        ("Kc Ac 2c 3d 3h", 0),
    ],
)
def test_t92_unmatched_leaves_out_the_dearest_spread(hand, most):
    assert most_in_spread(mask_of_text(hand)) == most


def test_t92_the_same_by_trying_every_spread(long):
    rng = np.random.default_rng(2)
    for _ in range(5000 if long else 500):
        suit = int(rng.integers(4))
        near = [face for face in range(52) if face // 13 == suit or face % 13 in (0, 1, 12)]
        hand = mask_of(rng.choice(near, 5, replace=False).tolist())
        parts = [part for part in range(1, 32) if part.bit_count() >= 3]
        chosen = [sum(1 << faces_of(hand)[i] for i in range(5) if part >> i & 1) for part in parts]
        assert most_in_spread(hand) == max([points_in(c) for c in chosen if is_meld(c, True)], default=0)


def test_t95_a_caught_seat_pays_three_that_tie():
    """With the payments to the lowest it is six stakes, the most that anybody can lose."""
    hands = ("hand 0: 2c 2d 3h", "hand 1: 6s", "hand 2: 6h", "hand 3: 6d")
    state = play(at("rules: denexa stake=1000", *hands, "pile: 7d"), "drop")
    assert lines(state)["points"] == "-6000 2000 2000 2000"
    written = np.zeros(4)
    for kind in (POINTS, MARGIN):
        kernels_of(tonk.GAME).end_one(np.asarray(state).reshape(1), kind, written)
        assert written.argmin() == 0
        assert kind == MARGIN or written.tolist() == [-6000, 2000, 2000, 2000]


def test_t101_a_tie_goes_on():
    state = at("episode: match", "round: 9", "scores: -1 1", "hand 0: 5h", "hand 1: 8c 5d", "pile: 7d")
    said = lines(play(state, "drop"))
    assert (said["round"], said.get("dealer", "1")) == ("10", "0")
    assert "over" not in said


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (("turn: seat 0, play", "held: 0 0"), "named twice"),
        (("hand 0: 3c 4c 5c 6c 7c 8c",), "more than five cards"),
        (("rules: plain", "held: 0"), "held"),
        (("turn: seat 0, play, must 3c",), "no action that would lead to a legal end"),
        (("turn: seat 0, play, must 5c",), "known"),
        (("turn: seat 0, call, after 1",), "fits no spread"),
        (("turn: seat 0, play, banned 3c",), "banned|discard"),
        (("played: 0",), "played"),
    ],
)
def test_what_no_game_can_be_in(said, fault):
    hand = () if any(line.startswith("hand 0") for line in said) else ("hand 0: 3c 9h",)
    with pytest.raises(tonk.PositionError, match=fault):
        at(*said, *hand, "hand 1: 4d 5d", "pile: 7d")
