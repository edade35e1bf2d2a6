"""`expert`: weighs draws, melds and discards as `greedy` does, with fitted numbers in place of those chosen by hand.

The numbers are in expert.toml, fitted by `python -m train.fit --game hand`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.hand.greedy import PARAMETERS as PARAMETERS
from banakil_env.games.hand.greedy import decide as decide

FITTED = PARAMETERS.values
TWO, MORE, PARTNERS = range(3)


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, FITTED[PARTNERS if seen.partners else TWO if seen.num_players == 2 else MORE])
