"""Is an impossible position refused with the line at fault, and may cards be written in other ways?"""

from __future__ import annotations

import pytest

from banakil_env.games import banakil


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hand 0: 3c\nhand \u0661: 3c", r"^line 2: 'hand \u0661: 3c' does not begin with a key"),
        ("turn: seat 0, draw, play", r"^line 1, turn: 'play' is not one of banned CARD, taken"),
        ("turn: seat 0, play, banned 7h, taken 7h\nhand 0: 7h 8c", r"^line 1, turn: write 'banned' if"),
        (
            "turn: seat 0, choose add 8h\nover: exhausted\nhand 0: 8h\nstock:",
            r"^line 1, turn: expected play once the game",
        ),
        ("turn: seat 0, play\nturns: 300", r"the limit of turns or rounds is reached"),
        ("turn: seat 0, play\nover: out, seat 0", r"the ending does not agree with the table or the scores"),
        ("turn: seat 0, play, named 7h", r"^line 1, turn: 'named' names the Two"),
        ("players: " + "9" * 10_000, r"^line 1, players: expected a whole number from 2 to 4, not '99"),
        ("rules: pagat hand_cards=1", r"^line 1, rules: the pack has 106 cards"),
        ("rules: pagat max_turns=" + "1" * 5000, r"^line 1, rules: a text of rules has at most 2000"),
        ("seed: 1e3", r"^line 1, seed: expected a whole number"),
        ("x" * 200_000, r"^a position has at most 100000 characters, not 200000"),
    ],
)
def test_what_is_impossible_or_no_text_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(banakil.PositionError, match=message) as error:
        banakil.from_text(text)
    assert len(str(error.value)) < 600


def test_a_position_is_a_text() -> None:
    with pytest.raises(banakil.PositionError, match="a position is a text, not NoneType"):
        banakil.from_text(None)
    with pytest.raises(banakil.RecordError, match="a record is a text, not bytes"):
        banakil.replay(b"game: banakil-v0")


def test_cards_may_be_written_in_other_ways() -> None:
    one = banakil.from_text("hand 0: Tc, 5h, JK\nhand 1: 7s 8s\npile: 10d")
    two = banakil.from_text("hand 0: 10C 5\u2665 jk\nhand 1: 7\u2660,8S\npile: T\u2662")
    assert one.tobytes() == two.tobytes()
