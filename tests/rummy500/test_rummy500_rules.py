"""The rules as text: a position, what is done, what comes of it. Tests are named by the rule."""

from __future__ import annotations

import pytest
from rummy500_tables import at, legal, lines, play

from banakil_env.games import rummy500

STOCKS = {2: 39, 3: 32, 4: 25, 5: 72, 6: 65, 7: 58, 8: 51}


@pytest.mark.parametrize("players", STOCKS)
def test_f2_the_deal(players):
    said = lines(rummy500.new(num_players=players, seed=1))
    assert {len(said[f"hand {seat}"].split()) for seat in range(players)} == {7}
    assert (len(said["pile"].split()), len(said["stock"].split())) == (1, STOCKS[players])
    assert said["turn"] == "seat 0, draw"


def test_f32_cards_taken_are_known():
    state = play(at("hand 0: 9c 9d Ks", "pile: 2c 9h 4s"), "take 2")
    assert lines(state)["known 0"] == "9h 4s"
    assert lines(state)["turn"] == "seat 0, play, must 9h"


def test_f33_the_deepest_card_may_need_one_that_comes_along():
    assert legal(at("hand 0: 9c Ks", "pile: 2c 9h 9d")) == {"draw", "take 2"}


def test_f33_a_joker_in_the_hand_helps():
    assert legal(at("hand 0: JK Ks", "pile: 2c 9h 8h")) == {"draw", "take 2"}


def test_f34_what_makes_room_does_not_come_first():
    """The Kd would fit behind the Qd, but the seat cannot have it earlier."""
    state = at("hand 0: Qd 2s", "melds 1: 9d Td Jd", "pile: 2c Kd")
    assert legal(state) == {"draw"}


def test_f34_the_rest_of_the_turn_is_free():
    state = play(at("hand 0: 9c 9d Qd 2s", "melds 1: 9s Ts Js | Jd Jh Jc", "pile: 2c 9h Qs"), "take 2")
    assert legal(state) == {"open 9c 9d 9h"}
    state = play(state, "open 9c 9d 9h")
    assert legal(state) == {"add Qs", "discard 2s", "discard Qd", "discard Qs"}


def test_f34_a_face_that_was_held_before_does_as_well():
    """With two packs the seat holds the 9h twice; either may lie in the meld, and a known one goes first."""
    state = at("players: 5", "hand 0: 9c 9d 9h 2s", "pile: 2c 9h 4s")
    state = play(state, "take 2", "open 9c 9d 9h")
    assert lines(state)["hand 0"] == "9h 2s 4s"
    assert lines(state)["known 0"] == "4s"


def test_f34_the_card_that_has_to_be_played_may_choose_its_meld():
    state = at("hand 0: 2s 3s", "melds 1: 9s Ts Js | 8c 8d 8h", "pile: 2c 8s")
    state = play(state, "take 1", "add 8s")
    assert lines(state)["turn"] == "seat 0, choose add 8s, must 8s"
    assert legal(state) == {"meld 0", "meld 1"}
    state = play(state, "meld 1")
    assert lines(state)["melds 1"] == "9s Ts Js | 8c 8d 8h 8s@0"


def test_f34_a_joker_that_was_taken():
    state = play(at("hand 0: 9c 9d 2s 3s 5s", "pile: 2c JK"), "take 1")
    assert legal(state) == {
        "open 9c 9d JK=9h",
        "open 9c 9d JK=9s",
        "open JK 2s 3s",
        "open 2s 3s JK",
        "open 3s JK 5s",
    }


def test_f41_no_suit_twice_in_a_set():
    state = at("players: 5", "hand 0: 5c 5c 5h 5s JK", "turn: seat 0, play")
    sets = {"open 5c 5h 5s", "open JK=5c 5h 5s", "open 5c JK=5d 5h", "open 5c JK=5d 5s", "open 5c JK=5h 5s"}
    assert legal(state, "open") == sets | {"open 5c 5h JK=5s", "open JK=5d 5h 5s"}


def test_f42_runs_do_not_go_round_and_have_one_ace():
    state = at("hand 0: Ac 2c Qc Kc", "melds 1: 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", "turn: seat 0, play")
    assert legal(state, "open") == {"open Qc Kc Ac"}
    state = at("players: 5", "hand 0: Ad 2c", "melds 1: 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", "turn: seat 0, play")
    assert not legal(state, "add")


def test_f43_a_meld_grows_in_the_same_turn():
    state = play(at("hand 0: 5h 6h 7h 8h 2c 3d", "turn: seat 0, play"), "open 6h 7h 8h", "add 5h", "discard 2c")
    assert lines(state)["melds 0"] == "5h 6h 7h 8h"


def test_f45_an_ace_that_fits_both_ends_is_high():
    state = at("hand 0: Ac 2d 3d", "melds 1: 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "turn: seat 0, play")
    state = play(state, "add Ac")
    assert lines(state)["melds 1"].endswith("Kc Ac@0")
    assert state.laid[0] == 15


def test_f53_the_suit_of_a_joker_in_a_set_is_taken():
    state = at("hand 0: 5d 5s 2c", "melds 1: 5c JK=5d 5h", "turn: seat 0, play")
    assert legal(state, "add") == {"add 5s"}


def test_f54_jokers_alone_open_nothing():
    state = at("players: 5", "hand 0: JK JK JK 2c", "turn: seat 0, play")
    assert "open 2c JK JK" in legal(state)
    assert not legal(at("players: 5", "hand 0: JK JK JK", "pile: Kc", "turn: seat 0, play"), "open")


def test_f62_lay_offs_need_no_meld_of_ones_own():
    state = play(at("hand 0: Qd 2s 3s", "melds 1: 9d Td Jd", "turn: seat 0, play"), "add Qd")
    assert lines(state)["melds 1"] == "9d Td Jd Qd@0"
    assert (state.laid[0], state.laid[1]) == (10, 29)


def test_f66_out_by_the_last_card_laid_off():
    state = play(at("hand 0: Qd", "hand 1: 4c Js", "melds 1: 9d Td Jd", "turn: seat 0, play"), "add Qd")
    assert lines(state)["over"] == "out, seat 0"
    assert lines(state)["points"] == "10 15"


def test_f71_every_other_seat_is_asked_in_turn():
    state = play(at("players: 4", "hand 2: Qd 2s", "melds 0: 9d Td Jd", "turn: seat 2, play"), "discard Qd")
    asked = []
    while legal(state) == {"call", "pass"}:
        asked.append(lines(state)["turn"])
        play(state, "pass")
    assert asked == [f"seat {seat}, call, after 2" for seat in (3, 0, 1)]
    assert lines(state)["turn"] == "seat 3, draw"


def test_f71_an_old_rummy_is_asked_about_again():
    state = at("players: 3", "hand 0: 2s 3s", "melds 0: 9d Td Jd", "pile: Qd 4c", "turn: seat 0, play")
    assert lines(play(state, "discard 2s"))["turn"] == "seat 1, call, after 0"


def test_f71_a_meld_may_lie_in_the_pile():
    state = at("players: 3", "hand 0: 7c 3s", "pile: 5c 2h JK", "turn: seat 0, play")
    state = play(state, "discard 7c", "call")
    assert legal(state) == {"take 4"}
    assert legal(play(state, "take 4")) == {"open 5c JK 7c"}


def test_f74_the_hand_may_help_after_a_call():
    state = at("players: 3", "hand 0: Qd 3s", "hand 1: Qc Qh 2h 5h", "melds 0: 9d Td Jd", "turn: seat 0, play")
    state = play(state, "discard Qd", "call", "take 1")
    assert legal(state) == {"open Qc Qd Qh", "add Qd"}


def test_f75_the_turn_goes_on_behind_the_caller():
    state = at("players: 4", "hand 0: Qd 3s", "hand 2: 4c 5s", "melds 0: 9d Td Jd", "turn: seat 0, play")
    state = play(state, "discard Qd", "pass", "call", "take 1", "add Qd", "discard 4c")
    assert (lines(state)["turn"], lines(state)["turns"]) == ("seat 3, draw", "2")


def test_f76_the_card_turned_up_is_not_called_for():
    assert lines(at("players: 3", "melds 0: 9d Td Jd", "pile: Qd"))["turn"] == "seat 0, draw"


def test_f76_the_last_discard_is_not_called_for():
    state = at("players: 3", "hand 0: Qd", "melds 0: 9d Td Jd", "turn: seat 0, play")
    assert lines(play(state, "discard Qd"))["over"] == "out, seat 0"


def small_stock(rules, *stock):
    """Three players, all cards but the stock and few others in melds and in the pile."""
    melds = [" ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for suit in "cd"]
    pile = " ".join(f"{rank}h" for rank in "2468TQ") + " 3h 5h 7h 9h Jh Kh Ah 2s 4s 6s"
    cards = ["hand 0: As 9s", "hand 1: Ks", "hand 2: Js", f"melds 2: {melds[0]} | {melds[1]}"]
    rest = [f"{rank}s" for rank in "35 78TQ".replace(" ", "") if f"{rank}s" not in stock] + ["JK", "JK"]
    pile = " ".join(rest) + " " + pile
    return at(f"rules: {rules}", "players: 3", *cards, f"pile: {pile}", f"stock: {' '.join(stock)}")


def test_f82_the_last_card_of_the_stock_ends_the_round():
    state = play(small_stock("denexa", "Ts"), "draw")
    assert lines(state)["over"] == "exhausted"
    assert lines(state)["hand 0"] == "As 9s Ts"
    assert "turns" not in lines(state)  # that turn has not ended


def test_f82_the_turn_may_be_finished_and_nobody_is_asked():
    state = play(small_stock("turn", "Ts"), "draw")
    assert lines(state)["turn"] == "seat 0, play"
    assert lines(play(state, "discard Ts"))["over"] == "exhausted"


def test_f83_a_round_ends_unscored_after_max_turns():
    state = play(at("rules: denexa max_turns=1", "hand 0: 2s 3s", "turn: seat 0, play"), "discard 2s")
    assert lines(state)["over"] == "turns"
    assert rummy500.is_truncated(state)
    assert rummy500.scores(state) == [0, 0]


def test_f84_the_stock_comes_before_the_turns():
    state = play(small_stock("turn max_turns=1", "Ts"), "draw", "discard Ts")
    assert lines(state)["over"] == "exhausted"


def test_f92_aces_and_jokers():
    melds = "melds 0: Ad 2d 3d | Qs Ks As | Ac Ah JK=As"
    state = play(at("players: 5", "hand 0: 2c", "hand 1: Ac JK 9h", melds, "turn: seat 0, play"), "discard 2c")
    assert lines(state)["points"].split()[:2] == [str(6 + 35 + 45), str(-39)]


def test_f101_a_tie_for_the_highest_score_is_played_off():
    tied = ("episode: match", "round: 3", "scores: 495 491", "hand 0: 2c", "hand 1: 2d", "turn: seat 0, play")
    said = lines(play(at(*tied, "melds 0: Ah 2h 3h", "melds 1: 3c 4c 5c"), "discard 2c"))
    assert (said["scores"], said["round"], said["turn"]) == ("501 501", "4", "seat 1, draw")


def test_f111_packs_that_are_too_small():
    with pytest.raises(rummy500.RulesError, match="too few cards"):
        rummy500.new(num_players=8, rules="denexa jokers=0 hand_cards=13")
    assert rummy500.new(num_players=8, rules="denexa hand_cards=13", seed=1).stock_size == 108 - 8 * 13 - 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("melds 1: 5c JK 5h", "not a set"),
        ("melds 1: 5c JK=5c 5h", "not a meld"),
        ("melds 1: JK JK", "no natural card"),
        ("melds 1: Kd Ad 2d", "not a run"),
        ("melds 1: 5c 5d 5h@7", "there are 2 players"),
        ("turn: seat 0, play, must 9h", "not in the hand"),
        ("turn: seat 0, choose add JK", "expected JK low or JK high"),
        ("turn: seat 1, call, after 0", "may call a rummy"),
        ("known 0: 9h", "not in the hand"),
    ],
)
def test_positions_that_are_refused(line, complaint):
    with pytest.raises(rummy500.PositionError, match=complaint):
        at("hand 0: 2c 3d", line)
