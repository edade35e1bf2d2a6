"""Carries an action out by the function that its block names, found by one function made from the table.

It is a tree of comparisons, `if action < ...`, whose steps are copied into each other. So it is as fast as a chain of
`if` and `elif` that a game would write by hand, and the game writes the effects alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banakil_env.core.actions import ActionTable, Effect
from banakil_env.core.jit import bind, bind_inlined, interpreted

FIRST = 0  # bound to the first action of a part of the table


def effect(state: Any, place: int) -> None:
    """Carry out an action; bound below."""
    raise NotImplementedError


def lower(state: Any, action: int) -> None:
    """The step for actions below FIRST, bound below."""
    raise NotImplementedError


def upper(state: Any, action: int) -> None:
    """The step for actions from FIRST on, bound below."""
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
    """The function `carry_out(state, action)` of a game (`core/engine.py`).

    Args:
        game: its name. actions: its table. moves: the module with the functions that the blocks name.

    Raises:
        ValueError: a function is missing, or does not take the arguments of an effect (`Block`).
    """
    return _tree(f"{game}_carry_out", actions.effects, moves, bind)


def _tree(name: str, parts: Sequence[Effect], moves: Any, bound: Callable[..., Any]) -> Any:
    """A function that carries out the actions of neighbouring parts of the table. ValueError: as above.

    Args:
        name: that the names of its steps begin with. bound: `bind` for the whole tree, a function of its own.
    """
    if len(parts) == 1:
        effect_of = _effect_of(name, parts[0], moves)
        return bound(_at_place, f"{name}_at_{parts[0].first}", effect=effect_of, FIRST=parts[0].first)
    middle = len(parts) // 2
    lower, upper = (_tree(name, some, moves, bind_inlined) for some in (parts[:middle], parts[middle:]))
    first = parts[middle].first
    return bound(_fork, f"{name}_from_{parts[0].first}_by_{first}", lower=lower, upper=upper, FIRST=first)


def _effect_of(name: str, part: Effect, moves: Any) -> Callable[[Any, int], None]:
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
    return function if part.count > 1 else bind_inlined(_without_place, f"{name}_{part.function}", effect=function)
