"""Does the expert do what it says? Positions with one right move, and its standing against the players below it."""

from __future__ import annotations

import numpy as np
import pytest
from positions import fill

from banakil_env.agents import choose, make_player
from banakil_env.games import banakil
from banakil_env.games.banakil.baselines import expert
from train.banakil.tune_expert import MODES, ROW, margins

EXPERT = make_player("expert")


def move(text: str) -> str:
    state = banakil.from_text(fill(text))
    return banakil.action_text(choose(EXPERT, banakil.observe(state, int(state.seat))))


def play_turn(text: str) -> list[str]:
    """What the expert plays until its turn ends."""
    state, said = banakil.from_text(fill(text)), []
    seat = int(state.seat)
    while banakil.seat_to_move(state) == seat:
        action = choose(EXPERT, banakil.observe(state, seat))
        said.append(banakil.action_text(action))
        banakil.apply(state, action)
    return said


def test_it_goes_out_when_it_can():
    said = play_turn("hand 0: 3c 4c 5c 6c 9h Th Jh Kd\nturn: seat 0, play")
    assert (said[-1], len(said)) == ("discard Kd", 4)


def test_it_goes_out_in_one_turn_with_wilds_in_two_melds():
    said = play_turn("hand 0: 3c 4c 2h 9h Th JK Kd\nturn: seat 0, play")
    assert said[-1] == "discard Kd"


def test_it_takes_the_card_that_lets_it_go_out():
    assert move("hand 0: 3c 4c Kd\nmelds 0: 7h 8h 9h\npile: 5c\nturn: seat 0, draw").startswith("take")


def test_it_takes_as_many_cards_as_let_it_go_out():
    """One, three or four cards would do; with the longer takes most is laid down."""
    text = "hand 0: 5h 8c 2s\nmelds 0: Jh Qh Kh\npile: 3s 6h 7h 9c\nturn: seat 0, draw"
    first, *melds, last = play_turn(text)
    assert (first, sorted(melds), last) == ("take 4", ["open 5h 6h 7h", "open 8c 9c 2"], "discard 3s")


def test_it_draws_a_card_to_discard_when_all_others_can_be_laid_down():
    """The card that is taken from the pile could not be discarded (B2.4)."""
    assert move("hand 0: Qc Kc\nmelds 0: 9c Tc Jc\npile: 3h\nturn: seat 0, draw") == "draw"


def test_it_takes_what_lets_it_go_out_with_more_even_where_any_card_would_do():
    """The whole hand fits, so that a card from the stock would end it; 7c and 8c lay down more."""
    assert move("hand 0: Qc Kc\nmelds 0: 9c Tc Jc\npile: 7c 8c Ac\nturn: seat 0, draw") == "take 3"


def test_it_keeps_a_two_while_it_is_early():
    text = "hand 0: 9c Tc 2h 4s 7d Qh Ks\nmelds 0: 3h 4h 5h\nturn: seat 0, play\nhand 1: {}"
    assert move(text.format("3c 5d 8h 8s Jd Qs Kd Kh Ad")).startswith("discard")
    assert move(text.format("3c 5d")).startswith("open 9c Tc 2")


def test_it_does_not_throw_wild_cards_away():
    assert move("hand 0: 2c JK 9d 4s Qh 7c\nturn: seat 0, play")[8:] not in ("2c", "JK")


def test_it_gives_no_card_that_fits_an_opponents_meld():
    text = "hand 0: 8h 8c 3d Qs\nmelds 0: Tc Jc Qc\nhand 1: 5s 5d 9s Kd 4c\nmelds 1: 5h 6h 7h\nturn: seat 0, play"
    assert move(text) != "discard 8h"


def test_the_same_observation_gives_the_same_move_whatever_the_others_hold():
    state = banakil.new(4, seed=3)
    for _ in range(60):
        seat = banakil.seat_to_move(state)
        action = choose(EXPERT, banakil.observe(state, seat))
        for seed in range(3):
            other = banakil.redeal_hidden(state, seat, seed)
            assert choose(EXPERT, banakil.observe(other, seat), dice=seed) == action
        banakil.apply(state, action)
        if banakil.is_over(state):
            break


@pytest.mark.parametrize("mode", ["2p", "3p", "4p", "jawaker"])
def test_it_beats_greedy_by_more_than_chance(mode):
    values = margins(mode, 300, expert.PARAMETERS[ROW[mode]], other="greedy")
    assert values.mean() > 2 * values.std(ddof=1) / np.sqrt(len(values)), MODES[mode]


@pytest.mark.parametrize(
    ("match", "held"),
    [
        ("episode: match\nscores: 80 130", True),
        ("episode: match\nscores: 70 90", True),
        ("episode: match\nscores: 71 90", False),  # not far behind
        ("episode: match\nscores: 69 89", False),  # the other still lacks 61
        ("episode: match\nscores: 130 80", False),
        ("", False),
    ],
    ids=str,
)
def test_it_hopes_for_a_hand_when_a_match_of_two_is_about_to_be_lost(match, held):
    text = f"{match}\nhand 0: 3c 4c 5c 7d 9h Jh Qs 4d 5s 8s Tc Kd As\n"
    text += "hand 1: 3d 3h 6c 6d 8h 9s Jc Kh Ad Ac\nturn: seat 0, play"
    assert move(text).startswith("discard" if held else "open 3c 4c 5c")
