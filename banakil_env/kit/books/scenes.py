"""The `Scene` of a game of books: hands, pile, stock, red Threes and the melds of two sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.books.kinds import FACES, NUM_SUITS, faces_of
from banakil_env.kit.books.positions import BookPositions, reds_of
from banakil_env.kit.books.table import is_frozen
from banakil_env.kit.scenes import facts_of, seat_view, table_scene
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def book_scene(
    state: Any,
    viewer: int | None,
    texts: BookPositions,
    *,
    melds: Sequence[Meld],
    notes: Sequence[str] = (),
    areas: Sequence[Area] = (),
    goal: str = "",
    freezes: bool = False,
) -> Scene:
    """The table as `viewer` sees it; None for a viewer that sees all hands and the stock.

    Args:
        texts: the position texts of the game.
        melds: the melds of both sides.
        notes: names of fields of the state that are shown at the seat to move if they are not 0.
        areas: additional areas of the game.
        goal: the end of a match without a switch `target`, such as "of 4 rounds".
        freezes: whether a pile with a wild card or red Three is marked as frozen.
    """
    size, pile = int(state.stock_size), state.pile[: state.pile_size].tolist()
    stock = FACES.names_of(state.stock[:size][::-1].tolist()) if viewer is None else (None,) * size
    frozen = freezes and bool(interpreted(is_frozen)(state))
    sides = range(NUM_SIDES) if "red_threes" in state.dtype.names else ()
    reds = [FACES.names_of(reds_of(state, side)) for side in sides]
    return table_scene(
        state,
        viewer,
        texts,
        seats=(_seat(state, seat, viewer, notes) for seat in range(int(state.num_players))),
        areas=(
            Area("pile", FACES.names_of(pile), len(pile), "frozen" if frozen else ""),
            Area("stock", stock, size),
            *(Area(f"red threes {side}", cards, len(cards), owner=side) for side, cards in enumerate(reds)),
            *areas,
        ),
        melds=melds,
        decision=texts.decision(state),
        facts=facts_of(state, texts, goal),
    )


def _seat(state: Any, seat: int, viewer: int | None, notes: Sequence[str]) -> SeatView:
    return seat_view(
        state,
        seat,
        FACES,
        faces_of(state.hands[seat]),
        faces_of(state.known[seat]),
        shown=viewer in (None, seat),
        side=interpreted(side_of)(state, seat),
        notes=[word for word in notes if seat == state.seat and state[word]],
        group=NUM_SUITS,
    )
