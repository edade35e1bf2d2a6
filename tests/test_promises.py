"""Tests for `train.promises`: what a search promises of a departure, and what comes of it."""

from __future__ import annotations

import pytest

from banakil_env.arena.options import TableOptions
from train import promises

TABLE = TableOptions(game="yaniv", num_players=2)


def test_a_higher_bar_leaves_some_of_the_same_departures() -> None:
    positions, found = promises.measure("60", [0.0, 3.0], TABLE, lambda looked, found: looked < 60)
    low, high = ([each._replace(bar=0) for each in found if each.bar == bar] for bar in (0.0, 3.0))
    assert positions == 60
    assert len(low) > len(high)
    assert set(high) <= set(low)
    assert all(each.promised > 0 for each in low)
    assert all(each.moves > 1 for each in found)


def test_only_positions_where_the_player_does_the_verb() -> None:
    _, found = promises.measure("60", [0.0], TABLE, lambda looked, found: looked < 40, verb="discard")
    assert found
    assert {each.verbs[0] for each in found} == {"discard"}


def test_a_bar_that_no_move_reaches_leaves_no_departure() -> None:
    assert promises.measure("20", [1e6], TABLE, lambda looked, found: looked < 8) == (8, [])


def test_the_table_parts_choices_among_few_and_among_many() -> None:
    verbs = "discard", "discard"
    found = [promises.Departure(1.0, verbs, moves, 3.0, 1.0, 0.5) for moves in (2, 3, 9, 20, 20)]
    text = promises.table_of_promises([1.0], 1_000, found)
    assert "| 1 | below 9 | 2 of 1,000 |" in text
    assert "| 1 | 9 or more | 3 of 1,000 |" in text


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert promises.main(["20", "--game", "yaniv", "--bars", "0", "--seconds", "0"]) == 0
    assert capsys.readouterr().out.startswith("| bar | moves tried |")


def test_a_wrong_budget_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        promises.main(["soon", "--game", "yaniv", "--seconds", "0"])
    assert "the budget of a search" in capsys.readouterr().err
