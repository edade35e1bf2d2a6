"""Is another action tried at the player's own decisions, and found where it is better?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.arena.options import TableOptions
from banakil_env.games import canasta
from banakil_env.kit.table_state import DRAW
from train import alternatives

TABLE = TableOptions(game="canasta", num_players=2)


@pytest.fixture(scope="module")
def found():
    return alternatives.measure("expert", TABLE, 20)


def test_an_action_that_nobody_chose_loses_on_average(found):
    assert np.mean(np.concatenate(list(found.gains.values()))) < 0


def test_each_gain_has_the_observation_at_which_it_was_tried(found):
    assert found.rounds >= 20
    assert {verbs: len(gains) for verbs, gains in found.gains.items()} == {
        verbs: len(seen) for verbs, seen in found.seen.items()
    }
    draws = np.stack(found.seen["draw", "take"]).view(canasta.GAME.observation)
    assert draws["phase"][..., DRAW].all()


def test_the_numbers_where_it_gains_are_named(found):
    """Gains that were made up: a point where the pile is small, else a loss, with a little noise."""
    seen = found.seen["discard", "discard"]
    pile = np.stack(seen).view(canasta.GAME.observation)["pile_size"][:, 0].astype(int)
    small = pile <= np.quantile(pile, 0.2)
    noise = np.random.default_rng(0).normal(0, 0.5, len(seen))
    clearest = alternatives.parts(canasta.GAME, list(np.where(small, 1.0, -1.0) + noise), seen)[0]
    assert clearest.number in ("pile", "pile_size")
    assert clearest.low == pile.min()
    assert clearest.gain.mean == pytest.approx(1, abs=0.4)


def test_the_same_seed_tries_the_same(found):
    assert alternatives.measure("expert", TABLE, 20).gains == found.gains


@pytest.mark.parametrize("wrong", [{"rounds": 0}, {"rounds": 1, "share": 0.0}, {"rounds": 1, "share": 1.5}])
def test_an_invalid_number_is_named(wrong):
    with pytest.raises(ValueError, match="rounds must be 1 or more and the share over 0 and up to 1"):
        alternatives.measure("expert", TABLE, **wrong)


def test_the_command_prints_a_table(capsys):
    assert alternatives.main(["expert", "--game", "canasta", "--players", "2", "--rounds", "20"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("| expert | instead | tried | points each (95 %) | where most clearly |")
    assert "\n| discard | discard | " in said
