"""Do rules, rewards, records and documentation keep what every game promises?"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from contract_cases import each_case, each_game
from contract_play import Case, Episode, cases_of, plain_of, presets_of, random_case, random_rules, random_value, start

from banakil_env.core import engine
from banakil_env.core.actions import UnknownAction
from banakil_env.core.batch import control_dtype
from banakil_env.core.bounds import out_of_bounds
from banakil_env.core.fields import Fields
from banakil_env.core.game import REWARDS
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.masks import CELLS_AT_ONCE
from banakil_env.games import GAMES, find
from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, flag, numbers, pair, whole

# The plain interface: what the package of every game offers.
PLAIN = (
    "new",
    "legal_actions",
    "action_text",
    "parse_action",
    "apply",
    "observe",
    "fields",
    "is_over",
    "is_truncated",
    "seat_to_move",
    "scores",
    "to_text",
    "from_text",
    "from_bytes",
    "redeal_hidden",
    "check",
    "rules_of",
    "Recorder",
    "replay",
    "replay_states",
    "replay_moves",
    "GAME",
    "Rules",
    "BadState",
    "IllegalAction",
    "PositionError",
    "RecordError",
    "RulesError",
    "UnknownAction",
)


# Rules ----------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class ToyRules(switches.Rules):
    """One switch of every kind."""

    melds: str = choice("one", "any", note="a word")
    ace: float = choice(1.5, 1, note="a number of several")
    jokers: bool = flag(note="on or off")
    target: int | None = whole(100, 1, 1_000_000, none=True, note="a number or none")
    cards: int = whole(7, 1, 18, note="a number")
    bonus: tuple[int, int] | None = pair(None, 0, 250, note="two numbers or none")
    piles: tuple[int, ...] = numbers((2, 2, 1), (3, 3, 2), note="some numbers, each with its own highest")

    def agree(self) -> None:
        if self.jokers and self.cards > 10:
            raise RulesError("jokers: deal 10 cards at most (cards)")


ToyRules.presets = {"toy": ToyRules(), "other": ToyRules(jokers=True, target=None, bonus=(51, 101))}

# The classes of rules with declared switches, each with what it is called.
DECLARED = {
    "toy": ToyRules,
    **{name: find(name).rules for name in GAMES if issubclass(find(name).rules, switches.Rules)},
}
each_rules = pytest.mark.parametrize("rules", DECLARED.values(), ids=DECLARED)


def drawn(rules: type[switches.Rules], count: int) -> Iterator[switches.Rules]:
    """Rules with every switch at random, as far as they go together."""
    dice = random.Random(rules.__module__)
    found = 0
    while found < count:
        try:
            yield rules(**{name: random_value(switch, dice) for name, switch in rules.switches().items()})
        except RulesError:
            continue
        found += 1


@each_rules
def test_the_first_preset_has_the_default_of_every_switch(rules: type[switches.Rules]) -> None:
    assert next(iter(rules.presets.values())) == rules()
    assert all(isinstance(preset, rules) for preset in rules.presets.values())


@each_rules
def test_presets_differ_and_are_written_by_their_names(rules: type[switches.Rules]) -> None:
    assert len(set(rules.presets.values())) == len(rules.presets)
    for name, preset in rules.presets.items():
        assert preset.text() == name
        assert rules.parse(name) == preset


@each_rules
def test_standard_is_the_first_preset_in_every_game_and_no_text_writes_it(rules: type[switches.Rules]) -> None:
    assert rules.parse("standard") == rules.resolve("Standard") == rules.resolve({"preset": "standard"}) == rules()
    assert "standard" not in rules.presets
    assert rules.parse("standard").text() == next(iter(rules.presets))
    with pytest.raises(RulesError, match="two presets"):
        rules.parse(f"standard {next(iter(rules.presets))}")


@each_rules
def test_a_dict_gives_the_rules_that_its_values_or_their_texts_say(rules: type[switches.Rules], long: bool) -> None:
    """Lists in place of tuples, as JSON and TOML have them."""
    for each in drawn(rules, 500 if long else 40):
        values = {name: getattr(each, name) for name in rules.switches()}
        texts = {name: switch.text(values[name]) for name, switch in rules.switches().items()}
        listed = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        assert rules.resolve(values) == rules.resolve(texts) == rules.resolve(listed) == each
    for name, preset in rules.presets.items():
        assert rules.resolve({"preset": name}) == preset


@each_rules
def test_a_dict_that_gives_no_rules_is_refused_as_a_text_is(rules: type[switches.Rules]) -> None:
    for wrong, message in (
        ({"preset": "hoyle"}, "unknown rules 'hoyle'.*: the presets are standard, "),
        ({"preset": 7}, "unknown rules 7: the presets are standard, "),
        ({"no_such": 1}, "unknown switch 'no_such'"),
        ({7: 1}, "unknown switch 7"),
        *(({name: "nonsense"}, f"{name}=nonsense cannot be read") for name in rules.switches()),
        *(({name: 0.123}, name) for name in rules.switches()),
    ):
        with pytest.raises(RulesError, match=message):
            rules.resolve(wrong)


@each_rules
def test_the_text_of_any_rules_is_read_back(rules: type[switches.Rules], long: bool) -> None:
    for each in drawn(rules, 2000 if long else 60):
        text = each.text()
        assert rules.parse(text) == each, text
        words = text.split()
        assert rules.parse(" ".join(reversed(words))) == each, "switches come in any order"
        assert rules.resolve(each) is each


@each_rules
def test_a_record_of_rules_loses_nothing(rules: type[switches.Rules], long: bool) -> None:
    fields = rules.fields()
    for each in drawn(rules, 2000 if long else 60):
        record = np.zeros(1, fields.dtype)
        each.write(record[0])
        assert out_of_bounds(fields, record[0]) is None
        assert rules.read(record[0]) == each


@each_rules
def test_every_switch_is_described_and_refuses_what_it_cannot_be(rules: type[switches.Rules]) -> None:
    names = list(rules.switches())
    for name, switch in rules.switches().items():
        assert switch.note
        assert switch.values
        for wrong in ("nonsense", -(10**18), 10**18, (1, 2, 3), object(), 0.123):
            with pytest.raises(RulesError, match=name):
                rules(**{name: wrong})
        with pytest.raises(RulesError, match=name):
            rules.parse(f"{name}=nonsense")
        value = switch.text(getattr(rules(), name))
        with pytest.raises(RulesError, match="twice"):
            rules.parse(f"{name}={value} {name}={value}")
    with pytest.raises(RulesError, match="unknown switch 'no_such'") as caught:
        rules.parse("no_such=1")
    assert all(name in str(caught.value) for name in names)


@each_game
def test_a_state_holds_its_rules_whatever_they_are(name: str, long: bool) -> None:
    """Through the state, and through the header of its text."""
    game, dice = find(name), random.Random(name)
    for _ in range(400 if long else 30):
        case = random_case(name, dice)
        state = start(case, case.seed)
        assert game.rules_of(state[0]) == case.rules
        assert plain_of(name).check(state[0]) is None
        assert plain_of(name).from_text(plain_of(name).to_text(state[0])).tobytes() == state.tobytes()


@each_game
def test_random_rules_are_played_to_the_end(name: str, long: bool) -> None:
    dice = random.Random(f"end {name}")
    for _ in range(200 if long else 15):
        case = random_case(name, dice)
        episode = Episode(case, case.seed)
        assert episode.length >= 0, f"no legal action is left: {case}, seed {case.seed}"
        assert plain_of(name).is_over(episode.last[0])
        assert plain_of(name).check(episode.last[0]) is None


@each_game
def test_presets_can_be_named_or_given(name: str) -> None:
    game = find(name)
    for preset, rules in presets_of(game).items():
        case = next(case for case in cases_of(name) if case.rules == preset)
        given = game.new(**{**case.options, "rules": rules})
        assert given.tobytes() == game.new(**case.options).tobytes()
        assert game.rules_of(given[0]) == rules
    assert isinstance(random_rules(game, random.Random(1)), game.rules)


# Rewards --------------------------------------------------------------------------------------------------------------


def ends(case: Case, count: int) -> Iterator[tuple[Any, dict[str, list[float]], list[int]]]:
    """Finished episodes: the state, the rewards of every kind by seat, the side of every seat."""
    for number in range(count):
        state = Episode(case, case.seed + number).last
        rewards = {}
        for kind, at in REWARDS.items():
            written = np.zeros(case.game.max_seats)
            kernels_of(case.game).end_one(state, at, written)
            rewards[kind] = written[: case.num_players].tolist()
        side_of = getattr(engine.side_of, "py_func", engine.side_of)
        yield state[0], rewards, [int(side_of(state[0], seat)) for seat in range(case.num_players)]


@each_case
def test_margins_sum_to_zero_over_the_sides(case: Case, long: bool) -> None:
    for _, rewards, sides in ends(case, 100 if long else 4):
        by_side = {side: rewards["margin"][seat] for seat, side in enumerate(sides)}
        assert len(by_side) >= 2
        assert abs(sum(by_side.values())) < 1e-6 * (1 + max(map(abs, by_side.values())))


@each_case
def test_partners_are_rewarded_alike(case: Case, long: bool) -> None:
    for _, rewards, sides in ends(case, 100 if long else 4):
        for values in rewards.values():
            assert all(values[seat] == values[sides.index(side)] for seat, side in enumerate(sides))


@each_case
def test_margin_and_points_agree(case: Case, long: bool) -> None:
    """The margin is the side's points less the mean of the other sides'."""
    for _, rewards, sides in ends(case, 100 if long else 4):
        points = {side: rewards["points"][seat] for seat, side in enumerate(sides)}
        for seat, side in enumerate(sides):
            others = [value for other, value in points.items() if other != side]
            assert rewards["margin"][seat] == pytest.approx(points[side] - sum(others) / len(others))


@each_case
def test_points_follow_the_scores(case: Case, long: bool) -> None:
    """Where everybody plays alone: the score itself, turned where low scores win."""
    sign = -1 if case.game.low_wins else 1
    for state, rewards, sides in ends(case, 100 if long else 4):
        if len(set(sides)) == case.num_players:
            scores = case.game.outcome(state).scores
            assert rewards["points"] == [sign * score for score in scores]


@each_case
def test_a_win_is_one_a_draw_nothing_and_a_loss_minus_one(case: Case, long: bool) -> None:
    for _, rewards, sides in ends(case, 100 if long else 4):
        wins = {side: rewards["win"][seat] for seat, side in enumerate(sides)}
        assert set(wins.values()) <= {-1.0, 0.0, 1.0}
        winners = [side for side, win in wins.items() if win == 1]
        assert len(winners) <= 1
        if winners:
            assert all(win == -1 for side, win in wins.items() if side != winners[0])


@each_game
def test_somebody_wins_and_somebody_loses(name: str) -> None:
    found = {win for case in cases_of(name) for _, rewards, _ in ends(case, 2) for win in rewards["win"]}
    assert {-1.0, 1.0} <= found


# Records --------------------------------------------------------------------------------------------------------------


def begins_with(longer: np.dtype[Any], shorter: np.dtype[Any]) -> bool:
    """Whether Numba takes `longer` for a subtype of `shorter`: it begins with the same fields at the same places."""
    fields, others = list((longer.fields or {}).items()), list((shorter.fields or {}).items())
    return len(fields) >= len(others) and fields[: len(others)] == others


def test_the_test_of_prefixes_finds_one() -> None:
    one = np.dtype([("rng", "<u8"), ("seat", "u1")])
    assert begins_with(one, np.dtype([("rng", "<u8")]))
    assert not begins_with(one, np.dtype([("seat", "u1")]))
    assert not begins_with(np.dtype([("rng", "<u8")]), one)


def test_no_record_begins_like_another() -> None:
    """Numba would call what was compiled for the shorter one."""
    records = {"GENERATOR": GENERATOR, "controls": control_dtype(2)}
    for name in GAMES:
        game = find(name)
        records |= {f"{name} state": game.state, f"{name} observation": game.observation}
        records |= {f"{name} full state": game.full_state}
    for one, longer in records.items():
        for other, shorter in records.items():
            assert one == other or not begins_with(longer, shorter), f"{one} begins like {other}"


@each_game
def test_records_say_what_every_interface_asks_for(name: str) -> None:
    game = find(name)
    assert game.state_fields["rng"].number == np.uint64
    assert {"rng", "turns", "rounds"} <= set(game.state.names or ())
    assert game.state.itemsize == sum(
        number.count * number.field.number.itemsize for number in game.state_fields.numbers
    )
    assert CELLS_AT_ONCE <= game.num_actions < 2**15, "masks are read 32 cells at a time, lists of actions are int16"


# Documentation --------------------------------------------------------------------------------------------------------


@each_game
def test_every_action_has_a_text_that_parses_back(name: str) -> None:
    actions = find(name).actions
    for action in actions:
        assert actions.text(action.index) == action.text == actions.texts[action.index]
        for text in (action.text, action.text.upper(), f"  {action.text.replace(' ', '   ')} "):
            assert actions.parse(text) == action.index
        assert action.text == action.text.strip()
        assert ";" not in action.text, "records separate actions by it"
        assert "#" not in action.text, "what stands behind it is a comment"
        assert actions.first(action.block.name) + action.place == action.index
    assert all(block.note and block.texts for block in actions.blocks)


@each_game
def test_actions_are_parsed_with_cards_as_positions_have_them(name: str) -> None:
    plain, actions = importlib.import_module(f"banakil_env.games.{name}"), find(name).actions
    tens = [text for text in actions.texts if re.fullmatch(r"discard T[cdhs]?", text)]
    assert tens
    for text in tens:
        suit = text.removeprefix("discard T")
        sign = suit.translate(str.maketrans("cdhs", "♣♦♥♠"))
        for written in (f"discard 10{suit}", f"discard 10{sign}", f"DISCARD T{sign}"):
            assert plain.action_text(plain.parse_action(written)) == text
    for text in actions.texts:
        assert plain.action_text(plain.parse_action(text)) == text
    with pytest.raises(UnknownAction, match="no action is called 'discard 11h'"):
        plain.parse_action("discard 11h")


@each_game
def test_every_field_has_a_note(name: str) -> None:
    game = find(name)

    def check(fields: Fields) -> None:
        for field in fields.values():
            assert field.note.strip(), field.name
            assert field.name.isidentifier()
            if field.record is not None:
                check(field.record)

    check(game.state_fields)
    check(game.observation_fields)
    for features in game.features.layouts:
        for group in features.columns:
            assert group.note
            assert group.count > 0
        assert features.width == sum(group.count for group in features.columns)
        assert len(features.first) == len(features.columns)  # no name twice


@each_game
def test_a_game_says_who_it_is(name: str) -> None:
    game = find(name)
    assert game.name == name
    assert game.title
    assert find(game) is game
    assert list(game.seats) == sorted(set(game.seats))
    assert game.seats[0] >= 2
    assert game.max_seats <= 8
    assert all(option.name.isidentifier() and option.help for option in game.options)
    assert all(game.faults)
    assert all(game.marks.values())
    assert next(iter(game.players)) == "random"
    for command in game.commands.values():
        module, _, function = command.partition(":")
        assert callable(getattr(importlib.import_module(module), function))


@each_game
def test_the_tables_it_is_played_at_can_be_made(name: str) -> None:
    game = find(name)
    assert game.tables
    assert len({table.name for table in game.tables}) == len({table.title for table in game.tables}) == len(game.tables)
    for table in game.tables:
        assert set(table.options) <= set(game.option_names)
        assert plain_of(name).check(plain_of(name).new(**table.options, seed=1)) is None
        assert game.forfeit(table.options) > 0


@each_game
def test_the_package_of_a_game_is_its_plain_interface(name: str) -> None:
    module = importlib.import_module(f"banakil_env.games.{name}")
    assert not [each for each in PLAIN if not hasattr(module, each)]
    assert module.GAME is find(name)
    assert inspect.getdoc(module)
    state = module.new(seed=7)
    assert module.from_text(module.to_text(state)).tobytes() == state.tobytes()
    module.apply(state, module.legal_actions(state)[0])
    for each in PLAIN:
        if callable(getattr(module, each)):
            assert inspect.getdoc(getattr(module, each)), each
