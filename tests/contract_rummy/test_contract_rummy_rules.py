"""The rules of Contract Rummy as text, one idea a test; the numbers are those of docs/rules/contract.md."""

from __future__ import annotations

import numpy as np
import pytest
from contract_rummy_tables import do, legal, plays, table, value

from banakil_env.core import engine
from banakil_env.core.game import MARGIN, POINTS, WIN
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.random import seed_word
from banakil_env.games import contract as contract_rummy

GAME = contract_rummy.GAME
DOWN = "melds 0: 7c 7d 7h | 9c 9d 9h"


def rewards(state, kind):
    written = np.zeros(5)
    kernels_of(GAME).end_one(np.asarray(state).reshape(1), kind, written)
    return written[: state.num_players].tolist()


# The deal ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("contract", "cards"), [(1, 10), (3, 10), (4, 12), (7, 12)])
def test_cards_dealt(contract, cards):
    """N1.3"""
    state = contract_rummy.new(num_players=4, rules=f"contract={contract}", seed=1)
    assert [len(value(state, f"hand {seat}").split()) for seat in range(4)] == [cards] * 4
    assert value(state, "turn") == "seat 0, draw"
    assert value(state, "contract") == str(contract)


def test_any_contract_is_drawn_by_the_seed():
    """N11"""
    found = [int(contract_rummy.new(rules="contract=any", seed=seed).contract) for seed in range(60)]
    assert set(found) == set(range(1, 8))
    assert found[3] == int(contract_rummy.new(rules="contract=any", seed=3).contract)


# May I? --------------------------------------------------------------------------------------------------------------


def test_the_others_are_asked_in_order_of_play_after_the_mover():
    """N2.4"""
    state = table("turn: seat 1, draw", "hand 1: 2c", "pile: 9c", players=4)
    turns = [value(do(state, action), "turn") for action in ("draw", "pass", "pass", "pass")]
    assert turns == ["seat 2, call, active 1", "seat 3, call, active 1", "seat 0, call, active 1", "seat 1, play"]


def test_a_call_brings_the_upcard_and_a_card_that_nobody_sees():
    """N2.4, N12"""
    state = do(table("turn: seat 0, draw", "pile: 9c"), "draw", "call")
    assert len(value(state, "hand 1").split()) == 2
    assert value(state, "known 1") == "9c"
    assert value(state, "calls") == "0 1 0"


def test_no_two_consecutive_upcards_to_one_seat():
    """N2.6"""
    state = do(table("turn: seat 0, draw", "pile: 7c 8c 9c"), "draw", "call")
    assert value(state, "turn") == "seat 2, call, active 0, took 1"


def test_who_has_called_may_take_the_upcard_in_its_own_turn():
    """N2.6"""
    state = do(table("turn: seat 0, draw", "hand 0: 2c 3c", "pile: 8c 9c"), "draw", "call", "pass", "discard 2c")
    assert value(state, "turn") == "seat 1, draw"
    assert legal(state) == {"draw", "take"}


def test_no_calls_at_all():
    """N11"""
    state = do(table("rules: denexa calls=0", "turn: seat 0, draw", "pile: 9c"), "draw")
    assert value(state, "turn") == "seat 0, play"


# The contract --------------------------------------------------------------------------------------------------------


def test_a_joker_in_the_run_can_free_a_natural_for_the_set():
    """N5.5: with a Joker for the seven of clubs, sevens and a second Joker are the set."""
    state = table("contract: 2", "hand 0: 5c 6c 7c 8c 7d JK JK Kh 2s", players=3)
    assert "open 5c 6c JK 8c" in plays(state)
    assert "open 5c 6c 7c 8c" not in plays(state)


def test_sets_of_two_naturals_of_one_rank():
    """N4.2, N5.5: six sevens and three Jokers are three sets of a rank."""
    state = table("contract: 4", "hand 0: 7c 7c 7d 7d 7h 7h JK JK JK 2s", players=4)
    assert "open 7c 7d JK" in plays(state)
    assert "open 7c 7d 7h" not in plays(state)


def test_from_the_first_opening_until_the_contract_is_met_there_is_no_discard():
    """N5.3"""
    state = do(table("hand 0: 7c 7d 7h 7s 9c 9d 9h 2s"), "open 7c 7d 7h")
    assert legal(state) == {"open 9c 9d 9h"}
    assert legal(do(state, "open 9c 9d 9h")) == {"discard 7s", "discard 2s"}


def test_the_last_card_may_meet_the_contract():
    """N8.1"""
    state = do(table("hand 0: 7c 7d 7h 9c 9d 9h", "hand 1: Ac Kd", "hand 2: 5h"), "open 7c 7d 7h", "open 9c 9d 9h")
    assert value(state, "over") == "out, seat 0"
    assert value(state, "points") == "0 25 5"


# Later turns ---------------------------------------------------------------------------------------------------------


def test_further_melds_and_additions_come_in_any_order():
    """N5.4"""
    state = table(DOWN, "hand 0: 7s Kc Kd Kh 3c")
    assert plays(state) == {"add 7s", "open Kc Kd Kh"}
    assert plays(do(state, "add 7s")) == {"open Kc Kd Kh"}


def test_of_two_sets_the_first_takes_a_joker():
    """N6.5"""
    state = do(table(DOWN, "hand 0: JK 3c"), "add JK high")
    assert value(state, "melds 0") == "7c 7d 7h JK | 9c 9d 9h"


def test_two_exchanges_can_make_a_run_together():
    """N6.4: one Joker alone would find no meld."""
    state = table("melds 0: 9c 9d 9h", "melds 1: 5s 6s JK 8s | 5h 6h JK 8h", "hand 0: 7s 7h Jc Kc 3d")
    assert plays(state) == {"swap 7s", "swap 7h"}
    assert plays(do(state, "swap 7s")) == {"swap 7h"}
    assert plays(do(state, "swap 7h")) == {"open Jc JK Kc JK", "open JK Jc JK Kc"}


def test_a_free_joker_may_help_one_that_is_owed():
    """N6.4: openings use owed Jokers first."""
    state = do(table("melds 1: 5s 6s JK 8s", DOWN, "hand 0: 7s JK Jc Kc 3d"), "swap 7s")
    assert value(state, "turn") == "seat 0, play, owes 1"
    assert plays(state) == {"open Jc JK Kc JK", "open JK Jc JK Kc"}
    assert value(do(state, "open Jc JK Kc JK"), "turn") == "seat 0, play"


def test_an_ace_that_fits_both_ends_goes_to_the_high_one():
    """N6.2"""
    run = "2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd"
    assert value(do(table(f"melds 0: {run}", "hand 0: Ad 3c"), "add Ad"), "melds 0") == f"{run} Ad"


# The seventh contract ------------------------------------------------------------------------------------------------


def test_runs_are_made_longer_when_all_three_are_open():
    """N7.2"""
    state = table("contract: 7", "hand 0: 3c 4c 5c 6c 7c 5d 6d 7d 8d 9h Th Jh Qh", "hand 1: 2c", "hand 2: 3d")
    do(state, "open 4c 5c 6c 7c", "open 5d 6d 7d 8d")
    assert legal(state) == {"open 9h Th Jh Qh"}
    assert legal(do(state, "open 9h Th Jh Qh")) == {"add 3c"}
    assert value(do(state, "add 3c"), "over") == "out, seat 0"


def test_runs_may_be_continuous_on_the_way():
    """N7.2: with the eight added in the middle, by then they overlap."""
    state = table("contract: 7", "hand 0: 3c 4c 5c 6c 7c 8c 9c Tc 7c 5d 6d 7d 8d", "hand 1: 2c", "hand 2: 3d")
    assert "open 7c 8c 9c Tc" in plays(state)
    do(state, "open 3c 4c 5c 6c", "open 7c 8c 9c Tc", "open 5d 6d 7d 8d")
    assert legal(state) == {"add 7c"}
    assert value(do(state, "add 7c"), "over") == "out, seat 0"


# Rounds, matches, rewards --------------------------------------------------------------------------------------------


def test_few_points_are_good():
    """N9.1"""
    state = table("hand 0: 7c 7d 7h 9c 9d 9h", "hand 1: Kd", "hand 2: Ts")
    do(state, "open 7c 7d 7h", "open 9c 9d 9h")
    assert rewards(state, POINTS) == [0.0, -10.0, -10.0]
    assert rewards(state, MARGIN) == [10.0, -5.0, -5.0]
    assert rewards(state, WIN) == [1.0, -1.0, -1.0]


def test_a_shared_match_is_worth_nothing_to_those_who_share_it():
    """N9.1"""
    hand = "hand 0: 3c 4c 5c 6c 5d 6d 7d 8d 9h Th Jh Qh"
    state = table("episode: match", "round: 6", "contract: 7", "scores: 10 0 9", hand, "hand 1: Kd", "hand 2: 2s")
    do(state, "open 3c 4c 5c 6c", "open 5d 6d 7d 8d", "open 9h Th Jh Qh")
    assert value(state, "over") == "match, seat 0, seat 1"
    assert rewards(state, WIN) == [0.0, 0.0, -1.0]
    assert GAME.outcome(state).marks == ("shared",)


def test_a_match_goes_through_the_contracts():
    """N9.2"""
    state = contract_rummy.new(num_players=5, episode="match", seed=3)
    seen, mask, dice = np.zeros(1, GAME.observation), np.zeros(GAME.num_actions, np.int8), np.zeros(1, GENERATOR)
    contracts = []
    while not contract_rummy.is_over(state):
        kernels_of(GAME).observe_one(np.asarray(state).reshape(1), contract_rummy.seat_to_move(state), seen, mask)
        contracts += [int(state.contract)] if [int(state.contract)] != contracts[-1:] else []
        contract_rummy.apply(state, GAME.players["greedy"](seen[0], mask, dice[0]))
    assert contracts == [1, 2, 3, 4, 5, 6, 7]
    assert value(state, "over").startswith("match, seat ")


# What is hidden ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        ("contract: 6", "turn: seat 1, play, first", "hand 1: 2c 3c 4c 5c 7d 8d 9d Td Kh", "melds 1: 9c 9d 9h"),
        ("contract: 7", "turn: seat 1, play, first", "hand 1: 2c 3c 4c 5c 7d 8d 9d Td Jd", "melds 1: 5h 6h 7h 8h"),
        (
            *("contract: 7", "turn: seat 1, play, first", "hand 1: 6s 7s"),
            "melds 1: 5h 6h 7h 8h | 5d 6d 7d 8d | 2s 3s 4s 5s",
        ),
        ("contract: 2", "turn: seat 1, play, owes 1", "hand 1: Kc Kd JK", "melds 1: 9c 9d 9h | 2c 3c 4c 5c"),
        (
            *("rules: denexa jokers=any", "contract: 1", "turn: seat 1, play, first"),
            *("hand 1: 7c 7d 7h", "melds 1: 5h JK JK"),
        ),
        (
            *("rules: denexa jokers=any", "contract: 2", "turn: seat 1, play, owes 2", "hand 1: Kc 4d JK JK"),
            "melds 1: 9c 9d 9h | 2c 3c 4c 5c",
        ),
        ("contract: 2", "turn: seat 1, choose add 9s", "hand 1: 9s Kd", "melds 1: 9c 9d 9h | 5s 6s 7s 8s"),
    ],
)
def test_a_mover_in_the_middle_of_its_turn_can_go_on_in_every_other_deal(lines):
    """The hand of a seat that has laid half of its contract is not any hand."""
    state = table("hand 0: Ac Ad Ah", "hand 2: 2d 2h 3h", "pile: As", *lines)
    hands = set()
    for seed in range(20):
        other = contract_rummy.redeal_hidden(state, 0, seed)
        assert contract_rummy.check(other) is None
        assert contract_rummy.legal_actions(other)
        hands.add(value(other, "hand 1"))
        seen = contract_rummy.observe(state, 0)["observation"].view(GAME.observation)
        supposed = np.zeros(1, GAME.state)
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert contract_rummy.check(supposed[0]) is None
        assert (contract_rummy.observe(supposed[0], 0)["observation"] == seen.view(np.uint8)).all()
    assert len(hands) > 1


# Switches -------------------------------------------------------------------------------------------------------------


def test_an_opening_has_two_naturals_unless_any_number_of_jokers_is_allowed():
    """N4.2: `jokers=any`."""
    lines = ("contract: 1", "hand 0: 5c 9d 9h JK JK JK Kc", "pile: As")
    assert plays(table("rules: denexa", *lines, players=4)) == set()
    assert plays(table("rules: denexa jokers=any", *lines, players=4)) == {
        *("open 5c JK JK", "open Kc JK JK", "open 9d 9h JK")  # a nine alone would leave a Joker and no pair
    }


def test_the_first_melds_with_any_number_of_jokers_are_looked_ahead_for_exactly():
    """N5.5: two runs of four out of five cards and three Jokers, and out of four cards it cannot be done."""
    rules = "rules: denexa jokers=any"
    state = table(rules, "contract: 3", "hand 0: 5c 9d Td Jd Qd JK JK JK", "pile: As", players=4)
    assert "open 5c JK JK JK" in plays(state)
    assert "open 9d JK JK JK" not in plays(state)
    do(state, "open 5c JK JK JK", "open 9d Td Jd Qd")
    assert value(state, "over") == "out, seat 0"
    short = table(rules, "contract: 3", "hand 0: 5c 9d Td Qh JK JK JK", "pile: As", players=4)
    assert plays(short) == set()


def test_a_set_with_one_natural_is_told_from_a_run():
    """The word `set` stands before a set that could be a run."""
    lines = ("rules: denexa jokers=any", "contract: 1", "turns: 4", "hand 0: 2c 3c", "pile: As")
    for text, takes in (("set 7h JK JK JK", {"add 7c"}), ("7h JK JK JK", {"add Jh", "swap 8h"})):
        state = table(*lines, f"melds 0: 9c 9d 9h | {text}", "hand 1: 7c 8h Jh", players=4)
        assert value(state, "melds 0") == f"9c 9d 9h | {text}"
        own = table(*lines[:3], "hand 0: 7c 8h Jh", "pile: As", f"melds 0: 9c 9d 9h | {text}", players=4)
        assert {play for play in plays(own) if play.split()[0] in ("add", "swap")} == takes - {"swap 8h"}
    with pytest.raises(contract_rummy.PositionError, match="two natural cards"):
        table("rules: denexa", *lines[1:], "melds 0: 7h JK JK JK", players=4)


def test_a_joker_that_is_owed_may_lie_beside_another_in_a_new_meld():
    """N6.4 with `jokers=any`: a natural and two Jokers are enough, one Joker and a natural are not."""
    lines = ("contract: 1", "turns: 4", "pile: As", "melds 0: 5h JK 7h 8h")
    assert "swap 6h" in plays(table("rules: denexa jokers=any", *lines, "hand 0: 6h JK Kc", players=4))
    assert "swap 6h" not in plays(table("rules: denexa jokers=any", *lines, "hand 0: 6h 2d Kc", players=4))
    assert "swap 6h" not in plays(table("rules: denexa", *lines, "hand 0: 6h JK Kc", players=4))


def test_a_seat_may_be_asked_about_its_own_discard():
    """N2.6: `own_discard`."""
    lines = ("turns: 3", "turn: seat 1, draw", "hand 0: 2c", "hand 1: 3c", "hand 2: 4c", "pile: 5c 6c")
    for rules, asked in (("denexa", [2]), ("denexa own_discard=yes", [2, 0])):
        state, seats = do(table(f"rules: {rules}", *lines), "draw"), []
        while "call" in legal(state):
            seats.append(contract_rummy.seat_to_move(state))
            do(state, "pass")
        assert seats == asked
