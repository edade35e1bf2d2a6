"""The rules as text: a position, what is done, what comes of it. Tests are named by the rule."""

from __future__ import annotations

import pytest
from rummy_tables import at, legal, lines, play

from banakil_env.games import rummy

ELSEWHERE = "melds 1: 8c 8d 8h 8s | Tc Td Th Ts | Jc Jd Jh Js | Qc Qd Qh Qs | Kc Kd Kh"  # 19 cards, to shorten stocks


@pytest.mark.parametrize(("players", "hand", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)])
def test_r2_the_deal(players, hand, stock):
    said = lines(rummy.new(num_players=players, seed=1))
    assert {len(said[f"hand {seat}"].split()) for seat in range(players)} == {hand}
    assert (len(said["pile"].split()), len(said["stock"].split()), said["turn"]) == (1, stock, "seat 0, draw")


def test_r33_a_card_drawn_may_be_discarded_at_once():
    state = play(at("hand 0: 3c 9h", "pile: 7d", "turn: seat 0, draw"), "draw")
    assert len([text for text in legal(state) if text.startswith("discard")]) == 3


def test_r33_the_ban_lasts_for_the_turn_only():
    state = play(at("hand 0: 3c 9h", "hand 1: 4c 5d", "pile: 7d"), "take", "discard 3c", "draw", "discard 4c", "draw")
    assert "discard 7d" in legal(state)


def test_r34_a_shuffle_leaves_the_top_card():
    hand = "hand 1: Ac 2c 4c 5c 6c 7c Ad 2d 3d 4d 5d 6d Ah 2h 3h 4h 5h 6h As 2s 3s 4s 5s 6s"
    state = play(at("hand 0: 3c 9h Ks", hand, ELSEWHERE, "pile: 7d 7h 7s 9c 9d 9s", "stock:"), "draw")
    said = lines(state)
    drawn = set(said["hand 0"].split()) - {"3c", "9h", "Ks"}
    assert said["pile"] == "9s"
    assert set(said["stock"].split()) | drawn == {"7d", "7h", "7s", "9c", "9d"}
    assert "seen" not in said
    assert "known 0" not in said


def test_r34_with_turn_one_card_of_the_pile_is_enough():
    hand = "hand 1: " + " ".join(r + s for s in "cdhs" for r in "A234567" if r + s != "3c")
    state = at("rules: memory", "hand 0: 3c 9h 9c 9d Ks", hand, ELSEWHERE, "pile: 9s", "stock:", "turn: seat 0, draw")
    assert legal(state) == {"draw", "take"}
    state = play(state, "draw")
    assert lines(state)["known 0"] == "9s"
    assert lines(state)["pile"] == ""
    assert "discard 9s" in legal(state)  # drawn, not taken


def test_r42_kings_do_not_lead_to_aces():
    state = at("hand 0: Ac 2c Qc Kc 2d 3d Kd", "turn: seat 0, play", "melds 1: Jh Qh Kh | As 2s 3s", "pile: 9h")
    assert not [text for text in legal(state) if text.startswith("open")]
    state = at("hand 0: Ah Ks 4s Th", "turn: seat 0, play", "melds 1: Jh Qh Kh | As 2s 3s", "pile: 9h")
    assert {text for text in legal(state) if text.startswith("add")} == {"add 4s", "add Th"}


def test_r43_a_meld_grows_by_lay_offs_in_the_same_turn():
    state = play(at("hand 0: 5h 6h 7h 8h 2c 3d", "turn: seat 0, play"), "open 6h 7h 8h", "add 5h", "discard 2c")
    assert lines(state)["melds 0"] == "5h 6h 7h 8h"


def test_r51_one_meld_a_turn_for_a_seat_that_has_played():
    state = at("hand 0: 5h 6h 7h 8c 8d 8s", "melds 0: 2c 3c 4c", "turn: seat 0, play")
    assert "open 8c 8d 8s" in legal(state)
    assert "open 8c 8d 8s" not in legal(play(state, "open 5h 6h 7h"))


def test_r53_a_card_goes_at_once_where_one_meld_takes_it():
    state = at("hand 0: 7c Ks 2h", "melds 1: 4c 5c 6c", "turn: seat 0, play")
    assert lines(play(state, "add 7c"))["melds 1"] == "4c 5c 6c 7c"


def test_r53_a_card_between_two_runs_has_two_places():
    state = at("hand 0: 6c Ks 2h", "melds 1: 3c 4c 5c | 7c 8c 9c", "turn: seat 0, play")
    state = play(state, "add 6c")
    assert lines(state)["turn"] == "seat 0, choose add 6c"
    assert legal(state) == {"meld 0", "meld 1"}
    assert lines(play(state, "meld 1"))["melds 1"] == "3c 4c 5c | 6c 7c 8c 9c"


def test_r53_a_place_that_leaves_the_banned_card_without_one_is_none():
    melds = "melds 1: 4c 5c 6c | 7d 7h 7s"
    state = at("hand 0: 7c 8c", melds, "known 0: 8c", "turn: seat 0, play, banned 8c", "pile: 2c")
    assert legal(state) == {"add 7c", "discard 7c"}
    assert lines(play(state, "add 7c"))["melds 1"] == "4c 5c 6c 7c | 7d 7h 7s"


def test_r62_last_card_discard_forbids_laying_off_the_last_card():
    state = at("rules: denexa last_card=discard", "hand 0: Qd", "melds 1: 9d Td Jd", "turn: seat 0, play")
    assert legal(state) == {"discard Qd"}


def test_r62_last_card_discard_forbids_leaving_the_banned_card_alone():
    known = ("known 0: Kd", "turn: seat 0, play, banned Kd")
    state = at("rules: denexa last_card=discard", "hand 0: Qd Kd", "melds 1: 9d Td Jd", *known, "pile: 2c")
    assert legal(state) == {"discard Qd"}
    assert legal(at("hand 0: Qd Kd", "melds 1: 9d Td Jd", *known, "pile: 2c")) == {"add Qd", "discard Qd"}


def test_r72_a_lay_off_before_the_first_opening_keeps_the_exception():
    state = at("hand 0: Qd 5h 6h 7h 8c 8d 8s", "melds 1: 9d Td Jd", "turn: seat 0, play")
    state = play(state, "add Qd", "open 5h 6h 7h")
    assert "open 8c 8d 8s" in legal(state)
    assert lines(play(state, "open 8c 8d 8s"))["over"] == "rummy, seat 0"


def test_r72_cards_that_go_out_by_rows_on_both_sides_of_a_run():
    state = at("hand 0: Ac Ad Ah 2h 3h 4h 8h 9h Ks", "melds 1: 5h 6h 7h", "turn: seat 0, play", "pile: 2c")
    state = play(state, "open Ac Ad Ah")
    assert "open 2h 3h 4h" in legal(state)
    state = play(state, "open 2h 3h 4h")
    assert legal(state) == {"add 8h"}
    assert lines(play(state, "add 8h", "add 9h", "discard Ks"))["over"] == "rummy, seat 0"


def test_r72_a_card_that_two_melds_need_is_not_counted_twice():
    state = at("hand 0: Ac Ad Ah 5h 6h 7h 7c 7d Ks", "turn: seat 0, play, melds 1, in one turn", "melds 0: Qc Qd Qs")
    assert "open Ac Ad Ah" not in legal(state)  # 7c 7d and the King are left, or 5h 6h
    assert "open 5h 6h 7h" not in legal(state)


def test_r72_of_four_cards_of_a_rank_one_may_be_the_discard():
    state = at("hand 0: 7c 7d 7h 7s", "turn: seat 0, play, melds 1, in one turn", "melds 0: Qc Qd Qs")
    assert {"open 7c 7d 7h", "open 7d 7h 7s"} < legal(state)
    state = play(state, "open 7c 7d 7h")
    assert legal(state) == {"add 7s", "discard 7s"}


def test_r81_out_with_a_lay_off_and_no_discard():
    state = play(at("hand 0: Qd", "melds 0: 2c 2d 2h", "melds 1: 9d Td Jd", "turn: seat 0, play"), "add Qd")
    assert lines(state)["over"] == "out, seat 0"


def test_r84_out_comes_before_max_turns():
    rules = "rules: denexa max_turns=4"
    state = at(rules, "hand 0: Qd", "melds 0: 2c 2d 2h", "turns: 3", "turn: seat 0, play")
    assert lines(play(state, "discard Qd"))["over"] == "out, seat 0"


def test_r91_rummy_factor():
    state = at("rules: denexa rummy_factor=5", "hand 0: 2c 2d 2h", "hand 1: Ac Kd", "turn: seat 0, play")
    state = play(state, "open 2c 2d 2h")
    assert rummy.scores(state) == [55, 0]


def test_r102_a_tie_for_the_most_means_more_rounds():
    state = at(
        *("rules: denexa target=none deals=1", "episode: match", "scores: 0 30", "hand 0: 2c", "melds 0: 3c 3d 3h"),
        *("hand 1: Kd Kh Ks", "turn: seat 0, play"),
    )
    said = lines(play(state, "discard 2c"))
    assert (said["scores"], said["round"], said["dealer"], said["turn"]) == ("30 30", "1", "0", "seat 1, draw")


def test_r103_a_match_is_given_up():
    rules = "rules: denexa max_rounds=1"
    state = at(rules, "episode: match", "hand 0: 2c", "melds 0: 3c 3d 3h", "hand 1: Kd", "turn: seat 0, play")
    state = play(state, "discard 2c")
    assert lines(state)["over"] == "rounds"
    assert rummy.is_truncated(state)


def test_r102_an_unscored_round_counts_as_a_deal():
    rules = "rules: denexa target=none deals=2 max_turns=1"
    state = at(rules, "episode: match", "round: 1", "scores: 7 0", "hand 0: 2c 3d", "turn: seat 0, play")
    assert lines(play(state, "discard 2c"))["over"] == "match, seat 0"


# What no game can be in ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (("hand 0: 3c", "melds 0: 5h 6h 7h", "played: 1", "turn: seat 0, play"), "a seat with a meld"),
        (("hand 0:", "turn: seat 0, draw"), "a seat holds no card"),
        (("hand 0: 3c 4c", "known 0: 5c"), "not in the hand"),
        (("hand 0: 3c", "seen: yes"), "never turn the pile over"),
        (("hand 0: 3c 4c", "turn: seat 0, draw, banned 3c"), "banned is 2, but must be 52 in this phase"),
        (("hand 0: 3c 4c", "turn: seat 0, play, banned 9d"), "neither in the hand"),
        (("hand 0: 3c 4c", "turn: seat 0, play, melds 1"), "more melds"),
        (("hand 0: 3c 4c", "turn: seat 0, play, in one turn"), "in one turn"),
        (("hand 0: 3c 4c", "turn: seat 0, choose add 3c"), "fewer than two"),
        (("hand 0: 3c 4c", "turns: 300"), "turns"),
        (("hand 0: 3c 4c", "melds 0: 5h 6h 8h"), "not a meld"),
        (("hand 0: 3c 4c", "melds 0: 5h 6h 7h", "melds 1: 9c 9d 9h", "order: 0 0"), "owners"),
        (("hand 0: 3c 4c", "turn: seat 2, draw"), "0 to 1"),
        (("hand 0: 3c", "turn: seat 0, play, banned 3c"), "legal end of the turn"),
        (("hand 0: 3c 9d", "melds 0: 5h 6h 7h | 2c 2d 2h", "turn: seat 0, play, melds 2, in one turn"), "legal end"),
        (("hand 0: 3c 4c", "over: out, seat 0"), "holds cards"),
        (("hand 0: 3c 4c", "over: out"), "expected"),
        (("hand 0: 3c 4c", "stock: 5c"), "in no line"),
        (("hand 0: 3c 4c", "hand 1: 3c"), "named too often, there are 1 in the pack"),
    ],
)
def test_impossible_positions_are_refused(said, why):
    with pytest.raises(rummy.PositionError, match=why):
        at(*said)


def test_the_deal_of_a_seed_as_a_position():
    assert rummy.from_text("players: 4\nseed: 7").tobytes() == rummy.new(num_players=4, seed=7).tobytes()
    with pytest.raises(rummy.PositionError, match="a seed deals"):
        at("hand 0: 3c 4c", "seed: 7")


def test_what_is_refused_says_why():
    state = at("hand 0: 3c 7d 9h", "known 0: 7d", "turn: seat 0, play, banned 7d")
    with pytest.raises(rummy.IllegalAction, match=r"7d may not be discarded in this turn \(R3.3\)"):
        rummy.apply(state, rummy.parse_action("discard 7d"))
