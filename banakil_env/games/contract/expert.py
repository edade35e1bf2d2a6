"""`expert`: weighs draws, calls and discards as `greedy` does, with fitted numbers in place of those chosen by hand.

The numbers are in expert.toml, fitted by `python -m train.fit --game contract`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.contract.greedy import PARAMETERS as PARAMETERS
from banakil_env.games.contract.greedy import decide as decide

FITTED = PARAMETERS.values
THREE, MORE = range(2)


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, FITTED[THREE if seen.num_players == 3 else MORE])
