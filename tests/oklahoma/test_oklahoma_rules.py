"""The rules as text: a position, what is done, what comes of it. Tests are named by the rule."""

from __future__ import annotations

import pytest
from oklahoma_tables import at, legal, lines, play

from banakil_env.games import oklahoma

STOCKS = {2: 77, 3: 64, 4: 51, 5: 38, 6: 25, 7: 12, 8: 15}
PLAY = "turn: seat 0, play"


@pytest.mark.parametrize("players", STOCKS)
def test_o2_the_deal(players):
    said = lines(oklahoma.new(num_players=players, seed=1))
    assert {len(said[f"hand {seat}"].split()) for seat in range(players)} == {11 if players == 8 else 13}
    assert (len(said["pile"].split()), len(said["stock"].split())) == (1, STOCKS[players])
    assert said["turn"] == "seat 0, draw"


def test_o31_an_empty_stock_is_renewed_from_the_pile_and_its_top_card_stays():
    rest = " ".join(f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK")
    state = at(f"hand 1: {rest}", f"pile: {rest.removesuffix(' Ks').removeprefix('Ac ')}", "hand 0: Ac Ks", "stock:")
    state = play(state, "draw")
    assert lines(state)["pile"] == "Qs"
    assert len(lines(state)["stock"].split()) == 48


def test_o32_a_meld_on_the_table_is_no_reason_to_take_the_pile():
    assert legal(at("hand 0: 9d 5s", "melds 0: 9c 9h 9s", "pile: 7c 9h")) == {"draw"}


def test_o33_cards_of_the_pile_do_not_help_to_earn_it():
    assert legal(at("hand 0: 9d 5s", "pile: 9s 9h")) == {"draw"}


def test_o33_the_rest_of_the_pile_follows_the_meld():
    state = play(at("hand 0: 9c 9d 4h", "pile: 7c 4d 9h"), "take all")
    assert lines(state)["turn"] == "seat 0, play, must 9h"
    assert (lines(state)["pile"], lines(state)["known 0"]) == ("7c 4d", "9h")
    state = play(state, "open 9c 9d 9h")
    assert (lines(state)["hand 0"], lines(state)["known 0"], lines(state)["pile"]) == ("7c 4d 4h", "7c 4d", "")


def test_o33_any_two_will_do_where_a_two_was_taken():
    state = play(at("hand 0: 9d Jd 2c 5s", "pile: 7c 2h"), "take all")
    assert "open 9d 2 Jd" in legal(state)
    assert all("2" in text.removeprefix("open") for text in legal(state))
    state = play(state, "open 9d 2 Jd")
    assert lines(state)["melds 0"] == "9d 2c Jd"
    assert lines(state)["hand 0"] == "7c 2h 5s"


def test_o33_nothing_is_added_before_the_meld():
    state = play(at("hand 0: 9c 9d Qd 4h", "melds 0: 9d Td Jd", "pile: 9h"), "take all")
    assert legal(state) == {"open 9c 9d 9h"}


def test_o34_what_came_with_the_pile_may_be_discarded():
    state = play(at("hand 0: 9c 9d 4h", "pile: 7c 9h"), "take all", "open 9c 9d 9h")
    assert "discard 7c" in legal(state)


def test_o42_the_same_card_twice():
    hand = ("hand 0: 7c 7c 7h Td", PLAY)
    assert legal(at(*hand), "open") == {"open 7c 7c 7h"}
    assert not legal(at("rules: strict", *hand), "open")


def test_o43_five_cards_are_too_many():
    state = at("hand 0: 9h 2c 7s", "melds 0: 5h 6h 7h 8h | 7c 7d 7h 2d=7", PLAY)
    assert not legal(state, "add")


def test_o44_a_meld_of_twos_takes_twos():
    state = play(at("hand 0: 2c 2h 2s 2s Td", PLAY), "open 2 2 2", "add 2 high")
    assert lines(state)["melds 0"] == "2c 2h 2s 2s"


def test_o52_one_natural_card_is_enough():
    state = play(at("hand 0: Kc 2c 2d 2d Td", PLAY), "open Kc 2=K 2=K", "add 2 high")
    assert lines(state)["melds 0"] == "Kc 2c=K 2d=K 2d=K"


def test_o53_the_lowest_two_goes_first_and_lies_by_its_suit_in_a_set():
    state = play(at("hand 0: 2c 2s Td", "melds 0: 7c 7d 2h=7", PLAY), "add 2 high")
    assert lines(state)["melds 0"] == "7c 7d 2c=7 2h=7"
    state = play(at("hand 0: 2d 2s Td", "melds 0: 7c 2h 9c", PLAY), "add 2 low")
    assert lines(state)["melds 0"] == "2d 7c 2h 9c"


def test_o54_the_queen_of_spades_by_the_only_two():
    assert legal(at("hand 0: Js 2c 2d", PLAY), "open") == {*("open 2 2 Js", "open 2 Js 2", "open Js 2=J 2=J")} - {
        "open 2 Js 2"
    }
    assert "open 2 Jh 2" in legal(at("hand 0: Jh 2c 2d", PLAY), "open")
    assert legal(at("hand 0: 2c Ts", "melds 0: Js 2d Ks", PLAY), "add") == {"add Ts"}
    assert legal(at("hand 0: 2c Qs", "melds 0: 9s 2d Js", PLAY), "add") == {"add Qs", "add 2 low"}


def test_o62_melds_of_others_take_nothing():
    assert not legal(at("hand 0: Qd 2c", "melds 1: 9d Td Jd", PLAY), "add")


def test_o63_a_card_that_fits_two_melds_waits():
    state = play(at("hand 0: 8h Td", "melds 0: 5h 6h 7h | 8c 8d 8s", "melds 1: 8c 8d 8s", PLAY), "add 8h")
    assert lines(state)["turn"] == "seat 0, choose add 8h"
    assert legal(state) == {"meld 0", "meld 1"}
    assert lines(play(state, "meld 1"))["melds 0"] == "5h 6h 7h | 8c 8d 8h 8s"


def test_o71_the_queen_of_spades_is_not_discarded():
    assert legal(at("hand 0: Qs 8h", PLAY)) == {"discard 8h"}


def test_o72_out_by_an_addition():
    state = play(at("hand 0: Qd", "hand 1: 4c", "melds 0: 9d Td Jd", PLAY), "add Qd")
    assert (lines(state)["over"], lines(state)["points"]) == ("out, seat 0", "140 -5")


def test_o73_queens_of_spades_alone():
    state = at("hand 0: Qs Qs", PLAY)
    assert legal(state) == {"pass"}
    assert lines(play(state, "pass"))["turn"] == "seat 1, draw"
    assert legal(at("hand 0: Qs", "melds 0: Ts Js 2c", PLAY)) == {"pass"}
    assert legal(at("hand 0: Qs", "melds 0: 9s Ts Js", PLAY)) == {"pass", "add Qs"}


def all_but(*cards):
    """Two packs without these cards."""
    left = [f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK" for _ in range(2)]
    for card in cards:
        left.remove(card)
    return " ".join(left)


def test_o82_nothing_to_draw_and_nothing_to_shuffle():
    state = play(at(f"hand 1: {all_but('Qs')}", "hand 0: Qs", "pile:", "stock:", PLAY), "pass")
    assert lines(state)["over"] == "exhausted"


def test_o82_with_end_the_stock_alone_counts():
    table = (f"hand 1: {all_but('3c', '4c', '5c', '6c')}", "hand 0: 3c 4c", "pile: 5c 6c", "stock:", PLAY)
    assert lines(play(at("rules: stock_out=end", *table), "discard 3c"))["over"] == "exhausted"
    assert lines(play(at(*table), "discard 3c"))["turn"] == "seat 1, draw"


def test_o83_a_round_ends_unscored_after_max_turns():
    state = play(at("rules: denexa max_turns=1", "hand 0: 5s 6s", PLAY), "discard 5s")
    assert lines(state)["over"] == "turns"
    assert oklahoma.is_truncated(state)
    assert oklahoma.scores(state) == [0, 0]


def test_o84_turns_come_before_the_stock():
    table = (f"hand 1: {all_but('3c', '4c', '5c')}", "hand 0: 3c 4c", "pile: 5c", "stock:", PLAY)
    state = play(at("rules: stock_out=end max_turns=1", *table), "discard 3c")
    assert lines(state)["over"] == "turns"


def test_o9_what_cards_are_worth():
    melds = "melds 0: Ac 2c 3c | Js 2d Ks | Qc Qs 2h=Q | 2c 2d 2h"
    state = play(at("hand 0: 5c", "hand 1: Qs Ah 2s 8d 7d", melds, PLAY), "discard 5c")
    assert lines(state)["points"] == f"{30 + 70 + 70 + 75 + 100} {-155}"


def test_o95_the_bonus_is_a_switch():
    state = play(at("rules: out_bonus=25", "hand 0: 5c", "hand 1: 6c", PLAY), "discard 5c")
    assert lines(state)["points"] == "25 -5"


def test_o101_a_tie_for_the_highest_score_is_played_off():
    tied = ("episode: match", "round: 3", "scores: 900 1005", "hand 0: 5c", "hand 1: 6d", PLAY)
    state = play(at(*tied), "discard 5c")
    assert lines(state)["scores"] == "1000 1000"
    assert (lines(state)["round"], lines(state)["dealer"], lines(state)["turn"]) == ("4", "0", "seat 1, draw")


def test_o11_there_are_no_jokers():
    text = oklahoma.to_text(at("hand 0: 3d 8c"))
    with pytest.raises(oklahoma.PositionError, match="JK: named too often"):
        oklahoma.from_text(text.replace("8c 3d", "8c JK"))


@pytest.mark.parametrize("melds", ["Tc Td 2c=T", "10c 10d 2c=10", "Tc, Td, 2c=T"])
def test_a_ten_in_two_ways_and_commas(melds):
    state = at("hand 0: 3d 8c", "melds 1: Tc Td 2c=T")
    assert oklahoma.from_text(oklahoma.to_text(state).replace("Tc Td 2c=T", melds)).tobytes() == state.tobytes()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("melds 1: 5c 2c 5h", "not a run"),
        ("melds 1: 7c 2c=7 8c", "not a set"),
        ("melds 1: 7c 2c=7 2d", "not a set"),
        ("melds 1: 2c 2d", "not a meld"),
        ("melds 1:  | 7c 7d 7h", "not a meld"),
        ("turn: seat 0, play, must 9h", "not in the hand"),
        ("turn: seat 0, play, must 3d", "no action that would lead to a legal end"),
        ("turn: seat 0, choose add 2", "expected 2 low or 2 high|no card is called"),
        ("turn: seat 0, choose add 2 low", "not in the hand"),
        ("turn: seat 0, choose add 3d", "fewer than two"),
        ("known 0: 9h", "not in the hand"),
    ],
)
def test_positions_that_are_refused(line, complaint):
    with pytest.raises(oklahoma.PositionError, match=complaint):
        at("hand 0: 3d 8c", line)
