"""Is what a seat is told of its table true, and said in words that the rules have?"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.play.session import Session
from banakil_env.text import ILLEGAL, SeatText, seat_text


def deal(game: str, players: int = 2, *, seed: int = 1, **options: object) -> Session:
    return Session.deal(game, ["greedy"] * players, seed=seed, options=options)


def play(session: Session, *moves: str) -> Session:
    for move in moves:
        session.play(session.plain.parse_action(move))
    return session


def test_after_two_passes_in_gin_the_upcard_is_not_offered_again() -> None:
    told = SeatText(play(deal("gin"), "pass", "pass"), 0)
    assert told.turn(moves="none").endswith("You are to decide: draw.\n")
    reply = told.parse("take")
    assert reply.kind == ILLEGAL
    assert (
        reply.reason
        == "'take' is not legal: seat 0 is to draw; both seats have left the upcard (G3.3); legal are: draw"
    )


def test_a_stock_whose_order_has_been_seen_lies_with_the_next_card_last() -> None:
    session = deal("rummy", 6, rules="denexa stock_out=turn")
    told = SeatText(session, 0)
    while "Stock (" not in told.turn():
        session.move_player()
    said = re.search(r"^Stock \(\d+, the last is on top\): .* (\w\w)$", told.turn(), re.MULTILINE)
    assert said
    while session.plain.action_text(session.plain.legal_actions(session.state)[0]) != "draw":
        session.move_player()
    play(session, "draw")
    assert any(event.kind == "draw" and event.cards == (said[1],) for event in session.events(len(session.moves) - 1))


def test_a_game_without_melds_says_nothing_of_them() -> None:
    assert "Melds" not in SeatText(deal("yaniv"), 0).turn()
    assert "Melds: none\n" in SeatText(deal("rummy"), 0).turn()


def test_red_threes_are_of_the_side_of_partners() -> None:
    texts = [SeatText(deal("hand_and_foot", 4, seed=seed), 0).turn() for seed in range(5)]
    assert any("Red threes of side 1" in text for text in texts)
    assert not any("Red threes of seat" in text for text in texts)
    assert any("Red threes of seat 1" in SeatText(deal("canasta", seed=seed), 0).turn() for seed in range(20))


def test_one_card_is_no_cards() -> None:
    session = deal("rummy")
    told = SeatText(session, 0)
    while "your hand (1 " not in told.turn() and session.seat_to_move is not None:
        session.move_player()
    assert "your hand (1 card): " in told.turn()


@pytest.mark.parametrize(("game", "contract"), [("contract", "two sets of three"), ("kalooki", "three threes")])
def test_a_contract_that_is_met_is_no_reason_any_more(game: str, contract: str) -> None:
    session = deal(game, 3)
    told = SeatText(session, 0)
    assert contract in told.turn()
    assert contract in told.rules()
    reasons = {True: "", False: ""}
    while session.seat_to_move is not None and not all(reasons.values()):
        scene = session.game.scene(session.state, None)
        if "discard" in scene.decision:
            has_melds = any(meld.owner == scene.to_move for meld in scene.melds)
            reasons[has_melds] = told.parse("draw").reason
        session.move_player()
    assert "first melds must meet contract 1" in reasons[False]
    assert "contract" not in reasons[True]


def test_a_side_without_its_canastas_is_told_that_a_card_stays() -> None:
    session = deal("canasta")
    play(session, "draw")
    assert "the side has 0 of the 2 canastas to go out; else a card stays in the hand (C3.4)" in (
        SeatText(session, 0).parse("draw").reason
    )


def test_without_a_stock_nothing_is_there_to_draw() -> None:
    game = find("canasta")
    melds = "4c 4d 4h 4s 4c 4d 4h"
    for must_take, said in (("able", "take the pile"), ("never", "take the pile or pass")):
        lines = f"rules: denexa must_take={must_take}\nturn: seat 0, draw\nhand 0: 7c 7d Kc Qc Qd\npile: 7h\nstock:"
        lines += f"\nred threes 0: 3d 3d 3h 3h\nmelds 0: {melds}"
        state = Plain(game).from_text(f"{lines}\nhand 1: {rest_of(lines)}")
        assert f"You are to decide: {said}.\n" in seat_text(game, state, 0)


def rest_of(used: str) -> str:
    """The cards of two packs and four Jokers that these lines do not name."""
    pack = Counter({rank + suit: 2 for rank in "3456789TJQKA2" for suit in "cdhs"}) + Counter({"JK": 4})
    return " ".join((pack - Counter(re.findall(r"\b[2-9TJQKA][cdhs]\b", used))).elements())


def test_a_seat_with_melds_is_not_offered_the_upcard_in_kalooki() -> None:
    session = deal("kalooki", 3)
    seen = set()
    while session.seat_to_move is not None and len(seen) < 2:
        scene = session.game.scene(session.state, None)
        if scene.decision.startswith("draw"):
            texts = [session.plain.action_text(action) for action in session.plain.legal_actions(session.state)]
            assert scene.decision == ("draw, or take the upcard" if "take" in texts else "draw")
            seen.add(scene.decision)
        session.move_player()
    assert len(seen) == 2
