"""Does the table of arguments name every argument of every environment, with its default?"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from banakil_env.envs.described import ENVIRONMENTS, NOTES, arguments_of
from banakil_env.games import find

GIN = find("gin")


def own_arguments(environment: type[Any]) -> dict[str, Any]:
    """The arguments of an environment with their defaults, but the game."""
    parameters = list(inspect.signature(environment.__init__).parameters.values())[1:]
    named = [each for each in parameters if each.kind is not each.VAR_KEYWORD and each.name != "game"]
    return {each.name: each.default for each in named}


@pytest.mark.parametrize("way", ENVIRONMENTS)
def test_every_argument_is_described_with_its_default(way: str) -> None:
    described = {each.name: each.defaults[way] for each in arguments_of(GIN) if way in each.defaults}
    options = {option.name: option.default for option in GIN.options}
    assert described == own_arguments(ENVIRONMENTS[way]) | options


def test_nothing_else_is_described() -> None:
    named = set().union(*map(own_arguments, ENVIRONMENTS.values()))
    assert set(NOTES) == named
    assert all(each.note and each.defaults for each in arguments_of(GIN))


def test_stable_baselines_takes_what_the_page_says() -> None:
    from_sb3 = pytest.importorskip("banakil_env.envs.sb3")
    own, vector = own_arguments(from_sb3.TablesVecEnv), own_arguments(ENVIRONMENTS["make_vec"])
    assert own.keys() == vector.keys() - {"autoreset", "autoreset_mode"} | {"seed"}
    assert {name: own[name] for name in own if name in vector and name != "num_envs"} == {
        name: vector[name] for name in own if name in vector and name != "num_envs"
    }
