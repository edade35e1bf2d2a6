"""What did one action do? Its events, the end of a round and the next deal included, for any game."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from banakil_env.core.events import (
    DEAL,
    GATHER,
    HAND,
    MATCH_OVER,
    NAME,
    ROUND_OVER,
    SAY,
    SHOW,
    STOCK,
    TABLE,
    TURN_UP,
    Event,
)
from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import kernels_of
from banakil_env.core.scene import Scene
from banakil_env.kit.card_moves import Moves


def events_of(game: Game, before: Any, action: int, after: Any) -> list[Event]:
    """What one action did, in order.

    Args:
        game: whose states these are.
        before, after: the states before and after the action, one record each; neither is changed.
        action: a legal action of the state before.
    """
    return [_noticed(game, before, event) for event in _all_events(game, before, action, after)]


def _noticed(game: Game, before: Any, event: Event) -> Event:
    """The event with the seats that notice it: an answer is noticed by the seats that know whose decision it was."""
    if event.kind not in (SAY, NAME) or event.seat is None:
        return event
    seats = range(len(game.scene(before, None).seats))
    knowing = tuple(seat for seat in seats if game.scene(before, seat).to_move == event.seat)
    return event if len(knowing) == len(seats) else dataclasses.replace(event, noticed_by=knowing)


def _all_events(game: Game, before: Any, action: int, after: Any) -> list[Event]:
    done = game.actions[action]
    first, last = game.scene(before, None), game.scene(after, None)
    over = last.to_move is None
    again = _is_another_deal(before, after) or _is_thrown_in(first, last)
    if not over and not again:
        return Moves(done, first, last).events()
    ended = end_of_round(game, before, action)
    if ended is None:
        if over:
            return [*Moves(done, first, last).events(), *_ends(game, after, after)]
        return [Event(SAY, first.to_move, said=done.text), _gathered(), *_dealt(game, after)]  # hands thrown in
    found = [*Moves(done, first, game.scene(ended, None)).events(), *_ends(game, ended, after)]
    return found if over else [*found, _gathered(), *_dealt(game, after)]


# The end of a round, and the next deal --------------------------------------------------------------------------------


def _is_another_deal(before: Any, after: Any) -> bool:
    """Whether, between the states, a round has ended or its count of turns has restarted."""
    return bool(after["rounds"] != before["rounds"] or after["turns"] < before["turns"])


def _is_thrown_in(first: Scene, last: Scene) -> bool:
    """Whether hands went back before any turn had ended: within a deal an action takes cards from one hand at most."""
    return sum(bool(old.held() - new.held()) for old, new in zip(first.seats, last.seats)) > 1


def end_of_round(game: Game, before: Any, action: int) -> Any:
    """The table at the end of the round that the action ends, before the next deal; None: the round goes on."""
    if game.search is None:
        return None
    states = np.asarray(before).reshape(1).copy()
    interpreted(game.search.round_of)(states[0])
    kernels_of(game).apply_one(states, action)
    return None if game.scene(states[0], None).to_move is not None else states[0]


def _ends(game: Game, ended: Any, after: Any) -> list[Event]:
    """The hands shown at the end of a round, how the round ended, and how the match ended."""
    scene, outcome = game.scene(ended, None), game.outcome(ended)
    found = []
    for seat in scene.seats:
        other = game.scene(ended, (seat.seat + 1) % len(scene.seats))
        if seat.size and other.seats[seat.seat].hand is not None:
            found.append(Event(SHOW, seat.seat, tuple(seat.held().elements())))
    found.append(Event(ROUND_OVER, None, said=outcome.text, points=outcome.points))
    last = game.outcome(after)
    if last.ending and (last.ending, last.winner) != (outcome.ending, outcome.winner):
        found.append(Event(MATCH_OVER, None, said=last.text, points=last.scores))
    return found


def _gathered() -> Event:
    """All cards go back into the stock."""
    return Event(GATHER, None, (), TABLE, STOCK)


def _dealt(game: Game, state: Any) -> list[Event]:
    """A new deal: the cards of each hand, and what lies on the table."""
    scene, seen = game.scene(state, None), game.scene(state, 0)
    found = [
        Event(DEAL, seat.seat, tuple(seat.held().elements()), STOCK, HAND, (seat.seat,))
        for seat in scene.seats
        if seat.size
    ]
    for area, face_up in zip(scene.areas, seen.areas):
        if area.name != STOCK and area.cards:
            hidden = None in face_up.cards
            found.append(
                Event(DEAL if hidden else TURN_UP, area.owner, area.cards, STOCK, area.name, () if hidden else None)
            )
    return found
