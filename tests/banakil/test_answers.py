"""Is an illegal answer refused before compiled code carries it out, with who gave it and what was legal?"""

from __future__ import annotations

import re

import numpy as np
import pytest

from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.search import SearchPlayer
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.answers import checked_actions, legal_rows
from banakil_env.core.game import IllegalAction
from banakil_env.core.playouts import outcomes
from banakil_env.envs.vector import Tables
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import action_text
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.state import MAX_SEATS
from train import departures
from train.banakil import tune_expert

NO_ACTIONS = [-1, -2, 799, 2**31, 2**62, -(2**62)]
ILLEGAL = [*NO_ACTIONS, banakil.parse_action("discard 3c"), banakil.parse_action("meld 34")]  # at a draw


def tables_of(count: int = 4) -> Tables:
    tables = Tables(count)
    tables.reset(1)
    return tables


def test_legal_rows_are_those_whose_action_is_in_the_mask():
    masks = np.zeros((4, 40), np.int8)
    masks[:, 3] = 1
    assert legal_rows(np.array([3, 4, -37, 40]), masks).tolist() == [True, False, False, False]
    assert legal_rows(np.array([3, 2**63, 0, 3], np.uint64), masks).tolist() == [True, False, False, True]


@pytest.mark.parametrize("action", ILLEGAL)
def test_the_error_names_the_player_the_action_and_what_was_legal(action):
    tables = tables_of()
    with pytest.raises(
        IllegalAction, match=rf"the player mallory answered .*{action}.* in row 2; legal were: draw, take 1"
    ):
        checked_actions([0, 0, action, 0], tables.masks, "mallory", action_text)


@pytest.mark.parametrize("answer", [[0, 0], [[0, 0, 0, 0]], [0.0] * 4, None, ["draw"] * 4, [True] * 4], ids=str)
def test_what_is_no_array_of_actions_is_refused(answer):
    with pytest.raises(IllegalAction, match="the player mallory was to choose 4 actions"):
        checked_actions(answer, tables_of().masks, "mallory", action_text)


class Mallory:
    """Answers one action at every table, after a few legal ones."""

    name = "mallory"

    def __init__(self, action: int) -> None:
        self.action, self.calls = action, 0

    def act(self, observations, masks, dice):
        self.calls += 1
        actions = CompiledPlayer("greedy").act(observations, masks, dice)
        masks[:] = 1  # of its own: it changes nothing at the table
        return np.where(self.calls > 3, self.action, actions)


@pytest.mark.parametrize("action", [-1, 798, 799, 10**6])
def test_a_player_whose_departures_are_measured(action):
    with pytest.raises(IllegalAction, match=r"the player mallory answered .*; legal were: "):
        departures.measure(Mallory(action), "expert", TableOptions(), 64, at_once=8)


@pytest.mark.parametrize("numbers", [(0, 20, 8), (-5, 20, 8), (8, -1, 8), (8, 20, 0)])
def test_numbers_of_departures_that_cannot_be(numbers):
    rounds, orders, at_once = numbers
    with pytest.raises(ValueError, match="rounds and tables must be 1 or more"):
        departures.measure(CompiledPlayer("greedy"), "expert", TableOptions(), rounds, orders=orders, at_once=at_once)


@pytest.mark.parametrize("action", [action for action in ILLEGAL if action != -1])  # -1: none is carried out first
@pytest.mark.parametrize("orders", [0, 2])
def test_a_playout_from_an_illegal_move(action, orders):
    states = tables_of().states
    out, moves = np.zeros((4, MAX_SEATS), np.float32), np.array([0, 0, 0, action])
    before = states.tobytes()
    with pytest.raises(IllegalAction, match=rf"row 3: .*{re.escape(str(action))}"):
        outcomes(banakil.GAME, states, np.arange(4), "expert", "margin", out, moves=moves, orders=orders)
    assert states.tobytes() == before


@pytest.mark.parametrize("rows", [[4], [-1], [10**9]])
def test_a_playout_of_a_row_that_is_not_there(rows):
    with pytest.raises(ValueError, match="rows must be indices of the states"):
        outcomes(
            banakil.GAME, tables_of().states, np.array(rows), "expert", "margin", np.zeros((4, MAX_SEATS), np.float32)
        )


@pytest.mark.parametrize("short", ["out", "moves", "seeds"])
def test_a_playout_into_arrays_of_other_lengths(short):
    given = {
        "moves": np.zeros(4, np.int64),
        "seeds": np.zeros(4, np.uint64),
        "out": np.zeros((4, MAX_SEATS), np.float32),
    }
    given[short] = given[short][:2]
    with pytest.raises(ValueError, match="need 4 rows each"):
        outcomes(banakil.GAME, tables_of().states, np.arange(4), "expert", "margin", **given)


@pytest.mark.parametrize("action", ILLEGAL)
def test_a_search_that_is_to_try_an_illegal_action(action):
    search, seen = SearchPlayer("1"), banakil.observe(banakil.new(seed=1), 0)["observation"]
    rng = np.random.default_rng(0)
    search.suppose(seen.view(OBSERVATION), rng)
    with pytest.raises(IllegalAction, match=rf"search:1 was given an illegal action to try: .*{action}"):
        search.margins(np.array([0, action]), rng, 2)


@pytest.mark.parametrize("player", [CompiledPlayer("random"), CompiledPlayer("expert"), SearchPlayer("1")])
@pytest.mark.parametrize("cut", ["observations", "masks", "dice"])
def test_players_are_asked_with_arrays_that_fit(player, cut):
    tables = tables_of()
    asked = {"observations": tables.observations, "masks": tables.masks, "dice": np.zeros(4, np.uint64)}
    asked[cut] = asked[cut][..., :-1].copy() if cut != "dice" else asked[cut][:2]
    with pytest.raises(ValueError, match=f"^{cut} must be "):
        player.act(**asked)


def test_features_are_written_of_arrays_that_fit():
    tables = tables_of()
    _, depths = encode(banakil.GAME, tables.observations)
    moves, faces = np.zeros((4, 9), np.int16), np.zeros((4, 9), np.uint8)
    with pytest.raises(ValueError, match=r"^observations must be of shape \(4, 1000\)"):
        encode(banakil.GAME, tables.observations[:, :999])
    with pytest.raises(ValueError, match=r"^out must be of shape"):
        encode(banakil.GAME, tables.observations, np.zeros((3, 1350), np.float32))
    with pytest.raises(ValueError, match=r"^depths must be of shape"):
        list_moves(banakil.GAME, tables.masks, depths[:2], moves, faces)
    with pytest.raises(ValueError, match=r"^faces must be of shape"):
        list_moves(banakil.GAME, tables.masks, depths, moves, faces[:, :3])


def test_parameters_of_the_expert_that_leave_it_without_a_legal_answer(monkeypatch):
    """Nothing that is not legal is carried out: the deal is NaN, and the tuning says so."""

    def played(*given):
        given[-1][1] = np.nan

    monkeypatch.setattr(tune_expert, "play_deals", played)
    with pytest.raises(IllegalAction, match="answered illegally from seed 7 on"):
        tune_expert.margins("2p", 3, tune_expert.expert.PARAMETERS[0], first=7)
