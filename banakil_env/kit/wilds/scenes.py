"""How does a table with the fields of `wilds.table` look? Hands, pile, stock and melds as a `Scene`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.cards import SUITS
from banakil_env.kit.melds.wild_melds import NO_SUIT, NUM_PLACES, is_run, places_of
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES, faces_in
from banakil_env.kit.scenes import facts_of
from banakil_env.kit.table_state import MATCH_EPISODE, OVER
from banakil_env.kit.wilds.table import NO_FACE, joker_or_face


def wild_scene(
    state: Any,
    viewer: int | None,
    *,
    title: str,
    rules: str,
    goal: str,
    decision: str,
    result: str,
    card_at: Callable[[Any, int, int], int] = joker_or_face,
    pile_note: str = "",
    meld_notes: Sequence[str] = (),
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        title: of the game. rules: as text. goal: of a match: "to 500". decision: what is to be decided.
        result: how the game ended; "" while it goes on.
        card_at(state, slot, place): the card that lies at a place of a meld.
        pile_note: what else is to be known of the pile. meld_notes: the same of each meld.
    """
    n, over = int(state.num_players), state.phase == OVER
    stock = FACES.names_of(state.stock[: state.stock_size])
    return Scene(
        title=title,
        rules=f"{rules}, {n} players",
        seats=tuple(_seat(state, seat, viewer) for seat in range(n)),
        areas=(
            Area("pile", FACES.names_of(state.pile[: state.pile_size]), int(state.pile_size), pile_note),
            Area("stock", stock if viewer is None else (None,) * len(stock), len(stock)),
        ),
        melds=tuple(
            Meld(
                slot,
                int(state.meld_owner[slot]),
                FACES.names_of(
                    int(interpreted(card_at)(state, slot, place)) for place, *_ in places_of(state.melds[slot])
                ),
                _stand_for(int(state.melds[slot])),
                meld_notes[slot] if meld_notes else "",
            )
            for slot in range(int(state.num_melds))
        ),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else decision,
        facts=facts_of(state, goal),
        result=result,
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


def _stand_for(meld: int) -> tuple[str | None, ...]:
    """For each card of a meld, what it stands for; None: itself, or any card of the rank."""
    named = NUM_PLACES if interpreted(is_run)(meld) else NO_SUIT
    return tuple(FACES.names[face] if wild and place < named else None for place, face, wild in places_of(meld))


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    faces = faces_in(state.hands[seat])
    suits = ([face for face in faces if face // NUM_RANKS == suit] for suit in range(len(SUITS) + 1))
    notes: tuple[str, ...] = ("dealer",) if seat == state.dealer else ()
    if seat == state.seat and state.must != NO_FACE:
        notes += (f"has to play {FACES.names[state.must]}",)
    return SeatView(
        seat=seat,
        side=seat,
        hand=tuple(FACES.names_of(suit) for suit in suits if suit) if viewer in (None, seat) else None,
        size=len(faces),
        known=FACES.names_of(faces_in(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == MATCH_EPISODE else None,
        notes=notes,
    )
