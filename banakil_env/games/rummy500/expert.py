"""`expert`: weighs draws, melds and discards as `greedy` does, with fitted numbers in place of those chosen by hand.

What `expert` does beyond `greedy` is said there. The numbers are in expert.toml, fitted by `python -m train.fit --game
rummy500`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.rummy500.greedy import PARAMETERS as PARAMETERS
from banakil_env.games.rummy500.greedy import decide as decide

FITTED = PARAMETERS.values
TWO, MORE = range(2)


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, FITTED[TWO if seen.num_players == 2 else MORE])
