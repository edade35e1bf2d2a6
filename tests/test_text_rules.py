"""Do the rules of a table say every switch at its value, and nothing of other variants?"""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError
from banakil_env.text import rules_text
from banakil_env.text.lengths import token_estimate

FEWEST, MOST = 600, 1500  # words


def texts_of(game: Game, rules: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The texts of these rules at every table that they can be played at."""
    own = [option.name for option in game.options if option.name == "partners"]
    for players, episode, partners in itertools.product(game.seats, ("round", "match"), (None, True, False)):
        if partners is not None and not own:
            continue
        options = {"num_players": players, "episode": episode} | ({} if partners is None else {"partners": partners})
        try:
            yield (players, episode, partners), rules_text(game, rules, **options)
        except RulesError:  # too few cards for the players, or partners without four
            continue


def others(rules: Any, name: str, switch: switches.Switch) -> Iterator[Any]:
    """These rules with other values of one switch."""
    value = getattr(rules, name)
    if isinstance(switch, switches.Flag):
        values: list[Any] = [not value]
    elif isinstance(switch, switches.Choice):
        values = list(switch.allowed)
    elif isinstance(switch, switches.Pair):
        values = [None, (37, 73), (37, 74)]
    elif isinstance(switch, switches.Numbers):
        values = [tuple(0 if i != place else 1 for i in range(len(switch.highest))) for place in range(len(value))]
    else:
        assert isinstance(switch, switches.Whole)
        near = [(value or switch.low) - 4, (value or switch.low) + 4, switch.low, switch.high]
        values = [each for each in near if switch.low <= each <= switch.high] + ([None] if switch.none else [])
    for other in values:
        if other != value:
            try:
                yield dataclasses.replace(rules, **{name: other})
            except RulesError:
                continue


@pytest.mark.parametrize("name", list(GAMES))
def test_every_value_of_every_switch_changes_the_text_of_some_table(name: str) -> None:
    """From each preset on: what a value leaves the same at all tables of all presets does not change play."""
    game = find(name)
    for switch_name, switch in game.rules.switches().items():
        said = 0
        for rules in game.rules.presets.values():
            before = dict(texts_of(game, rules))
            for other in others(rules, switch_name, switch):
                after = dict(texts_of(game, other))
                said += any(after[table] != text for table, text in before.items() if table in after)
        assert said, f"the text does not say {switch_name}"


@pytest.mark.parametrize("name", list(GAMES))
def test_two_presets_have_two_texts(name: str) -> None:
    game = find(name)
    texts = [tuple(texts_of(game, rules)) for rules in game.rules.presets.values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", list(GAMES))
def test_a_text_names_no_switch_and_no_other_variant(name: str) -> None:
    game = find(name)
    words = [each for each in game.rules.switches() if "_" in each] + [f"{each}=" for each in game.rules.switches()]
    words += [
        f"{preset}"
        for preset in game.rules.presets
        if preset not in ("free", "turn", "block", "single", "jokers", "eleven")
    ]
    for rules in game.rules.presets.values():
        for _, text in texts_of(game, rules):
            found = [word for word in words if re.search(rf"\b{word}", text) and word != game.name and word != "gin"]
            assert not found
            assert not re.search(r"\b[A-Z]{1,2}\d+\.\d", text), "numbers of rules mean nothing without the page"
            assert "  " not in text.replace("\n", "")
            assert "None" not in text


@pytest.mark.parametrize("name", list(GAMES))
def test_a_text_has_the_length_of_a_page_or_two(name: str) -> None:
    game = find(name)
    for rules in game.rules.presets.values():
        for table, text in texts_of(game, rules):
            assert FEWEST <= len(text.split()) <= MOST, (table, len(text.split()))


@pytest.mark.parametrize("name", list(GAMES))
def test_every_example_of_a_move_is_a_move(name: str) -> None:
    """What stands in quotes at the beginning of a line under *How moves are written* can be said."""
    game = find(name)
    for rules in game.rules.presets.values():
        for _, text in texts_of(game, rules):
            for line in text.partition("## How moves are written")[2].splitlines():
                if said := re.match(r"- `([^`,]+)`", line):
                    assert game.actions.parse(said[1]) >= 0


def test_the_rules_of_a_table_are_those_of_its_options() -> None:
    text = rules_text("rummy", "denexa target=250 stock_out=end", num_players=3, episode="match")
    assert "reached 250" in text
    assert "If a turn would begin with an empty stock" in text
    assert "Three players sit at seats 0 to 2" in text


@dataclasses.dataclass(frozen=True)
class NewRules(find("rummy").rules):  # type: ignore[misc]
    """Rules of a game that has no text yet: this module is in no game's folder."""


NewRules.presets = {"new": NewRules()}


def test_a_game_without_a_text_of_its_own_tells_its_switches_and_moves() -> None:
    game = dataclasses.replace(find("rummy"), rules=NewRules)
    text = rules_text(game, num_players=2)
    assert "the factor of the points for going rummy (R9.1): 2" in text
    assert "- `open Ac 2c 3c`: open a run" in text


def test_the_lengths_in_the_documentation_are_those_of_the_rules() -> None:
    file = Path(__file__).parents[1] / "docs" / "text-lengths.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    assert {name: each["rules"] for name, each in said.items()} == {
        name: token_estimate(rules_text(name, **find(name).tables[0].options)) for name in GAMES
    }


def test_tokens_are_estimated() -> None:
    assert token_estimate("") == 0
    assert token_estimate("Seat 1 draws a card (Kc).") == 9
    assert token_estimate("7h 8h") == 5


def test_a_table_without_jokers_is_not_told_how_they_are_written() -> None:
    assert "A Joker is `JK`" in rules_text("rummy500", "denexa")
    assert "JK" not in rules_text("rummy500", "plain")
    assert "indicator" not in rules_text("hand", "jokers")


def test_what_is_not_needed_or_not_paid_is_not_named() -> None:
    text = rules_text("hand_and_foot", "denexa piles=2/1/0")
    assert "at least two clean piles and one dirty pile." in text
    assert "bonus for going out" not in rules_text("oklahoma", "strict out_bonus=0")
