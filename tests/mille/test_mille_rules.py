"""The rules as text, one idea a test; what `mille-cases.json` does not say already."""

from __future__ import annotations

import pytest
from mille_tables import at, legal, lines, play

from banakil_env.games import mille
from banakil_env.games.mille.cards import KINDS, VALUES, held_of
from banakil_env.games.mille.state import MAX_POINTS
from banakil_env.kit.books.kinds import FACES, faces_of

KINGS = "Kc Kc Kd Kd Kh Kh Ks Ks"


def test_m1_3_the_pack_is_worth_1140_points():
    assert 4 * sum(VALUES[k] * {"J": 6, "Jd": 2, "Q": 6, "Qs": 2}.get(KINDS[k], 8) for k in range(15)) == MAX_POINTS


def test_m2_the_deal():
    for seed in range(100):
        state = mille.new(seed=seed)
        assert [len(faces_of(hand)) for hand in state.hands] == [15, 15]
        assert (state.pile_size, state.stock_size, state.seat, state.dealer) == (1, 73, 0, 1)
        assert not state.stock[73:].any()


def test_m2_1_an_upcard_that_is_a_two_stays():
    tops = {FACES.names[mille.new(seed=seed).pile[0]][0] for seed in range(300)}
    assert tops == set("3456789TJQKA2")


def test_m3_6_a_known_card_goes_first_but_only_one_of_the_kind_named():
    state = at("turn: seat 0, play", "hand 0: Jc Jd Jd Js 9c", "known 0: Jd")
    assert lines(play(state, "discard J"))["pile"] == "5c Jc"
    assert lines(state)["known 0"] == "Jd"
    state = at("turn: seat 0, play", "hand 0: Jc Jd Js 9c", "known 0: Js")
    assert lines(play(state, "discard J"))["pile"] == "5c Js"


def test_m4_1_eight_twos_may_be_in_one_meld():
    state = at("turn: seat 0, play", "hand 0: 7c 2c 2c 2d 2d 2h 2h 2s 2s 9c", "melds 0: 7d 7h 7s")
    play(state, *["add 2 to 7"] * 8, "add 7")
    assert lines(state)["melds 0"] == "7c 7d 7h 7s 2c 2c 2d 2d 2h 2h 2s 2s"


def test_m4_4_the_four_ways_to_open():
    hand = "turn: seat 0, play", "hand 0: Qc Qd Qs 2c 2d 2h 9c"
    for action, melds in {
        "open Q Q Qs": "Qc Qd Qs",
        "open Q Qs 2": "Qc Qs 2c",
        "open Qs 2 2": "Qs 2c 2d",
        "open 2 2 2": "2c 2d 2h",
    }.items():
        assert lines(play(at(*hand), action))["melds 0"] == melds


def test_m5_1_a_pile_taken_with_the_last_two_cards_goes_on_with_what_comes_up():
    state = play(at("turn: seat 0, draw", "hand 0: 7h 7s", "pile: Kc 7d"), "take 7 7")
    assert lines(state)["turn"] == "seat 0, play"
    assert legal(state) == {"discard K"}


def test_m5_1_queens_of_spades_are_taken_as_queens():
    state = play(at("turn: seat 0, draw", "hand 0: Qs Qs 9c", "pile: 5c Qh"), "take Qs Qs")
    assert lines(state)["melds 0"] == "Qh Qs Qs"
    assert lines(state)["hand 0"] == "5c 9c"


def big_hand(*used: str) -> str:
    """All cards but these."""
    pack = [name for name in FACES.names if name != "JK" for _ in range(2)]
    for card in used:
        pack.remove(card)
    return " ".join(pack)


def big_melds(*used: str) -> str:
    """The melds of all cards but these."""
    left = big_hand(*used).split()
    return " | ".join(" ".join(card for card in left if card[0] == rank) for rank in "3456789TJQKA2")


def test_m5_3_no_stock_and_nothing_to_take_ends_the_round():
    melds = f"melds 1: {big_melds('7h', 'Kc', 'Td', 'Ac')}"
    state = at("turn: seat 0, play", "hand 0: 7h Kc Td", "hand 1: Ac", melds, "pile:", "stock:")
    play(state, "discard K")
    assert lines(state)["over"] == "exhausted"
    assert state.points[0] == -15
    assert state.points[1] > 0


def test_m5_3_a_seat_that_can_take_must_when_there_is_no_stock():
    melds = f"melds 1: {big_melds('7h', 'Kc', 'Td', 'Kd', 'Kh', 'Ac')}"
    state = at("turn: seat 0, play", "hand 0: 7h Kc Td", "hand 1: Kd Kh Ac", melds, "pile:", "stock:")
    assert legal(play(state, "discard K")) == {"take K K"}


def test_m6_2_a_natural_of_eight_counts_four_times_with_a_clean_one():
    state = play(at("turn: seat 0, play", "hand 0: 7h", f"melds 0: 7c 7d 7s | {KINGS}"), "add 7")
    assert lines(state)["points"] == "360 -5"
    assert lines(state)["naturals"] == "2 0"


def test_m7_4_a_match_pays_and_a_text_without_the_payment_is_refused():
    state = at("turn: seat 0, play", "hand 0: 7h", "melds 0: 7c 7d 7s", "episode: match", "scores: 1190 700")
    text = mille.to_text(play(state, "add 7"))
    assert "payment: 14 -14\n" in text  # 3, 3 for a natural, 3 for a chapeau, 12 less 7
    with pytest.raises(mille.PositionError, match="payment"):
        mille.from_text(text.replace("payment: 14 -14\n", ""))


@pytest.mark.parametrize(
    ("scores", "match", "hand"),
    [
        ("1190 700", 14, 3 * 14),  # the loser is caught with 10 points in the last round: 3, 3, 3, 12 less 7
        ("1190 5", 3 * 21, 3 * 21),  # -5 in all: both
        ("1190 400", 2 * 17, 3 * 17),
        ("2000 -100", 3 * 30, 3 * 30),
    ],
)
def test_m7_3_a_double_skunk_goes_by_the_match_or_by_the_last_hand(scores, match, hand):
    for switch, pays in (("match", match), ("hand", hand)):
        table = (f"rules: denexa double_skunk={switch}", "turn: seat 0, play", "hand 0: 7h", "hand 1: Kc")
        state = play(at(*table, "melds 0: 7c 7d 7s", "episode: match", f"scores: {scores}"), "add 7")
        assert lines(state)["payment"] == f"{pays} {-pays}"


def test_m7_3_a_score_below_zero_is_a_plain_skunk_where_the_last_hand_counts():
    table = ("turn: seat 0, play", "hand 0: 7h", "hand 1: 4c", "melds 0: 7c 7d 7s", "melds 1: 9c 9d 9h")
    for switch, times in (("match", 3), ("hand", 2)):
        rules = f"rules: denexa double_skunk={switch}"
        state = play(at(rules, *table, "episode: match", "scores: 1190 -400"), "add 7")
        assert lines(state)["points"].split()[1] == "25"
        assert lines(state)["payment"] == f"{22 * times} {-22 * times}"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("melds 0: 7c 7d", "is not a meld"),
        ("melds 0: 7c 7d 7h | 7s 7s 2c", "two melds of 7"),
        ("melds 0: 3c 3d JK", "not a meld"),
        ("hand 0: 7c 7c 7c", "more cards"),
        ("known 0: 7c", "known"),
        ("naturals: 1 0", "marks"),
        ("payment: 3 -3", "payment"),
        ("players: 3", "expected 2"),
    ],
)
def test_what_is_refused(line, said):
    with pytest.raises(mille.PositionError, match=said):
        at("turn: seat 0, play", line)


def test_a_position_without_a_legal_action_is_refused():
    with pytest.raises(mille.PositionError, match="nothing to draw"):
        at("turn: seat 0, draw", "hand 0: 7h", f"hand 1: {big_hand('7h', '9c')}", "pile: 9c", "stock:")


def test_kinds_count_by_suit():
    hand = at("turn: seat 0, play", "hand 0: Jc Jd Js Qs Qd 2c").hands[0]
    assert {KINDS[kind]: int(held_of(hand, kind)) for kind in range(15) if held_of(hand, kind)} == {
        "J": 2,
        "Jd": 1,
        "Q": 1,
        "Qs": 1,
        "2": 1,
    }
