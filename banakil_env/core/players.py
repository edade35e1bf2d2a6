"""Which compiled player decides? One function over the named players only: the others need not be compiled.

A compiled player is a function `act(observation, mask, generator) -> action`, known by its kind: its place in a tuple.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from banakil_env.core.bound import act, action_of
from banakil_env.core.jit import bind_inlined

Act = Callable[[Any, Any, Any], int]

OWN_KIND = -1  # bound to the kind of each player


def _nobody_acts(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    return -1


def _this_one_acts(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    if kind == OWN_KIND:
        return act(observation, mask, generator)
    return action_of(kind, observation, mask, generator)


@functools.cache
def action_of_players(
    game: str, players: tuple[Act, ...], kinds: tuple[int, ...]
) -> Callable[[int, Any, Any, Any], int]:
    """A function `(kind, observation, mask, generator) -> action` for compiled code; -1 for any other kind.

    Args:
        game: the game of the players, for the names in the machine code.
        players: by kind.
        kinds: kinds that may be asked, ascending.
    """
    found = bind_inlined(_nobody_acts, f"{game}_nobody_acts")
    for kind in reversed(kinds):
        found = bind_inlined(
            _this_one_acts, f"{game}_player_{kind}_acts", OWN_KIND=kind, act=players[kind], action_of=found
        )
    return found
