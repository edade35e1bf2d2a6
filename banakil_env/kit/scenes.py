"""How does a table with one pack of 52 cards look? Hands, pile, stock and melds as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.melds.runs_and_sets import in_order
from banakil_env.kit.pack52 import FACES, NO_FACE, NUM_RANKS, NUM_SUITS, faces_of
from banakil_env.kit.positions import melds_of
from banakil_env.kit.table_state import CHOOSE, MATCH_EPISODE, OVER


def scene_of(
    state: Any,
    viewer: int | None,
    *,
    title: str,
    rules: str,
    goal: str,
    phases: Mapping[int, str],
    result: str,
    high_ace: bool = False,
) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        title: of the game. rules: as text. goal: of a match: "to 100". phases: what is to be decided, by number.
        result: how the game ended; "" while it goes on.
        high_ace: the Ace may lie high in a run, too.
    """
    n, over = int(state.num_players), state.phase == OVER
    stock = FACES.names_of(state.stock[: state.stock_size])
    open_stock = viewer is None or state.seen
    return Scene(
        title=title,
        rules=f"{rules}, {n} players",
        seats=tuple(_seat(state, seat, viewer) for seat in range(n)),
        areas=(
            Area("pile", FACES.names_of(state.pile[: state.pile_size]), int(state.pile_size)),
            Area("stock", stock if open_stock else (None,) * len(stock), len(stock)),
        ),
        melds=tuple(
            Meld(number, owner, FACES.names_of(in_order(cards, high_ace)))
            for number, (owner, cards) in enumerate(melds_of(state))
        ),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else _decision(state, phases),
        facts=facts_of(state, goal),
        result=result,
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


def _decision(state: Any, phases: Mapping[int, str]) -> str:
    said = phases[int(state.phase)]
    return f"{said} for {FACES.names[state.named]}" if state.phase == CHOOSE else said


def facts_of(state: Any, goal: str) -> tuple[str, ...]:
    """The round and the turn; `goal` of a match: "to 100"."""
    now = state.phase != OVER
    turn = f"turn {state.turns + now} of at most {state.rules.max_turns}"
    return (f"round {state.rounds + now} of the match {goal}", turn) if state.episode == MATCH_EPISODE else (turn,)


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    faces = faces_of(state.hands[seat])
    suits = ([face for face in faces if face // NUM_RANKS == suit] for suit in range(NUM_SUITS))
    notes: tuple[str, ...] = ("dealer",) if seat == state.dealer else ()
    if seat == state.seat and state.banned != NO_FACE:
        notes += (f"may not discard {FACES.names[state.banned]}",)
    return SeatView(
        seat=seat,
        side=seat,
        hand=tuple(FACES.names_of(suit) for suit in suits if suit) if viewer in (None, seat) else None,
        size=len(faces),
        known=FACES.names_of(faces_of(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == MATCH_EPISODE else None,
        notes=notes,
    )
