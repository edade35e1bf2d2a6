"""Players by name, for the arena, for training and for people.

| name | player |
|---|---|
| `random`, `greedy`, ... | the compiled rule-based players of the game |
| `human` | a person at this terminal |
| `net:PATH` | a trained network from its file, whichever trainer made it; `ppo:PATH` means the same |
| `zoo:NAME` | the agent of the zoo with this name, such as `zoo:gin-2p` |
| `sb3:FILE` | a model that Stable-Baselines3 has saved: `MaskablePPO`, `PPO`, `A2C` |
| `unadvised:NAME` | a trained network without its adviser, such as `unadvised:zoo:gin-2p` |
| `hub:FOLDER`, `onnx:FILE` | a trained network in the Hugging Face Hub's layout, or as ONNX |
| `text:module:function` | a function from a conversation to a reply |
| `llm:MODEL` | a language model behind a server with the OpenAI chat protocol |
| `KIND:ARGUMENT` | a kind in `KINDS`, such as `search:200ms` |
| `module:function`, `file.py:function` | any Python callable `(observation, mask[, rng]) -> action`, or any `Player` |

A player is an object with a `name` and a method `act(observations, masks, dice) -> actions`
(`banakil_env.arena.Player`). The method gets arrays with a row for each table and returns an action for each row. A
player never gets a state. `choose` calls a player for one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from banakil_env.arena.callables import CallablePlayer
from banakil_env.arena.players import KINDS, CompiledPlayer, Player, PlayerError, make_player, player_names

__all__ = [
    "KINDS",
    "CallablePlayer",
    "CompiledPlayer",
    "Player",
    "PlayerError",
    "choose",
    "make_player",
    "player_names",
]


def choose(player: Player, observation: Mapping[str, Any], dice: int = 0) -> int:
    """The action of a player at one table.

    Args:
        player: the player.
        observation: a mapping with `observation` (the record's bytes) and `action_mask`, as a game's `observe` returns
            it, and environments with `observation="record"`.
        dice: 64 random bits for the player, 0..2**64 - 1; the same bits give the same action.

    Raises:
        ValueError: the observation has another form.
    """
    seen = np.asarray(observation["observation"])
    if seen.dtype != np.uint8:
        raise ValueError(
            f"players get the record of an observation, uint8, not {seen.dtype} of shape {seen.shape}: make the "
            'environment with observation="record"'
        )
    rows = seen[None], np.asarray(observation["action_mask"])[None]
    return int(player.act(*rows, np.array([dice], np.uint64))[0])
