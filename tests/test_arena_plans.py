"""Deals from a key, moves kept with outcomes, a custom forfeit, and when a match is looked at."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from suite_runs import Clumsy

from banakil_env.arena import Plan, PlanError, play_match, seed_of
from banakil_env.arena.seeds import FIRST_HELD_OUT, KEYED
from banakil_env.core.kernels import OVER, kernels_of
from banakil_env.games import find

KEY = "ab" * 32
TABLE = {"game": "gin", "budget": None, "seed_set": KEYED, "key": KEY}


def test_the_seeds_of_a_key_are_held_out_and_its_own() -> None:
    seeds = [seed_of(KEYED, deal, KEY) for deal in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(FIRST_HELD_OUT <= seed < 2**64 for seed in seeds)
    assert seeds[:3] != [seed_of(KEYED, deal, "cd" * 32) for deal in range(3)]


@pytest.mark.parametrize(
    ("seed_set", "key", "fault"),
    [
        (KEYED, None, "come from a key, and none is given"),
        ("arena-v1", KEY, "the deals of arena-v1 come from no key"),
        ("arena-v0", None, "there is no seed set 'arena-v0'"),
    ],
)
def test_a_key_belongs_to_its_set(seed_set: str, key: str | None, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Plan(("a", "b"), game="gin", seed_set=seed_set, key=key)


def test_the_key_is_not_kept_with_results(tmp_path: Path) -> None:
    """Its digest is, so that results of two keys are never mixed."""
    play_match(["greedy", "random"], folder=tmp_path, deals=1, **TABLE)
    text = (tmp_path / "deals.jsonl").read_text()
    assert KEY not in text
    assert "key_sha256" in json.loads(text.splitlines()[0])
    assert KEY not in repr(Plan(("a", "b"), **TABLE))
    with pytest.raises(ValueError, match="is of another match"):
        play_match(["greedy", "random"], folder=tmp_path, deals=1, **{**TABLE, "key": "cd" * 32})


def test_the_moves_of_a_table_are_its_game() -> None:
    """Carried out from the seed of the deal they end the game with the points of the outcome."""
    plan = Plan(("greedy", "random"), deals=5, moves=True, **TABLE)
    game = find("gin")
    kernels = kernels_of(game)
    for deal, tables in enumerate(play_match(["greedy", "random"], plan).deals):
        for table in tables:
            states = game.new()
            kernels.start_one(states, np.uint64(plan.seed_of(deal)))
            answers = [kernels.apply_one(states, move) for move in table["moves"]]
            assert answers[-1] == OVER
            assert min(answers[:-1]) >= 0
            assert list(game.outcome(states[0]).scores) == table["points"]


def test_moves_are_kept_only_where_they_are_asked_for() -> None:
    assert all("moves" not in table for table in play_match(["greedy", "random"], deals=1, **TABLE).deals[0])


def test_a_forfeit_of_ones_own() -> None:
    results = play_match([Clumsy(), "greedy"], deals=10, forfeit=777, **TABLE)
    lost = [table for tables in results.deals for table in tables if table["failed"]]
    assert lost
    assert all(sorted(table["points"]) == [-777, 0] for table in lost)


def test_when_the_width_is_looked_at() -> None:
    looks = Plan(("a", "b"), least=20, **TABLE).looks()
    assert list(itertools.islice(looks, 5)) == [20, 22, 24, 26, 28]
    assert len(play_match(["greedy", "random"], deals=50, least=20, width=1000, **TABLE).deals) == 20
    with pytest.raises(PlanError, match="an interval needs two deals at least, not 1"):
        Plan(("a", "b"), least=1, **TABLE)
