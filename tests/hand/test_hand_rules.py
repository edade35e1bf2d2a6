"""The rules of Hand, one idea a test, written as positions (docs/rules/hand.md)."""

from __future__ import annotations

import numpy as np
import pytest
from game_tables import TablesOf

from banakil_env.core.game import PositionError
from banakil_env.core.kernels import kernels_of
from banakil_env.games import hand
from banakil_env.kit import pack54
from banakil_env.kit.switches import RulesError

LATER = "players: 2\nturns: 8\nindicator: 7c\n"


def position(*lines: str):
    return hand.from_text("\n".join(lines))


_tables = TablesOf(hand)
legal, play, line = _tables.legal, _tables.play, _tables.line


# The deal (H2) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["pagat", "jokers", "strict", "wilds=aces_single"])
def test_every_deal_has_the_cards_of_its_packs(rules):
    for seed in range(60):
        state = hand.new(3, rules=rules, seed=seed)
        assert hand.check(state) is None
        sizes = [int(pack54.count_cards(state.hands[seat])) for seat in range(3)]
        assert sorted(sizes) == [14, 14, 15]


def test_a_joker_is_never_turned_up_and_no_ace_where_it_would_leave_no_wild_card():
    indicators = {
        rules: {line(hand.new(rules=rules, seed=s), "indicator") for s in range(400)} for rules in ("", "strict")
    }
    assert "JK" not in indicators[""]
    assert {"Ac", "Ad", "Ah", "As"} <= indicators[""]
    assert not {"Ac", "Ad", "Ah", "As"} & indicators["strict"]


def asked_about_a_new_deal():
    """A deal in which a seat that does not begin is asked."""
    for seed in range(2000):
        state = hand.new(3, seed=seed)
        if line(state, "turn").endswith("redeal") and state.seat != 0:
            return state
    raise AssertionError("nobody was ever asked")


def test_nobody_else_sees_that_a_seat_is_asked():
    asked = asked_about_a_new_deal()
    other = play(asked.copy(), "keep")
    for seat in {0, 1, 2} - {int(asked.seat)}:
        seen = [hand.observe(state, seat)["observation"].tobytes() for state in (asked, other)]
        assert seen[0] == seen[1] or line(other, "turn").endswith("redeal")


def test_in_the_last_deal_that_may_be_made_nobody_is_asked():
    state = asked_about_a_new_deal()
    last = hand.to_text(state) + "unscored: 19\n"
    with pytest.raises(PositionError):
        hand.from_text(last)


# The turn and melds (H3-H6) ------------------------------------------------------------------------------------------


def test_a_wild_card_keeps_its_place():
    state = position(LATER, "turn: seat 0, play", "hand 0: 8d Jd 2c 3h W", "melds 0: 4s 5s 6s")
    play(state, "add W high")
    assert line(state, "melds 0") == "4s 5s 6s W"
    assert "swap 7s" not in legal(state)


def test_the_group_of_two_naturals_and_a_wild_card_stands_for_both():
    state = position(LATER, "turn: seat 0, play", "hand 0: 8d 8s 2c 3h", "melds 0: 8c 8h W")
    assert legal(play(state, "swap 8d 8s"), "swap") == set()
    assert line(state, "melds 0") == "8c 8d 8h 8s"
    assert line(state, "known 0") == "W"


def test_additions_to_other_seats_wait_for_51_points():
    cards = "hand 0: Kc Kd Kh 7d 7h 7s 8h 2c 4d 6s 9s Js 3s Qc Tc"
    state = position(LATER, "turn: seat 0, play", cards, "melds 1: 9h Th Jh")
    assert "add 8h" not in legal(state)
    assert "add 8h" not in legal(play(state, "open Kc Kd Kh"))
    assert "add 8h" in legal(play(state, "open 7d 7h 7s"))


def test_exchanges_help_to_keep_a_promise():
    """The 8d is added to two eights and a wild card; to be down to one, the 6d frees a wild card that takes 9s Ts."""
    table = ("melds 0: 8c 8h W | 5d W 7d", "melds 1: 2h 3h 4h", "hand 1: 3c 4c 9d Ts Js")
    assert "add 8s" in legal(position(LATER, "turn: seat 0, play", "hand 0: 8s 6d 9s Ts Kc 5h", *table))
    assert "add 8s" not in legal(position(LATER, "turn: seat 0, play", "hand 0: 8s 9s Ts Kc 5c", *table))


def test_what_is_promised_is_kept():
    state = position(
        LATER, "turn: seat 0, play", "hand 0: 8s 6d 9s Ts Kc 5h", "melds 0: 8c 8h W | 5d W 7d", "melds 1: 2h 3h 4h"
    )
    play(state, "add 8s")
    while line(state, "turn") == "seat 0, play, down to one":
        play(state, sorted(legal(state))[-1])
    assert int(pack54.count_cards(state.hands[0])) <= 1


# The pile (H7) -------------------------------------------------------------------------------------------------------


def test_a_taken_wild_card_is_an_ace_from_then_on():
    state = position(LATER, "turn: seat 0, draw", "hand 0: 2c 3c Qd Kd 9s", "melds 0: 9d 9h 9c", "pile: W")
    play(state, "take", "open Ac 2c 3c")
    counts = np.zeros(53, int)
    for name in hand.to_text(state).split():
        counts[52] += name == "W"
    assert counts[52] == 1
    assert hand.from_text(hand.to_text(state)).tobytes() == state.tobytes()


def test_take_to_add_needs_a_discarder_who_has_melded():
    lines = ("hand 0: 8h Kd 2c", "melds 0: 9d Td Jd | 6h 7h 8h", "pile: 9h", "turn: seat 0, draw")
    assert "take" not in legal(position("rules: take_to_add=yes", LATER, *lines))
    assert "take" in legal(position("rules: take_to_add=yes", LATER, *lines, "melds 1: 2s 3s 4s"))


def test_a_taken_card_may_go_to_another_seats_two_naturals_and_a_wild_card_with_a_promise():
    """H11 `take_to_add`, H6.3, H5.4: once the first meld has its 51 points."""
    state = position(
        *("rules: take_to_add=yes", "players: 2", "turns: 8", "indicator: 8c", "turn: seat 0, draw", "pile: 3c Td"),
        *("hand 0: Kc Kd Kh 7c 7d 7h 2s 4d", "hand 1: 3d 4s 9c Js Qd", "melds 1: Tc Th W | 5s 6s 7s"),
    )
    assert legal(state) == {"draw", "take"}
    play(state, "take", "open Kc Kd Kh", "open 7c 7d 7h", "add Td")
    assert line(state, "turn") == "seat 0, play, in one turn, laid off, down to one"
    assert legal(state, "discard") == {"discard 2s", "discard 4d"}


def test_the_seat_to_move_tells_how_many_play():
    assert line(position("turn: seat 2, draw", "indicator: 7c"), "players") == "3"


# Scores and the match (H8-H10) ---------------------------------------------------------------------------------------


def test_a_need_rises_with_every_first_meld():
    cards = "hand 0: Kc Kd Kh 8d 8h 8s 2d 5d Jh Qs 9s 3c 4h 6s Tc"
    state = position("rules: rising=yes", LATER, "turn: seat 0, play", cards)
    play(state, "open Kc Kd Kh", "open 8d 8h 8s", "discard 2d")
    assert line(state, "need") == "55"


def test_partners_share_points():
    state = position(
        "rules: partners", "players: 4", "turns: 20", "indicator: 8c", "turn: seat 2, play", "hand 2: 9s",
        "melds 2: Kc Kd Kh", "melds 1: 2s 3s 4s", "hand 1: Ts 5d",
    )  # fmt: skip
    assert hand.scores(play(state, "discard 9s")) == [-30, 115, -30, 115]


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_fewer_points_are_a_higher_reward(kind):
    state = position(LATER, "turn: seat 0, play", "hand 0: 9s", "melds 0: Kc Kd Kh")
    play(state, "discard 9s")
    rewards = np.zeros(hand.GAME.max_seats)
    kernels_of(hand.GAME).end_one(np.asarray(state).reshape(1), kind, rewards)
    assert rewards[0] > rewards[1]


@pytest.mark.parametrize("rules", ["last_deals=5 max_unscored=4", "rounds=9 max_rounds=8"])
def test_limits_that_do_not_go_together(rules):
    with pytest.raises(RulesError):
        hand.Rules.parse(rules)


def test_partners_need_four():
    with pytest.raises(RulesError, match="partners need four players"):
        hand.new(3, partners=True)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["hand 0: Kc Kc Kc"], "more often"),
        (["turn: seat 0, discard"], "before the first turn"),
        (["turn: seat 0, play, taken Kh", "hand 0: 2c 3c 5d"], "taken"),
        (["turn: seat 0, play, in one turn"], "in one turn"),
        (["melds 0: Kc Kd"], "is not a meld"),
        (["need: 60"], "need"),
        (["turn: seat 0, play", "hand 0: 2c 3c 5d", "melds 0: 4s 5s 6s", "stock: 2d"], "in no line"),
    ],
)
def test_positions_that_no_game_can_be_in(lines, why):
    with pytest.raises(PositionError, match=why):
        position(LATER, *lines)


@pytest.mark.parametrize("phase", ["redeal", "discard"])
def test_before_play_no_card_waits_for_its_meld(phase):
    """Positions have no word for it, so that such a record would not come back from its text."""
    states = (hand.new(3, seed=seed) for seed in range(2000))
    state = next(state for state in states if line(state, "turn").endswith(phase))
    state.named = 62
    assert hand.check(state) == "named is 62, but must be 0 in this phase of the game"
