"""Are errors refused in the same way everywhere? Unknown options, impossible values, invalid actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract_cases import each_game, each_of_few
from contract_play import EPISODES, Case, as_bytes, cases_of, make_aec, make_single, plain_of, presets_of, start

from banakil_env.arena.options import TableOptions
from banakil_env.core.game import BadState, IllegalAction
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.switches import RulesError

# What no action table holds.
NO_ACTIONS = [
    True,
    False,
    0.7,
    1.0,
    np.array(0.7),
    np.float64(1.0),
    np.array([0]),
    [0],
    "0",
    b"0",
    None,
    -1,
    2**31,
    2**70,
]


# Every way to make a table: from the game's name and the options.
WAYS: dict[str, Callable[..., Any]] = {
    "plain": lambda name, **options: plain_of(name).new(seed=1, **options),
    "aec": make_aec,
    "gymnasium": make_single,
    "batch": lambda name, **options: Tables(2, game=name, **options),
}
each_way = pytest.mark.parametrize("way", WAYS)


@each_way
@each_game
def test_an_option_that_the_game_does_not_have_names_those_that_it_has(name: str, way: str) -> None:
    with pytest.raises(TypeError) as caught:
        WAYS[way](name, jokers_are_wild=True)
    assert "jokers_are_wild" in str(caught.value)
    for option in find(name).option_names:
        assert option in str(caught.value)


def wrong_values(name: str) -> list[dict[str, Any]]:
    """Options with values that they cannot have."""
    low, high = find(name).seats[0], find(name).seats[-1]
    return [
        *({"num_players": value} for value in (0, 1, low - 1, high + 1, -2, 2**70, True, 2.5, "two", [low - 1])),
        *({"rules": value} for value in ("hoyle", 7, None, "no_such_switch=1", ["x"], "x" * 5000, b"x")),
        *({"rules": f"{preset} {preset}"} for preset in presets_of(find(name))),
        *({"episode": value} for value in ("week", "", None, 1, True)),
    ]


@each_way
@each_game
def test_a_value_that_an_option_cannot_have_is_a_rules_error(name: str, way: str) -> None:
    for options in wrong_values(name):
        with pytest.raises(RulesError) as caught:
            WAYS[way](name, **options)
        assert str(caught.value), options


@each_way
@each_game
def test_the_message_says_which_numbers_of_players_and_presets_there_are(name: str, way: str) -> None:
    with pytest.raises(RulesError) as caught:
        WAYS[way](name, num_players=77)
    assert "77" in str(caught.value)
    assert str(find(name).seats[-1]) in str(caught.value)
    with pytest.raises(RulesError) as caught:
        WAYS[way](name, rules="hoyle")
    assert all(preset in str(caught.value) for preset in ["hoyle", *presets_of(find(name))])


@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes")
@each_game
def test_a_reward_or_picture_that_does_not_exist(name: str) -> None:
    for way in ("aec", "gymnasium", "batch"):
        with pytest.raises(ValueError, match=r"reward must be .*'margin'.*not 'gold'"):
            WAYS[way](name, reward="gold")
    for way in ("aec", "gymnasium"):
        with pytest.raises(ValueError, match=r"render_mode must be .*'ansi'"):
            WAYS[way](name, render_mode="hologram")


@each_game
def test_a_seed_that_is_none(name: str) -> None:
    for seed in (-1, 2**64, True, 1.5, "1"):
        with pytest.raises(ValueError, match="seed must be a whole number"):
            plain_of(name).new(seed=seed)
        with pytest.raises(ValueError, match="seed must be a whole number"):
            WAYS["aec"](name).reset(seed=seed)


@each_game
def test_every_preset_and_number_of_players_can_be_played(name: str) -> None:
    """With small packs not every number of players; with the first preset all of them, in both episodes."""
    first = next(iter(presets_of(find(name))))
    playable = {(case.rules, case.num_players, case.episode) for case in cases_of(name)}
    assert {(first, players, episode) for players in find(name).seats for episode in EPISODES} <= playable
    assert {rules for rules, *_ in playable} == set(presets_of(find(name)))


@each_game
def test_without_options_the_first_preset_is_played_by_as_few_as_can(name: str) -> None:
    game = find(name)
    options = {option.name: option.default for option in game.options}
    assert {"num_players", "rules", "episode"} <= set(options)
    assert game.new().tobytes() == game.new(**options).tobytes()
    assert options["num_players"] in game.seats
    first = next(iter(presets_of(game)))
    assert game.rules_of(game.new()[0]) == game.rules_of(game.new(rules=first)[0])


# Actions ------------------------------------------------------------------------------------------------------------


@each_of_few
def test_what_is_no_action_is_refused_by_the_plain_interface(case: Case) -> None:
    state = start(case, case.seed)[0]
    before = state.tobytes()
    for action in [*NO_ACTIONS, case.game.num_actions]:
        with pytest.raises(IllegalAction, match="no action has the index"):
            case.plain.apply(state, action)
        with pytest.raises(ValueError, match="no action has the index"):
            case.plain.action_text(action)
    assert state.tobytes() == before
    with pytest.raises(ValueError, match="no action is called 'sing a song'"):
        case.plain.parse_action("sing a song")


@each_of_few
def test_what_is_no_action_is_refused_by_the_aec_environment(case: Case) -> None:
    env = WAYS["aec"](case.name, **case.options)
    env.reset(seed=case.seed)
    before = env.unwrapped.position.tobytes()
    for action in [*NO_ACTIONS, case.game.num_actions]:
        with pytest.raises(IllegalAction, match="no action has the index"):
            env.step(action)
    assert env.unwrapped.position.tobytes() == before


# Not strict: an array such as np.array(0.7) is taken for a whole number until `SingleEnv.step` asks the action table.
@each_of_few
def test_what_is_no_action_is_refused_by_the_gymnasium_environment(case: Case) -> None:
    env = WAYS["gymnasium"](case.name, seat=0, **case.options)
    env.reset(seed=case.seed)
    before = env.tables.states.tobytes()
    for action in [*NO_ACTIONS, case.game.num_actions]:
        with pytest.raises(IllegalAction, match="no action has the index"):
            env.step(action)
        assert env.tables.states.tobytes() == before, action


@each_of_few
def test_what_is_no_action_is_refused_by_the_batch(case: Case) -> None:
    tables = WAYS["batch"](case.name, **case.options)
    tables.reset(seed=case.seed)
    before = tables.states.tobytes()
    for action in [*NO_ACTIONS, case.game.num_actions]:
        with pytest.raises((IllegalAction, TypeError, ValueError)):
            tables.step([action, action])
        assert tables.states.tobytes() == before, action


@each_of_few
def test_numpys_whole_numbers_are_actions(case: Case) -> None:
    first = case.plain.legal_actions(start(case, case.seed)[0])[0]
    after = []
    for kind in (int, np.int8 if first < 128 else np.int32, np.int32, np.int64, np.uint16, np.array):
        state = start(case, case.seed)[0]
        case.plain.apply(state, kind(first))
        after.append(state.tobytes())
    assert len(set(after)) == 1


@each_of_few
def test_an_illegal_action_names_itself_and_what_is_legal(case: Case) -> None:
    state = start(case, case.seed)[0]
    legal = case.plain.legal_actions(state)
    illegal = next(action for action in range(case.game.num_actions) if action not in legal)
    with pytest.raises(IllegalAction) as caught:
        case.plain.apply(state, illegal)
    said = str(caught.value)
    assert case.plain.action_text(illegal) in said
    assert all(case.plain.action_text(action) in said for action in legal)


# States -------------------------------------------------------------------------------------------------------------


@each_of_few
def test_a_record_that_is_no_position_is_refused(case: Case) -> None:
    """Numbers of every field beyond its bounds; the record that was given stays as it is."""
    refused = 0
    for number in case.game.state_fields.numbers:
        kind = number.field.number
        if kind == np.uint64 or number.field.highest >= np.iinfo(kind).max:
            continue
        state = start(case, case.seed)
        cells = state.view(np.uint8)[number.offset : number.offset + kind.itemsize].view(kind)
        cells[0] = np.iinfo(kind).max
        refused += 1
        with pytest.raises(BadState, match=rf"is not a position of .*: {number.name}\b"):
            case.plain.legal_actions(state[0])
        with pytest.raises(BadState):
            case.plain.from_bytes(state.tobytes())
    assert refused


@each_of_few
def test_what_is_no_state_is_refused(case: Case) -> None:
    for wrong in (None, 7, b"", np.zeros(1, np.uint8), case.game.new(**case.options).view(np.uint8)):
        with pytest.raises(TypeError, match="a state is one record"):
            case.plain.legal_actions(wrong)
    with pytest.raises(ValueError, match="bytes"):
        case.plain.from_bytes(b"short")


@each_of_few
def test_a_state_in_memory_that_is_read_only_is_not_written_to(case: Case) -> None:
    content = start(case, case.seed)[0].tobytes()
    kept = bytes(bytearray(content))
    shared = np.frombuffer(content, case.game.state)[0]
    action = case.plain.legal_actions(shared)[0]
    with pytest.raises(
        ValueError, match=r"read-only memory: continue with a copy \(state.copy\(\)\), .* from_bytes\(\)"
    ):
        case.plain.apply(shared, action)
    assert content == kept
    for own in (shared.copy(), case.plain.from_bytes(content)):
        case.plain.apply(own, action)
        assert own.tobytes() != kept


@each_of_few
def test_a_seat_that_is_not_there_is_refused(case: Case) -> None:
    state = start(case, case.seed)[0]
    for seat in (-1, case.num_players, True, 0.5, "0", None):
        with pytest.raises(ValueError, match="there is no seat"):
            case.plain.observe(state, seat)
        with pytest.raises(ValueError, match="there is no seat"):
            case.plain.redeal_hidden(state, seat, 1)


@each_of_few
def test_observations_are_for_the_user_to_keep(case: Case) -> None:
    env = WAYS["aec"](case.name, **case.options)
    env.reset(seed=case.seed)
    seen, *_ = env.last()
    kept = as_bytes(seen)
    env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert as_bytes(seen) == kept


@each_game
def test_rules_as_a_dict_and_standard_are_taken_wherever_rules_are(name: str) -> None:
    game = find(name)
    *_, last = presets_of(game)
    expected = game.new(rules=f"{last} max_turns=7")
    given = {"preset": last, "max_turns": 7}
    assert game.new(rules=given).tobytes() == expected.tobytes()
    assert (
        plain_of(name).new(rules=given, seed=1).tobytes()
        == plain_of(name).new(rules=f"{last} max_turns=7", seed=1).tobytes()
    )
    for made in (
        Tables(1, game=name, rules=given),
        Tables([{"rules": given}], game=name),
        Tables(1, game=name, rules=[given]),
        Tables(1, game=name, rules=lambda _: given),
        make_single(name, rules=given).tables,
        make_single(name, rules={"max_turns": 7, "preset": last}).tables,
    ):
        made.reset(seed=1)
        assert game.rules_of(made.states[0]) == game.rules_of(expected[0])
    env = make_aec(name, rules=given)
    env.reset(seed=1)
    assert game.rules_of(env.unwrapped.position) == game.rules_of(expected[0])
    table = TableOptions(game=name, rules=given)  # type: ignore[arg-type]  # the arena keeps a text
    assert game.rules.parse(table.rules) == game.rules_of(expected[0])
    assert TableOptions(game=name, rules="standard") == TableOptions(game=name)
