"""Do the lines of a score sheet add up to what the scoring wrote, in every game and with every preset?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.kit.score_lines import lines_of, sum_of
from banakil_env.play.session import Seat, Session
from banakil_env.text.points import first_meld, score_lines

ROUNDS = 2
TABLES = [
    (name, preset, table.options)
    for name in GAMES
    for table in find(name).tables[:: max(1, len(find(name).tables) - 1)]  # the first and the last
    for preset in find(name).rules.presets
    if preset != "mini"  # its rounds end unscored as a rule, and its pack is for two
]


def played(name: str, preset: str, options: Any, seed: int) -> Session:
    """A round or a match to its end, by strong players."""
    options = {**options, "rules": preset}
    count = options.pop("num_players", find(name).seats[0])
    strong = list(find(name).players)[-1]
    players = ["random" if (seat, seed) == (1, 1) else strong for seat in range(count)]
    session = Session.deal(name, players, seed=seed, options=options)
    while session.player_to_move is not None:
        session.move_player()
    return session


@pytest.mark.parametrize(("name", "preset", "options"), TABLES)
def test_the_lines_add_up(name: str, preset: str, options: Any) -> None:
    told = 0
    for seed in range(ROUNDS):
        for ended in played(name, preset, options, seed).rounds():
            told += bool(ended.lines)
            if ended.lines:
                assert [sum(line.points for line in lines) for lines in ended.lines] == list(ended.points)
                assert all(line.points and line.text for lines in ended.lines for line in lines)
                assert all(
                    line.points == 0.5
                    for lines in ended.lines
                    for line in lines
                    if line.text == "halves are rounded up"
                )
            else:
                assert not any(ended.points)
    assert told or options != find(name).tables[0].options


def test_every_payment_of_tonk_is_told() -> None:
    endings = set()
    for seed in range(60):
        session = Session.deal("tonk", ["random"] * 4, seed=seed, options={"rules": "denexa stake=5"})
        while session.player_to_move is not None:
            session.move_player()
        [ended] = session.rounds()
        if not any(ended.points):
            continue
        endings.add(ended.text.split(",")[0])
        assert [sum(line.points for line in lines) for lines in ended.lines] == list(ended.points)
        assert sum(ended.points) == 0
        assert all(line.points % 5 == 0 for lines in ended.lines for line in lines)
    assert {"drop", "caught", "tonk"} <= endings, endings


def test_the_parts_of_a_drop_that_is_caught_by_two_seats() -> None:
    """T9.5: seat 1 has the dropper's count, 20, seat 2 has 12; the dropper pays both, everybody pays seat 2."""
    game = find("tonk")
    cards = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    hands = ["2c 2d 3h 6s 7c", "2h 2s 3c 6d 7h", "Ac Ad 3d 3s 4c"]
    stock = [card for card in cards if card not in " ".join([*hands, "9c"])]
    lines = [f"hand {seat}: {hand}" for seat, hand in enumerate(hands)]
    about = ["rules: denexa stake=5", "turn: seat 0, draw", *lines, "pile: 9c"]
    position = "\n".join([*about, f"stock: {' '.join(stock)}"])
    session = Session(game, game.texts.from_text(position), [Seat(None, "player")] * 3)
    session.play(game.actions.parse("drop"))
    [ended] = session.rounds()
    caught, low = "caught in a drop by an equal or lower count", "the lowest count"
    assert [[tuple(line) for line in lines] for lines in ended.lines] == [
        [(caught, -10), (low, -5)],
        [(caught, 5), (low, -5)],
        [(caught, 5), (low, 10)],
    ]


def test_going_out_in_canasta_is_worth_100_or_200() -> None:
    found = set()
    for seed in range(4):
        [ended] = played("canasta", "denexa", {"num_players": 4}, seed).rounds()
        found |= {line.points for lines in ended.lines for line in lines if line.text.startswith("going out")}
    assert found <= {100, 200}
    assert found


def test_a_full_hand_counts_every_line_of_hand_twice() -> None:
    """H9.2: seat 0 goes out by its first melds; seat 1 has melded nothing, seat 2 is left with 18 points."""
    melds = ["melds 0: 2c 3c 4c 5c | 7d 7h 7s | 9d Td Jd Qd | Kc Kd Kh", "melds 2: Th Jh Qh Kh Ah"]
    about = ["players: 3", "turns: 8", "turn: seat 0, play, in one turn", "indicator: 8c"]
    hand = Plain(find("hand"))
    state = hand.from_text("\n".join([*about, "hand 0: 9s", "hand 2: Ad 7h", *melds]))
    hand.apply(state, hand.parse_action("discard 9s"))
    assert [[tuple(line) for line in lines] for lines in score_lines(hand.game, state)] == [
        [("going out", -30), ("counted 2 times", -30)],
        [("nothing melded", 100), ("counted 2 times", 100)],
        [("cards left in the hand", 18), ("counted 2 times", 18)],
    ]


def test_lines_are_the_parts_that_are_worth_something_in_their_order() -> None:
    def write_parts(state: Any, seat: int, parts: Any) -> None:
        parts[0], parts[1], parts[2] = state, 0, -seat

    assert lines_of(("melds", "going out", "hand"), write_parts, 40, 3) == [("melds", 40), ("hand", -3)]
    assert sum_of(np.array([40, 0, -3])) == 37


def test_moves_taken_back_take_their_round_with_them() -> None:
    session = played("gin", "openspiel", {"episode": "match"}, 1)
    before = list(session.rounds())
    assert len(before) > 1
    session.back_to(before[1].move)
    assert session.rounds() == before[:1]
    session.back_to(0)
    assert session.rounds() == []


def test_a_round_that_is_not_scored_has_no_lines() -> None:
    state = np.asarray(find("canasta").new(num_players=4))[0]
    assert score_lines(find("canasta"), state) == ()


def test_the_first_meld_is_told_with_what_lies_for_it() -> None:
    assert first_meld(find("canasta"), Session.deal("canasta", [None] * 4, seed=0).state) == (50, 0)
    assert first_meld(find("hand"), Session.deal("hand", [None, None], seed=0).state) == (51, 0)
    assert first_meld(find("rummy"), Session.deal("rummy", [None, None], seed=0).state) is None
