"""The rules of Gin Rummy as text, one idea a test; the numbers are those of docs/rules/gin.md."""

from __future__ import annotations

import pytest
from gin_play import ending, legal, play, table

from banakil_env.games import gin
from banakil_env.kit.pack52 import faces_of

# Two melds and 2 + 2 + 3 left over, and a King to discard.
KNOCKER = "3c 4c 5c 6c 9d 9h 9s Ad 2d 4h Kd"
OTHER = "7c 2c 9c Qh Qs Qd Jh 8d 6h 5s"


def knocking(rules: str = "openspiel", hand: str = KNOCKER, other: str = OTHER, **lines: str):
    return table(hand, other, "Th", "seat 0, play", rules=rules, **lines)


def test_g3_the_upcard_is_offered_to_both():
    state = gin.new(seed=1)
    assert legal(state) == ["take", "pass"]
    play(state, "pass")
    assert gin.seat_to_move(state) == 1
    assert legal(state) == ["take", "pass"]
    play(state, "pass")
    assert gin.seat_to_move(state) == 0
    assert legal(state) == ["draw"]


def test_g3_the_dealer_may_take_it():
    state = play(gin.new(seed=1), "pass, take")
    assert gin.seat_to_move(state) == 1
    assert all(action.startswith("discard") for action in legal(state))


@pytest.mark.parametrize(("rules", "may"), [("openspiel", True), ("common", False)])
def test_g4_2_discarding_the_card_taken(rules, may):
    state = gin.new(rules=rules, seed=1)
    top = gin.to_text(state).partition("pile: ")[2].split()[0]
    assert (f"discard {top}" in legal(play(state, "take"))) == may


def test_g4_2_the_card_taken_is_known_in_the_hand():
    """Otherwise, after hidden cards are dealt again, a taken card could be missing."""
    state = play(gin.new(rules="common", seed=1), "pass, pass, draw")
    drawn = next(face for face in faces_of(int(state.hands[0, 0])) if not int(state.known[0, 0]) >> face & 1)
    state.taken = 1 + drawn
    assert "taken" in gin.check(state)


def test_g7_3_one_upcard_more_is_taken_by_a_knock_at_the_wall_alone():
    state = play(gin.new(seed=1), "pass, pass, draw")
    state.upcards = state.rules.upcard_limit
    assert gin.check(state) is None
    state.upcards += 1
    assert "upcards" in gin.check(state)


def test_g5_a_knock_shows_the_hand_and_discards():
    state = play(knocking(), "knock")
    assert "known 0: 3c 4c 5c 6c Ad 2d 9d Kd 4h 9h 9s\n" in gin.to_text(state)
    assert legal(state) == ["discard Kd"]


def test_g5_1_too_much_deadwood():
    assert "knock" not in legal(knocking(limit="6"))
    assert "knock" in legal(knocking(limit="7"))


def test_g5_5_a_long_run_may_be_split_but_not_left_over():
    state = play(knocking(), "knock, discard Kd")
    assert legal(state) == ["open 4c 5c 6c", "open 3c 4c 5c 6c", "open 9d 9h 9s"]  # the 6c over would be 13
    assert "pass" in legal(play(state, "open 9d 9h 9s, open 3c 4c 5c 6c"))


def test_g5_3_the_count_of_openspiel_can_forbid_a_knock():
    hand, other = "4s 5s 6s 4c 6c 3d Ah 2h 4h 5h 6h", "3c 5c 9c 6d 8d 8h Kh 2s 7s Js"
    assert "knock" not in legal(knocking(hand=hand, other=other))
    assert "knock" in legal(knocking("common", hand=hand, other=other))


LAID = "knock, discard Kd, open 3c 4c 5c 6c, open 9d 9h 9s, pass"


def test_g6_laying_off_and_the_difference():
    state = play(knocking(), LAID)
    assert legal(state) == ["pass", "add 2c", "add 7c", "add 9c"]
    play(state, "add 9c, add 2c, add 7c, pass, open Qd Qh Qs, pass")
    assert ending(state) == "knock, seat 0"
    assert gin.scores(state) == [10 + 8 + 6 + 5 - 7, 0]


def test_g6_4_melds_are_the_seats_own_affair():
    """What is not laid counts."""
    state = play(knocking(), LAID + ", pass, pass")
    assert gin.scores(state) == [7 + 2 + 9 + 30 + 10 + 8 + 6 + 5 - 7, 0]


@pytest.mark.parametrize(("rules", "left"), [("openspiel", ["pass"]), ("common", ["pass", "add 8c"])])
def test_g6_3_cards_at_either_end_of_a_run(rules, left):
    hand = "3c 4c 5c 9d 9h 9s Ad 2d Ah 2h Kd"
    state = knocking(rules, hand=hand, other="6c 7c 8c 6s Qs Qd Jh 8d 6h 5s")
    play(state, "knock, discard Kd, open 3c 4c 5c, open 9d 9h 9s, pass, add 6c, add 7c")
    assert legal(state) == left


def test_g6_1_nobody_lays_off_on_gin():
    state = knocking(hand="3c 4c 5c 6c 9d 9h 9s Ad 2d 3d Kd")
    play(state, "knock, discard Kd, open 3c 4c 5c 6c, open 9d 9h 9s, open Ad 2d 3d, pass")
    assert legal(state) == ["pass", "open Qd Qh Qs"]
    play(state, "open Qd Qh Qs, pass")
    assert ending(state) == "gin, seat 0"
    assert gin.scores(state) == [7 + 2 + 9 + 10 + 8 + 6 + 5 + 25, 0]


def test_g9_1_the_next_deal_is_told_after_gin_left_one_hand_empty():
    hand = "3c 4c 5c 6c 9d 9h 9s Ad 2d 3d Kd"
    state = play(
        knocking("common target=500", hand=hand, episode="match"),
        "knock, discard Kd, open 3c 4c 5c 6c, open 9d 9h 9s, open Ad 2d 3d, pass",
    )
    before = state.copy()
    play(state, "pass")
    kinds = [event.kind for event in gin.GAME.events(before, gin.parse_action("pass"), state)]
    assert kinds == ["say", "round over", "gather", "deal", "deal", "turn up"]


def test_g5_6_big_gin():
    hand = "3c 4c 5c 6c 9d 9h 9s Ad 2d 3d 4d"
    assert "big gin" not in legal(knocking(hand=hand))
    state = play(knocking("common", hand=hand), "big gin, open 3c 4c 5c 6c, open 9d 9h 9s, open Ad 2d 3d 4d, pass")
    play(state, "pass")
    assert ending(state) == "big_gin, seat 0"
    assert gin.scores(state) == [7 + 2 + 9 + 30 + 10 + 8 + 6 + 5 + 31, 0]


UNDERCUTTING = "7c 2c 9c Qh Qs Qd Jc Jd Jh 2s"


def test_g8_3_an_undercut():
    state = play(
        knocking(other=UNDERCUTTING), LAID + ", add 2c, add 7c, add 9c, pass, open Qd Qh Qs, open Jc Jd Jh, pass"
    )
    assert ending(state) == "undercut, seat 1"
    assert gin.scores(state) == [0, 7 - 2 + 25]


@pytest.mark.parametrize(("rules", "scores"), [("openspiel", [0, 0]), ("openspiel tie=undercut", [0, 25])])
def test_g8_4_a_tie(rules, scores):
    other = UNDERCUTTING.replace("2s", "7s")
    state = play(
        knocking(rules, other=other), LAID + ", add 2c, add 7c, add 9c, pass, open Qd Qh Qs, open Jc Jd Jh, pass"
    )
    assert gin.scores(state) == scores


@pytest.mark.parametrize(("rules", "over"), [("openspiel", False), ("openspiel wall=end", True)])
def test_g7_1_the_wall(rules, over):
    state = play(knocking(rules, stock_size="2"), "discard Kd")
    assert gin.is_over(state) == over
    if not over:
        assert legal(state) == ["pass"]
        assert ending(play(state, "pass")) == "drawn"


def test_g7_1_a_knock_with_the_upcard():
    hand = KNOCKER.replace(" Kd", "")
    state = table("8d 6h 5s Qs Qh Jd Th 7s 3h Ts", hand, "Kd", "seat 1, wall", stock_size="2")
    assert legal(state) == ["pass", "knock"]
    assert "discard Kd" in legal(play(state, "knock"))


def test_g7_2_both_seats_return_the_upcard():
    state = table("8d 6h 5s Qs Qh Jd 7h 7s 3h Ts", KNOCKER.replace(" Kd", ""), "Kd", "seat 0, draw")
    play(state, "take, discard Kd, take, discard Kd")
    assert ending(state) == "drawn"


def test_g7_3_too_many_upcards():
    state = table("8d 6h 5s Qs Qh Jd 7h 7s 3h Ts", KNOCKER.replace(" Kd", ""), "Kd", "seat 0, draw", upcards="50")
    assert ending(play(state, "take")) == "drawn"


@pytest.mark.parametrize("seed", range(30))
def test_g5_2_oklahoma(seed):
    state = gin.new(rules="common oklahoma=spades", seed=seed)
    top = gin.to_text(state).partition("pile: ")[2].split()[0]
    values = {"A": 0, "T": 10, "J": 10, "Q": 10, "K": 10}
    assert state.limit == values.get(top[0], int(top[0]) if top[0].isdigit() else None)
    assert state.doubled == (top[1] == "s")


def test_g5_2_spades_double():
    state = play(knocking("common oklahoma=spades", doubled="1", limit="8"), LAID + ", pass, pass")
    assert gin.scores(state) == [2 * (7 + 2 + 9 + 30 + 10 + 8 + 6 + 5 - 7), 0]


def test_g9_the_end_of_a_match():
    state = knocking("common", episode="match", scores="40 30", boxes="2 1", round="3")
    play(state, LAID + ", pass, pass")
    assert ending(state) == "match, seat 0"
    assert gin.scores(state) == [40 + 70 + 100 + 3 * 25, 30 + 25]


def test_g9_3_a_shutout():
    state = knocking("common", episode="match", scores="40 0", boxes="2 0", round="2")
    play(state, LAID + ", pass, pass")
    assert gin.scores(state) == [40 + 70 + 200 + 3 * 25, 0]


def test_g9_2_the_other_seat_deals_the_next_round():
    state = play(knocking("common target=1000", episode="match"), LAID + ", pass, pass")
    assert not gin.is_over(state)
    assert state.dealer == 0
    assert gin.seat_to_move(state) == 1
    assert gin.scores(state) == [70, 0]
