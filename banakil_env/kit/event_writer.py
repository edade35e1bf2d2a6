"""Writes all events of one action into a log, including the end of a round and the next deal.

Both `Game.events` (through `kit/table_events.py`, which reads the log) and batches (`core/history.py`) use this code.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core import history as H
from banakil_env.core.actions import ActionTable
from banakil_env.core.bits import lowest
from banakil_env.core.engine import carry_out, round_of, write_deal, write_events
from banakil_env.core.events import DEAL, GATHER, KINDS, MATCH_OVER, ROUND_OVER, SHOW, TURN_UP
from banakil_env.core.hooks import hook
from banakil_env.core.jit import bind, compiled
from banakil_env.core.scratch import scratch
from banakil_env.kit.cards import Faces, common_face_of
from banakil_env.kit.event_moves import (
    DRAWS,
    MOVES,
    NAMES,
    SAID_AT,
    SWAPS,
    TAKES,
    knows_mover,
    named_by,
    note,
    others_changed,
    say,
    told_of,
    write_moves,
)
from banakil_env.kit.table_places import (
    ALL_FACES,
    FACES,
    FEET,
    MOST_CHANGED,
    REDS,
    common_face,
    count_place,
    dealt_places,
    faces_changed,
    fill_places,
    held,
    name_of_place,
)
from banakil_env.kit.table_state import OVER

_DEALT, _GATHERED, _MATCH_OVER, _ROUND_OVER, _SHOWN, _TURNED_UP = (
    KINDS.index(kind) for kind in (DEAL, GATHER, MATCH_OVER, ROUND_OVER, SHOW, TURN_UP)
)

# First words of actions that only move cards. An action with another first word also announces something: "pass".
MOVING = ("draw", "take", "open", "add", "swap", "discard", "meld", "lay", "also")

# Names that `bind` replaces by the arrays of a game; each has one number per action, COMMON one per face.
TOLD: Any = None
NAMED: Any = None
COMMON: Any = None


@hook
def hands_are_shown(state: Any) -> bool:
    """Whether all hands are shown at the end of the round."""
    return False


@compiled
def _count_hand(state: Any, seat: int, counts: Any) -> None:
    for face in range(FACES - 2):
        counts[face] = held(state, seat, face)


@compiled
def _write_deal(state: Any, log: Any) -> None:
    """Log a deal: the cards of each hand, the pile, and the cards on areas of the table."""
    counts = scratch(FACES)
    everybody, stock = H.EVERYBODY, H.AT_STOCK
    for seat in range(state.num_players):
        _count_hand(state, seat, counts)
        note(
            state,
            log,
            _DEALT,
            seat,
            counts,
            0,
            ALL_FACES,
            stock,
            H.AT_HAND,
            1 << seat,
        )
    _clear(counts)
    for i in range(state.pile_size):
        counts[state.pile[i]] += 1
    nobody, faces = -1, ALL_FACES
    note(state, log, _TURNED_UP, nobody, counts, 0, faces, stock, H.AT_PILE, everybody)
    write_areas(state, log)


@hook
def write_areas(state: Any, log: Any) -> None:
    """Log the cards that a deal puts on areas of the table other than the pile. By default there are no such cards."""
    return


@compiled
def _write_areas(state: Any, log: Any) -> None:
    counts, places = scratch(FACES), scratch(MOST_CHANGED)
    everybody, stock, nobody, faces = H.EVERYBODY, H.AT_STOCK, -1, ALL_FACES
    for k in range(dealt_places(state, places)):
        place = places[k]
        _clear(counts)
        count_place(state, place, counts, 1)
        owner = place - FEET if place >= FEET else place - REDS if place >= REDS else nobody
        verb, seen = (_DEALT, 0) if place >= FEET else (_TURNED_UP, everybody)
        note(state, log, verb, owner, counts, 0, faces, stock, name_of_place(state, place), seen)


@compiled
def _clear(counts: Any) -> None:
    for face in range(FACES):
        counts[face] = 0


@compiled
def _add_of_table(log: Any, verb: int, source: int, target: int) -> None:
    """Log an event that has neither a seat nor cards."""
    H.add_row(log, H.row_of(verb, -1, source, target, H.EVERYBODY, log[H.TURNS]))


@compiled
def _write_ends(ended: Any, after: Any, log: Any) -> None:
    """Log the hands shown at the end of a round, the end of the round, and the end of the match if it ends too.

    Args:
        ended: the state at the end of the round.
        after: the state after the action; if the match continues, it is in the next round.
    """
    everybody = H.EVERYBODY
    if hands_are_shown(ended):
        counts = scratch(FACES)
        for seat in range(ended.num_players):
            _count_hand(ended, seat, counts)
            note(ended, log, _SHOWN, seat, counts, 0, ALL_FACES, 0, 0, everybody)
    _add_of_table(log, _ROUND_OVER, 0, 0)
    if after.phase == OVER and (after.ending != ended.ending or after.winner != ended.winner):
        _add_of_table(log, _MATCH_OVER, 0, 0)


@compiled
def _write_next_deal(after: Any, log: Any) -> None:
    """Log that all cards go back into the stock, and then the next deal."""
    H.end_turn(log)
    _add_of_table(log, _GATHERED, H.ON_TABLE, H.AT_STOCK)
    _write_deal(after, log)


@compiled
def _is_another_deal(before: Any, after: Any, others: bool) -> bool:
    """Whether a new deal was made between the two states.

    A new deal follows the end of a round, which raises the number of rounds or restarts the count of turns. It also
    follows when hands are thrown in before any turn has ended. Then several hands have lost cards, while an action
    within a deal takes cards from at most one hand.

    Args:
        others: whether hands other than the mover's have changed.
    """
    if after.rounds != before.rounds or after.turns < before.turns:
        return True
    if not others:
        return False
    losing = 0
    for seat in range(after.num_players):
        left = faces_changed(before, after, seat)
        lost = 0
        while left:
            face = lowest(left)
            left &= left - 1
            lost |= 1 if held(after, seat, face) < held(before, seat, face) else 0
        losing += lost
    return losing > 1


@compiled
def _write_events(before: Any, action: int, after: Any, works: Any, at: int, log: Any) -> None:
    """Log the events of a legal action, in order.

    Args:
        before: the state before the action.
        after: the state after the action.
        works: records of a state; the one at index `at` is work space.
    """
    over, others = after.phase == OVER, others_changed(before, after)
    again = _is_another_deal(before, after, others)
    if not over and not again:
        write_moves(before, action, after, others, log)
        if after.turns != before.turns:
            H.end_turn(log)
        return
    works[at] = before
    ended = works[at]
    round_of(ended)
    carry_out(ended, action)
    if ended.phase == OVER:
        write_moves(before, action, ended, others_changed(before, ended), log)
        _write_ends(ended, after, log)
        if not over:
            _write_next_deal(after, log)
    elif over:
        write_moves(before, action, after, others, log)
        _write_ends(after, after, log)
    else:  # hands thrown in
        say(before, action, 0, log)
        _write_next_deal(after, log)


def _common(state: Any, face: int) -> int:
    return COMMON[face]


def _told(state: Any, action: int) -> int:
    return TOLD[action]


def _named(state: Any, action: int) -> int:
    return NAMED[action]


def fill_events(name: str, state: np.dtype[Any], actions: ActionTable, faces: Faces) -> bool:
    """Fill in the functions that write a game's history, and the hooks that describe its actions to them.

    Returns:
        Whether some events are visible to a part of the seats only.

    Raises:
        ValueError: an action begins with a word that is not in `core.history.WORDS`.
    """
    unknown = sorted({action.verb for action in actions} - set(H.WORDS))
    if unknown:
        raise ValueError(f"{name}: core.history.WORDS must have the words of all actions; {', '.join(unknown)} missing")
    fill_places(state)
    if state in dealt_places.fills:
        write_areas.fill(state)(_write_areas)
    told_of.fill(state)(bind(_told, f"{name}_told", TOLD=np.array([_tells(action) for action in actions], np.int64)))
    common = np.array([common_face_of(face) for face in faces.names], np.int64)
    common_face.fill(state)(bind(_common, f"{name}_common_face", COMMON=common))
    named = [_cards_named(faces, action.text) for action in actions]
    named_by.fill(state)(bind(_named, f"{name}_named", NAMED=np.array(named, np.int64)))
    write_events.fill(state)(_write_events)
    write_deal.fill(state)(_write_deal)
    return state in knows_mover.fills


def _tells(action: Any) -> int:
    flags = MOVES * (action.verb in MOVING) | TAKES * (action.verb == "take") | DRAWS * (action.verb == "draw")
    flags |= SWAPS * (action.verb == "swap") | NAMES * bool(action.cards)
    return flags | H.WORDS.index(action.verb) + 1 << SAID_AT


def _cards_named(faces: Faces, text: str) -> int:
    """The cards named in a text, one byte per card: 1 + the common face."""
    named = [common_face_of(word) for word in text.split()[1:] if word in faces.names]
    return sum(face + 1 << 8 * i for i, face in enumerate(named[:2]))
