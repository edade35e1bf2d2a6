"""Does every departure from a rule-based player get what it brought, no more and no less?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.envs.vector import Tables
from train import departures

TABLES = {"two": TableOptions(), "partners": TableOptions(num_players=4)}


def measure(player, table, rounds, **options):
    return departures.measure(player, "expert", table, rounds, at_once=32, **options)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_departures_of_a_round_add_up_to_what_the_player_does_better(table):
    found = measure(make_player("greedy"), table, 60, orders=0)
    sums = [sum(map(sum, gains.values())) for gains in found.gains]
    assert len(sums) == 60
    np.testing.assert_allclose(sums, np.subtract(found.margins, found.instead), atol=1e-3)
    assert found.total().mean == pytest.approx(np.mean(sums))
    assert found.total().mean < 0
    assert sum(points.mean for *_, points in found.table()) == pytest.approx(found.total().mean)
    assert {own for (_, own), *_ in found.table()} >= {"take", "discard"}


def test_who_never_departs_brings_nothing():
    found = measure(CompiledPlayer("expert"), TABLES["two"], 40)
    assert found.table() == []
    assert found.margins == found.instead


def test_over_orders_of_the_stock_it_adds_up_to_the_same_on_average_with_less_luck(amount):
    """Whatever is averaged, the mean is that of the margins."""
    deals = amount(500, 1000, 1000)
    plain, calm = (measure(make_player("greedy"), TABLES["two"], deals, orders=orders).total() for orders in (0, 8))
    assert calm.half_width < 0.8 * plain.half_width
    assert abs(calm.mean - plain.mean) < plain.half_width + calm.half_width


class Listening(CompiledPlayer):
    """A compiled player that notes at how many tables it was asked."""

    def __init__(self, name, game):
        super().__init__(name, game)
        self.asked = []

    def act(self, observations, masks, dice):
        self.asked.append(len(masks))
        return super().act(observations, masks, dice)


def test_a_round_that_is_over_before_the_players_first_decision_counts():
    """Tonk for four: such rounds are dealt again at once, and gain nothing."""
    table, seed = TableOptions(game="tonk", num_players=4), 7
    tables = Tables(256, game=table.found, opponents="expert", seat="random", **table.options)
    tables.reset(seed)
    over = int((tables.controls["unplayed"] > 0).sum())
    assert over > 30
    player = Listening("greedy", table.found)
    found = departures.measure(player, "expert", table, 256, seed, orders=0, at_once=256)
    assert player.asked[0] == 256 - over
    assert len(found.gains) == len(found.margins) == len(found.instead) == 256
    assert found.gains[:over] == [{}] * over
    assert found.margins[:over] == found.instead[:over] == [0.0] * over
    sums = [sum(map(sum, gains.values())) for gains in found.gains]
    np.testing.assert_allclose(sums, np.subtract(found.margins, found.instead), atol=1e-3)


def test_they_count_between_other_rounds_too():
    table = TableOptions(game="tonk", num_players=4)
    found = departures.measure(CompiledPlayer("expert", table.found), "expert", table, 640, seed=7, at_once=64)
    assert len(found.gains) == 640
    assert 0.13 < np.mean(np.array(found.margins) == 0) < 0.25


@pytest.mark.parametrize(
    ("rounds", "at_once", "shares"),
    [(1024, 1024, (1024, 1)), (1100, 1024, (550, 2)), (5, 1024, (5, 1)), (60, 32, (30, 2)), (7, 3, (3, 3))],
)
def test_rounds_are_shared_out_evenly(rounds, at_once, shares):
    assert departures.shared_out(rounds, at_once) == shares


def test_the_command_prints_a_table(capsys):
    assert departures.main(["greedy", "--rounds", "20", "--orders", "2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("| expert | greedy | a round | points each | points per round (95 %) |")
    assert "\nall: " in said


def test_a_player_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit):
        departures.main(["net:nowhere"])
    assert "nowhere" in capsys.readouterr().err
