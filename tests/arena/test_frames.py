"""Are the rows of results those of the deals, and is a frame made of them where pandas is installed?"""

from __future__ import annotations

import sys

import numpy as np
import pytest
from suite_runs import short_run

from banakil_env.arena import Results, play_match
from banakil_env.suite.file import read_run
from banakil_env.suite.show import frame_of_run, rows_of_run

DEALS = 6


@pytest.fixture(scope="module")
def results() -> Results:
    """Three players of Yaniv, in which few points are good, at tables of three."""
    return play_match(["expert", "greedy", "random"], game="yaniv", num_players=3, deals=DEALS, budget=None)


def test_a_row_for_each_player_at_each_table(results: Results) -> None:
    rows = results.rows()
    assert len(rows) == sum(len(tables) for tables in results.deals) * 2
    for pair in (("expert", "greedy"), ("greedy", "random")):
        own = [row for row in rows if row["player"] == pair[0]]
        assert {row["deal"] for row in own} == set(range(DEALS))
    first, second = rows[:2]
    table = results.deals[0][0]
    assert (first["table"], second["table"]) == (0, 0)
    assert len(first["seats"].split()) + len(second["seats"].split()) == 3
    for row in (first, second):
        seats = [int(seat) for seat in row["seats"].split()]
        others = [points for seat, points in enumerate(table["points"]) if seat not in seats]
        own = [table["points"][seat] for seat in seats]
        assert row["points"] == np.mean(own)
        assert row["ahead"] == np.mean(others) - np.mean(own)
        assert row["failed"] is None
    assert first["seed"] == results.plan.seed_of(0)


def test_rows_of_deals_have_the_margins(results: Results) -> None:
    rows = results.rows("deals")
    margins = [row["ahead"] for row in rows if (row["player"], row["opponent"]) == ("expert", "random")]
    assert np.mean(margins) == pytest.approx(results.margin("expert", "random").mean)
    assert len(rows) == 3 * DEALS


def test_rows_of_players_and_pairs_have_intervals(results: Results) -> None:
    of = {row["player"]: row for row in results.rows("players")}
    margin = results.player("greedy")["margin"]
    assert [of["greedy"][f"margin{end}"] for end in ("", "_low", "_high")] == [margin.mean, margin.low, margin.high]
    pair = results.rows("pairs")[0]
    assert (pair["player"], pair["opponent"], pair["win"]) == ("expert", "greedy", results.win("expert", "greedy").mean)


def test_rows_of_something_else(results: Results) -> None:
    with pytest.raises(ValueError, match=r"rows are tables, deals, players, pairs, not 'table'.*tables"):
        results.rows("table")


def test_a_run_of_the_suite_has_rows(tmp_path_factory: pytest.TempPathFactory) -> None:
    run = read_run(short_run(tmp_path_factory.mktemp("run")))
    rows = rows_of_run(run)
    for name, figure in run.manifest["figures"]["anchors"].items():
        ahead = [row["ahead"] for row in rows if (row["match"], row["player"]) == (name, "player")]
        assert np.mean(ahead) == pytest.approx(figure["points"]["mean"], abs=1e-6)
    assert "seconds" not in rows[0]


def test_without_pandas_the_error_says_what_to_install(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"a frame needs pandas: pip install .*frames.*; rows\(\) gives plain values"):
        results.frame()


def test_a_frame_has_the_rows(results: Results, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("pandas")
    for of in ("tables", "deals", "players", "pairs"):
        frame = results.frame(of)
        assert list(frame.columns) == list(results.rows(of)[0])
        assert len(frame) == len(results.rows(of))
    means = results.frame("deals").groupby(["player", "opponent"])["ahead"].mean()
    assert means["expert", "random"] == pytest.approx(results.margin("expert", "random").mean)
    run = read_run(short_run(tmp_path_factory.mktemp("run")))
    assert len(frame_of_run(run)) == len(rows_of_run(run))
