"""Does the search for weak spots find the decisions in which a player loses points?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.arena.options import TableOptions
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from train.weak_spots import kinds, main, weak_spots

GIN = TableOptions(game="gin")


class Draws:
    """`greedy`, but for its draws, which take the card of the pile whenever that is legal."""

    name = "draws"

    def __init__(self) -> None:
        self.greedy, self.take = make_player("greedy", "gin"), find("gin").actions.first("take")

    def act(self, observations, masks, dice):
        return np.where(masks[:, self.take], self.take, self.greedy.act(observations, masks, dice))


def test_a_player_that_draws_badly_has_its_weak_spot_there():
    ahead, spots = weak_spots(Draws(), make_player("greedy", "gin"), GIN, 40)
    assert ahead.high < 0
    assert spots[0].kind == "draw or take"
    assert spots[0].gain.low > 0
    assert {spot.differ for spot in spots if "take" not in spot.kind} == {0.0}


def test_a_player_has_no_weak_spot_against_itself():
    greedy = make_player("greedy", "gin")
    ahead, spots = weak_spots(greedy, greedy, GIN, 10)
    assert ahead.mean == 0
    assert all(spot.gain.mean == spot.differ == 0 for spot in spots)


def test_a_kind_is_what_is_legal_and_nothing_where_one_action_is():
    game = find("gin")
    tables = Tables(4, game="gin")
    tables.reset(1)
    assert kinds(game, tables.masks) == ["take or pass"] * 4
    masks = np.zeros_like(tables.masks)
    masks[:, game.actions.first("draw")] = 1
    assert kinds(game, masks) == [""] * 4


def test_the_command_prints_a_table(capsys):
    assert main(["random", "greedy", "--game", "gin", "--deals", "3"]) == 0
    said = capsys.readouterr().out
    assert "points per deal ahead of greedy, 3 deals" in said
    assert "| draw or take |" in said


def test_what_it_cannot_do_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["random", "greedy", "--deals", "1"])
    assert "--deals must be 2 or more, not 1" in capsys.readouterr().err
