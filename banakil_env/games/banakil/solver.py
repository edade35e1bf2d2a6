"""Finds the best way to lay down a hand: by value, by cards left, or by points if the round ended now. It is exact.

    >>> from banakil_env.games.banakil.solver import solve
    >>> layout = solve("3c 4c 5c 2h Kd", melds="7h 8h 9h")
    >>> layout.actions, layout.left, layout.away
    (('open 3c 4c 5c', 'add 2 high'), ('Kd',), 0)

`layouts/` has the compiled functions, for players that call them thousands of times per second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from banakil_env.core.game import PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import kernels_of, legal_actions
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import CHOOSE_MELD, DISCARD, action_text
from banakil_env.games.banakil.faces import FACES
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.layouts.layout import layout_one
from banakil_env.games.banakil.layouts.weights import BY_CARDS, BY_VALUE, packed
from banakil_env.games.banakil.meld_text import meld_text
from banakil_env.games.banakil.melds import Meld, value_of
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.scoring import FLAT_HAND, NOTHING_MELDED, OUT_BONUS, hand_value
from banakil_env.kit.pack54 import faces_in
from banakil_env.kit.table_state import CHOOSE, OVER

__all__ = ["Layout", "solve"]

AIMS = ("value", "cards", "points")

# The lines of the position that is made from the arguments, and the argument of each line, for error messages.
_ARGUMENTS = {"rules": "rules", "hand 0": "hand", "melds 0": "melds", "melds 2": "melds of the partner"}
_LINE = re.compile(rf"^line [0-9]+, ({'|'.join(_ARGUMENTS)}): ")


@dataclass(frozen=True)
class Layout:
    """A way to lay down a hand.

    Attributes:
        actions: the plays, in a legal order.
        melds: the melds of the player's side after these plays, as text, in the order of opening.
        left: the cards that stay in the hand.
        value: points added to the melds of the player's side. A Joker that comes out of them is subtracted.
        points: the points of the seat if the round ended now (B7.1, B7.2, B9.8): its melds less its hand. If at most
            one card is left, it is discarded and the seat has gone out.
        away: the number of cards too many to go out. 0: the seat goes out at once (with nothing melded before, a
            *hand*).
    """

    actions: tuple[str, ...]
    melds: tuple[str, ...]
    left: tuple[str, ...]
    value: float
    points: float
    away: int


def solve(hand: str, melds: str = "", partner_melds: str = "", rules: str = "pagat", by: str = "points") -> Layout:
    """Find the best way to lay down a hand.

    Args:
        hand: the cards, such as `"3c 4c 5c JK"`.
        melds: the seat's melds on the table, such as `"7h 8h 9h | 3c 3d 3s"`. Empty: the seat has melded nothing
            (B5.1).
        partner_melds: the partner's melds.
        rules: a preset, then switches.
        by: "value" for the most points laid down, then the most cards; "cards" for the fewest cards left, then the most
            points; "points" for the most points if the round ended now. By points the seat goes out if it can.
            Otherwise it plays by value, or lays down nothing if the flat -20 is better.

    Raises:
        ValueError: an unknown aim.
        PositionError: impossible cards or melds.
    """
    if by not in AIMS:
        raise ValueError(f"by must be {', '.join(repr(aim) for aim in AIMS)}, not {by!r}")
    start = _position(hand, melds, partner_melds, rules)
    if by == "points":
        return max((_lay_down(start, aim) for aim in (BY_VALUE, BY_CARDS, None)), key=lambda layout: layout.points)
    return _lay_down(start, BY_VALUE if by == "value" else BY_CARDS)


def _position(hand: str, melds: str, partner_melds: str, rules: str) -> Any:
    lines = [f"rules: {rules}", "turn: seat 0, play", f"hand 0: {hand}", "pile:"]
    if melds.strip():
        lines.append(f"melds 0: {melds}")
    if partner_melds.strip():
        lines += ["players: 4", f"melds 2: {partner_melds}"]
    try:
        return GAME.texts.from_text("\n".join(lines))
    except PositionError as error:
        raise PositionError(_LINE.sub(lambda found: f"{_ARGUMENTS[found[1]]}: ", str(error))) from None


def _lay_down(start: Any, by: int | None) -> Layout:
    """Return the layout after plays that keep the optimum reachable, made until nothing more can be gained.

    `start` is an array of one state. With `by` None no play is made.
    """
    state, actions = start.copy(), []
    missing = 0 if by is None else _best(state, by)
    while by is not None and missing:
        texts, state = _play_that_keeps(state, missing, by)
        missing = _best(state, by)
        actions += texts
    return _layout(start[0], state[0], tuple(actions))


def _play_that_keeps(state: Any, missing: int, by: int) -> tuple[list[str], Any]:
    """Return the texts of a play that keeps the optimum reachable, and the state after it.

    `missing` is the best sum that can still be laid down; see `_best`.
    """
    for texts, after in _plays(state):
        if _best(after, by) == missing - _gain(state, after, by):
            return texts, after
    raise AssertionError(f"no play keeps the best of\n{GAME.texts.to_text(state[0])}")  # not reached: exact solver


def _plays(state: Any) -> Iterator[tuple[list[str], Any]]:
    """Yield every play to the table, as its texts and the state after it."""
    for action in legal_actions(GAME, state[0]):
        if action < DISCARD or action >= CHOOSE_MELD:
            after = state.copy()
            kernels_of(GAME).apply_one(after, action)
            if after[0].phase == CHOOSE:
                yield from (([action_text(action), *texts], final) for texts, final in _plays(after))
            else:
                yield [action_text(action)], after


def _best(state: Any, by: int) -> int:
    """Return the best sum that seat 0 can still lay down, packed as in `layouts/weights.py`.

    A seat without a meld opens one before it adds to any.
    """
    if state[0].phase == OVER:
        return 0
    best = layout_one(state, 0, by)
    if state[0].melds_of[0] == 0 and state[0].num_melds:
        best = max([best, *(_gain(state, after, by) + _best(after, by) for _, after in _plays(state))])
    return best


def _gain(state: Any, after: Any, by: int) -> int:
    """Return the sum of the cards laid down between two states, packed as in `layouts/weights.py`."""
    value = _melded(after[0]) - _melded(state[0])
    return packed(value, len(faces_in(state[0].hands[0])) - len(faces_in(after[0].hands[0])), by)


def _melds_of(state: Any) -> list[Meld]:
    """Return the melds on the table, in the order of opening."""
    return [Meld.unpack(meld) for meld in state.melds[: state.num_melds]]


def _melded(state: Any) -> int:
    return sum(value_of(int(meld), int(interpreted(S.ace_value_of)(state))) for meld in state.melds[: state.num_melds])


def _layout(start: Any, state: Any, actions: tuple[str, ...]) -> Layout:
    left = faces_in(state.hands[0])
    return Layout(
        actions=actions,
        melds=tuple(meld_text(meld, bool(state.rules.wilds == FIXED)) for meld in _melds_of(state)),
        left=tuple(FACES.names[face] for face in left),
        value=(_melded(state) - _melded(start)) / 2,
        points=_points(start, state, left) / 2,
        away=max(0, len(left) - 1),
    )


def _points(start: Any, state: Any, left: list[int]) -> int:
    """Return the half points of the seat if the round ended now; a last card is discarded."""
    out = len(left) <= 1
    if out and not start.melds_of[0]:  # a *hand*, assuming that the opponents have melded nothing
        if state.rules.hand_bonus[0] != S.NO_BONUS:
            return 2 * int(state.rules.hand_bonus[1])
        if start.num_melds == 0:  # B7.2: with a partner only if the partner has melded nothing either
            return FLAT_HAND
    if not state.melds_of[0]:
        return NOTHING_MELDED
    ace_value = int(interpreted(S.ace_value_of)(state))
    own = sum(value_of(meld.pack(), ace_value) for meld in _melds_of(state) if meld.owner == 0)
    return own + (OUT_BONUS if out else -hand_value(state, 0))
