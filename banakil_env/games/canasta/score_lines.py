"""The points of a round of Canasta in parts (C9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.canasta import scoring
from banakil_env.games.canasta import state as S
from banakil_env.kit.books.kinds import value_of_stacks
from banakil_env.kit.books.melds import value_of_books
from banakil_env.kit.score_lines import Line, some
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def lines(state: Any, seat: int) -> list[Line]:
    """Melded cards, canastas, red Threes and going out, less the hands of the side."""
    side = interpreted(side_of)(state, seat)
    hands = [
        (f"cards left in the hand of seat {each}", -interpreted(value_of_stacks)(state.hands[each]))
        for each in range(side, int(state.num_players), NUM_SIDES)
    ]
    parts = [
        ("melded cards", interpreted(value_of_books)(state, side)),
        ("canastas", interpreted(scoring.canasta_points)(state, side)),
        ("red Threes", interpreted(scoring.red_three_points)(state, side)),
        *hands,
    ]
    # What going out brings depends on the turn, which the state at the end does not tell: it is what is missing.
    out = int(state.points[seat]) - sum(int(points) for _, points in parts)
    return some([*parts, ("going out concealed" if out == scoring.CONCEALED else "going out", out)])


def first_meld(state: Any) -> tuple[int, int] | None:
    """The value that the first meld of the side to move needs, and the value laid so far; None: no first meld
    is due.
    """
    side = interpreted(side_of)(state, int(state.seat))
    missing = int(interpreted(S.missing_value)(state, side))
    if missing <= 0:
        return None
    needed = int(interpreted(S.minimum)(state, side))
    return needed, needed - missing
