"""The rules of Kalooki as text, one idea a test; the numbers are those of docs/rules/kalooki.md."""

from __future__ import annotations

import numpy as np
import pytest
from kalooki_tables import do, legal, plays, table, value

from banakil_env.core import engine
from banakil_env.core.game import MARGIN, POINTS, WIN
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.games import kalooki
from banakil_env.text import event_text

GAME = kalooki.GAME
DOWN = "melds 0: 7c 7d 7h | 9c 9d 9h | Kc Kd Kh"
DRAW = "turn: seat 0, draw"


def rewards(state, kind):
    written = np.zeros(5)
    kernels_of(GAME).end_one(np.asarray(state).reshape(1), kind, written)
    return written[: state.num_players].tolist()


# The draw and calls --------------------------------------------------------------------------------------------------


def test_any_contract_is_drawn_by_the_seed():
    """K11"""
    found = [int(kalooki.new(rules="contract=any", seed=seed).contract) for seed in range(60)]
    assert set(found) == set(range(1, 10))
    assert found[3] == int(kalooki.new(rules="contract=any", seed=3).contract)


def test_no_card_moves_until_the_others_have_been_asked():
    """K2.3, K2.7"""
    state = do(table(DRAW, "hand 0: 2c", "pile: 9c", players=4), "draw")
    assert (value(state, "turn"), value(state, "hand 0")) == ("seat 1, call, active 0", "2c")
    assert value(do(state, "pass", "pass", "pass"), "turn") == "seat 0, play"
    assert len(value(state, "hand 0").split()) == 2


def test_the_discarder_and_seats_that_are_down_are_not_asked():
    """K2.4"""
    melds = "melds 1: 7c 7d 7h | 9c 9d 9h | Kc Kd Kh"
    state = do(table("turns: 1", DRAW, "pile: 2s", melds, players=4), "draw")
    assert value(state, "turn") == "seat 2, call, active 0"
    assert value(do(state, "pass"), "turn") == "seat 0, play"


def test_the_discarder_is_asked_where_the_rules_say_so():
    """K2.4: `own_discard`; a seat that is down is not asked all the same."""
    lines = ("turns: 3", "turn: seat 1, draw", "hand 0: 2c", "hand 1: 3c", "hand 2: 4c", "pile: 5c 6c")
    down = "melds 0: 9c 9d 9h | 8c 8d 8h | 7c 7d 7h"
    for more, asked in ((("rules: denexa",), [2]), (("rules: denexa own_discard=yes",), [2, 0])):
        state, seats = do(table(*more, *lines), "draw"), []
        while "call" in legal(state):
            seats.append(kalooki.seat_to_move(state))
            do(state, "pass")
        assert seats == asked
    assert "call" not in legal(do(table("rules: denexa own_discard=yes", *lines, down), "draw", "pass"))


def test_successful_calls_are_counted_and_limited():
    """K2.4, K2.5"""
    state = table("rules: denexa calls=1", "turns: 1", DRAW, "pile: 2s 3s", "calls: 0 0 1 0", players=4)
    assert value(do(state, "draw"), "turn") == "seat 1, call, active 0"
    assert value(do(state, "call"), "turn") == "seat 0, answer, caller 1"
    assert value(do(state, "allow"), "calls") == "0 1 1 0"
    assert value(state, "known 1") == "3s"
    assert len(value(state, "hand 1").split()) == 2
    assert value(state, "turn") == "seat 0, play"


def test_a_refused_call_does_not_count():
    """K2.5"""
    state = do(table(DRAW, "pile: 3s"), "draw", "call", "refuse")
    assert (value(state, "calls"), value(state, "known 0"), value(state, "hand 1")) == ("", "3s", "")
    assert value(state, "turn") == "seat 0, play"


def test_a_mover_who_is_down_must_allow_and_draws_from_the_stock():
    """K2.1, K2.6"""
    state = table(DRAW, DOWN, "hand 0: 2c", "pile: 3s")
    assert legal(state) == {"draw"}
    assert value(do(state, "draw", "call"), "turn") == "seat 0, play"
    assert value(state, "calls") == "0 1 0"


def test_the_stock_is_renewed_once():
    """K2.8"""
    rest = " ".join(value(table(DRAW, "pile: 2s 3s", "hand 0: 4s"), "stock").split())
    state = table(DRAW, "hand 0: 4s", f"hand 1: {rest}", "pile: 2s 3s", "stock:", "rules: denexa calls=0")
    assert value(do(state, "draw"), "renewed") == "1"
    assert (value(state, "hand 0"), value(state, "pile"), value(state, "stock")) == ("2s 4s", "3s", "")
    do(state, "discard 2s", "draw")
    assert value(state, "over") == "exhausted"
    assert rewards(state, POINTS) == [0.0, 0.0, 0.0]


# The contract --------------------------------------------------------------------------------------------------------


def test_a_joker_that_would_be_left_goes_into_a_four():
    """K5.3: JK Qh Kh Ah would leave a Joker that no four has room for."""
    lines = ("contract: 4", "turn: seat 0, play, first", "melds 0: JK Qc Kc Ac | JK Qd Kd Ad", "hand 0: Qh Kh Ah JK JK")
    assert plays(table(*lines)) == {"open JK Qh Kh JK", "open JK Qh JK Ah"}
    assert len(plays(table(*lines, "melds 1: 5s 6s 7s 8s"))) == 3


def test_two_jokers_are_too_many_for_the_room_on_the_table():
    """K5.3, K6.2: what is left after the last four must find room."""
    lines = (
        "contract: 4",
        "turn: seat 0, play, first",
        "hand 0: 5h 7h JK JK JK JK",
        "melds 0: Jc Qc Kc Ac | Jd Qd Kd Ad",
    )
    assert plays(table(*lines)) == {"open 5h JK 7h JK", "open JK 5h JK 7h"}
    do(state := table(*lines), "open 5h JK 7h JK")
    assert legal(state) == {"add JK low"}


def test_fours_of_one_suit_are_opened_once():
    """K3.4: also in later turns; other seats' fours do not count."""
    own, others = "melds 0: 3c 4c 5c 6c | 3d 4d 5d 6d | 3h 4h 5h 6h", "melds 1: 2s 3s 4s 5s"
    state = table("contract: 4", own, others, "hand 0: 9c Tc Jc Qc 9s Ts Js Qs")
    assert plays(state) == {"open 9s Ts Js Qs"}


def test_threes_of_one_rank():
    """K3.5"""
    hand = "hand 0: 7s 7s 7c 2c"
    melds = "melds 0: 7d 7d 7h | 9c 9d 9h | Kc Kd Kh"
    assert plays(table(melds, hand)) == {"add 7c", "add 7s", "open 7c 7s 7s"}
    assert plays(table("rules: super", melds, hand)) == {"add 7c", "add 7s"}


def test_going_out_with_the_first_melds_bends_the_table():
    """K7.3, K8.1, K8.2"""
    hands = ("hand 0: 7c 7d 7h 9c 9d 9h Kc Kd Kh", "hand 1: Ac Ad JK", "hand 2: Tc")
    state = do(table(*hands), "open 7c 7d 7h", "open 9c 9d 9h", "open Kc Kd Kh")
    assert (value(state, "over"), value(state, "points")) == ("bent, seat 0", "0 132 20")
    assert GAME.outcome(state).marks == ("bent",)
    assert rewards(state, POINTS) == [0.0, -132.0, -20.0]
    assert rewards(state, MARGIN) == [76.0, -122.0, 46.0]
    assert rewards(state, WIN) == [1.0, -1.0, -1.0]


# Tacking on ----------------------------------------------------------------------------------------------------------


def test_where_a_card_fits_the_mover_chooses():
    """K6.5, K6.6"""
    state = table(DOWN, "melds 1: 5s 6s 7s 8s", "hand 0: 9s 2c")
    assert legal(do(state, "add 9s")) == {"meld 1", "meld 3"}
    assert value(do(state, "meld 3"), "melds 1") == "5s 6s 7s 8s 9s"


def test_an_exchange_sends_the_joker_to_the_end():
    """K6.3"""
    state = do(table(DOWN, "melds 1: 9s Ts JK Qs Ks", "hand 0: Js As 2c"), "swap Js")
    assert value(state, "melds 1") == "9s Ts Js Qs Ks JK"
    assert value(do(state, "swap As"), "melds 1") == "JK 9s Ts Js Qs Ks As"


def test_an_exchange_is_told_as_one_though_the_joker_stays():
    """K6.3"""
    state = table(DOWN, "melds 1: 9s Ts JK Qs Ks", "hand 0: Js As 2c")
    events = kalooki.GAME.events(state, kalooki.parse_action("swap Js"), do(state.copy(), "swap Js"))
    [number] = [meld.number for meld in kalooki.GAME.scene(state, None).melds if "JK" in meld.cards]
    assert [event_text(event) for event in events] == [f"Seat 0 puts Js in the place of a wild card of meld {number}"]


def test_a_low_ace_that_a_joker_stands_for():
    """K6.3: the Joker goes to the high end, and stands for an Ace there."""
    run = "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd"
    state = do(table("melds 0: 7c 7h 7s", f"melds 1: JK {run}", "hand 0: Ad 2c"), "swap Ad")
    assert value(state, "melds 1") == f"Ad {run} JK"


@pytest.mark.parametrize("melds", ["7h 8h JK JK", "7h 8h JK JK 9h"])
def test_two_jokers_side_by_side_are_no_four(melds):
    """K4.2"""
    with pytest.raises(kalooki.PositionError):
        table(f"melds 0: {melds}")


# The match -----------------------------------------------------------------------------------------------------------


def test_a_shared_match_is_worth_nothing_to_those_who_share_it():
    """K9.1"""
    melds = "melds 0: 3c 4c 5c 6c | 3d 4d 5d 6d | 3h 4h 5h 6h | 3s 4s 5s 6s"
    state = table(
        "episode: match", "round: 8", "contract: 9", "scores: 10 0 9", melds, "hand 0: 2c", "hand 1: Kd", "hand 2: 2s"
    )
    assert value(do(state, "discard 2c"), "over") == "match, seat 0, seat 1"
    assert rewards(state, WIN) == [0.0, 0.0, -1.0]
    assert GAME.outcome(state).marks == ("shared",)


# What is hidden ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        (
            "contract: 8",
            "turn: seat 1, play, first",
            "hand 1: 2c 3c 4c 5c 7d 8d 9d Td 6h 7h 8h 9h Kh",
            "melds 1: 9c 9d 9s",
        ),
        ("contract: 4", "turn: seat 1, play, first", "hand 1: 5h 7h JK JK JK JK", "melds 1: Jc Qc Kc Ac | Jd Qd Kd Ad"),
        ("contract: 2", "turn: seat 1, choose add 9s", "hand 1: 9s JK", "melds 1: 9c 9d 9h | 5s 6s 7s 8s"),
        ("contract: 2", "turn: seat 1, answer, caller 2", "hand 1: 9s JK"),
    ],
)
def test_a_mover_in_the_middle_of_its_turn_can_go_on_in_every_other_deal(lines):
    """The hand of a seat that has laid half of its contract is not any hand."""
    state = table("hand 0: Ac Ad Ah", "hand 2: 2d 2h 3h", "pile: As", *lines)
    hands = set()
    for seed in range(20):
        other = kalooki.redeal_hidden(state, 0, seed)
        assert kalooki.check(other) is None
        hands.add(value(other, "hand 1"))
        seen = kalooki.observe(state, 0)["observation"].view(GAME.observation)
        supposed = np.zeros(1, GAME.state)
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert kalooki.check(supposed[0]) is None
        assert (kalooki.observe(supposed[0], 0)["observation"] == seen.view(np.uint8)).all()
    assert len(hands) > 1
