"""Is one action legal? The mask decides, for games without a quicker answer, so that there is one source of truth.

A game fills in `legal_mask`, or `mark(state, mask, wanted)` if the whole mask is slow to compute: `mark` writes the
same mask, but may leave out whatever does not concern the action `wanted`; with EVERYTHING it leaves nothing out.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal
from banakil_env.core.scratch import scratch_bytes
from banakil_env.kit.table_state import CHOOSE

EVERYTHING = -1  # the whole mask is wanted, not one action


@hook
def num_actions(state: Any) -> int:
    """The number of actions of the game, a constant."""
    raise NotImplementedError


@hook
def mark(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for the legal actions and 0 for the others, as far as they concern the action `wanted`."""
    legal_mask(state, mask)


@hook
def carry_out(state: Any, action: int) -> None:
    """Carry out an action known to be legal."""
    raise NotImplementedError


@hook
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others."""
    mark(state, mask, EVERYTHING)


@compiled
def apply(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place. False: it is not legal, and nothing has changed."""
    mask = scratch_bytes(num_actions(state))
    if not 0 <= action < mask.shape[0]:
        return False
    mark(state, mask, action)
    if not mask[action]:
        return False
    carry_out(state, action)
    return True


@compiled
def count_actions(state: Any) -> int:
    """How many actions are legal."""
    mask = scratch_bytes(num_actions(state))
    legal_mask(state, mask)
    return count_legal(mask)


@compiled
def has_choice(state: Any) -> bool:
    """Whether the seat to move has a legal action, and several where it is to choose a meld."""
    return count_actions(state) > (state.phase == CHOOSE)


@hook
def can_go_on(state: Any) -> bool:
    """Whether the turn can go on: as a rule, whether the seat to move has a choice."""
    return has_choice(state)
