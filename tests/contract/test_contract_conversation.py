"""Does a game told in words keep its secrets, and is every move read back as it was meant, and no other?"""

from __future__ import annotations

import functools
import random
import re
from collections import Counter

import numpy as np
import pytest
from contract_cases import each_case, each_game, each_of_few
from contract_play import Case, sampled, start
from contract_replies import HOSTILE, damage, meaning, spellings
from test_contract_hidden import pairs

from banakil_env.core import actions
from banakil_env.core.actions import UnknownAction
from banakil_env.games import find
from banakil_env.play.session import Session
from banakil_env.text import ILLEGAL, LEGAL, UNREADABLE, SeatText, moves_text, parse, read_move, seat_text, system_text
from banakil_env.text.examples import example_for
from banakil_env.text.moves import shared_note


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
        texts = [game.actions.text(action) for action in legal]
        assert sorted(said) == sorted(texts)
        example = shared_note(moves_text(game, legal)).partition(" is ")[2]
        assert set(re.findall(r"`([^`]+)`", example)) <= set(texts)


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
            text = case.game.actions.text(action)
            assert meaning(text, words) == sorted(text.lower().split())


# The example of the prompt --------------------------------------------------------------------------------------------


def example_in(prompt: str) -> str:
    """The example of a reply in a prompt."""
    [found] = re.findall(r"such as `(MOVE: [^`]+)`", prompt)
    return str(found)


@each_case
def test_the_example_of_the_prompt_is_a_turn_of_this_game(case: Case) -> None:
    """In every game, preset and number of players: the line is read, and each of its moves is legal in its turn."""
    states = start(case, case.seed)
    line, example = example_in(system_text(case.game, states[0])), example_for(case.game, states[0])
    played = np.frombuffer(bytearray(example.state), case.game.state)
    assert case.game.rules_of(played[0]) == case.game.rules_of(states[0])
    found = parse(case.game, played[0], line)
    assert (found.kind, found.actions) == (LEGAL, example.actions)
    assert len(found.actions) >= 2
    seat = case.plain.seat_to_move(played[0])
    for action in found.actions:
        assert case.plain.seat_to_move(played[0]) == seat
        case.plain.apply(played[0], action)  # which refuses what is not legal


@each_of_few
def test_the_example_says_nothing_about_the_cards_of_the_table(case: Case, long: bool) -> None:
    prompts = {system_text(case.game, state[0]) for state in sampled(case, long)[::5]}
    assert len(prompts) == 1


@each_game
def test_the_example_that_is_only_quoted_is_no_move(name: str) -> None:
    """At the very position of the example, where each of its moves is legal."""
    game = find(name)
    example = example_for(game, Session.deal(name, [None] * game.seats[0], seed=4).state)
    state, line = np.frombuffer(example.state, game.state)[0], f"MOVE: {example.text}"
    first = f"MOVE: {game.actions.text(example.actions[0])}"
    for reply in (
        f"You said: such as `{line}` with another hand. I am thinking.",
        f"You said: such as `{line}`.",
        f"The format is\n{line}\nI do not know what to do.",
        f"{first}\n(The format was:\n{line}\n)",
    ):
        assert parse(game, state, reply).kind == UNREADABLE, reply
    for reply in (line, f"I think.\n\n**{line}**\n```\n", f"I think.\n{line}"):
        assert parse(game, state, reply).actions == example.actions, reply
    assert parse(game, state, f"The format is\n{line}\nMy move:\n{first}").actions == example.actions[:1]


@pytest.mark.parametrize("name", ["canasta", "hand_and_foot", "mille", "oklahoma"])
def test_suits_that_do_not_matter_may_be_said(name: str) -> None:
    """A card with a suit that is not a card of its own in this game, as the Jack of diamonds of Mille is."""
    game, said = find(name), 0
    own = {word for text in game.actions.texts for word in text.split()}
    for action in game.actions:
        words = action.text.split()
        ranks = [place for place, word in enumerate(words) if word in set("23456789TJQKA")]
        for suit in "cdhs":
            suited = [word + suit * (place in ranks) for place, word in enumerate(words)]
            if action.verb in ("discard", "add", "open") and own.isdisjoint(suited[place] for place in ranks):
                assert read_move(game, " ".join(suited)) == action.index
                said += bool(ranks)
    assert said > 0
    with pytest.raises(UnknownAction):
        read_move(find("rummy"), "discard K")  # where suits matter, nothing is guessed


def test_the_last_statement_of_a_reply_counts() -> None:
    game, state = find("rummy"), Session.deal("rummy", [None, None], seed=3).state
    forms = ("MOVE: {}", "My move: {}", "Final answer: MOVE: {}", "<move>{}</move>", '{{"move": "{}"}}', "**MOVE:** {}")
    for one in forms:
        for other in forms:
            reply = f"{one.format('draw')}\nNo, better:\n{other.format('take')}"
            assert parse(game, state, reply).actions == (game.actions.parse("take"),), reply


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
