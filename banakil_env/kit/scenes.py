"""Builds the parts of a `Scene` that all games share, and whole scenes of the card table (`table_state`)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.cards import Faces
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import faces_in
from banakil_env.kit.positions import Positions
from banakil_env.kit.table_state import MATCH_EPISODE, OVER, stock_is_seen

# Parts of every scene ------------------------------------------------------------------------------------------------


def table_scene(
    state: Any,
    viewer: int | None,
    texts: Positions,
    *,
    seats: Iterable[SeatView],
    areas: Sequence[Area],
    melds: Iterable[Meld],
    decision: str,
    facts: Sequence[str],
    mover: int | None = None,
    players: str = "players",
) -> Scene:
    """The table of any game as `viewer` sees it; None for a viewer that sees all hands and the stock.

    Args:
        texts: the game's position texts.
        decision: the decision in words; not shown when the game is over.
        mover: the seat that decides, as far as the viewer knows; None for the seat to move.
        players: the word for the players in the line about the rules.
    """
    n, over = int(state.num_players), state.phase == OVER
    return Scene(
        title=texts.game.title,
        rules=f"{_rules_said(texts.game, state.rules.tobytes())}, {n} {players}",
        seats=tuple(seats),
        areas=tuple(areas),
        melds=tuple(melds),
        viewer=viewer,
        to_move=None if over else int(state.seat) if mover is None else mover,
        decision="" if over else decision,
        facts=tuple(facts),
        result=texts.ending(state),
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


@functools.lru_cache(maxsize=256)
def _rules_said(game: Game, content: bytes) -> str:
    """The text of the rules, from the bytes of their record."""
    state = np.zeros(1, game.state)
    state["rules"] = np.frombuffer(content, game.state["rules"])
    return game.rules_of(state[0]).text()


def seat_view(
    state: Any,
    seat: int,
    faces: Faces,
    hand: Iterable[int],
    known: Iterable[int],
    *,
    shown: bool,
    side: int | None = None,
    notes: Sequence[str] = (),
    group: int = NUM_RANKS,
) -> SeatView:
    """The view of a seat: the cards of its hand, ascending, and those of them that everybody knows.

    Args:
        shown: whether the viewer sees the hand.
        side: the side of the seat; None if everybody plays alone.
        notes: texts after the note that marks the dealer.
        group: number of faces in one group of the hand (such as a suit); cards are shown group by group.
    """
    hand = list(hand)
    grouped = itertools.groupby(hand if shown else (), lambda face: int(face) // group)
    groups = tuple([faces.names_of(each) for _, each in grouped])
    return SeatView(
        seat=seat,
        side=seat if side is None else side,
        hand=groups if shown else None,
        size=len(hand),
        known=faces.names_of(known),
        score=int(state.scores[seat]) if state.episode == MATCH_EPISODE else None,
        notes=("dealer",) * int(seat == state.dealer) + tuple(notes),
    )


def pile_and_stock(state: Any, faces: Faces, *, open_stock: bool, note: str = "") -> tuple[Area, Area]:
    """The areas of the pile and the stock; `note` is a text to show with the pile."""
    pile, size = faces.names_of(state.pile[: state.pile_size].tolist()), int(state.stock_size)
    stock = faces.names_of(state.stock[:size].tolist()) if open_stock else (None,) * size
    return Area("pile", pile, len(pile), note), Area("stock", stock, size)


def facts_of(state: Any, texts: Positions, goal: str = "") -> tuple[str, ...]:
    """The facts about round and turn.

    Args:
        goal: the end of a match in words, for games in which the switches `target` and `deals` do not define it.
    """
    now = state.phase != OVER
    turn = f"turn {state.turns + now} of at most {state.rules.max_turns}"
    if state.episode != MATCH_EPISODE:
        return (turn,)
    rules = texts.game.rules_of(state)
    target, deals = getattr(rules, "target", None), getattr(rules, "deals", None)
    goals = [f"to {target}"] * (target is not None) + [f"of {deals} deals"] * (deals is not None)
    return f"round {state.rounds + now} of the match {goal or ' or '.join(goals)}", turn


# The card table ------------------------------------------------------------------------------------------------------


def card_scene(
    state: Any,
    viewer: int | None,
    texts: Positions,
    decision: str,
    *,
    notes_of: Callable[[int], Sequence[str]] = lambda seat: (),
    hands_open: bool = False,
    pile_note: str = "",
    between: Sequence[Area] = (),
    areas: Sequence[Area] = (),
    facts: Sequence[str] | None = None,
    side_of: Callable[[Any, int], int] | None = None,
    mover: int | None = None,
    players: str = "players",
    group: int = NUM_RANKS,
) -> Scene:
    """The table of a game whose hands are rows of layers, as `viewer` sees it.

    Args:
        viewer: a seat; None for a viewer that sees all hands and the stock.
        decision, mover, players: see `table_scene`.
        group: see `seat_view`.
        notes_of(seat): the notes at a seat.
        hands_open: whether every viewer sees all hands.
        pile_note: a text to show with the pile.
        between: areas after the pile.
        areas: areas after the stock.
        facts: the facts to show; None for those of `facts_of`.
        side_of(state, seat): the side of a seat; None if each seat is a side.
    """
    faces = texts.faces
    pile, stock = pile_and_stock(
        state, faces, open_stock=viewer is None or bool(interpreted(stock_is_seen)(state)), note=pile_note
    )
    slots = range(int(state.num_melds)) if "num_melds" in state.dtype.names else ()
    return table_scene(
        state,
        viewer,
        texts,
        seats=(
            seat_view(
                *(state, seat, faces, faces_in(state.hands[seat]), faces_in(state.known[seat])),
                shown=hands_open or viewer in (None, seat),
                side=None if side_of is None else int(side_of(state, seat)),
                notes=notes_of(seat),
                group=group,
            )
            for seat in range(int(state.num_players))
        ),
        areas=(pile, *between, stock, *areas),
        melds=(Meld(slot, texts.owner_of(state, slot), *texts.meld_shown(state, slot)) for slot in slots),
        decision=decision,
        facts=facts_of(state, texts) if facts is None else facts,
        mover=mover,
        players=players,
    )
