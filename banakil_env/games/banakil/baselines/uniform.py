"""`random`: every legal action is as likely as the others. The zero of every scale."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below


@compiled
def act(observation: Any, mask: Any, generator: Any) -> int:
    """One of the legal actions, uniformly."""
    count = 0
    for action in range(mask.shape[0]):
        count += mask[action]
    skip = random_below(generator, count)
    for action in range(mask.shape[0]):
        if mask[action]:
            if skip == 0:
                return action
            skip -= 1
    return -1  # not reached: the seat to move always has a legal action (B2.5)
