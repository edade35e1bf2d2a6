"""The rules of Yaniv as text, one idea a test; the numbers are those of docs/rules/yaniv.md."""

from __future__ import annotations

import numpy as np
import pytest
from game_tables import TablesOf

from banakil_env.core import engine
from banakil_env.core.game import MARGIN, POINTS, WIN
from banakil_env.core.kernels import kernels_of
from banakil_env.games import yaniv
from banakil_env.games.yaniv.observation import hands_are_open

_tables = TablesOf(yaniv)
legal, play, lines = _tables.legal, _tables.play, _tables.lines


def position(text):
    return yaniv.from_text(text.replace("; ", "\n"))


def rewards(state, kind):
    written = np.zeros(5)
    kernels_of(yaniv.GAME).end_one(np.asarray(state).reshape(1), kind, written)
    return written[: state.num_players].tolist()


def test_the_phase_in_which_a_turn_begins_may_be_left_out():
    assert lines(position("turn: seat 1; hand 0: 3c; hand 1: 4c; pile: 9d"))["turn"] == "seat 1, play"


# The turn -----------------------------------------------------------------------------------------------------------


def test_a_joker_that_was_taken_is_no_longer_known_when_one_is_laid():
    """Y2.3"""
    state = play(position("hand 0: 3c JK JK; known 0: JK; pile: 9d"), "discard JK", "draw")
    assert "known 0" not in lines(state)


def test_a_whole_hand_can_be_laid():
    """Y2.3: the card drawn is the new hand."""
    state = play(position("hand 0: 7c 7d; pile: 9d"), "discard 7c", "also 7d", "take last")
    assert lines(state)["hand 0"] == "9d"
    assert lines(state)["pile"] == "7c 7d"


def test_what_is_left_of_a_discard_is_never_taken():
    """Y2.4"""
    state = position("hand 0: Kc Kd; hand 1: Qc 2d; pile: 5h 8d 9d Td; last: 3")
    play(state, "discard Kc", "take first", "discard Qc")
    assert lines(state)["pile"] == "5h 9d Td Kc"
    assert legal(state) == {"draw", "take last"}


def test_three_jokers_and_a_card_need_room_below():
    """Y3.3: with two packs."""
    start = "rules: denexa packs=2; hand 0: JK JK JK {}; pile: 9d"
    assert "also JK" in legal(play(position(start.format("4h")), "discard JK", "also JK"))
    assert legal(play(position(start.format("3h")), "discard JK", "also JK")) == {"also 3h"}
    assert legal(play(position(start.format("2h")), "discard JK")) == {"draw", "take last", "also 2h"}
    assert legal(play(position(start.format("Ah")), "discard JK")) == {"draw", "take last"}


def test_four_jokers_are_counted():
    """Y1.2: two packs have four."""
    state = position("rules: denexa packs=2; hand 0: JK JK JK JK 9h; pile: 9d")
    assert yaniv.fields(yaniv.observe(state, 0)["observation"]).hand[52] == 4
    state = play(state, "discard JK", "also JK", "also JK", "also JK", "also 9h", "take last")
    assert lines(state)["pile"] == "JK JK JK JK 9h"


def test_a_set_of_equal_cards():
    """Y3.2, Y3.5"""
    state = play(position("rules: denexa packs=2; hand 0: 8d 8d 8h Kc; pile: 9d"), "discard 8d", "also 8d")
    assert legal(state) == {"also 8h", "draw", "take last"}
    state = play(state, "also 8h", "take last")
    assert lines(state)["last"] == "3"


@pytest.mark.parametrize(
    ("laid", "behind"), [("8d 9d", "Td"), ("JK", "2c"), ("8d 8c", "8h"), ("7d JK", "9d"), ("8d", "3c")]
)
def test_hidden_cards_dealt_anew_let_the_seat_go_on(laid, behind):
    """Y2.5: a seat that has laid 8 9 holds the 10 or a Joker, in states determinized from an observation too."""
    text = f"rules: denexa packs=2; turn: seat 0, draw; laid: {laid}; hand 0: {behind}; hand 1: Ac 2d 3h; pile: 5c"
    state = position(text)
    seen = yaniv.fields(yaniv.observe(state, 1)["observation"])
    for seed in range(60):
        other = yaniv.redeal_hidden(state, 1, seed)
        supposed = np.zeros(1, yaniv.STATE)
        engine.suppose(seen, np.uint64(seed), supposed[0])
        for each in (other, supposed[0]):
            assert yaniv.check(each) is None
            assert legal(each)
        assert yaniv.observe(other, 1)["observation"].tobytes() == seen.tobytes()
        assert yaniv.observe(supposed[0], 0)["observation"].tobytes() == seen.tobytes()


# The end of a round -------------------------------------------------------------------------------------------------


def test_nobody_has_to_call():
    """Y2.1"""
    assert legal(position("hand 0: Ac; pile: 9d")) == {"yaniv", "discard Ac"}


def test_the_hands_are_open_after_a_call_and_not_before():
    """Y4.1"""
    state = position("players: 2; hand 0: Ac; hand 1: 3c 4d; pile: 9d")
    seen = yaniv.fields(yaniv.observe(state, 0)["observation"])
    assert not seen.known.any()
    assert not hands_are_open(state)
    play(state, "yaniv")
    assert hands_are_open(state)
    seen = yaniv.fields(yaniv.observe(state, 0)["observation"])
    assert np.flatnonzero(seen.known[1]).tolist() == [2, 16]
    assert yaniv.GAME.scene(state, 0).seats[1].hand == (("3c",), ("4d",))
    assert yaniv.redeal_hidden(state, 0, 5).hands.tolist() == state.hands.tolist()


def test_a_single_round_halves_the_score_and_not_the_points():
    """Y5.1"""
    state = play(position("rules: denexa target=20; hand 0: Ac; hand 1: 4d 6h; pile: 9d"), "yaniv")
    assert (lines(state)["points"], lines(state)["scores"]) == ("0 10", "0 5")
    assert rewards(state, POINTS) == [0, -5]


def test_low_scores_win():
    state = play(position("players: 3; hand 0: Ac; hand 1: 4d 6h; hand 2: 4h; pile: 9d"), "yaniv")
    assert rewards(state, WIN) == [1, -1, -1]
    assert rewards(state, MARGIN) == [7, -8, 1]


def test_the_winner_of_a_match_is_who_is_left():
    """Y6.3: a seat that went out earlier has less."""
    text = "players: 3; episode: match; out: 1; hand 0: Ac 4c; hand 2: 4d; scores: 180 201 199; pile: 9d"
    state = play(position(text), "yaniv")
    assert lines(state)["over"] == "match, seat 2"
    assert rewards(state, WIN) == [-1, -1, 1]
    assert rewards(state, POINTS) == [-215, -201, -203]


def test_out_of_turns_with_the_last_card_of_the_stock():
    """Y2.6 and Y7.2: the stock is renewed all the same."""
    state = yaniv.new(rules="max_turns=1", seed=1)
    while state.stock_size > 1:  # all but one card of the stock on the pile, below the card turned up
        state.stock_size -= 1
        state.pile[1 : state.pile_size + 1] = state.pile[: state.pile_size].copy()
        state.pile[0], state.stock[state.stock_size] = state.stock[state.stock_size], 0
        state.pile_size += 1
    play(state, yaniv.action_text(yaniv.legal_actions(state)[-1]), "draw")
    assert lines(state)["over"] == "turns"
    assert (state.pile_size, state.stock_size) == (1, 43)


def test_halving_is_not_for_unscored_rounds_and_going_out_is():
    """Y5.2, Y6.5"""
    text = "rules: max_turns=1; players: 3; episode: match; scores: 200 201 7; hand 0: Kc; pile: 9d"
    state = play(position(text), "discard Kc", "draw")
    assert (lines(state)["scores"], lines(state)["out"]) == ("200 201 7", "1")


def test_two_packs_stay_when_seats_go_out():
    """Y1.2"""
    text = "players: 4; episode: match; out: 1 2; scores: 0 201 201 200; hand 0: Ac; hand 3: Kc; pile: 9d"
    state = play(position(text), "yaniv")
    assert lines(state)["over"] == "match, seat 0"
    state = play(position(text.replace("200;", "100;")), "yaniv")
    assert state.stock_size == 108 - 2 * 5 - 1
    assert not state.hands[1].any()


def test_a_round_without_a_winner_passes_the_deal():
    """Y6.2: also with first=winner."""
    text = "rules: asaf max_turns=1; players: 3; episode: match; hand 0: Kc; pile: 9d"
    assert lines(play(position(text), "discard Kc", "draw"))["dealer"] == "0"


def test_the_winner_of_a_round_who_is_out_does_not_begin():
    """Y6.2: asaf_zero=no, so that the lowest of the others scores, and goes out."""
    text = (
        "rules: asaf asaf_zero=no; players: 3; episode: match; scores: 0 199 0; hand 0: Ac 4c; hand 1: 2c; hand 2: Kc"
    )
    state = play(position(text), "yaniv")
    assert lines(state)["out"] == "1"
    assert lines(state)["turn"] == "seat 2, play"
    assert lines(state)["dealer"] == "0"


# Positions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hand 0: Ac Ac", "named too often"),
        ("hand 0: JK JK JK", "named too often, there are 2"),
        ("hand 0: Ac 2c 3c 4c 5c 6c", "more than five"),
        ("hand 0:", "a hand has no cards, or more than five"),
        ("hand 0: Ac; known 0: 2c", "line 2, known 0: 2c is not in the hand"),
        ("hand 0: Ac; turn: seat 0, over", "if and only if the game is over"),
        ("hand 0: Ac; turn: seat 0, sleep", "expected play, draw, over"),
        ("hand 0: Ac; turn: seat 0, draw", "the cards laid"),
        ("hand 0: Ac; laid: 2c", "laid_size is 1, but must be 0 in this phase"),
        ("hand 0: Ac; turn: seat 0, draw; laid: 2c 4c", "the cards laid"),
        ("hand 0: Ac; pile: 5h 8d 2d; last: 2", "the last discard is invalid"),
        ("hand 0: Ac; pile: 5h; last: 2", "the last discard is invalid"),
        ("hand 0: Ac; out: 1", "is out"),
        ("episode: match; out: 1; hand 0: Ac", "too few seats"),
        ("hand 0: 9c; over: yaniv, seat 0", "the caller"),
        ("hand 0: Ac; melds 0: Ac", "does not begin with a key"),
    ],
)
def test_positions_that_are_refused(text, why):
    with pytest.raises(yaniv.PositionError, match=why):
        position(text)


@pytest.mark.parametrize("rules", ["target=150", "packs=3", "call_limit=21", "tie=none", "denexa asaf"])
def test_rules_that_are_refused(rules):
    with pytest.raises(yaniv.RulesError):
        yaniv.new(rules=rules)


def test_rules_as_text():
    rules = yaniv.Rules(packs=2, penalty=25, halving=False)
    assert rules.text() == "denexa packs=2 penalty=25 halving=no"
    assert yaniv.Rules.presets["asaf"].text() == "asaf"


def test_the_caller_acted_last():
    state = position("players: 3; hand 1: Ac; over: yaniv, seat 1; points: 0 0 0")
    assert lines(state)["turn"] == "seat 1, over"


def test_lines_left_out_are_dealt():
    """By the seed; what is given stays."""
    state = position("players: 3; turn: seat 1, draw; laid: 5c; hand 2: Ac; seed: 3")
    assert [len(lines(state)[f"hand {seat}"].split()) for seat in range(3)] == [5, 4, 1]
    assert state.tobytes() == position("players: 3; turn: seat 1, draw; laid: 5c; hand 2: Ac; seed: 3").tobytes()
    assert state.tobytes() != position("players: 3; turn: seat 1, draw; laid: 5c; hand 2: Ac; seed: 4").tobytes()
    assert lines(position("scores: 3 4"))["scores"] == "3 4"
