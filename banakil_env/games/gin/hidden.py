"""Redeals the hidden cards, as in `kit/hidden.py`. A redealt hand needs no check: only shown hands must meet rules
(G5.4).
"""

from __future__ import annotations

from banakil_env.core.bits import read_bits
from banakil_env.games.gin.records import Observation, State
from banakil_env.games.gin.state import STATE
from banakil_env.kit import hidden
from banakil_env.kit.one_pack import hidden as one_pack
from banakil_env.kit.pack52 import NUM_FACES

one_pack.serve(STATE)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose


@hidden.read_turn.fill(STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn from an observation into `state`."""
    one_pack.read_common(state, seen)
    state.laid_off = read_bits(seen.laid_off, 0, NUM_FACES)
