"""Does every departure from a rule-based player get what it brought, no more and no less?"""

from __future__ import annotations

import numpy as np
import pytest

from agents import make_player
from banakil_env.arena.players import CompiledPlayer
from train import departures

TABLES = {"two": {"num_players": 2}, "partners": {"num_players": 4}}


@pytest.fixture(autouse=True)
def _few_tables(monkeypatch):
    monkeypatch.setattr(departures, "TABLES", 32)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_departures_of_a_round_add_up_to_what_the_player_does_better(table):
    found = departures.measure(make_player("greedy"), "expert", table, rounds=60)
    sums = [sum(map(sum, gains.values())) for gains in found.gains]
    assert len(sums) >= 60
    np.testing.assert_allclose(sums, np.subtract(found.margins, found.instead), atol=1e-3)
    assert found.total().mean == pytest.approx(np.mean(sums))
    assert found.total().mean < 0
    assert sum(points.mean for *_, points in found.table()) == pytest.approx(found.total().mean)
    assert {own for (_, own), *_ in found.table()} >= {"take", "discard"}


def test_who_never_departs_brings_nothing():
    found = departures.measure(CompiledPlayer("expert"), "expert", TABLES["two"], rounds=40)
    assert found.table() == []
    assert found.margins == found.instead


def test_the_command_prints_a_table(capsys):
    assert departures.main(["greedy", "--rounds", "20"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("| expert | greedy | a round | points each | points a round (95 %) |")
    assert "\nall: " in said


def test_a_player_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit):
        departures.main(["ppo:nowhere"])
    assert "nowhere" in capsys.readouterr().err
