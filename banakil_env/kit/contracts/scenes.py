"""How does a table of a game of contracts look? Hands, pile, stock and melds as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.core.scene import Meld, Scene, SeatView
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts.positions import ContractPositions, named_text
from banakil_env.kit.melds.joker_melds import meld_faces, stands_for
from banakil_env.kit.pack54 import FACES, faces_in
from banakil_env.kit.scenes import facts_of, pile_and_stock, seat_view, table_scene

_NUMBERS = ("no", "one", "two", "three", "four")


def contract_text(sets: int, runs: int) -> str:
    """A contract in words: `one set of three and two runs of four`."""
    counted = ((sets, "set", "three"), (runs, "run", "four"))
    return " and ".join(f"{_NUMBERS[n]} {what}{'s' * (n > 1)} of {size}" for n, what, size in counted if n)


def contract_scene(
    state: Any,
    viewer: int | None,
    texts: ContractPositions,
    decisions: Mapping[int, str],
    contract: str,
    facts: Sequence[str] = (),
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        texts: of the game. decisions: what is to be decided, by the number of the phase.
        contract: of this round, in words: "two sets of three". facts: more about the turn.
    """
    decision = decisions.get(int(state.phase), "")
    return table_scene(
        state,
        viewer,
        texts,
        seats=(_seat(state, seat, viewer) for seat in range(int(state.num_players))),
        areas=pile_and_stock(state, FACES, open_stock=viewer is None),
        melds=(
            Meld(slot, int(state.meld_owner[slot]), FACES.names_of(meld_faces(meld)), stands_for(meld))
            for slot, meld in enumerate(state.melds[: state.num_melds])
        ),
        decision=f"{decision} for {named_text(state)}" if state.phase == T.CHOOSE else decision,
        facts=(f"contract {state.contract}: {contract}", *facts_of(state, texts, "of all contracts"), *facts),
    )


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    hand, known = faces_in(state.hands[seat]), faces_in(state.known[seat])
    notes = [f"calls {state.calls[seat]}"] if state.calls[seat] else []
    return seat_view(state, seat, FACES, hand, known, shown=viewer in (None, seat), notes=notes)
