"""The rules as text, one idea a test; what `hand_and_foot-cases.json` does not say already."""

from __future__ import annotations

import pytest
from hand_and_foot_tables import FIVE_PILES, FOOT, at, left_but, legal, lines, play

from banakil_env.core.events import seen_events
from banakil_env.games import hand_and_foot
from banakil_env.kit.books.kinds import FACES, faces_of
from banakil_env.text import event_text

REDS = "3d 3d 3d 3d 3d 3h 3h 3h 3h 3h"


def test_hf2_the_deal():
    for seed in range(60):
        state = hand_and_foot.new(seed=seed)
        for seat in range(4):
            assert len(faces_of(state.hands[seat])) == len(faces_of(state.feet[seat])) == 11
            assert not set(faces_of(state.hands[seat])) & {1, 2}
        assert state.pile_size == 1
        assert FACES.names[state.pile[0]] not in ("3d", "3h", "JK")
        assert FACES.names[state.pile[0]][0] != "2"
        assert state.stock_size == 181 - int(state.red_threes.sum())


def test_hf2_3_the_bonus_of_the_deal():
    assert not any(hand_and_foot.new(seed=seed).deal_bonus.any() for seed in range(20))
    assert hand_and_foot.new(seed=1, rules="deal_bonus=100").deal_bonus.all()
    half = [int(hand_and_foot.new(seed=seed, rules="deal_bonus=50").deal_bonus.sum()) for seed in range(100)]
    assert 150 < sum(half) < 250


def test_hf3_1_the_last_card_of_the_stock_and_a_replaced_three():
    laid = REDS.removeprefix("3d ")
    hand_3 = " ".join(left_but("7h Kc 5c 4s 4c 3d 9c", laid))
    told = ("hand 0: 7h Kc", "hand 1: 4s", "hand 2: 4c", f"hand 3: {hand_3}", f"red threes 1: {laid}")
    first = play(at(*told, "stock: 3d 9c"), "draw")
    assert lines(first)["turn"] == "seat 0, play"
    assert lines(first)["hand 0"] == "7h 9c Kc"
    second = play(at(*told, "stock: 9c 3d"), "draw")
    assert lines(second)["turn"] == "seat 0, play, last"
    assert legal(second) == {"stop"}


def test_hf4_4_the_fourth_pile_of_a_rank():
    melds = "7c 7c 7c 7c 7c 2c 2c | 7d 7d 7d 7d 7d 2d 2d | 7h 7h 7h 7h 7h 2h 2h | 7s 7s 7s 7s 7s 2s"
    state = at("turn: seat 0, play", "hand 0: 2s Kc Kd", f"melds 0: {melds}")
    assert "add 2 to 7" in legal(state)
    assert lines(play(state, "add 2 to 7"))["melds 0"] == f"{melds} 2s"


def test_hf4_5_seven_jokers_are_a_wild_pile():
    state = at("turn: seat 0, play", "hand 0: JK Kc Kd", "melds 0: JK JK JK JK JK JK")
    assert legal(play(state, "add JK to W")) == {"discard K"}
    assert lines(state)["melds 0"] == "JK JK JK JK JK JK JK"


def test_hf5_3_a_first_meld_may_empty_the_hand_while_the_foot_lies_there():
    state = at("turn: seat 0, play", "hand 0: Kc Kd Kh 8c 8d 8h", f"foot 0: {FOOT}")
    assert {"open K K K", "open 8 8 8"} <= legal(state)
    play(state, "open K K K", "open 8 8 8")
    assert lines(state)["hand 0"] == FOOT
    assert not state.opening


def test_hf6_1_black_threes_come_with_the_pile():
    state = at("hand 0: 7c 7d Kc", "melds 0: 9c 9c 9c", "pile: 4c 3c 3s 7s")
    assert lines(play(state, "take 7 7"))["hand 0"] == "3c 3s 4c Kc"


def test_hf7_1_a_take_may_empty_the_hand():
    state = at("hand 0: 7c 7d", "melds 0: 9c 9c 9c", "pile: 7s", f"foot 0: {FOOT}")
    assert lines(play(state, "take 7 7"))["hand 0"] == FOOT
    without = at("hand 0: 7c 7d", "melds 0: 9c 9c 9c", "pile: 7s")
    assert legal(without) == {"draw"}


def test_hf7_2_the_hand_stays_empty_until_the_owner_plays():
    state = at("turn: seat 0, play", "hand 0: 7h", "melds 0: 9c 9c 9c", f"foot 0: {FOOT}")
    play(state, "discard 7", "draw", "discard J", "draw", "discard J", "draw")
    assert lines(state)["hand 0"] == ""
    seen = hand_and_foot.fields(hand_and_foot.observe(state, 3)["observation"])
    assert (seen.hand_size[1], seen.foot[1]) == (0, 1)
    assert lines(play(state, "discard J"))["hand 0"] == FOOT


def test_hf8_1_more_of_one_kind_do_not_make_up_for_another():
    clean = "9c 9c 9c 9c 9c 9d 9d | Tc Tc Tc Tc Tc Td Td | Kc Kc Kc Kc Kc Kd Kd"
    state = at("rules: denexa piles=3/1/0", "turn: seat 0, play", "hand 0: 4c 5c", f"melds 0: {clean}")
    assert "ask" not in legal(state)
    enough = at("rules: denexa piles=3/0/0", "turn: seat 0, play", "hand 0: 4c 4c 4c 5c", f"melds 0: {clean}")
    assert "ask" in legal(enough)


def test_hf8_1_what_the_last_card_could_complete_does_not_count_if_it_is_discarded():
    melds = "Qc Qd Qs Qs 2s JK"
    state = at("rules: denexa piles=0/1/0", "turn: seat 0, play, yes", "hand 0: Qs", "hand 1: JK", f"melds 0: {melds}")
    assert legal(state) == {"add Q"}


def test_hf8_3_a_yes_is_binding_and_a_no_too():
    state = at("turn: seat 0, play", "hand 0: 7c 7d 7h Kc", f"melds 0: {FIVE_PILES}")
    assert lines(play(state.copy(), "ask"))["turn"] == "seat 2, answer"
    assert legal(play(state.copy(), "ask", "yes")) == {"open 7 7 7"}
    assert legal(play(state.copy(), "ask", "no")) == {"discard 7", "discard K"}
    assert lines(play(state, "ask", "yes", "open 7 7 7", "discard K"))["over"] == "out, seat 0"


def test_hf8_3_yes_before_the_first_meld():
    state = at("rules: denexa piles=0/0/0", "turn: seat 0, play", "hand 0: Kc Kd Kh As Ac Ad 4h")
    play(state, "ask", "yes", "open K K K")
    assert lines(state)["turn"] == "seat 0, play, opening, yes"
    assert legal(state) == {"open A A A"}


def test_hf7_2_the_next_seat_takes_up_its_own_foot_and_lays_down_its_red_three():
    before = at("turn: seat 0, play", "hand 0: 7h 9h", "hand 1:", f"foot 1: 3d {FOOT[3:]}")
    discard = hand_and_foot.parse_action("discard 7")
    events = hand_and_foot.GAME.events(before, discard, play(before.copy(), "discard 7"))
    drawn = events[-1].cards[0]
    assert [event_text(event) for event in events] == [
        "Seat 0 discards 7h",
        f"Seat 1 takes up eleven cards (3d {FOOT[3:]}) of the foot",
        "Seat 1 lays 3d",
        f"Seat 1 draws a card ({drawn})",
    ]
    assert [event_text(event) for event in seen_events(events, 3)][1:] == [
        "Seat 1 takes up eleven cards of the foot",
        "Seat 1 lays 3d",
        "Seat 1 draws a card",
    ]


def test_hf7_2_a_discard_of_a_card_that_the_next_foot_holds_too_comes_from_the_hand():
    foot = "4h 5c 5h 5s 6h 9h Ts Jh Qc Qh JK"
    before = at("turn: seat 0, play", "hand 0: JK JK", "hand 1:", f"foot 1: {foot}")
    discard = hand_and_foot.parse_action("discard JK")
    events = hand_and_foot.GAME.events(before, discard, play(before.copy(), "discard JK"))
    assert [event_text(event) for event in events] == [
        "Seat 0 discards JK",
        f"Seat 1 takes up eleven cards ({foot}) of the foot",
    ]
    assert (events[0].source, events[1].source) == ("hand", "foot 1")


def test_hf9_4_ten_red_threes_in_a_foot():
    rest = " ".join(left_but("7h 5c 4s 4d Qc 9c 9d 9h", REDS))
    told = ("hand 0: 7h", "hand 1: 4s", "hand 2: 4d", f"hand 3: {rest}", "stock:", f"foot 0: Qc {REDS}")
    state = at("turn: seat 0, play", *told, "melds 0: 9c 9d 9h", "rules: denexa max_turns=9")
    assert "add 7" not in legal(state)
    state = at("turn: seat 3, play", *("hand 0:", *told[1:]), "melds 0: 9c 9d 9h", "pile: 5c 7h", "hand 1: 4s")
    play(state, "discard 4")
    assert lines(state)["over"] == "exhausted"


def test_hf9_4_stop_ends_the_turn_and_not_the_round():
    rest = " ".join(left_but("7h 5c 4s 4s 5s 4d Qc 7c 7d 7s", REDS))
    told = ("hand 1: 4s 4s", "hand 2: 4d", f"hand 3: {rest}", "stock:", f"foot 0: Qc {REDS}", "pile: 5c 5s")
    state = play(at("turn: seat 0, play", "hand 0: 7h", *told, "melds 0: 7c 7d 7s"), "add 7")
    assert lines(state)["hand 0"] == "Qc"
    assert legal(state) == {"stop"}
    assert lines(play(state, "stop"))["over"] == "exhausted"  # nobody can take the Five
    assert state.turns == 1


def test_hf10_1_a_foot_that_lies_there_counts_against_its_side():
    told = ("rules: denexa piles=0/0/0 ask=no", "turn: seat 0, play", "hand 0: Kc", "melds 0: 9c 9d 9h")
    assert lines(play(at(*told, f"foot 1: {FOOT}"), "discard K"))["points"] == "120 -135 120 -135"


def test_hf10_3_a_match_has_four_rounds():
    told = ("episode: match", "rules: denexa max_turns=1", "turn: seat 0, play", "hand 0: Kc 9d", "scores: 5 0 5 0")
    after = lines(play(at(*told, "round: 2"), "discard K"))
    assert (after["round"], after["dealer"], after["turn"]) == ("3", "0", "seat 1, draw")
    assert lines(play(at(*told, "round: 3"), "discard K"))["over"] == "match, seat 0"


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("hand 0: 3d Kc", "red Three"),
        ("hand 0: Kc Kc Kc Kc Kc Kc", "more cards than the pack has"),
        ("melds 0: 7c 7d", "not a meld"),
        ("melds 0: 7c 7d 2d 2h", "not a meld"),
        ("melds 0: 7c 7d 7h | 7c 7d 7s", "not complete"),
        ("melds 0: 3c 3c 3s", "not a meld"),
        ("pile: 3d 7s", "HF2.5"),
        ("known 0: 9c", "known"),
        ("scores: 5 0 0 0", "partners"),
        ("foot 0: 4c 4d", "eleven"),
        ("turn: seat 0, play, opening", "opening, taking or concealed"),
        ("turn: seat 0, play, taking", "opening, taking or concealed"),
        ("turn: seat 2, answer", "the question to the partner"),
        ("turn: seat 0, play, last", "last turn"),
        ("turn: seat 0, draw, last", "last is 1, but must be 0 in this phase"),
        ("turn: seat 0, play, yes, no", "both yes and no"),
        ("hand 0:", "holds no card"),
        ("round: 4", "contradict each other"),
        ("deal bonus: 0 1 0 0", "bonus"),
        ("melds 2: 7c 7d 7h", "sides 0 to 1"),
        ("players: 2", "expected 4"),
        ("over: out, seat 1", "is out"),
        ("over: match, draw", "contradict each other"),
    ],
)
def test_refused(said, wrong):
    with pytest.raises(hand_and_foot.PositionError, match=wrong):
        at(said)


def test_hf2_5_a_record_with_a_red_three_on_the_pile():
    state = at("hand 0: 7c 7d Kc", "pile: 9c 7s")
    place = next(i for i in range(state.stock_size) if state.stock[i] in (1, 2))
    state.stock[place], state.pile[0] = state.pile[0], state.stock[place]
    assert hand_and_foot.check(state) == "the pile has a red Three"


def test_hf2_3_the_bonus_of_a_deal_by_its_seed():
    state = hand_and_foot.from_text("rules: deal_bonus=50\nseed: 3\ndeal bonus: 1 1 1 1")
    assert lines(state)["deal bonus"] == "1 1 1 1"
    with pytest.raises(hand_and_foot.PositionError, match="bonus"):
        hand_and_foot.from_text("seed: 3\ndeal bonus: 1 1 1 1")


def test_the_record_of_a_drawn_match():
    start = at(
        *("rules: max_turns=1", "episode: match", "round: 3", "scores: 100 100 100 100", "turn: seat 0, play"),
        *("hand 0: 8c 9c", "hand 1: 4c", "hand 2: 4c", "hand 3: 4c"),
    )
    recorder = hand_and_foot.Recorder(start)
    recorder.note(start, hand_and_foot.parse_action("discard 8"))
    state = play(start, "discard 8")
    assert lines(state)["over"] == "match, draw"
    text = recorder.text(state)
    assert "\nend: match, draw; points 0 0 0 0; " in text
    assert hand_and_foot.to_text(hand_and_foot.replay(text)) == hand_and_foot.to_text(state)


def test_missing_lines():
    state = hand_and_foot.from_text("hand 0: 9c")
    assert [len(faces_of(hand)) for hand in state.hands] == [1, 11, 11, 11]
    assert not state.feet.any()
    assert hand_and_foot.from_text("seed: 3").tobytes() == hand_and_foot.new(seed=3).tobytes()
    later = hand_and_foot.from_text("seed: 3\nround: 2\nepisode: match\ndealer: 1")
    assert hand_and_foot.seat_to_move(later) == 2
    assert later.feet.any()
