"""How does a table of a game of books look? Hands, pile, stock, red Threes and the melds of two sides as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.books.kinds import FACES, NUM_KINDS, NUM_SUITS, faces_of
from banakil_env.kit.books.positions import reds_of
from banakil_env.kit.books.table import is_frozen
from banakil_env.kit.table_state import MATCH_EPISODE, OVER
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def book_scene(
    state: Any,
    viewer: int | None,
    *,
    title: str,
    rules: str,
    goal: str,
    phases: Mapping[int, str],
    result: str,
    melds: Sequence[Meld],
    notes: Sequence[str] = (),
    areas: Sequence[Area] = (),
    freezes: bool = False,
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        title: of the game. rules: as text. goal: of a match: "to 5000". phases: what is to be decided, by number.
        result: how the game ended; "" while it goes on. melds: of both sides.
        notes: fields of the state that are noted at the seat to move where they are not 0.
        areas: of the game's own. freezes: a wild card or red Three in the pile is noted.
    """
    n, over = int(state.num_players), state.phase == OVER
    stock, pile = FACES.names_of(state.stock[: state.stock_size][::-1]), state.pile[: state.pile_size]
    turn = f"turn {state.turns + (not over)} of at most {state.rules.max_turns}"
    match = f"round {state.rounds + (not over)} of the match {goal}"
    sides = range(NUM_SIDES) if "red_threes" in state.dtype.names else ()
    reds = [FACES.names_of(reds_of(state, side)) for side in sides]
    return Scene(
        title=title,
        rules=f"{rules}, {n} players",
        seats=tuple(_seat(state, seat, viewer, notes) for seat in range(n)),
        areas=(
            Area("pile", FACES.names_of(pile), len(pile), "frozen" if freezes and is_frozen(state) else ""),
            Area("stock", stock if viewer is None else (None,) * len(stock), len(stock)),
            *(Area(f"red threes {side}", cards, len(cards), owner=side) for side, cards in enumerate(reds)),
            *areas,
        ),
        melds=tuple(melds),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else phases[int(state.phase)],
        facts=(match, turn) if state.episode == MATCH_EPISODE else (turn,),
        result=result,
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


def _seat(state: Any, seat: int, viewer: int | None, notes: Sequence[str]) -> SeatView:
    faces = faces_of(state.hands[seat])
    groups = ([face for face in faces if face // NUM_SUITS == kind] for kind in range(NUM_KINDS))
    said = ["dealer"] * int(seat == state.dealer) + [word for word in notes if seat == state.seat and state[word]]
    return SeatView(
        seat=seat,
        side=side_of(state, seat),
        hand=tuple(FACES.names_of(group) for group in groups if group) if viewer in (None, seat) else None,
        size=len(faces),
        known=FACES.names_of(faces_of(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == MATCH_EPISODE else None,
        notes=tuple(said),
    )
