"""Is another action tried at the player's own decisions, and found where it is better?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.arena.options import TableOptions
from banakil_env.kit.table_state import DRAW
from train import alternatives

TABLE, ROUNDS = TableOptions(game="canasta", num_players=2), 128
CANASTA = TABLE.found


@pytest.fixture(scope="module")
def found():
    return alternatives.measure("expert", TABLE, ROUNDS)


def test_an_action_that_nobody_chose_loses_on_average(found):
    assert np.mean(np.concatenate(list(found.gains.values()))) < 0


def test_each_gain_has_the_observation_at_which_it_was_tried(found):
    assert found.rounds == ROUNDS
    assert {verbs: len(gains) for verbs, gains in found.gains.items()} == {
        verbs: len(seen) for verbs, seen in found.seen.items()
    }
    draws = np.stack(found.seen["draw", "take"]).view(CANASTA.observation)
    assert draws["phase"][..., DRAW].all()


def test_the_numbers_where_it_gains_are_named(found):
    """Gains that were made up: a point where the pile is small, else a loss, with a little noise."""
    seen = found.seen["discard", "discard"]
    pile = np.stack(seen).view(CANASTA.observation)["pile_size"][:, 0].astype(int)
    small = pile < np.quantile(pile, 0.2)
    noise = np.random.default_rng(0).normal(0, 0.5, len(seen))
    clearest = alternatives.parts(CANASTA, list(np.where(small, 1.0, -1.0) + noise), seen)[0]
    assert clearest.number in ("pile", "pile_size")
    assert (clearest.low, clearest.high) == (pile.min(), pile[small].max())
    assert clearest.gain.mean == pytest.approx(1, abs=0.4)


def test_the_parts_of_a_number_have_all_its_positions():
    """A thousand positions: each part has about as many of them."""
    seen = np.zeros(1000, CANASTA.observation)
    seen["stock_size"] = np.random.default_rng(0).integers(1, 60, 1000)
    rows = list(seen.view(np.uint8).reshape(1000, -1))
    gains = list(np.random.default_rng(1).normal(size=1000))
    found = [part for part in alternatives.parts(CANASTA, gains, rows) if part.number == "stock_size"]
    sizes = [part.gain.deals for part in found]
    assert sum(sizes) == 1000
    assert len(sizes) == alternatives.PARTS
    assert min(sizes) > 150


@pytest.mark.parametrize("own", [3, 7])
def test_another_action_is_legal_and_of_any_verb(own):
    verbs = np.array(["draw", "draw", "draw", "take", "open", "open", "open", "open"])
    mask = np.array([1, 0, 0, 1, 1, 1, 0, 1], np.int8)
    rng = np.random.default_rng(0)
    drawn = [alternatives._another(mask, own, verbs, rng) for _ in range(300)]
    assert set(drawn) == set(np.flatnonzero(mask)) - {own}
    share = np.mean(verbs[drawn] == "draw")  # of two or three verbs
    assert share == pytest.approx(1 / len({*verbs[drawn]}), abs=0.1)


def test_a_gain_is_that_of_the_seat_to_move_among_four():
    """Partners: a gain of one seat is that of its partner, and what the other two lose."""
    table = TableOptions(game="hand_and_foot", num_players=4)
    found = alternatives.measure("expert", table, 4, share=0.05)
    opens = found.gains.get(("open", "discard"), []) + found.gains.get(("add", "discard"), [])
    assert np.mean(opens) < 0  # who breaks off what it lays down loses, not the others


def test_the_same_seed_tries_the_same(found):
    again = alternatives.measure("expert", TABLE, ROUNDS)
    assert again.gains == found.gains
    np.testing.assert_equal(again.seen, found.seen)


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"rounds": 1, "share": 0.0}, {"rounds": 1, "share": 1.5}])
def test_an_invalid_number_is_named(wrong):
    with pytest.raises(ValueError, match="rounds must be 1 or more and the share over 0 and up to 1"):
        alternatives.measure("expert", TABLE, **wrong)


@pytest.mark.parametrize("player", ["random", "nobody"])
def test_a_player_that_cannot_play_rounds_out_is_refused(player):
    with pytest.raises(ValueError, match="greedy, expert"):
        alternatives.measure(player, TABLE, 1)


def test_the_command_prints_a_table(capsys):
    assert alternatives.main(["expert", "--game", "canasta", "--players", "2", "--rounds", "20"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("| expert | instead | tried | points each (95 %) | where it gains |")
    assert "\n| discard | discard | " in said
