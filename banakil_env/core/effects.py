"""How is an action carried out? By the function that its block names: a chain of these functions, made from the table.

The chain asks of part after part of the table whether the action is there, as a hand-written `if action < ...: ...
elif ...` does. Its steps are copied into each other, so it is as fast as that, and a game writes the effects alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.actions import ActionTable, Effect
from banakil_env.core.jit import bind, bind_inlined, interpreted

FIRST = STOP = 0  # bound to the first action of a part of the table, and to the first one behind it


def effect(state: Any, place: int) -> None:
    """What an action does, bound below."""
    raise NotImplementedError


def others(state: Any, action: int) -> None:
    """The chain for the actions from STOP on, bound below."""
    raise NotImplementedError


def _without_place(state: Any, place: int) -> None:
    effect(state)  # type: ignore[call-arg]  # bound to a function of the state alone


def _last_step(state: Any, action: int) -> None:
    effect(state, action - FIRST)


def _step(state: Any, action: int) -> None:
    if action < STOP:
        effect(state, action - FIRST)
    else:
        others(state, action)


def carry_out_of(game: str, actions: ActionTable, moves: Any) -> Callable[[Any, int], None]:
    """The function `carry_out(state, action)` of a game (`core/engine.py`).

    Args:
        game: its name. actions: its table. moves: the module with the functions that the blocks name.

    Raises:
        ValueError: a function is not there, or does not take the arguments of an effect (`Block`).
    """
    *parts, last = actions.effects
    name, names = f"{game}_carry_out", {"effect": _effect_of(game, last, moves), "FIRST": last.first}
    chain = bind_inlined(_last_step, f"{name}_from_{last.first}", **names)
    for part in reversed(parts):
        names = {"effect": _effect_of(game, part, moves), "FIRST": part.first, "STOP": part.first + part.count}
        # The first step, which has the others in it, is a function of its own.
        bound, at = (bind_inlined, f"_from_{part.first}") if part.first else (bind, "")
        chain = bound(_step, f"{name}{at}", others=chain, **names)
    return chain


def _effect_of(game: str, part: Effect, moves: Any) -> Callable[[Any, int], None]:
    """The function of a part of the table, with a place even if the part is one action. ValueError: as above."""
    function = getattr(moves, part.function, None)
    actions = f"the block {part.block!r}, {part.count} action{'s' * (part.count > 1)}"
    if function is None:
        raise ValueError(
            f"{moves.__name__} has no function {part.function!r} to carry out {actions}: write it, or give the block "
            "the name of another one (Block.effect)"
        )
    code = interpreted(function).__code__
    wanted = ("state",) if part.count == 1 else ("state", "place")
    if code.co_argcount != len(wanted):
        taken = ", ".join(code.co_varnames[: code.co_argcount])
        raise ValueError(
            f"{moves.__name__}.{part.function}({taken}) carries out {actions}: it has to take ({', '.join(wanted)})"
        )
    return function if part.count > 1 else bind_inlined(_without_place, f"{game}_{part.function}", effect=function)
