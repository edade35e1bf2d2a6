"""Does the measure of headroom find what a player misses, and nothing where there is nothing?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents.search import SearchPlayer
from banakil_env.arena.options import TableOptions
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import action_text
from train import headroom


@pytest.fixture
def looked(monkeypatch):
    """What is found at a position with eight candidates whose margins are those that the function given makes."""
    state = banakil.from_text("rules: pagat\nhand 0: 3c 5d 7h 9s Jc Kd 4h 6s\nhand 1: 4c 5c")
    seen = banakil.observe(state, 0)
    mask = seen["action_mask"].copy()
    mask[:8] = 1

    def look(margins, rng):
        monkeypatch.setattr(SearchPlayer, "suppose", lambda self, seen, rng: None)
        monkeypatch.setattr(SearchPlayer, "margins", lambda self, candidates, rng, deals: margins(deals, rng))
        return headroom._look_at(SearchPlayer("1"), seen["observation"], mask, 0, rng, deals=40)

    candidates = headroom.candidates_of(banakil.GAME, mask, 0)
    look.candidates, look.best = len(candidates), action_text(int(candidates[-1])).split()[0]
    return look


def test_picking_the_luckiest_counts_for_nothing(looked):
    """All are worth the same: the best of one half is no better in the other."""
    rng = np.random.default_rng(1)
    found = [looked(lambda deals, rng: rng.normal(0, 10, (deals, looked.candidates)), rng) for _ in range(400)]
    gains = np.array([gain for gain, _ in found])
    assert sum(better != "" for _, better in found) > 100
    assert abs(gains.mean()) < 3 * gains.std() / len(gains) ** 0.5


def test_what_is_better_is_found_and_told_by_its_kind(looked):
    def margins(deals, rng):
        values = rng.normal(0, 1, (deals, looked.candidates))
        values[:, -1] += 10
        return values

    gain, better = looked(margins, np.random.default_rng(2))
    assert gain == pytest.approx(10, abs=1)
    assert better == looked.best


def test_who_has_no_choice_gains_nothing():
    state = banakil.new(seed=1)
    seen = banakil.observe(state, banakil.seat_to_move(state))
    own = int(np.flatnonzero(seen["action_mask"])[0])
    mask = np.zeros_like(seen["action_mask"])
    mask[own] = 1
    args = (SearchPlayer("1"), seen["observation"], mask, own, np.random.default_rng(0))
    assert headroom._look_at(*args, deals=4) == (0.0, "")


def test_a_players_own_games_are_looked_at():
    found = headroom.measure("greedy", TableOptions(), lambda found: len(found.gains) < 40, seed=1, deals=8)
    assert len(found.verbs) == len(found.gains) == 40
    assert 5 < found.a_round < 200
    assert sum(row[4] for row in found.table()) == pytest.approx(found.total().mean)


def test_the_command_prints_a_table(capsys):
    assert headroom.main(["greedy", "--seconds", "1", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert "decisions of a seat in a round" in said
    assert "points per round" in said
