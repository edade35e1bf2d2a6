"""Carries actions out by the functions that their blocks name.

One function is made from the table of actions. It is a tree of comparisons `if action < ...` whose steps are inlined
into each other. It is as fast as a handwritten chain of `if` and `elif`, and a game only writes the functions for its
actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banakil_env.core.actions import ActionTable, Effect
from banakil_env.core.jit import bind, bind_inlined, interpreted

FIRST = 0  # bound to the first action of a part of the table


def effect(state: Any, place: int) -> None:
    """Carry out the action at this place among its effect's actions; a placeholder for a function of the game."""
    raise NotImplementedError


def lower(state: Any, action: int) -> None:
    """Carry out an action below FIRST; a placeholder for the lower half of the tree."""
    raise NotImplementedError


def upper(state: Any, action: int) -> None:
    """Carry out an action from FIRST on; a placeholder for the upper half of the tree."""
    raise NotImplementedError


def _without_place(state: Any, place: int) -> None:
    effect(state)  # type: ignore[call-arg]  # bound to a function of the state alone


def _at_place(state: Any, action: int) -> None:
    effect(state, action - FIRST)


def _fork(state: Any, action: int) -> None:
    if action < FIRST:
        lower(state, action)
    else:
        upper(state, action)


def carry_out_of(game: str, actions: ActionTable, moves: Any) -> Callable[[Any, int], None]:
    """Build the function `carry_out(state, action)` of a game (`core/engine.py`).

    Args:
        game: the name of the game.
        actions: its action table.
        moves: the module with the functions that the blocks name.

    Raises:
        ValueError: a function is missing, or does not take the arguments of an effect (`Block.effect`).
    """
    return _tree(f"{game}_carry_out", actions.effects, moves, bind)


def _tree(name: str, parts: Sequence[Effect], moves: Any, bound: Callable[..., Any]) -> Any:
    """A function that carries out the actions of neighboring parts of the table.

    Args:
        name: prefix of the names of the tree's functions.
        parts: the effects of the actions, in order.
        moves: the module with their functions.
        bound: `bind`, to compile a separate function, or `bind_inlined`, to inline it into its caller.

    Raises:
        ValueError: see `carry_out_of`.
    """
    if len(parts) == 1:
        effect_of = _effect_of(name, parts[0], moves)
        return bound(_at_place, f"{name}_at_{parts[0].first}", effect=effect_of, FIRST=parts[0].first)
    middle = len(parts) // 2
    lower, upper = (_tree(name, some, moves, bind_inlined) for some in (parts[:middle], parts[middle:]))
    first = parts[middle].first
    return bound(_fork, f"{name}_from_{parts[0].first}_by_{first}", lower=lower, upper=upper, FIRST=first)


def _effect_of(name: str, part: Effect, moves: Any) -> Callable[[Any, int], None]:
    """The function of an effect, wrapped to take a place even if the effect has one action.

    Raises:
        ValueError: see `carry_out_of`.
    """
    function = getattr(moves, part.function, None)
    actions = f"the block {part.block!r}, {part.count} action{'s' * (part.count > 1)}"
    if function is None:
        raise ValueError(
            f"{moves.__name__} has no function {part.function!r} to carry out {actions}: write it, or give the block "
            "the name of another function (Block.effect)"
        )
    code = interpreted(function).__code__
    wanted = ("state",) if part.count == 1 else ("state", "place")
    if code.co_argcount != len(wanted):
        taken = ", ".join(code.co_varnames[: code.co_argcount])
        raise ValueError(
            f"{moves.__name__}.{part.function}({taken}) carries out {actions}, but must take ({', '.join(wanted)})"
        )
    return function if part.count > 1 else bind_inlined(_without_place, f"{name}_{part.function}", effect=function)
