"""Do fitted players play by the numbers in their files, and does a fit measure what it says?"""

from __future__ import annotations

import dataclasses
import importlib.util
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.arena import Plan, Results
from banakil_env.arena.tables import play_tables
from banakil_env.core.parameters import Fitted, Parameter, ParameterError, Parameters, Row
from banakil_env.games import GAMES, find

if importlib.util.find_spec("cma") is None:  # its import takes two seconds
    pytest.skip("cma is not here", allow_module_level=True)
import tomli_w

import train.fit
from train.fit import FIRST_SEED, Arena, at_an_end, compare, fit, keep, scan

FITTED = [name for name in GAMES if find(name).fitted]
ROWS = [(name, row.name) for name in FITTED for row in find(name).fitted["expert"].parameters.rows]
DECLARED = Parameter("one", 5, 0, 10, "a number"), Parameter("two", 0, -4, 4, "another")


def arena(name: str = "mille", threads: int = 1) -> Arena:
    fitted = find(name).fitted["expert"]
    return Arena(find(name), fitted, fitted.parameters.rows[0], threads)


def parameters(folder: Path, text: str) -> Parameters:
    (folder / "expert.toml").write_text(text)
    return Parameters(folder / "expert.toml", (Row("low", {}), Row("high", {})), *DECLARED)


def test_a_row_without_values_has_those_declared(tmp_path: Path) -> None:
    values = parameters(tmp_path, "[high.values]\none = 7\ntwo = -4\n").values
    assert values.tolist() == [(5, 0), (7, -4)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[high.values]\none = 11\ntwo = 0\n", "one is 11, but must be 0 to 10"),
        ("[high.values]\none = 1\n", "differ from the declared ones in two"),
        ("[high.values]\none = 1\ntwo = 0\nthree = 3\n", "differ from the declared ones in three"),
        ("[middle.values]\none = 1\ntwo = 0\n", "no row 'middle'.*low, high"),
    ],
)
def test_a_file_that_does_not_fit_its_declarations_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        parameters(tmp_path, text)


def test_numbers_of_a_search_are_rounded_and_held_within_bounds(tmp_path: Path) -> None:
    assert parameters(tmp_path, "").record(np.array([3.6, -9.0])).tolist() == (4, -4)


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_row_in_a_file_is_clear_of_greedy(name: str, row: str) -> None:
    """Rows that were not fitted are not in the file, and play as `greedy`."""
    rows = tomllib.loads(find(name).fitted["expert"].parameters.file.read_text(encoding="utf-8"))
    if row in rows:
        mean, _, half_width = rows[row]["ahead"]["greedy"].split()
        assert float(mean) > float(half_width)


@pytest.mark.parametrize("name", FITTED)
def test_a_game_with_an_expert_has_a_fitted_row(name: str) -> None:
    assert tomllib.loads(find(name).fitted["expert"].parameters.file.read_text(encoding="utf-8"))


def test_the_values_declared_play_as_greedy() -> None:
    """Every deal ends level after all seatings."""
    table = arena()
    starts = table.fitted.parameters.starts[0]
    assert not table.margins(starts, starts, "greedy", FIRST_SEED, 6).any()


def test_values_are_level_with_themselves_and_others_are_not() -> None:
    table = arena()
    starts, fitted = table.fitted.parameters.starts[0], table.fitted.parameters.values[0]
    assert not table.margins(fitted, fitted, "", FIRST_SEED, 8).any()
    assert table.margins(fitted, starts, "", FIRST_SEED, 8).any()


def test_two_sets_of_values_are_as_far_ahead_as_the_other_is_behind() -> None:
    table = arena()
    starts, fitted = table.fitted.parameters.starts[0], table.fitted.parameters.values[0]
    ahead = table.margins(fitted, starts, "", FIRST_SEED, 8)
    np.testing.assert_allclose(ahead, -table.margins(starts, fitted, "", FIRST_SEED, 8))


@pytest.mark.parametrize(("game", "row"), [("rummy500", "more"), ("gin", "match"), ("contract", "three")])
def test_margins_are_those_of_the_arena(game: str, row: str) -> None:
    fitted = find(game).fitted["expert"]
    index = fitted.parameters.index(row)
    table, values = Arena(find(game), fitted, fitted.parameters.rows[index], threads=1), fitted.parameters.values[index]
    found = table.margins(values, values, "greedy", FIRST_SEED, 2)
    plan = Plan(("expert", "greedy"), game=game, deals=2, **table.row.options)
    settings = dataclasses.replace(plan.settings(), seed_of=lambda deal: FIRST_SEED + deal)
    players = [make_player(name, plan.found) for name in plan.players]
    outcomes, results = play_tables(players, plan.players, plan.tables(range(2)), settings), Results(plan)
    each = len(outcomes) // 2
    for first in (0, each):
        results.add(outcomes[first : first + each])
    np.testing.assert_allclose(found, results.margins()[:, 0])


def test_margins_do_not_depend_on_the_threads() -> None:
    fitted = arena().fitted.parameters.values[0]
    one, two = (arena(threads=threads).margins(fitted, fitted, "greedy", FIRST_SEED, 40) for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_a_fit_finds_the_same_from_the_same_seed_and_stays_within_bounds() -> None:
    table = arena()
    begin = table.fitted.parameters.values[0]
    found = [fit(table, begin, generations=2, deals=4, seed=seed) for seed in (3, 3, 4)]
    assert found[0] == found[1]
    assert found[0] != found[2]
    for each in table.fitted.parameters.declared:
        assert each.lowest <= found[0][each.name] <= each.highest


def test_in_a_league_the_mean_of_the_candidates_joins_the_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    leads = train.fit._leads

    def noted(table: Arena, mine: Any, first: int, deals: int, opponents: Sequence[Any]) -> Any:
        seen.append(len(opponents))
        assert [each for each in opponents if each is None] == [None]  # greedy
        return leads(table, mine, first, deals, opponents)

    monkeypatch.setattr(train.fit, "_leads", noted)
    table = arena()
    fit(table, table.fitted.parameters.values[0], generations=5, deals=8, seed=3, league=2)
    assert sorted(set(seen)) == [2, 3, 4]


def test_a_fit_leaves_the_values_in_use_alone() -> None:
    table = arena()
    before = table.fitted.parameters.values.copy()
    fit(table, scan(table, deals=4, seed=3), generations=1, deals=4, seed=3)
    np.testing.assert_array_equal(table.fitted.parameters.values, before)


def test_a_scan_changes_a_value_that_costs_much(tmp_path: Path) -> None:
    """Mille: `hold_own` at its lower bound, so that all naturals are laid down at once."""
    table = arena()
    own, far = table.fitted.parameters, 0
    values = dict(zip(own.names, own.values[0].tolist())) | {"hold_own": far}
    (tmp_path / "expert.toml").write_text(tomli_w.dumps({own.rows[0].name: {"values": values}}), encoding="utf-8")
    wrong = Parameters(tmp_path / "expert.toml", own.rows, *own.declared)
    found = scan(Arena(table.game, Fitted(table.fitted.decide, wrong), own.rows[0], threads=1), deals=400, seed=3)
    assert wrong.values[0]["hold_own"] == far
    assert found["hold_own"] > far


def test_values_at_an_end_of_their_range_are_named(tmp_path: Path) -> None:
    own = parameters(tmp_path, "")
    assert at_an_end(own, own.record(np.array([10, -4]))) == ["one 10 (0 to 10)", "two -4 (-4 to 4)"]
    assert at_an_end(own, own.record(np.array([9, -3]))) == []


def test_a_row_that_is_kept_is_read_again_and_the_other_rows_stay(tmp_path: Path) -> None:
    text = "[low]\nfitted = 'before'\n[low.values]\none = 1\ntwo = 2\n"
    own = parameters(tmp_path, text)
    table = arena()
    figures = compare(table, table.fitted.parameters.values[0], {"greedy": None}, 8, FIRST_SEED)
    row = Arena(table.game, type(table.fitted)(table.fitted.decide, own), own.rows[1])
    keep(row, own.record(np.array([9, 3])), "python -m train.fit", figures, 8)
    again = parameters(tmp_path, own.file.read_text())
    assert again.values.tolist() == [(1, 2), (9, 3)]
    assert tomllib.loads(own.file.read_text())["low"]["fitted"] == "before"


def test_a_name_that_records_have_for_something_else_is_refused(tmp_path: Path) -> None:
    """In the interpreter `values.take` would be NumPy's method."""
    with pytest.raises(ParameterError, match="already have an attribute take"):
        Parameters(tmp_path / "values.toml", (Row("two", {}),), Parameter("take", 0, 0, 1, "nothing"))
