"""Who plays by rules of thumb? The compiled players, one file each; they see an observation and a mask, and no state.

A new player is a file with a compiled function `act(observation, mask, generator) -> action`, its name in BASELINES
and its line in `baseline_action`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.banakil.baselines import expert, greedy, uniform

RANDOM, GREEDY, EXPERT = range(3)
BASELINES = {"random": RANDOM, "greedy": GREEDY, "expert": EXPERT}


@compiled
def baseline_action(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    """The action of the baseline `kind` (a value of BASELINES).

    Args:
        observation: a record of OBSERVATION, of the seat to move.
        mask: its legal actions, int8, NUM_ACTIONS long.
        generator: a record with a field `rng`, the player's own dice.
    """
    if kind == EXPERT:
        return expert.act(observation, mask, generator)
    if kind == GREEDY:
        return greedy.act(observation, mask, generator)
    return uniform.act(observation, mask, generator)
