"""Is a position read as it is written? Every mutation of a position text is refused by name, or goes round exactly.

`--long` tries far more mutations.
"""

from __future__ import annotations

import random

import pytest
from tables import any_table, small_table, walk

from banakil_env.games import banakil

WORDS = (
    *("draw", "play", "played", "in one turn", "choose add 8h", "choose add 2 low", "banned 7h", "taken 3c"),
    "named 2c",
    *("out, seat 0", "out, seat 1", "exhausted", "turns", "match, seat 0", "rounds", "none", "seat 1", "partners"),
    *("0", "1", "3", "-1", "300", "9" * 30, "\u0661", "1.5", "3c", "10h", "5\u2665", "JK"),
    *("2s", "|", ",", "", ":", "#"),
    *("wilds=fixed", "max_turns=3", "hand_cards=3", "jawaker", "mini"),
)
KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points", "turn", "hand 0", "hand 1"),
    *("melds 0", "melds 1", "known 0", "known 1", "order", "pile", "stock", "had turn", "circling", "over", "seed"),
    *("rng", "hand \u0661", "hand 9", "nothing"),
)


def mutated(rng: random.Random, text: str) -> str:
    """The text with one to three changes: of a line, a word, a character."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = text.splitlines() or [""]
        at = rng.randrange(len(lines))
        key, _, value = lines[at].partition(":")
        words = value.split()
        how = rng.randrange(9)
        if how == 0:
            del lines[at]
        elif how == 1:
            lines.insert(at, f"{rng.choice(KEYS)}: {rng.choice(WORDS)}")
        elif how == 2:
            lines[at] = f"{rng.choice(KEYS)}:{value}"
        elif how == 3:
            lines[at] = f"{lines[at]}, {rng.choice(WORDS)}"
        elif how == 4 and words:
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            lines[at] = f"{key}: {' '.join(words)}"
        elif how == 5 and words:
            del words[rng.randrange(len(words))]
            lines[at] = f"{key}: {' '.join(words)}"
        elif how == 6 and lines[at]:
            place = rng.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + rng.choice("0123456789cdhsTJQKA|,:# \u0661\u2665x") + lines[at][place + 1 :]
        elif how == 7:  # a card, or several, from one line to another
            other = rng.randrange(len(lines))
            if words and other != at:
                lines[other] += " " + words.pop(rng.randrange(len(words)))
                lines[at] = f"{key}: {' '.join(words)}"
        else:
            rng.shuffle(lines)
        text = "\n".join(lines)
    return text


def test_every_mutation_is_refused_by_name_or_goes_round(long: bool) -> None:
    rng = random.Random(0)
    longest, accepted, tried = 0, 0, 200_000 if long else 4_000
    states = [state.copy() for _ in range(12) for state in walk(any_table(rng), rng.randrange(1000), 60)]
    states += [state.copy() for _ in range(6) for state in walk(small_table(rng), rng.randrange(1000), 60)]
    for _ in range(tried):
        text = mutated(rng, banakil.to_text(rng.choice(states)))
        try:
            state = banakil.from_text(text)
        except banakil.PositionError as error:
            longest = max(longest, len(str(error)))
            continue
        accepted += 1
        assert banakil.check(state) is None, text
        written = banakil.to_text(state)
        assert banakil.from_text(written).tobytes() == state.tobytes(), f"{text}\n--\n{written}"
        assert banakil.to_text(banakil.from_text(written)) == written
    assert longest < 1200  # characters of a message
    assert accepted > tried / 20, accepted  # or it would prove little


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hand 0: 3c\nhand \u0661: 3c", r"^line 2: 'hand \u0661: 3c' does not begin with a key"),
        ("turn: seat 0, draw, play", r"^line 1, turn: 'play' comes after 'draw'"),
        ("turn: seat 0, play, banned 7h, taken 7h\nhand 0: 7h 8c", r"^line 1, turn: say 'banned' if"),
        ("turn: seat 0, choose add 8h\nover: exhausted\nhand 0: 8h\nstock:", r"^line 1, turn: when the game is over"),
        ("turn: seat 0, play\nturns: 300", r"the turns or the rounds are used up"),
        ("turn: seat 0, play\nover: out, seat 0", r"it has not ended in the way that it says"),
        ("turn: seat 0, play, named 7h", r"^line 1, turn: 'named' says which Two"),
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
