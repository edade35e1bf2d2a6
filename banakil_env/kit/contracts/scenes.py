"""How does a table of a game of contracts look? Hands, pile, stock and melds as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit import table_state as T
from banakil_env.kit.cards import SUITS
from banakil_env.kit.contracts.positions import named_text
from banakil_env.kit.melds.joker_melds import meld_faces, stands_for
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES, faces_in
from banakil_env.kit.scenes import facts_of

_NUMBERS = ("no", "one", "two", "three", "four")


def contract_text(sets: int, runs: int) -> str:
    """A contract in words: `one set of three and two runs of four`."""
    counted = ((sets, "set", "three"), (runs, "run", "four"))
    return " and ".join(f"{_NUMBERS[n]} {what}{'s' * (n > 1)} of {size}" for n, what, size in counted if n)


def contract_scene(
    state: Any,
    viewer: int | None,
    *,
    title: str,
    rules: str,
    contract: str,
    phases: Mapping[int, str],
    result: str,
    facts: Sequence[str] = (),
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        title: of the game. rules: as text. contract: of this round, in words: "two sets of three".
        phases: what is to be decided, by number. result: how the game ended; "" while it goes on.
        facts: more about the turn.
    """
    n, over = int(state.num_players), state.phase == T.OVER
    stock = FACES.names_of(state.stock[: state.stock_size])
    decision = phases.get(int(state.phase), "")
    return Scene(
        title=title,
        rules=f"{rules}, {n} players",
        seats=tuple(_seat(state, seat, viewer) for seat in range(n)),
        areas=(
            Area("pile", FACES.names_of(state.pile[: state.pile_size]), int(state.pile_size)),
            Area("stock", stock if viewer is None else (None,) * len(stock), len(stock)),
        ),
        melds=tuple(
            Meld(slot, int(state.meld_owner[slot]), FACES.names_of(meld_faces(meld)), stands_for(meld))
            for slot, meld in enumerate(state.melds[: state.num_melds])
        ),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else f"{decision} for {named_text(state)}" if state.phase == T.CHOOSE else decision,
        facts=(f"contract {state.contract}: {contract}", *facts_of(state, "of all contracts"), *facts),
        result=result,
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    faces = faces_in(state.hands[seat])
    groups = ([face for face in faces if face // NUM_RANKS == suit] for suit in range(len(SUITS) + 1))
    notes = ["dealer"] * int(seat == state.dealer)
    notes += [f"calls {state.calls[seat]}"] if state.calls[seat] else []
    return SeatView(
        seat=seat,
        side=seat,
        hand=tuple(FACES.names_of(group) for group in groups if group) if viewer in (None, seat) else None,
        size=len(faces),
        known=FACES.names_of(faces_in(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == T.MATCH_EPISODE else None,
        notes=tuple(notes),
    )
