"""Does a game told in words keep its secrets, and is every move read back as it was meant, and no other?"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter

import pytest
from contract_cases import each_game, each_of_few
from contract_play import Case, sampled
from contract_replies import HOSTILE, damage, spellings
from test_contract_hidden import pairs

from banakil_env.core import actions
from banakil_env.core.actions import UnknownAction
from banakil_env.games import find
from banakil_env.play.session import Session
from banakil_env.text import ILLEGAL, LEGAL, UNREADABLE, SeatText, moves_text, parse, read_move, seat_text


@each_of_few
def test_hidden_cards_dealt_anew_leave_what_a_seat_is_told_the_same(case: Case, long: bool) -> None:
    for state, seat, other in pairs(case, long, every=3):
        for moves in ("all", "count"):
            told = seat_text(case.game, state[0], seat, moves=moves)
            assert told == seat_text(case.game, other[0], seat, moves=moves)


@each_of_few
def test_a_seat_is_told_its_hand_its_decision_and_its_moves(case: Case, long: bool) -> None:
    for state in sampled(case, long)[::4]:
        seat = case.plain.seat_to_move(state[0])
        if seat is None:
            assert "The game is over" in seat_text(case.game, state[0], 0)
            continue
        told, scene = seat_text(case.game, state[0], seat), case.game.scene(state[0], seat)
        assert f"You are seat {seat}." in told
        assert f"You are to decide: {scene.decision}." in told
        ranks = Counter(card[0] for group in scene.seats[seat].hand or () for card in group)
        own = next(line for line in told.splitlines() if "your hand" in line).partition("): ")[2].partition("; the")[0]
        words = own.partition("; dealer")[0].partition("; has")[0].partition("; may")[0].replace(";", " ").split()
        assert ranks <= Counter(word[0] for word in words)
        assert told.endswith(moves_text(case.game, case.plain.legal_actions(state[0])) + "\n")
        assert "\nYou have" not in seat_text(case.game, state[0], seat, moves="none")


@each_game
def test_moves_that_share_a_line_are_all_there(name: str) -> None:
    game = find(name)
    dice = random.Random(3)
    for _ in range(20):
        legal = sorted(dice.sample(range(game.num_actions), 25))
        said = []
        for line in moves_text(game, legal).splitlines():
            verb, _, rests = line.partition(" ")
            numbers = re.fullmatch(r"(\d+) to (\d+)", rests)
            listed = map(str, range(int(numbers[1]), int(numbers[2]) + 1)) if numbers else rests.split(" | ")
            said += [f"{verb} {rest}".strip() for rest in listed]
        assert sorted(said) == sorted(game.actions.text(action) for action in legal)


@each_of_few
def test_every_legal_move_is_read_back(case: Case, long: bool) -> None:
    for state in sampled(case, long)[::2]:
        for action in case.plain.legal_actions(state[0])[:60]:
            for reply in spellings(case.game.actions.text(action)):
                found = parse(case.game, state[0], reply)
                assert (found.kind, found.actions) == (LEGAL, (action,)), reply


@each_game
def test_every_move_of_the_table_of_actions_is_read_as_itself(name: str) -> None:
    game = find(name)
    for action in game.actions:
        assert read_move(game, action.text) == action.index
        assert read_move(game, spellings(action.text)[1].partition("`")[2].strip("`.")) == action.index


@each_of_few
def test_a_move_that_is_not_legal_is_refused_with_a_reason(case: Case, long: bool) -> None:
    dice = random.Random(5)
    for state in sampled(case, long)[::4]:
        legal = set(case.plain.legal_actions(state[0]))
        for action in dice.sample(range(case.game.num_actions), 5):
            if action not in legal:
                found = parse(case.game, state[0], f"MOVE: {case.game.actions.text(action)}")
                assert (found.kind, found.actions) == (ILLEGAL, (action,))
                assert repr(case.game.actions.text(action)) in found.reason
                assert "legal" in found.reason or "over" in found.reason


@each_game
def test_hostile_replies_are_unreadable_and_nothing_worse(name: str) -> None:
    game = find(name)
    session = Session.deal(name, [None] * game.seats[0], seed=4)
    for reply in (*HOSTILE, None, 5, b"MOVE: draw", ["draw"]):
        found = parse(game, session.state, reply)
        assert found.kind == UNREADABLE, repr(reply)[:60]
        assert found.actions == ()
        assert found.reason.isprintable() or "\\" in found.reason
        assert len(found.reason) < 2000


@each_of_few
def test_a_damaged_move_is_itself_or_none(case: Case, long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are dropped, doubled, changed: what is read as a move has the very words of that move."""
    hints = functools.lru_cache(actions.did_you_mean)  # each text is read twice, and hints take nearly all the time
    monkeypatch.setattr(actions, "did_you_mean", hints)
    dice = random.Random(case.seed)
    for state in sampled(case, long)[::5]:
        legal = case.plain.legal_actions(state[0])
        for _ in range(40 if legal else 0):
            text = case.game.actions.text(dice.choice(legal))
            damaged = damage(text, dice)
            try:
                action = read_move(case.game, damaged)
            except UnknownAction:
                assert parse(case.game, state[0], f"MOVE: {damaged}").kind == UNREADABLE
                continue
            words = damaged.strip(" \"'`*_.,!<>[]()").lower().replace(",", " ").replace("10", "t").split()
            assert sorted(words) == sorted(case.game.actions.text(action).lower().split())


def test_several_moves_of_a_turn_are_read_in_their_order() -> None:
    session = Session.deal("rummy", [None, None], seed=1)
    found = SeatText(session, 0).parse("MOVE: draw; open 7h 8h 9h; discard 10♥")
    text_of = session.game.actions.text
    assert [text_of(action) for action in found.actions] == ["draw", "open 7h 8h 9h", "discard Th"]
    assert found.kind == LEGAL
    assert SeatText(session, 0).parse("MOVE: draw; fold").kind == UNREADABLE


def test_cards_in_another_order_mean_the_meld_where_that_is_clear() -> None:
    game = find("rummy")
    assert read_move(game, "open 9h 7h 8h") == game.actions.parse("open 7h 8h 9h")
    with pytest.raises(UnknownAction):
        read_move(find("mille"), "add 7 to 2")


def test_a_seat_is_told_what_was_done_since_its_last_decision() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=7)
    told = SeatText(session, 0)
    assert "What has happened" not in told.turn()
    session.play(session.plain.parse_action("draw"))
    assert "Seat 0 (you) draws a card (" in told.turn()
    session.play(session.plain.legal_actions(session.state)[-1])
    while session.player_to_move is not None:
        session.move_player()
    since = told.turn().partition("What has happened:")[2]
    assert "Seat 0 (you) discards" in since
    assert "Seat 1 " in since
    assert "draws a card (" not in since.partition("Seat 1 ")[2]
    assert "Seat 0 (you) draws a card (" in told.turn(history=True)
    with pytest.raises(ValueError, match="'some'"):
        told.turn(moves="some")
