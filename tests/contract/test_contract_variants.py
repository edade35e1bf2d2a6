"""Are rules drawn for each episode, by the seed alone, and the same in every environment?"""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from contract_cases import each_game
from contract_play import gymnasium_id, presets_of

import banakil_env  # noqa: F401  registers
from banakil_env.core.game import Game
from banakil_env.envs.aec import raw_env
from banakil_env.envs.variants import Variants
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain

MODES = ("SameStep", "NextStep", "Disabled")
SHORT = (1, 2, 3, 4, 5)  # of `max_turns`: rounds of a few steps


def pool_of(game: Game) -> list[Any]:
    """Rules that differ in their limit of turns."""
    first = next(iter(presets_of(game)))
    if "max_turns" in game.option_names:  # not one of the switches
        return [rules for rules in presets_of(game) if can_be_dealt(game, rules)]
    return [f"{first} max_turns={turns}" for turns in SHORT]


def can_be_dealt(game: Game, rules: Any) -> bool:
    """Whether these rules go with as few players as can play."""
    try:
        game.new(rules=rules)
    except ValueError:
        return False
    return True


def options_of(game: Game) -> dict[str, Any]:
    """What keeps rounds short where that is no switch."""
    return {"max_turns": 3} if "max_turns" in game.option_names else {}


def rules_text(game: Game, state: Any) -> str:
    """The rules of a state."""
    return repr(game.rules_of(state))


def episodes(tables: Tables, row: int, count: int) -> list[tuple[str, bytes]]:
    """The rules and the deal of the next episodes of a row, played at random; `tables` have just been reset."""
    found, begun = [], True
    for _ in range(20_000):
        if begun and tables.seats[row] >= 0:
            found.append((rules_text(tables.game, tables.states[row]), tables.states[row].tobytes()))
        if len(found) == count:
            return found
        if tables.metadata["autoreset_mode"].value == "Disabled" and (tables.seats < 0).any():
            begun = bool(tables.seats[row] < 0)
            tables.reset(rows=tables.seats < 0)
            continue
        before = tables.controls["episodes"][row]
        over = tables.seats[row] < 0
        tables.step(tables.random_actions())
        ended = tables.controls["episodes"][row] > before
        begun = over if tables.metadata["autoreset_mode"].value == "NextStep" else ended
    raise AssertionError("the episodes do not end")


@each_game
def test_each_episode_draws_its_rules_by_the_seed_alone(name: str) -> None:
    game = find(name)
    pool = pool_of(game)
    sequences = []
    for mode in MODES:
        tables = Tables(3, game=name, rules=pool, autoreset=mode, **options_of(game))
        tables.reset(seed=5)
        sequences.append(episodes(tables, 1, 8))
    assert sequences[0] == sequences[1] == sequences[2]
    assert len({rules for rules, _ in sequences[0]}) > 1
    env = raw_env(name, rules=pool, **options_of(game))
    env.reset(seed=tables.seeds[1])
    assert env.position.tobytes() == sequences[0][0][1]


@each_game
def test_a_callable_is_given_a_generator_and_says_the_rules(name: str) -> None:
    game = find(name)
    pool = pool_of(game)
    drawn = []

    def draw(dice: np.random.Generator) -> Any:
        drawn.append(pool[int(dice.integers(len(pool)))])
        return drawn[-1]

    batches = [Tables(2, game=name, rules=draw, **options_of(game)) for _ in range(2)]
    for tables in batches:
        tables.reset(seed=9)
    assert episodes(batches[0], 0, 6) == episodes(batches[1], 0, 6)
    assert len(set(map(str, drawn))) > 1


@each_game
def test_single_and_aec_draw_the_rules_of_the_batch(name: str) -> None:
    game = find(name)
    pool = pool_of(game)
    env = raw_env(name, rules=pool, **options_of(game))
    single = gymnasium.make(
        gymnasium_id(name), rules=pool, disable_env_checker=True, opponents="random", **options_of(game)
    ).unwrapped
    tables = Tables(20, game=name, rules=pool, **options_of(game))
    tables.reset(seed=0)
    found = set()
    for row, seed in enumerate(tables.seeds.tolist()):
        env.reset(seed=seed)
        single.reset(seed=seed)
        expected = rules_text(game, tables.states[row])
        assert rules_text(game, env.position) == rules_text(game, single.tables.states[0]) == expected
        found.add(expected)
    assert len(found) == len({rules_text(game, game.new(rules=rules, **options_of(game))[0]) for rules in pool})
    env.reset(seed=3)
    first = [next_rules(env) for _ in range(6)]
    env.reset(seed=3)
    assert [next_rules(env) for _ in range(6)] == first
    assert len(set(first)) > 1


def next_rules(env: Any) -> str:
    """The rules of the next episode, from the generator as it stands."""
    env.reset()
    return rules_text(env.game, env.position)


def test_rows_draw_from_lists_of_their_own() -> None:
    pool = ["denexa max_turns=2", "denexa max_turns=3"]
    tables = Tables([{"rules": pool}, {"rules": "denexa max_turns=4"}], game="rummy")
    tables.reset(seed=1)
    found: list[set[int]] = [set(), set()]
    for _ in range(200):
        for row in range(2):
            found[row].add(int(tables.states[row].rules.max_turns))
        tables.step(tables.random_actions())
    assert found == [{2, 3}, {4}]


def test_what_a_step_reports_is_of_the_episode_that_ended() -> None:
    """Dealing the next one leaves rewards, flags, and the learner's reward as they were."""
    drawn = Tables(32, game="rummy", rules=["denexa max_turns=2"], opponents="random", observation="features")
    fixed = Tables(32, game="rummy", rules="denexa max_turns=2", opponents="random", observation="features")
    for tables in (drawn, fixed):
        tables.reset(seed=4)
    ended = 0
    for _ in range(40):
        for name in ("rewards", "terminations", "truncations", "payoffs", "masks", "seats", "features", "states"):
            assert getattr(drawn, name).tobytes() == getattr(fixed, name).tobytes(), name
        ended += int(fixed.terminations.sum())
        for tables in (drawn, fixed):
            tables.step(tables.random_actions())
    assert ended > 32


def test_copies_and_snapshots_draw_on_alike() -> None:
    rules = ["denexa max_turns=2", "denexa max_turns=3", "denexa max_turns=4"]
    tables = Tables(4, game="rummy", rules=rules)
    tables.reset(seed=1)
    twin = pickle.loads(pickle.dumps(tables))
    kept, expected = tables.snapshot(), episodes(tables, 2, 5)
    assert episodes(twin, 2, 5) == expected
    twin.restore(kept)
    assert twin.states.tobytes() == kept.states.tobytes()


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ([], "the list of rules is empty"),
        (["no such rules"], "unknown rules"),
        (lambda dice: "no such rules", "rules= drew 'no such rules': "),
        (lambda dice: 7, "rules= drew 7: "),
    ],
    ids=["empty", "unknown", "drawn", "number"],
)
def test_rules_that_cannot_be_drawn_are_refused_when_the_environment_is_made(rules: Any, match: str) -> None:
    with pytest.raises((ValueError, TypeError), match=match):
        raw_env("rummy", rules=rules)
    with pytest.raises((ValueError, TypeError), match=match):
        Tables(2, game="rummy", rules=rules)


def test_a_draw_that_fails_later_asks_for_a_reset() -> None:
    calls = []

    def draw(dice: np.random.Generator) -> str:
        calls.append(1)
        if len(calls) > 4:
            raise OSError("the file of rules is gone")
        return "denexa max_turns=1"

    tables = Tables(1, game="rummy", rules=draw)
    tables.reset(seed=1)
    with pytest.raises(OSError, match="the file of rules is gone"):
        _play(tables)
    with pytest.raises(RuntimeError, match=r"call reset\(\) before step\(\)"):
        tables.step([0])


def _play(tables: Tables) -> None:
    for _ in range(100):
        tables.step(tables.random_actions())


def test_the_plain_interface_takes_one_set_of_rules() -> None:
    with pytest.raises((ValueError, TypeError)):
        Plain(find("rummy")).new(rules=["denexa", "denexa"])


def test_an_unpickled_table_draws_from_the_rules_and_not_from_states_that_came_along() -> None:
    """What was drawn before is made again: unlike the pool, it would come unchecked, and by the thousand."""
    rummy = find("rummy")
    drawn = Variants(rummy, {"num_players": 2, "rules": always_the_same})
    before = drawn.blank(5)
    kept = drawn.__getstate__()
    kept["_kept"] = {name: blank.copy() for name, blank in drawn._kept.items()}
    for blank in kept["_kept"].values():
        blank.view(np.uint8)[:] = 255
    again = Variants.__new__(Variants)
    again.__setstate__(kept)
    assert again.blank(5).tobytes() == before.tobytes()


def always_the_same(rng: np.random.Generator) -> str:
    return "denexa"
