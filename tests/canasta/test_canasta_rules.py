"""The rules as text, one idea a test; what `canasta-cases.json` does not say already."""

from __future__ import annotations

import pytest
from canasta_tables import at, legal, lines, play, random_states

from banakil_env.games import canasta
from banakil_env.kit.books.kinds import FACES, faces_of
from banakil_env.text.points import score_lines

CONCEALED = "going out concealed"
QUEENS = "Qc Qc Qd Qd Qh Qh Qs"


@pytest.mark.parametrize(("players", "cards"), [(2, 15), (4, 11)])
def test_c2_the_deal(players, cards):
    for seed in range(200):
        state = canasta.new(num_players=players, seed=seed)
        reds = int(state.red_threes.sum())
        for seat in range(players):
            held = faces_of(state.hands[seat])
            assert len(held) == cards
            assert not set(held) & {1, 2}
        assert state.stock_size == 108 - players * cards - reds - state.pile_size
        pile = [FACES.names[face] for face in state.pile[: state.pile_size]]
        assert all(card in ("3d", "3h", "JK") or card[0] == "2" for card in pile[:-1])
        assert pile[-1] not in ("3d", "3h", "JK")
        assert pile[-1][0] != "2"


def test_c3_1_two_players_draw_one_card_and_a_replaced_three():
    hand_1 = " ".join(left_but(["7h", "Kc", "5c", "3d", "9c", "3d", "3h", "3h"]))
    texts = ("players: 2", "hand 0: 7h Kc", f"hand 1: {hand_1}", "red threes 1: 3d 3h 3h")
    first = play(at(*texts, "stock: 3d 9c"), "draw")
    assert lines(first)["turn"] == "seat 0, play"
    assert lines(first)["hand 0"] == "7h 9c Kc"
    second = play(at(*texts, "stock: 9c 3d"), "draw")
    assert lines(second)["turn"] == "seat 0, play, last"
    assert "stop" in legal(second)


def left_but(used: list[str]) -> list[str]:
    """The pack without these cards."""
    pack = [name for name in FACES.names for _ in range(4 if name == "JK" else 2)]
    for card in used:
        pack.remove(card)
    return pack


def test_c4_5_with_all_four_black_threes_the_fourth_is_the_card_that_is_left():
    state = at("turn: seat 0, play", "hand 0: 3c 3c 3s 3s", f"melds 0: {QUEENS}")
    assert {"open 3 3 3", "ask"} <= legal(state)
    assert legal(play(state, "open 3 3 3")) == {"add 3", "discard 3"}
    state = at("turn: seat 0, play", "hand 0: 3c 3c 3s 3s 9d", f"melds 0: {QUEENS}")
    assert not {"open 3 3 3", "ask"} & legal(state)


def test_a_hand_that_is_dealt_has_the_cards_that_are_known():
    for seed in range(5):
        state = canasta.from_text(f"players: 4\nseed: {seed}\nknown 0: 8c 8d\npile: 9c")
        assert {"8c", "8d"} <= set(lines(state)["hand 0"].split())
        assert len(lines(state)["hand 0"].split()) == 11


def test_c5_4_a_pile_of_one_card_waits_too():
    state = at("turn: seat 0, draw", "hand 0: 7c 7d Kc Kd Kh 4c 4d 4h 9d 8c Td", "pile: 7s")
    assert lines(play(state, "take 7 7"))["turn"] == "seat 0, play, opening, taking"
    assert lines(play(state, "open K K K", "open 4 4 4"))["turn"] == "seat 0, play, concealed"


def test_c7_1_taking_the_pile_with_the_last_two_cards():
    state = at("turn: seat 0, draw", "hand 0: 7c 7d", f"melds 0: {QUEENS}", "pile: 7s")
    assert lines(play(state, "take 7 7"))["over"] == "out, seat 0"


def test_c7_4_yes_binds_and_the_first_meld_may_follow():
    hand = "7c 7c 7d 7d 7h 7h 7s Kc Kd Kh 9d"
    state = play(at("turn: seat 0, play", f"hand 0: {hand}"), "ask")
    assert lines(state)["turn"] == "seat 2, answer"
    play(state, "yes", "open K K K")
    assert lines(state)["turn"] == "seat 0, play, opening, yes"
    assert legal(state) == {"open 7 7 7"}
    play(state, "open 7 7 7", "add 7", "add 7", "add 7", "add 7", "discard 9")
    assert lines(state)["over"] == "out, seat 0"
    assert lines(state)["points"] == "755 -20 755 -20"  # 65 melded, natural 500, concealed 200, less a Jack
    sheet = [("melded cards", 65), ("canastas", 500), ("cards left in the hand of seat 2", -10), (CONCEALED, 200)]
    assert score_lines(canasta.GAME, state)[0] == tuple(sheet)


def test_c7_4_nobody_asks_where_the_rules_have_none():
    told = ("turn: seat 0, play", "hand 0: 7h Kc", "melds 0: 7c 7c 7d 7d 7s 7s")
    assert "ask" in legal(at(*told))
    assert "ask" not in legal(at(*told, "rules: denexa ask=no"))


def test_c7_1_no_canasta_needed_concealed_without_melds():
    state = at("rules: denexa canastas=0", "turn: seat 0, play", "hand 0: 9d")
    assert lines(play(state, "discard 9"))["points"] == "190 -20 190 -20"


def test_c8_2_turns_come_before_the_end_of_the_stock():
    hand_3 = " ".join(left_but(["7h", "Kc", "5c", "8d", "9d", "3d", "3d", "3h", "3h"]))
    told = ("turn: seat 0, play", "hand 0: 7h Kc", "hand 1: 8d", "hand 2: 9d", f"hand 3: {hand_3}", "stock:")
    reds = ("red threes 0: 3d 3d 3h 3h", "turns: 9")
    assert lines(play(at(*told, *reds), "discard K"))["over"] == "exhausted"
    assert lines(play(at(*told, *reds, "rules: denexa max_turns=10"), "discard K"))["over"] == "turns"


def test_c9_3_all_four_red_threes_against():
    told = ("turn: seat 0, play", "hand 0: Kc", f"melds 0: {QUEENS}", "red threes 1: 3d 3d 3h 3h")
    assert lines(play(at(*told, "rules: classic"), "discard K"))["points"] == "660 -820 660 -820"
    assert lines(play(at(*told), "discard K"))["points"] == "660 780 660 780"


def test_c11_1_a_match_goes_on_after_a_round_without_a_score():
    told = ("episode: match", "rules: denexa max_turns=1", "turn: seat 0, play", "hand 0: 7h Kc", "scores: 100 5 100 5")
    after = lines(play(at(*told), "discard K"))
    assert (after["round"], after["dealer"], after["turn"], after["scores"]) == (
        "1",
        "0",
        "seat 1, draw",
        "100 5 100 5",
    )


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("hand 0: 3d Kc", "red Three"),
        ("hand 0: Kc Kc Kc", "more cards than the pack has"),
        ("melds 0: 7c 7d", "not a meld"),
        ("melds 0: 7c 2d 2h", "not a meld"),
        ("melds 0: 7c 7d 7h | 7c 7d 7s", "two melds of 7"),
        ("known 0: 9c", "known"),
        ("scores: 5 0 0 0", "partners"),
        ("turn: seat 0, play, concealed", "opening, taking or concealed"),
        ("turn: seat 0, play, taking", "opening, taking or concealed"),
        ("turn: seat 2, answer", "the question to the partner"),
        ("turn: seat 0, play, last", "last turn"),
        ("turn: seat 0, play, yes, no", "both yes and no"),
        ("turn: seat 0, draw, last", "last is 1, but must be 0 in this phase"),
        ("melds 1: 3c 3c 3s", "black Threes"),
        ("red threes 0: 3c", "3d and 3h"),
        ("melds 2: 7c 7d 7h", "sides 0 to 1"),
        ("players: 3", "expected 2 or 4"),
        ("over: out, seat 1", "is out"),
    ],
)
def test_refused(said, wrong):
    with pytest.raises(canasta.PositionError, match=wrong):
        at(said)


def test_missing_lines():
    state = canasta.from_text("players: 2\nhand 0: 9c")
    assert len(faces_of(state.hands[1])) == 15
    assert not set(faces_of(state.hands[1])) & {1, 2}
    with pytest.raises(canasta.PositionError, match="in no line"):
        canasta.from_text("players: 2\nhand 0: 9c\nstock: 9d")
    state = canasta.from_text("hand 0: 9c\nhand 1: 9d")
    assert state.num_players == 2
    assert canasta.seat_to_move(state) == 0
    assert state.stock_size == 106
    one, other = (canasta.from_text(f"hand 0: 9c\nhand 1: 9d\nseed: {seed}") for seed in (1, 2))
    assert one.tobytes() != other.tobytes()
    assert canasta.from_text("seed: 3").tobytes() == canasta.new(num_players=4, seed=3).tobytes()
    state = canasta.from_text("seed: 3\ndealer: 1\nepisode: match\nscores: 2000 0 2000 0")  # a deal later in a match
    assert canasta.seat_to_move(state) == 2
    assert state.pile_size


def test_the_short_side_of_play_is_reached_by_random_players(long):
    """Answers, last turns, forced piles and first melds with the pile: random play comes to all of them."""
    seen = set()
    for state in random_states(12_000 if long else 6_000, seed=1, num_players=4, rules="denexa canastas=1"):
        words = lines(state).get("turn", "over").split(", ")[1:]
        seen |= set(words) | {text.split()[0] for text in legal(state)}
    assert {"opening", "taking", "concealed", "answer", "take"} <= seen, seen
