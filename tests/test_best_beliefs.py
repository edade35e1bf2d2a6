"""Are the hands of the best possible beliefs those of rounds that lead to the same view?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banakil_env.agents import choose, make_player
from banakil_env.arena.options import TableOptions
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from train import best_beliefs


def first_views(name: str, wanted: int) -> list[tuple[Any, Any, Any, Any]]:
    """States after the deal, then what `posterior` finds for the seat that plays last in the first round of turns."""
    game, found = find(name), []
    for seed in range(50):
        dealt = game.new(**game.tables[0].options)
        kernels_of(game).start_one(dealt, np.uint64(seed))
        last = (int(Plain(game).seat_to_move(dealt[0]) or 0) - 1) % int(dealt[0]["num_players"])
        reached = best_beliefs.posterior(game, dealt, last, "greedy", np.random.default_rng(seed), 12)
        if reached is not None and len(reached[2]) == 12:
            found.append((dealt, *reached))
        if len(found) == wanted:
            return found
    raise AssertionError(f"{name} has too few such decisions")


@pytest.mark.parametrize("name", ["gin", "yaniv", "kalooki"])
def test_each_round_that_is_kept_leads_to_the_same_view(name: str) -> None:
    plain = Plain(find(name))
    for _, true, seen, kept in first_views(name, 3):
        observer = plain.seat_to_move(true[0])
        hands = set()
        for state in kept:
            assert plain.check(state) is None
            assert plain.seat_to_move(state) == observer
            assert plain.observe(state, observer)["observation"].tobytes() == seen.tobytes()
            hands.add(state["hands"].tobytes())
        assert len(hands) > 6  # and not one round many times


def test_a_player_that_passed_does_not_want_the_upcard() -> None:
    """In gin: asked with a hand that is kept, and the upcard to take, the player passes as it did."""
    plain, player = Plain(find("gin")), make_player("greedy", find("gin"))
    looked = 0
    for dealt, true, _, kept in first_views("gin", 6):
        if "pass" not in {plain.action_text(action) for action in plain.legal_actions(true[0])}:
            continue  # the upcard was taken
        for state in kept:
            before = dealt[0].copy()
            before["hands"], before["stock"] = state["hands"], state["stock"]
            seat = plain.seat_to_move(before)
            assert plain.action_text(choose(player, plain.observe(before, seat))) == "pass"
            looked += 1
    assert looked > 12


def test_no_beliefs_are_better_than_the_best() -> None:
    found = best_beliefs.measure(TableOptions(game="yaniv"), 40, "expert", deals=32)
    scores = {way: np.mean(values) for way, values in found.scores.items()}
    assert {len(values) for values in found.scores.values()} == {40}
    assert scores["best"] > scores["uniform"] + 0.2
    assert scores["best"] > scores["beliefs"] - 0.5  # means of 40 positions


def test_positions_that_hardly_a_round_leads_to_are_counted_and_the_search_for_others_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(best_beliefs, "MOST_ROUNDS", 1)
    with pytest.raises(
        ValueError, match=r"100 rounds of Yaniv had 0 positions to measure, and \d+ to which fewer than 8"
    ):
        best_beliefs.measure(TableOptions(game="yaniv"), 2, "expert", deals=8)


def test_the_command_prints_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert best_beliefs.main(["--game", "yaniv", "--positions", "3", "--deals", "8"]) == 0
    assert "| yaniv | 3 |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        best_beliefs.main(["--game", "yaniv", "--of", "random"])
    assert "--of must be one of greedy, expert" in capsys.readouterr().err
