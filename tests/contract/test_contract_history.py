"""Is a history what `Game.events` says, as each seat saw it, and does it show no seat what is hidden from it?"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from contract_cases import each_of_few
from contract_play import Case, policy, sampled
from histories import in_groups, rows_of, told
from test_contract_events import steps
from test_contract_hidden import redealt

from banakil_env.core import history as H
from banakil_env.core import past
from banakil_env.core.game import Game
from banakil_env.core.jit import Entry, Library, bind, compiled, interpreted
from banakil_env.core.past import past_entries
from banakil_env.envs.vector import Tables
from banakil_env.kit import event_moves, event_writer

ALL = 256


def view(case: Case, states: Any, seat: int, log: Any, length: int = ALL) -> Any:
    """What a seat has seen of the last events in a log."""
    history = np.empty((length, H.WIDTH), np.uint8)
    past_entries(case.game).history_one(states, seat, log, H.words_of(history))
    return history


def noted(case: Case, state: Any, action: int) -> tuple[Any, Any]:
    """The state after an action, and a log of what it did; arrays of one."""
    after, log = state.copy(), np.zeros(H.log_size(ALL, case.game.private_events), np.int64)
    case.plain.apply(after[0], action)
    past_entries(case.game).note_one(state.copy(), action, after, np.zeros_like(state), log)
    return after, log


@each_of_few
def test_a_history_is_what_each_seat_saw_of_the_events(case: Case, long: bool) -> None:
    """A whole game in one log, from every seat, compared with the events of its actions one by one."""
    game, seats = case.game, range(case.num_players)
    log = np.zeros(H.log_size(ALL, game.private_events), np.int64)
    expected: list[list[Any]] = [[] for _ in seats]
    for before, action, after, events in steps(case, 400 if long else 60):
        first, last = (np.array(state).reshape(1).view(game.state) for state in (before, after))
        past_entries(game).note_one(first, action, last, np.zeros(1, game.state), log)
        for seat in seats:
            expected[seat] = (expected[seat] + in_groups(told(events, seat, case.num_players)))[-ALL:]
            found = in_groups(rows_of(view(case, last, seat, log)))
            assert found[-20:] == expected[seat][-20:], game.actions.text(action)
            shorter = view(case, last, seat, log, 7)
            assert (shorter == view(case, last, seat, log)[-7:]).all()


def _never(before: Any, action: int, after: Any, told: int, others: bool, log: Any) -> bool:
    return False


@functools.cache
def general_note_one(game: Game) -> Entry:
    """`note_one` without the short way for draws, discards and the top card of the pile."""
    moves = bind(
        interpreted(event_moves.write_moves), f"{game.name}_general_moves", _write_simple_move=compiled(_never)
    )
    events = bind(interpreted(event_writer._write_events), f"{game.name}_general_events", write_moves=moves)
    known = past_entries(game).note_one
    return Library(f"{game.name}_general").entry(past._note_one, dict(known.arguments), write_events=events)


@each_of_few
def test_the_short_way_writes_what_the_general_way_writes(case: Case, long: bool) -> None:
    if case.game.name not in ("canasta", "gin", "mille", "rummy500", "yaniv") and not long:
        pytest.skip("built with --long only")
    for before, action, after, _ in steps(case, 2000 if long else 200):
        first, last = (np.array(state).reshape(1).view(case.game.state) for state in (before, after))
        logs = np.zeros((2, H.log_size(ALL, case.game.private_events)), np.int64)
        for log, note_one in zip(logs, (past_entries(case.game).note_one, general_note_one(case.game))):
            note_one(first, action, last, np.zeros(1, case.game.state), log)
        assert (logs[0] == logs[1]).all(), case.game.actions.text(action)


@each_of_few
def test_with_hidden_cards_dealt_again_a_history_is_the_same(case: Case, long: bool) -> None:
    """A seat with equal views before and after a move has equal rows, to the byte."""
    compared = 0
    for number, state in enumerate(sampled(case, long)[::3]):
        mover = case.plain.seat_to_move(state[0])
        if mover is None:
            continue
        seen = case.plain.observe(state[0], mover)
        action = policy(seen["observation"], seen["action_mask"])
        after, log = noted(case, state, action)
        for seat in range(case.num_players):
            other = redealt(case, state, seat, number)
            if action not in case.plain.legal_actions(other[0]):
                continue
            then, other_log = noted(case, other, action)
            if case.game.scene(then[0], seat) == case.game.scene(after[0], seat):
                assert view(case, then, seat, other_log).tobytes() == view(case, after, seat, log).tobytes()
                compared += 1
    assert compared


@each_of_few
def test_turns_ago_counts_the_turns_that_have_ended(case: Case) -> None:
    log = np.zeros(H.log_size(ALL, case.game.private_events), np.int64)
    ended = 0
    for before, action, after, _ in steps(case, 60):
        first, last = (np.array(state).reshape(1).view(case.game.state) for state in (before, after))
        past_entries(case.game).note_one(first, action, last, np.zeros(1, case.game.state), log)
        ended += after["turns"] != before["turns"] or after["rounds"] != before["rounds"]
        ago = view(case, last, 0, log)[:, 5].astype(int)
        there = view(case, last, 0, log)[:, 1] > 0
        assert (np.diff(ago[there]) <= 0).all()  # older events come first
        assert not there.any() or (ended < ALL and ago[there].max() <= ended)


@each_of_few
def test_rows_of_a_batch_have_the_history_of_the_same_game_alone(case: Case) -> None:
    """Tables with histories of two lengths, and one whose rows are stepped together: the ends of the rows agree."""
    tables = [Tables(n, game=case.game, threads=1, history=length, **case.options) for n, length in ((3, 40), (1, 9))]
    for each in tables:
        each.reset(5)
    for _ in range(40):
        actions = np.argmax(tables[0].masks, axis=1)
        tables[0].step(actions)
        tables[1].step(actions[:1])
        assert (tables[0].history[0, -9:] == tables[1].history[0]).all()
    assert tables[0].history.any(axis=(1, 2)).all()
