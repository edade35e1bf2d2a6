"""Does the page of every game describe what a position of it can say? Lines, words of the turn, phases, an example."""

from __future__ import annotations

import importlib
import random
import re
from pathlib import Path

import pytest

from banakil_env.core.game import PositionError
from banakil_env.games import GAMES, find
from banakil_env.text.positions import described as lines_of
from banakil_env.text.positions import wrapped

PAGES = {
    name: (Path(__file__).resolve().parents[1] / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    for name in GAMES
}

# Words that random play meets seldom.
SELDOM = {
    "banakil": {"banned CARD", "taken CARD", "named CARD", "in one turn"},
    "hand": {"taken CARD", "laid off", "down to one", "owes wild"},
    "rummy": {"banned CARD", "melds N", "in one turn"},
    "rummy500": {"must CARD", "after S"},
    "oklahoma": {"must CARD"},
    "tonk": {"must CARD", "after S"},
    "canasta": {"opening", "taking", "concealed", "yes", "no", "last"},
    "hand_and_foot": {"opening", "taking", "yes", "no", "last"},
    "contract": {"active S", "took S", "first", "owes N"},
    "kalooki": {"active S", "caller S", "first"},
}


def section_of(name: str) -> str:
    """What a page says of positions."""
    return PAGES[name].partition("\n## Positions\n")[2].partition("\n## ")[0]


def described(name: str) -> set[str]:
    """The lines and words that the tables of the section name."""
    return set(re.findall(r"^\| `([^`]+)` \|", section_of(name), re.MULTILINE))


def phases(name: str) -> set[str]:
    """The phases that the section names."""
    return set(re.findall(r"`([^`]+)`", re.findall(r"^Phases in the line `turn`: (.*)$", section_of(name), re.M)[0]))


@pytest.mark.parametrize("name", GAMES)
def test_lines_are_written_in_the_order_of_the_page(name):
    game, dice = importlib.import_module(f"banakil_env.games.{name}"), random.Random(1)
    state, order = game.new(seed=1, episode="match"), list(lines_of(find(name)).lines)
    for _ in range(300):
        keys = [re.sub(r" [0-9]$", " S", line.partition(":")[0]) for line in game.to_text(state).splitlines()]
        assert [order.index(key) for key in keys] == sorted(order.index(key) for key in keys), keys
        if game.is_over(state):
            break
        game.apply(state, dice.choice(game.legal_actions(state)))


@pytest.mark.parametrize("name", GAMES)
def test_every_key_that_can_be_read_is_described(name):
    """The reader names its keys where it refuses a line."""
    with pytest.raises(PositionError) as refused:
        find(name).texts.from_text("nothing: 1")
    keys = str(refused.value).partition("the keys are ")[2].split(", ")
    assert len(keys) > 15
    assert set(keys) <= described(name)
    assert all(note.strip() for note in re.findall(r"^\| `[^`]+` \|([^|]*)", section_of(name), re.MULTILINE))


@pytest.mark.parametrize("name", GAMES)
def test_what_positions_of_games_say_of_the_turn_is_described(name):
    """Random play: every phase and every word behind it."""
    plain = importlib.import_module(f"banakil_env.games.{name}")
    words, seen = described(name), set()
    for seed in range(3):
        state, dice = plain.new(seed=seed), random.Random(seed)
        for _ in range(80):
            if plain.is_over(state):
                break
            turn = re.search(r"^turn: seat \d, (.*)$", plain.to_text(state), re.MULTILINE)
            if turn:
                phase, *said = turn[1].split(", ")
                assert phase.partition(" ")[0] in {each.partition(" ")[0] for each in phases(name)}
                seen |= {re.sub(r" [0-9]+$", " N", word) for word in said}
            plain.apply(state, dice.choice(plain.legal_actions(state)))
    for word in seen:
        first, _, rest = word.rpartition(" ")
        kinds = (
            {word, f"{first} S"}
            if rest == "N"
            else {f"{first} CARD"}
            if re.fullmatch("[2-9TJQKA][cdhs]|JK|W", rest)
            else {word}
        )
        assert kinds & words, word
    assert SELDOM.get(name, set()) <= words


@pytest.mark.parametrize("name", GAMES)
def test_the_example_is_a_position(name):
    examples = re.findall(r"```position\n(.*?)```", section_of(name), re.DOTALL)
    assert len(examples) == 1, "the section Positions shows one position, in a block that begins with ```position"
    [example] = examples
    game = find(name)
    written = game.texts.to_text(game.texts.from_text(example)[0])
    assert wrapped(written) == example
    assert max(map(len, example.splitlines())) <= 90
    keys = {re.sub(r" [0-9]$", " S", line.partition(":")[0]) for line in written.splitlines()}
    assert keys <= described(name)
    assert "turn" in keys
