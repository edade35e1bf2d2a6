"""What does every library's test ask? Legal actions only, every seat's reward, and an agent that plays in the arena."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banakil_env.arena import CompiledPlayer, play_match
from banakil_env.arena.players import Player
from banakil_env.envs.aec import raw_env
from banakil_env.games import GAMES, find

# Rounds that are scored when the stock is exhausted, too: even random play ends with a reward for every seat.
ROUNDS: dict[str, Any] = {"num_players": 3, "rules": "gamefarm", "reward": "points"}

each_game = pytest.mark.parametrize("name", list(GAMES))


def short_table(name: str) -> dict[str, Any]:
    """A table of a game for the fewest, at which a round of random play ends after few turns."""
    return {"game": name, "rules": f"{next(iter(find(name).rules.presets))} max_turns=12", "reward": "points"}


def check_replay(
    position: Any,
    decisions: dict[int, list[tuple[Any, int]]],
    rewards: dict[int, float],
    scored: bool = True,
    **options: Any,
) -> int:
    """Play a round again from where it began: every seat saw what it sees there, and gets the same reward.

    Args:
        position: the state at the beginning. decisions: of each seat what it saw, observation and mask, and its action.
        rewards: what the library says that each seat got in the end. scored: somebody got something.
        options: of the environment.

    Returns:
        How many decisions there were.
    """
    env = raw_env(observation="record", **options)
    env.reset(options={"position": position})
    ahead = {seat: iter(rows) for seat, rows in decisions.items()}
    count = 0
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        seat = env.possible_agents.index(env.agent_selection)
        (observation, mask), action = next(ahead[seat])
        here = env.observe(env.agent_selection)
        np.testing.assert_array_equal(observation, here["observation"])
        np.testing.assert_array_equal(mask, here["action_mask"])
        env.step(action)
        count += 1
    assert [seat for seat, rows in ahead.items() if next(rows, None) is not None] == []
    assert any(rewards.values()) or not scored
    assert rewards == {seat: env.rewards[agent] for seat, agent in enumerate(env.possible_agents)}
    return count


def check_plays_in_the_arena(player: Player) -> None:
    """A short match: no table is lost by an illegal answer or an error."""
    results = play_match([player, CompiledPlayer("random")], num_players=2, deals=3)
    assert results.failures() == []
    assert len(results.deals) == 3
