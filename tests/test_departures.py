"""Does every departure from a rule-based player get what it brought, no more and no less?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from train import departures

TABLES = {"two": TableOptions(), "partners": TableOptions(num_players=4)}


def measure(player, table, rounds, **options):
    return departures.measure(player, "expert", table, rounds, at_once=32, **options)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_departures_of_a_round_add_up_to_what_the_player_does_better(table):
    found = measure(make_player("greedy"), table, 60, orders=0)
    sums = [sum(map(sum, gains.values())) for gains in found.gains]
    assert len(sums) == 64
    np.testing.assert_allclose(sums, np.subtract(found.margins, found.instead), atol=1e-3)
    assert found.total().mean == pytest.approx(np.mean(sums))
    assert found.total().mean < 0
    assert sum(points.mean for *_, points in found.table()) == pytest.approx(found.total().mean)
    assert {own for (_, own), *_ in found.table()} >= {"take", "discard"}


def test_who_never_departs_brings_nothing():
    found = measure(CompiledPlayer("expert"), TABLES["two"], 40)
    assert found.table() == []
    assert found.margins == found.instead


def test_over_orders_of_the_stock_it_adds_up_to_the_same_on_average_with_less_luck():
    """Whatever is averaged, the mean is that of the margins."""
    plain, calm = (measure(make_player("greedy"), TABLES["two"], 1000, orders=orders).total() for orders in (0, 8))
    assert calm.half_width < 0.8 * plain.half_width
    assert abs(calm.mean - plain.mean) < plain.half_width + calm.half_width


def test_the_command_prints_a_table(capsys):
    assert departures.main(["greedy", "--rounds", "20", "--orders", "2"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("| expert | greedy | a round | points each | points a round (95 %) |")
    assert "\nall: " in said


def test_a_player_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit):
        departures.main(["ppo:nowhere"])
    assert "nowhere" in capsys.readouterr().err
