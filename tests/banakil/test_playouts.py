"""Does a playout end as the game does when that player moves at every seat, and touch nothing else?"""

from __future__ import annotations

import numpy as np
import pytest
from tables import TABLES

from banakil_env.agents import choose, make_player
from banakil_env.core.game import MARGIN
from banakil_env.core.playouts import outcomes
from banakil_env.envs.vector import Tables
from banakil_env.games import banakil
from banakil_env.games.banakil.state import MAX_SEATS
from banakil_env.kit.rounds import reward

MODES = {name: TABLES[name] for name in ("pagat two", "pagat three", "jawaker partners", "gamefarm individuals")}
MODES["a match"] = {"num_players": 2, "episode": "match", "rules": "pagat target=60"}


def under_way(tables: int, **options) -> Tables:
    """Tables after some random moves."""
    made, dice = Tables(tables, **options), np.random.default_rng(3)
    made.reset(11)
    for _ in range(25):
        made.step([dice.choice(np.flatnonzero(mask)) for mask in made.masks])
    return made


@pytest.mark.parametrize("player", [name for name in banakil.GAME.kinds if name != "random"])
@pytest.mark.parametrize("options", MODES.values(), ids=MODES)
def test_it_ends_as_the_game_does(player, options):
    tables, mover = under_way(2, **options), make_player(player)
    before, out = tables.states.copy(), np.zeros((2, MAX_SEATS), np.float32)
    outcomes(banakil.GAME, tables.states, np.arange(2), player, "margin", out)
    assert (tables.states == before).all()
    for row in range(2):
        state, dice = before[row].copy(), 0
        while not banakil.is_over(state):
            dice += 1  # whatever it throws: it throws none
            banakil.apply(state, choose(mover, banakil.observe(state, banakil.seat_to_move(state)), dice=dice))
        seats = range(int(state["num_players"]))
        assert out[row, : len(seats)].tolist() == [np.float32(reward(state, seat, MARGIN)) for seat in seats]


def test_each_seat_of_each_table_is_played_by_its_own_player():
    tables, kinds = under_way(2, num_players=3), banakil.GAME.kinds
    seated = [["greedy", "expert", "greedy"], ["expert", "greedy", "expert"]]
    players = np.array([[kinds[name] for name in names] + [0] * (MAX_SEATS - 3) for names in seated])
    out = np.zeros((2, MAX_SEATS), np.float32)
    outcomes(banakil.GAME, tables.states, np.arange(2), players, "margin", out)
    for row, names in enumerate(seated):
        state = tables.states[row].copy()
        while not banakil.is_over(state):
            seat = banakil.seat_to_move(state)
            banakil.apply(state, choose(make_player(names[seat]), banakil.observe(state, seat)))
        assert out[row, :3].tolist() == [np.float32(reward(state, seat, MARGIN)) for seat in range(3)]


@pytest.mark.parametrize("players", [np.ones((3, MAX_SEATS), np.int64), np.full((2, MAX_SEATS), 9)], ids=str)
def test_players_that_are_none_are_refused(players):
    tables, out = under_way(2), np.zeros((2, MAX_SEATS), np.float32)
    with pytest.raises(ValueError, match="the name of a player or an array"):
        outcomes(banakil.GAME, tables.states, np.arange(2), players, "margin", out)


def test_other_rows_stay_and_threads_change_nothing():
    tables, rows = under_way(64, num_players=4), np.arange(1, 64, 2)
    one, four = np.full((64, MAX_SEATS), 7.0, np.float32), np.full((64, MAX_SEATS), 7.0, np.float32)
    outcomes(banakil.GAME, tables.states, rows, "expert", "points", one, threads=1)
    outcomes(banakil.GAME, tables.states, rows, "expert", "points", four, threads=4)
    np.testing.assert_array_equal(one, four)
    assert (one[::2] == 7).all()
    assert len(np.unique(one[1::2], axis=0)) > 16
