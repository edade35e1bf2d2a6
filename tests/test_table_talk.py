"""Is a game played in words the game? Seats that talk are told what they see, and every reply has its effect."""

from __future__ import annotations

from typing import Any

import pytest
from chat_server import first_move

from banakil_env.agents.table_talk import WORTHS, TableTalk
from banakil_env.agents.talk_options import TalkOptions
from banakil_env.kit.plain import Plain
from banakil_env.play.session import Session

SHORT = {"rules": "denexa max_turns=12"}


def dealt(*seats: str | None, game: str = "rummy", seed: int = 5, rules: str = "", **options: Any) -> TableTalk:
    """A table of which the seats named None talk."""
    return TableTalk.deal(game, seats, seed=seed, rules=rules, options=TalkOptions(**options))


def good(talk: TableTalk) -> str:
    """The first legal move of the seat that is asked."""
    return f"I think.\nMOVE: {first_move(talk.view(talk.seat or 0))}"


def play_out(talk: TableTalk) -> None:
    while talk.seat is not None:
        assert talk.hear(good(talk)) == "legal"


def test_a_game_in_words_is_the_game_that_its_moves_make() -> None:
    talk = dealt(None, None, **SHORT)
    plain, state = Plain(talk.session.game), talk.session.state.copy()
    play_out(talk)
    for move in talk.session.moves:
        plain.apply(state, move.action)
    assert state.tobytes() == talk.session.state.tobytes()
    assert plain.is_over(state)
    assert {seat: counts.decisions for seat, counts in talk.counts.items()} == {
        seat: sum(move.seat == seat for move in talk.session.moves) for seat in (0, 1)
    }


def test_the_other_seats_move_at_once_and_one_seed_is_one_game() -> None:
    first, again, other = (dealt("greedy", None, seed=seed, **SHORT) for seed in (5, 5, 6))
    for talk in (first, again, other):
        assert talk.seat == 1
        play_out(talk)
    assert first.session.record() == again.session.record() != other.session.record()
    assert list(first.counts) == [1]


def test_a_reply_that_cannot_be_followed_is_answered_with_the_reason() -> None:
    talk = dealt(None, "greedy", illegal=1)
    assert "You are to decide: draw or take." in talk.question()
    assert talk.hear("MOVE: fold") == "unreadable"
    assert talk.question().endswith("\nReply again.")
    assert "'fold'" in talk.question()
    assert talk.hear("MOVE: discard 2c; draw") == "illegal"
    assert "is not legal" in talk.question()
    assert not talk.session.moves
    assert talk.hear("MOVE: draw") == "legal"
    assert (talk.counts[0].replies, talk.counts[0].decisions) == (3, 1)
    assert (talk.counts[0].unreadable, talk.counts[0].illegal) == (1, 1)


def test_retries_are_counted_for_each_decision() -> None:
    talk = dealt(None, "greedy", unreadable=1, **SHORT)
    while talk.seat is not None:
        talk.hear("well ...\nMOVE: perhaps")
        assert talk.hear(good(talk)) == "legal"
    assert talk.forfeited is None
    assert talk.counts[0].unreadable == talk.counts[0].decisions > 5


def test_moves_after_a_hidden_card_are_not_made_and_said_so() -> None:
    talk = dealt(None, "greedy")
    discard = talk.question().partition("cards): ")[2][:2]
    assert talk.hear(f"MOVE: draw; discard {discard}") == "legal"
    assert talk.question().startswith(f"Not played: discard {discard}.\nYou are seat 0.")
    assert len(talk.session.moves) == 1
    take = dealt(None, None)
    take.hear(f"MOVE: take; discard {discard}")
    assert take.counts[0].planned == 1
    assert take.seat == 1


@pytest.mark.parametrize("reply", ["", None, 7, "MOVE: fold", "MOVE: discard 2c; draw"])
def test_after_the_last_reply_the_seat_forfeits_the_game(reply: Any) -> None:
    talk = dealt(None, "greedy", unreadable=0, illegal=0)
    talk.hear(reply)
    assert (talk.seat, talk.over, talk.forfeited) == (None, True, 0)
    assert talk.points() == (-150, 0)
    assert [talk.worth(kind) for kind in WORTHS] == [(-1, 1), (-150, 150), (-150, 0), (-1, 1)]
    assert talk.result().startswith("seat 0 has forfeited the game: ")
    assert talk.view(0).startswith("Seat 0 has forfeited the game: ")
    assert talk.counts[0].given_up == 1
    for after in (talk.question, lambda: talk.hear("draw"), lambda: talk.forfeit("again")):
        with pytest.raises(ValueError, match="the game is over"):
            after()


def test_a_reply_that_was_cut_off_is_not_read_and_told_of_apart() -> None:
    """The last move of such a reply may be half of another one."""
    talk = dealt(None, "greedy", unreadable=1)
    assert talk.hear("MOVE: draw", cut_off=True) == "cut_off"
    assert "cut off by the limit on its length" in talk.question()
    assert not talk.session.moves
    assert talk.hear("MOVE: draw", cut_off=True) == "cut_off"
    assert (talk.forfeited, talk.kind) == (0, "cut_off")
    assert talk.result().startswith("seat 0 has forfeited the game: cut off replies: ")
    assert (talk.counts[0].cut_off, talk.counts[0].unreadable) == (2, 0)


def test_a_forfeit_has_its_kind() -> None:
    kinds = {"pass the salt": "unreadable", "MOVE: discard 2c": "illegal"}
    for reply, kind in kinds.items():
        talk = dealt(None, "greedy", unreadable=0, illegal=0)
        assert talk.kind == ""
        talk.hear(reply)
        assert talk.kind == kind


def test_the_first_legal_move_is_made_instead_where_that_is_asked_for() -> None:
    talk = dealt(None, "greedy", giveup="first", unreadable=0, **SHORT)
    while talk.seat is not None:
        talk.hear("pass the salt")
    assert talk.forfeited is None
    assert talk.counts[0].given_up == talk.counts[0].unreadable == talk.counts[0].decisions > 5


@pytest.mark.parametrize(
    ("game", "seats", "scaled", "win"),
    [
        ("yaniv", (None, None, None), (-1, 0.5, 0.5), (-1, 0, 0)),
        ("canasta", (None, None, None, None), (-1, 1, -1, 1), (-1, 1, -1, 1)),
    ],
)
def test_a_forfeit_costs_the_side_of_the_seat(game: str, seats: Any, scaled: Any, win: Any) -> None:
    """Low points are good in Yaniv; seats 0 and 2 are partners in Canasta."""
    talk = dealt(*seats, game=game)
    talk.session.play(talk.session.plain.legal_actions(talk.session.state)[0])
    while talk.seat != 0:
        talk.hear(good(talk))
    talk.forfeit("no reply")
    assert talk.points()[0] == (100 if game == "yaniv" else -2000)
    assert talk.worth("scaled") == scaled
    assert talk.worth("win") == win


def test_what_a_game_is_worth_is_what_the_environments_pay() -> None:
    import pettingzoo

    for reward in ("margin", "points", "win"):
        talk = dealt(None, None, game="yaniv", seed=3)
        env = pettingzoo.make("aec", "rummy/yaniv-v0", reward=reward)
        env.reset(seed=3)
        assert talk.worth(reward) == (0, 0)
        play_out(talk)
        for move in talk.session.moves:
            env.step(move.action)
        assert talk.worth(reward) == tuple(env.rewards.values())
        assert any(talk.worth("scaled"))
        assert max(map(abs, talk.worth("scaled"))) < 1


@pytest.mark.parametrize("moves", ["all", "count", "none"])
def test_what_a_seat_is_told_holds_nothing_hidden(moves: str) -> None:
    """The hidden cards dealt again: the same text for the seat, at every decision of a game."""
    talk = dealt(None, "greedy", None, game="yaniv", moves=moves)
    changed = 0
    while talk.seat is not None:
        seat, session = talk.seat, talk.session
        other = session.plain.redeal_hidden(session.state, seat, len(session.moves))
        changed += other.tobytes() != session.state.tobytes()
        seen = TableTalk(Session(session.game, other.reshape(1), session.seats, 5), 100, talk.options)
        told = [line for line in talk.view(seat).splitlines() if not line.startswith(("What has happened", "  Seat"))]
        assert told == seen.view(seat).splitlines()
        assert talk.opening(seat) == seen.opening(seat)
        talk.hear(f"MOVE: {session.plain.action_text(session.plain.legal_actions(session.state)[0])}")
    assert changed > 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"game": "poker"}, "there is no game 'poker'"),
        ({"seats": ("greedy", "greedy")}, "no seat of this table talks"),
        ({"seats": (None,)}, "num_players"),
        ({"seats": (None, "nobody")}, "there is no player 'nobody'"),
        ({"rules": "fast"}, "unknown rules 'fast'"),
    ],
)
def test_a_table_that_cannot_be_dealt_says_why(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TableTalk.deal(**{"game": "rummy", "seats": (None, "greedy"), "seed": 1} | arguments)


def test_what_is_asked_of_a_wrong_seat_or_of_no_reward_says_what_there_is() -> None:
    talk = dealt("greedy", None)
    with pytest.raises(ValueError, match="seat 0 does not talk: the seats that do are 1"):
        talk.view(0)
    with pytest.raises(ValueError, match="reward must be scaled, margin, points, win, not 'glory'"):
        talk.worth("glory")
