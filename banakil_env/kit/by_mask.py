"""Is one action legal? What the mask says: for games without a quicker answer, so that there is one truth.

A game whose whole mask takes long has a function `mark(state, mask, wanted)` beside it, which writes the same mask but
may leave out what does not concern the action `wanted`; with EVERYTHING it leaves nothing out.

The functions here are bound to a game's `legal_mask` or `mark`, and to its `carry_out`.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import bind
from banakil_env.core.masks import count_legal
from banakil_env.core.scratch import scratch_bytes
from banakil_env.kit.table_state import CHOOSE

EVERYTHING = -1  # no action of its own is wanted


def _apply(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place. False: it is not legal, and nothing has changed."""
    mask = scratch_bytes(num_actions)
    legal_mask(state, mask)
    if not 0 <= action < num_actions or not mask[action]:
        return False
    carry_out(state, wide(action))
    return True


def _apply_marked(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place. False: it is not legal, and nothing has changed."""
    mask = scratch_bytes(num_actions)
    if not 0 <= action < num_actions:
        return False
    mark(state, mask, wide(action))
    if not mask[action]:
        return False
    carry_out(state, wide(action))
    return True


def _legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others."""
    mark(state, mask, wide(EVERYTHING))


def _number_of_actions(state: Any) -> int:
    """How many actions are legal."""
    mask = scratch_bytes(num_actions)
    legal_mask(state, mask)
    return count_legal(mask)


def _can_go_on(state: Any) -> bool:
    """Whether the seat to move has a legal action, and a choice where it is to choose a meld."""
    return count_actions(state) > (state.phase == CHOOSE)


def apply_by_mask(
    game: str, legal_mask: Callable[[Any, Any], None], carry_out: Callable[[Any, int], None], num_actions: int
) -> Callable[[Any, int], bool]:
    """The function `apply` of a game's `Engine`."""
    names = {"legal_mask": legal_mask, "carry_out": carry_out, "num_actions": num_actions}
    return bind(_apply, f"{game}_apply", **names)


def apply_by_mark(
    game: str, mark: Callable[[Any, Any, int], None], carry_out: Callable[[Any, int], None], num_actions: int
) -> Callable[[Any, int], bool]:
    """The same for a game with a function `mark`."""
    return bind(_apply_marked, f"{game}_apply", mark=mark, carry_out=carry_out, num_actions=num_actions)


def mask_by_mark(game: str, mark: Callable[[Any, Any, int], None]) -> Callable[[Any, Any], None]:
    """The function `legal_mask` of a game with a function `mark`."""
    return bind(_legal_mask, f"{game}_legal_mask", mark=mark)


def can_go_on_by_mask(game: str, legal_mask: Callable[[Any, Any], None], num_actions: int) -> Callable[[Any], bool]:
    """A function `(state) -> bool`: whether the turn can go on, with a choice in the phase CHOOSE."""
    return bind(_can_go_on, f"{game}_can_go_on", count_actions=number_of_actions(game, legal_mask, num_actions))


def number_of_actions(game: str, legal_mask: Callable[[Any, Any], None], num_actions: int) -> Callable[[Any], int]:
    """A function `(state) -> int`: how many actions are legal."""
    names = {"legal_mask": legal_mask, "num_actions": num_actions}
    return bind(_number_of_actions, f"{game}_number_of_actions", **names)
