"""Does a smaller pack follow the rules? What is dealt, written, seen and refused with cards left out (B10).

That every card is counted, that nothing leaks and that the referee agrees is checked with the full pack's, in
test_fuzz.py, test_leaks.py and test_referee.py.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from reconstructed import reconstruct
from referee import Referee, pack_of
from tables import small_table, walk

from banakil_env.agents import CompiledPlayer, choose, make_player
from banakil_env.arena import play_match
from banakil_env.core.jit import Library, read, written
from banakil_env.games import banakil
from banakil_env.games.banakil.baselines import BASELINES
from banakil_env.games.banakil.baselines.reading import read_table

PACK_FIELDS = ("fewer_ranks", "fewer_suits", "fewer_copies", "fewer_dealt")
NUMBERS = range(20)


def cards(state: Any, *keys: str) -> list[str]:
    """The cards in these lines of a position."""
    lines = dict(line.split(":") for line in banakil.to_text(state).splitlines())
    return [card for key in keys for card in lines[key].split()]


def hands_of(state: Any) -> list[str]:
    return [f"hand {seat}" for seat in range(state.num_players)]


# What is dealt


@pytest.mark.parametrize(
    ("rules", "pack"),
    [
        ("mini", "3c 4c 5c 6c 7c JK"),
        ("mini suits=2 ranks=J-K jokers=0", "Jc Qc Kc Jd Qd Kd"),
        ("mini copies=2 ranks=3-5 jokers=2", "3c 3c 4c 4c 5c 5c JK JK"),
        ("mini twos=yes ranks=J-K suits=3 jokers=0", "Jc Qc Kc Jd Qd Kd Jh Qh Kh 2c 2d 2h"),
    ],
)
def test_the_pack_is_what_the_switches_say(rules: str, pack: str) -> None:
    state = banakil.new(rules=rules, seed=1)
    assert Counter(cards(state, "hand 0", "hand 1", "pile", "stock")) == Counter(pack.split())


def test_one_pack_of_52_and_two_jokers() -> None:
    state = banakil.new(4, rules="single", seed=1)
    dealt = Counter(cards(state, *hands_of(state), "pile", "stock"))
    assert (len(dealt), dealt["JK"], dealt["2h"], dealt["As"], dealt.total()) == (53, 2, 1, 1, 54)
    assert [len(cards(state, hand)) for hand in hands_of(state)] == [9] * 4


@pytest.mark.parametrize("number", NUMBERS)
def test_everybody_gets_as_many_cards_as_said(number: int) -> None:
    options = small_table(random.Random(number))
    state = banakil.new(**options, seed=number)
    rules = banakil.rules_of(state)
    sizes = [rules.hand_cards] * state.num_players
    sizes[0] += not rules.upcard  # B9.4
    assert [len(cards(state, hand)) for hand in hands_of(state)] == sizes
    everything = cards(state, *hands_of(state), "pile", "stock")
    assert sorted(everything) == pack_of(Referee(banakil.to_text(state)).rules)
    assert len(everything) == rules.pack_size


def test_every_deal_of_mini_is_as_likely() -> None:
    """6 cards: 20 hands of three, and 3 of two from the cards left: 60 deals."""
    deals = Counter(" ".join(cards(banakil.new(rules="mini", seed=seed), "hand 0", "hand 1")) for seed in range(3_000))
    assert len(deals) == 60
    assert max(abs(count - 50) for count in deals.values()) < 5 * 50**0.5


def test_the_full_pack_leaves_nothing_out() -> None:
    """So that observations have the bytes they had before there were other packs."""
    state = banakil.new(3, rules="jawaker", seed=1)
    seen = banakil.fields(banakil.observe(state, 0)["observation"])
    assert not any(np.any(seen[name]) for name in PACK_FIELDS)


# Melds: B10.2


def test_a_wild_stands_for_a_card_that_is_left_out() -> None:
    state = banakil.from_text("rules: mini\nturn: seat 0, play\nhand 0: 6c 7c JK\nhand 1: 3c\npile: 4c\nstock: 5c")
    banakil.apply(state, banakil.parse_action("open 6c 7c JK"))
    assert banakil.scores(state) == [40, -20]


def test_without_aces_there_are_sets_of_threes_and_with_two_suits_they_need_the_joker() -> None:
    text = "rules: mini suits=2\nturn: seat 0, play\nhand 0: 3c 3d JK 5c\nhand 1: 4c 4d\npile: 7d"
    actions = [banakil.action_text(action) for action in banakil.legal_actions(banakil.from_text(text))]
    assert "open 3c 3d JK" in actions
    assert "open 3c JK 5c" in actions


# Text, both ways


@pytest.mark.parametrize("number", NUMBERS)
def test_positions_and_records_are_read_back_to_the_byte(number: int) -> None:
    options = small_table(random.Random(number))
    state = banakil.new(**options, seed=number)
    recorder, rng = banakil.Recorder(state, seed=number), random.Random(number)
    for _ in range(60):
        assert banakil.from_text(banakil.to_text(state)).tobytes() == state.tobytes()
        if banakil.is_over(state):
            break
        action = rng.choice(banakil.legal_actions(state))
        recorder.note(state, action)
        banakil.apply(state, action)
    assert banakil.replay(recorder.text(state)).tobytes() == state.tobytes()


def test_a_stock_left_out_is_the_rest_of_the_pack() -> None:
    state = banakil.from_text("rules: mini\nhand 0: 3c 4c\nhand 1: 5c JK\npile: 7c")
    assert cards(state, "stock") == ["6c"]


def test_a_hand_left_out_has_as_many_cards_as_are_dealt() -> None:
    state = banakil.from_text("rules: mini\nhand 0: 3c 4c\npile: 7c")
    assert len(cards(state, "hand 1")) == 2


# What is seen


def test_an_observation_tells_the_pack() -> None:
    seen = banakil.fields(banakil.observe(banakil.new(rules="mini", seed=1), 0)["observation"])
    assert [seen[name].tolist() for name in PACK_FIELDS] == [[0, 7], 3, 1 + 2 + 4, 16]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_state_made_of_an_observation_has_the_same_pack(number: int) -> None:
    made = np.zeros(1, banakil.STATE)
    for move, state in enumerate(walk(small_table(random.Random(number)), number, 60)):
        if banakil.is_over(state):
            continue
        for seat in range(state.num_players):
            seen = banakil.observe(state, seat)["observation"]
            reconstruct(seen.view(banakil.OBSERVATION), np.uint64(move), made)
            assert banakil.observe(made[0], 0)["observation"].tobytes() == seen.tobytes()
            assert sorted(all_cards(made[0])) == sorted(all_cards(state))


def all_cards(state: Any) -> list[str]:
    keys = [line.split(":")[0] for line in banakil.to_text(state).splitlines()]
    places = [key for key in keys if key.split()[0] in ("hand", "melds", "pile", "stock")]
    return [card for card in cards(state, *places) if card != "|"]


def test_a_redeal_of_mini_deals_each_hidden_hand_as_often() -> None:
    state = banakil.from_text("rules: mini\nhand 0: 3c 4c\nhand 1: 5c JK\npile: 7c\nstock: 6c")
    hands = Counter(" ".join(cards(banakil.redeal_hidden(state, 0, seed), "hand 1")) for seed in range(900))
    assert set(hands) == {"5c JK", "6c JK", "5c 6c"}
    assert max(abs(count - 300) for count in hands.values()) < 5 * 300**0.5


def _may_come(observations: Any, masks: Any) -> None:
    read_table(observations[0], masks)


may_come = Library("banakil_may_come").entry(
    _may_come, {"observations": read(banakil.OBSERVATION, 1), "masks": written("i8", 2)}
)


def test_players_wait_for_no_card_that_is_left_out() -> None:
    state = banakil.from_text("rules: mini copies=2 jokers=2\nhand 0: 3c 3c\nhand 1: 5c 6c\npile: 7c")
    masks = np.zeros(2, np.int64)
    may_come(banakil.observe(state, 0)["observation"].view(banakil.OBSERVATION), masks)
    assert banakil.FACES.text([face for face in range(53) if masks[1] >> face & 1]) == "4c 5c 6c 7c JK"


@pytest.mark.parametrize("name", BASELINES)
def test_the_rule_based_players_play_it(name: str) -> None:
    """An illegal move would raise."""
    player = make_player(name)
    for number in NUMBERS:
        state = banakil.new(**small_table(random.Random(number)), seed=number)
        for dice in range(200):
            if banakil.is_over(state):
                break
            banakil.apply(state, choose(player, banakil.observe(state, int(state.seat)), dice))
        assert state.turns + state.rounds > 0


def test_greedy_beats_random_with_one_pack() -> None:
    results = play_match([CompiledPlayer("greedy"), CompiledPlayer("random")], deals=150, rules="single")
    assert results.margin("greedy", "random").low > 10


# What is refused


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("mini ranks=3-4", r"^ranks=3-4 cannot be read: ranks is 3-A, 3-K, 3-Q, 3-J, ... .55 in all."),
        ("mini ranks=7-3", r"^ranks=7-3 cannot be read: ranks is 3-A"),
        ("mini suits=0", r"^suits must be a whole number from 1 to 4, not 0$"),
        ("mini copies=3", r"^copies must be a whole number from 1 to 2, not 3$"),
        ("mini jokers=3", r"^jokers must be a whole number from 0 to 2, not 3$"),
        ("pagat hand_cards=19", r"^hand_cards must be a whole number from 1 to 18, not 19$"),
        (
            "mini hand_cards=3",
            r"^the pack has 6 cards, and 2 players are dealt 3 each: at least two cards .* deal fewer",
        ),
        (
            "pagat hand_cards=17",
            r"^the pack has 106 cards, and 2 .* a pile could grow to 72 cards, but at most 70",
        ),
        ("mini jokers=2 twos=yes cutter_takes_wilds=yes", r"^cutter_takes_wilds: the cutter could take 3 wilds"),
    ],
)
def test_a_pack_that_cannot_be_played(rules: str, message: str) -> None:
    with pytest.raises(banakil.RulesError, match=message):
        banakil.new(rules=rules)


def test_a_position_with_a_card_that_is_left_out() -> None:
    with pytest.raises(banakil.PositionError, match=r"^line 2, hand 0: 3d: named too often, there are 0 in the pack$"):
        banakil.from_text("rules: mini\nhand 0: 3c 3d")
