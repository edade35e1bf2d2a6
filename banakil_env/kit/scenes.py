"""How does a table look? What the scenes of all games share, and the table of a game with one pack of 52 cards."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.cards import Faces
from banakil_env.kit.melds.runs_and_sets import in_order
from banakil_env.kit.pack52 import FACES, NO_FACE, NUM_RANKS, faces_of
from banakil_env.kit.positions import Positions, melds_of
from banakil_env.kit.table_state import CHOOSE, MATCH_EPISODE, OVER

# What the scenes share -----------------------------------------------------------------------------------------------


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
    """The table of any game as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        texts: of the game. decision: what is to be decided, where the game is not over.
        mover: who decides, in the eyes of the viewer; None: the seat to move. players: what those who play are called.
    """
    n, over = int(state.num_players), state.phase == OVER
    return Scene(
        title=texts.game.title,
        rules=f"{texts.game.rules_of(state).text()}, {n} {players}",
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
    """A seat with the cards of its hand, ascending, and those of them that everybody knows.

    Args:
        shown: the hand lies open. side: None: everybody plays alone. notes: behind that the seat deals.
        group: a hand is held in groups, of as many faces each as this: suits.
    """
    hand = list(hand)
    groups = tuple(faces.names_of(each) for _, each in itertools.groupby(hand, lambda face: int(face) // group))
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
    """The two heaps; `note`: what else is to be known of the pile."""
    pile, stock = faces.names_of(state.pile[: state.pile_size]), faces.names_of(state.stock[: state.stock_size])
    return Area("pile", pile, len(pile), note), Area("stock", stock if open_stock else (None,) * len(stock), len(stock))


def facts_of(state: Any, texts: Positions, goal: str = "") -> tuple[str, ...]:
    """The round and the turn; `goal` of a match, if the switches `target` and `deals` do not say it."""
    now = state.phase != OVER
    turn = f"turn {state.turns + now} of at most {state.rules.max_turns}"
    if state.episode != MATCH_EPISODE:
        return (turn,)
    rules = texts.game.rules_of(state)
    target, deals = getattr(rules, "target", None), getattr(rules, "deals", None)
    goals = [f"to {target}"] * (target is not None) + [f"of {deals} deals"] * (deals is not None)
    return f"round {state.rounds + now} of the match {goal or ' or '.join(goals)}", turn


# One pack of 52 cards ------------------------------------------------------------------------------------------------


def scene_of(state: Any, viewer: int | None, texts: Positions, decisions: Mapping[int, str]) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too.

    Args:
        texts: of the game. decisions: what is to be decided, by the number of the phase.
    """
    decision = decisions.get(int(state.phase), "")
    return table_scene(
        state,
        viewer,
        texts,
        seats=(_seat(state, seat, viewer) for seat in range(int(state.num_players))),
        areas=pile_and_stock(state, FACES, open_stock=viewer is None or bool(state.seen)),
        melds=(
            Meld(number, owner, FACES.names_of(in_order(cards, texts.high_ace)))
            for number, (owner, cards) in enumerate(melds_of(state))
        ),
        decision=f"{decision} for {FACES.names[state.named]}" if state.phase == CHOOSE else decision,
        facts=facts_of(state, texts),
    )


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    hand, known = faces_of(state.hands[seat]), faces_of(state.known[seat])
    banned = seat == state.seat and state.banned != NO_FACE
    notes = [f"may not discard {FACES.names[state.banned]}"] if banned else []
    return seat_view(state, seat, FACES, hand, known, shown=viewer in (None, seat), notes=notes)
