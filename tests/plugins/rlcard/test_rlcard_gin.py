"""Does RLCard's gin player sit at our tables? It knocks as soon as it may, and is the player that RLCard ships."""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import choose, make_player
from banakil_env.arena import play_match
from banakil_env.games import find
from banakil_env.kit.plain import Plain

pytest.importorskip("rlcard", reason="rlcard is not installed: make test-plugins GROUP=rlcard")

from train.plugins.rlcard_gin import Novice

gin = Plain(find("gin"))


def rounds(deals: int) -> list[tuple[str, int]]:
    """In words what it did against `greedy` at each of its decisions, with the actions that were legal."""
    player, other, found = Novice(), make_player("greedy", "gin"), []
    for seed in range(deals):
        state = gin.new(seed=seed)
        while (seat := gin.seat_to_move(state)) is not None:
            legal = [gin.action_text(action) for action in gin.legal_actions(state)]
            action = choose(player if seat == 0 else other, gin.observe(state, seat), len(found))
            if seat == 0:
                found.append((gin.action_text(action), legal))
            gin.apply(state, action)
    return found


def test_it_knocks_as_soon_as_it_may() -> None:
    found = rounds(30)
    could = [done for done, legal in found if "knock" in legal]
    assert len(could) > 5
    assert set(could) == {"knock"}
    draws = [done for done, legal in found if "take" in legal]
    assert 0.3 < np.mean([done == "take" for done in draws]) < 0.7  # by chance


def test_the_same_dice_give_the_same_action() -> None:
    seen, player = gin.observe(gin.new(seed=4), 0), Novice()
    assert [choose(player, seen, dice) for dice in range(20)] == [choose(player, seen, dice) for dice in range(20)]


def test_a_match() -> None:
    results = play_match([Novice, "greedy", "random"], game="gin", deals=20)
    assert not results.failures()
    assert results.margin("rlcard novice", "random").low > 0
