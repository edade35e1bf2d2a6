"""Are searches compared at the same positions, and judged in the true deals?"""

from __future__ import annotations

import pytest

from banakil_env.arena.options import TableOptions
from banakil_env.games import find
from train import search_settings

TABLE = TableOptions(game="yaniv", num_players=2)


def some(found: search_settings.Compared) -> bool:
    """Forty positions of the first setting."""
    return len(next(iter(found.gains.values()))) < 40


def test_a_search_that_never_departs_gains_nothing() -> None:
    """A million standard errors hold it to the player of its playouts, which is the strongest."""
    found = search_settings.compare(["expert/20/1000000", "expert/60/0"], TABLE, some)
    held, free = found.gains.values()
    assert len(held) == len(free) == 40
    assert set(held) == {0.0}
    assert found.departed["expert/20/1000000"] == 0
    assert found.departed["expert/60/0"] > 0
    assert 5 < found.a_round < 60


def test_a_weaker_player_loses_what_its_moves_lose() -> None:
    """Held to `greedy`'s moves, a search departs from `expert` where the two differ, and loses by it in gin."""
    setting = "greedy/20/1000000"
    table = TableOptions(game="gin", num_players=2)
    found = search_settings.compare([setting], table, lambda so_far: len(so_far.gains[setting]) < 80)
    gains = found.gains[setting]
    assert len(gains) == 80
    assert 0 < sum(gain != 0 for gain in gains) <= found.departed[setting] < 40
    assert sum(gains) / len(gains) < -0.3


def test_a_setting_names_the_players_that_others_are_taken_for() -> None:
    basis = {
        setting: search_settings.search_of(setting, find("gin")).basis
        for setting in ("expert/60/1", "expert/60/1/expert", "expert/60/1/greedy/uniform")
    }
    assert "played out by `expert` against `greedy` or `expert`" in basis["expert/60/1"]
    assert basis["expert/60/1/expert"].endswith("as `expert` plays; rounds played out by `expert`")
    assert "every deal that agrees" in basis["expert/60/1/greedy/uniform"]
    assert basis["expert/60/1/greedy/uniform"].endswith("against `greedy`, in turn")


@pytest.mark.parametrize(
    "setting", ["expert", "random/60/1", "expert/60/one", "expert/60/1/beliefs", "expert/9/1/random"]
)
def test_a_setting_that_is_none_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="PLAYER/BUDGET/ERRORS, the player one of greedy, expert"):
        search_settings.search_of(setting, find("yaniv"))
