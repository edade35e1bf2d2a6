"""How does a table with the fields of `wilds.table` look? Hands, pile, stock and melds as a `Scene`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Meld, Scene, SeatView
from banakil_env.kit.melds.wild_melds import NO_SUIT, NUM_PLACES, is_run, places_of
from banakil_env.kit.pack54 import FACES, faces_in
from banakil_env.kit.scenes import facts_of, pile_and_stock, seat_view, table_scene
from banakil_env.kit.wilds.positions import WildPositions
from banakil_env.kit.wilds.table import NO_FACE, joker_or_face


def wild_scene(
    state: Any,
    viewer: int | None,
    texts: WildPositions,
    decisions: Mapping[int, str],
    *,
    card_at: Callable[[Any, int, int], int] = joker_or_face,
    meld_notes: Sequence[str] = (),
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        texts: of the game. decisions: what is to be decided, by the number of the phase.
        card_at(state, slot, place): the card that lies at a place of a meld.
        meld_notes: what else is to be known of each meld.
    """
    return table_scene(
        state,
        viewer,
        texts,
        seats=(_seat(state, seat, viewer) for seat in range(int(state.num_players))),
        areas=pile_and_stock(state, FACES, open_stock=viewer is None),
        melds=(
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
        decision=texts.decision(state, decisions),
        facts=facts_of(state, texts),
    )


def _stand_for(meld: int) -> tuple[str | None, ...]:
    """For each card of a meld, what it stands for; None: itself, or any card of the rank."""
    named = NUM_PLACES if interpreted(is_run)(meld) else NO_SUIT
    return tuple(FACES.names[face] if wild and place < named else None for place, face, wild in places_of(meld))


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    hand, known = faces_in(state.hands[seat]), faces_in(state.known[seat])
    must = seat == state.seat and state.must != NO_FACE
    notes = [f"has to play {FACES.names[state.must]}"] if must else []
    return seat_view(state, seat, FACES, hand, known, shown=viewer in (None, seat), notes=notes)
