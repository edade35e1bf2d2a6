"""Does an error about an unknown argument list every argument that the environment has, and the game's options?"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

import banakil_env  # noqa: F401  registers
from banakil_env.envs.aec import RummyAEC
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find


def tables_vec_env(**options: Any) -> Any:
    return pytest.importorskip("banakil_env.envs.sb3").TablesVecEnv(2, game="gin", **options)


WAYS_IN: dict[str, tuple[str, Callable[..., Any], Callable[[], Any]]] = {
    "gymnasium.make": ("SingleEnv", lambda **how: gymnasium.make("rummy/Gin-v0", **how), lambda: SingleEnv),
    "gymnasium.make_vec": ("BatchEnv", lambda **how: gymnasium.make_vec("rummy/Gin-v0", 2, **how), lambda: BatchEnv),
    "pettingzoo.make": ("RummyAEC", lambda **how: pettingzoo.make("aec", "rummy/gin-v0", **how), lambda: RummyAEC),
    "Tables": ("Tables", lambda **how: Tables(2, game="gin", **how), lambda: Tables),
    "sb3": ("TablesVecEnv", tables_vec_env, lambda: __import__("banakil_env.envs.sb3").envs.sb3.TablesVecEnv),
}


@pytest.mark.parametrize("way", WAYS_IN)
def test_an_unknown_argument_is_refused_with_all_that_there_are(way: str) -> None:
    name, make, made = WAYS_IN[way]
    with pytest.raises(TypeError, match=f"^{name} has no argument 'colour', 'deals'; its arguments are ") as refused:
        make(colour="red", deals=3)
    listed = re.search(r"its arguments are (.*), and the options of gin: (.*)$", str(refused.value))
    assert listed is not None
    assert listed[1].split(", ") == list(inspect.signature(made()).parameters)[:-1]  # the last one: **options
    assert listed[2].startswith(", ".join(find("gin").option_names))  # Gymnasium adds what it called


def test_a_near_name_is_named() -> None:
    for wrong, right in (("autoreset_mod", "autoreset_mode"), ("opponent", "opponents"), ("rule", "rules")):
        with pytest.raises(TypeError, match=rf"no argument '{wrong}' \(did you mean '{right}'\?\);"):
            gymnasium.make_vec("rummy/Gin-v0", 2, **{wrong: "random"})
