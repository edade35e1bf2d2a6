"""`expert`: weighs draws, melds and discards as `greedy` does, with fitted numbers in place of those chosen by hand.

`expert` alone counts the Twos that taking the pile costs, keeps Twos for pairs, and keeps cards in a short hand that it
could add: `greedy` has 0 for these. The numbers are in expert.toml, fitted by `python -m train.fit --game oklahoma`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.oklahoma.greedy import PARAMETERS as PARAMETERS
from banakil_env.games.oklahoma.greedy import decide as decide

FITTED = PARAMETERS.values
TWO, MORE = range(2)


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, FITTED[TWO if seen.num_players == 2 else MORE])
