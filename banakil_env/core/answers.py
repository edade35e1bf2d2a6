"""Checks that a player's answer is a legal action in every row, when the package receives the answer.

Compiled loops that call `Game.carry_out` do not check the action: an illegal one would write outside the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import IllegalAction


def refuse_masked(answer: Any, what: str) -> None:
    """Raise IllegalAction if an answer is a masked array: NumPy would ignore the mask.

    `what` names the answer in the message.
    """
    if isinstance(answer, np.ma.MaskedArray):
        raise IllegalAction(f"{what} must be a plain array of whole numbers, not a masked array (numpy.ma)")


def legal_rows(actions: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Whether each row holds a legal action, bool (k,).

    Args:
        actions: integers (k,), of any value.
        masks: (k, actions), not 0 for a legal action.
    """
    known = (actions >= 0) & (actions < masks.shape[1])
    legal: npt.NDArray[np.bool_] = known & (masks[np.arange(len(masks)), np.where(known, actions, 0).astype(int)] != 0)
    return legal


def checked_actions(
    answer: Any, masks: npt.NDArray[np.int8], player: str, action_text: Callable[[int], str]
) -> npt.NDArray[np.int64]:
    """A player's answer as one legal action per row, int64 (k,).

    Args:
        answer: what the player returned.
        masks: int8 (k, actions), not 0 for a legal action.
        player: the player's name, for the message.
        action_text: gives the text of an action, for the message.

    Raises:
        IllegalAction: the answer is not an array of k integers, or an action is illegal. The message names the player,
            the action and the legal actions.
    """
    refuse_masked(answer, f"the answers of the player {player}")
    actions = np.asarray(answer)
    if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
        raise IllegalAction(
            f"the player {player} was to choose {len(masks)} actions and answered with an array of {actions.dtype} of "
            f"shape {actions.shape}; expected: whole numbers of shape ({len(masks)},)"
        )
    legal = legal_rows(actions, masks)
    if not legal.all():
        row = int(np.argmin(legal))
        action = int(actions[row])
        name = (
            f"{action_text(action)!r} ({action})"
            if 0 <= action < masks.shape[1]
            else f"{action}, which is not an action,"
        )
        could = ", ".join(action_text(int(one)) for one in np.flatnonzero(masks[row])) or "nothing"
        raise IllegalAction(f"the player {player} answered {name} in row {row}; legal were: {could}")
    return actions.astype(np.int64)
