"""The recipes, each a TOML file: the values of a `Config` that differ from its defaults.

A recipe can extend a base, a file in `bases/`, whose values are used for settings that the recipe does not have. In
both, "none" stands for no value (null in JSON), and "strongest" in place of a player for the strongest rule-based
player of the game. A table without its own recipe is trained by the base `imitation`.

The folder `stages/` has the recipes of agents that are not kept: the weights of a kept agent began as those of one of
them. An agent whose recipe begins with one is trained again stage by stage, `gin-2p-3`, `gin-2p-4`, then `gin-2p-5`.

The folder `learned/` has the recipes of agents that learn by themselves, such as `yaniv-2p-learned`: the values of a
`train.ppo.Config` that differ from its defaults. The folder `alone/` has those of agents that a stronger player teaches
and that have no adviser, such as `yaniv-2p-alone`: of a `train.distil.Config`.
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banakil_env.games import DEFAULT_GAME, GAMES, find
from train.config import Config, ConfigError, from_dict, made_of

if TYPE_CHECKING:
    from train.distil import Config as AloneConfig
    from train.ppo import Config as LearnedConfig

FOLDER = Path(__file__).parent
GENERAL = "imitation"  # the base for tables without a recipe
STRONGEST, NONE = "strongest", "none"

_FILES = {path.stem: path for folder in (FOLDER, FOLDER / "stages") for path in folder.glob("*.toml")}
RECIPES = tuple(sorted(_FILES))
STAGES = tuple(sorted(name for name, path in _FILES.items() if path.parent != FOLDER))
LEARNED = tuple(sorted(path.stem for path in FOLDER.glob("learned/*.toml")))
ALONE = tuple(sorted(path.stem for path in FOLDER.glob("alone/*.toml")))


@functools.cache
def recipe(name: str) -> Config:
    """The recipe of this name, or for the table of this name of any game. ConfigError: there is no such recipe."""
    if name in RECIPES:
        return _config(name, _read(_FILES[name]))
    tables = standing_tables()
    if name not in tables:
        raise ConfigError(f"there is no recipe {name!r:.80}; there are {', '.join(recipe_names())}")
    return _config(name, {"extends": GENERAL, "table": tables[name]})


@functools.cache
def learned_recipe(name: str) -> LearnedConfig:
    """The recipe of this name of an agent that learns by itself. ConfigError: there is no such recipe."""
    if name not in LEARNED:
        raise ConfigError(f"there is no recipe {name!r:.80} of a learned agent; there are {', '.join(LEARNED)}")
    from train import ppo  # late: it needs tyro, and most programs that read recipes do without

    said = {"out": f"runs/{name}"} | _read(FOLDER / "learned" / f"{name}.toml")
    config: LearnedConfig = made_of(ppo.Config, said, name)
    return config


@functools.cache
def alone_recipe(name: str) -> AloneConfig:
    """The recipe of this name of an agent that is taught and has no adviser. ConfigError: there is no such recipe."""
    if name not in ALONE:
        raise ConfigError(
            f"there is no recipe {name!r:.80} of an agent that stands alone; there are {', '.join(ALONE)}"
        )
    from train import distil  # late: it needs tyro

    said = {"out": f"runs/{name}"} | _read(FOLDER / "alone" / f"{name}.toml")
    config: AloneConfig = made_of(distil.Config, said, name)
    return config


def main_recipe(game: str) -> Config:
    """The recipe of the main table of a game. ConfigError: there is no such game."""
    try:
        return recipe(find(game).tables[0].name)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def recipe_names() -> list[str]:
    """Every recipe: those with a file, the standing tables of all games, and those of agents without an adviser."""
    return list(dict.fromkeys([*RECIPES, *standing_tables(), *LEARNED, *ALONE]))


def standing_tables() -> dict[str, dict[str, Any]]:
    """The options of the standing tables of all games, by name."""
    return {table.name: {"game": name, **table.options} for name in GAMES for table in find(name).tables}


def _config(name: str, said: Mapping[str, Any]) -> Config:
    """The configuration of a recipe. ConfigError: the recipe has an unknown setting or value."""
    whole = _extended(said)
    strongest = find(whole.get("table", {}).get("game", DEFAULT_GAME)).strongest_player
    config = from_dict({"name": name} | _spelled_out(whole, {NONE: None, STRONGEST: strongest}))
    opponents = tuple(dict.fromkeys(config.evaluation.opponents))  # if "strongest" is another named player
    return dataclasses.replace(config, evaluation=dataclasses.replace(config.evaluation, opponents=opponents))


def _extended(said: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a recipe and its bases, group by group; the recipe's own values win."""
    found = {key: value for key, value in said.items() if key != "extends"}
    if "extends" not in said:
        return found
    base = _extended(_read(FOLDER / "bases" / f"{said['extends']}.toml"))
    for key, value in found.items():
        base[key] = {**base.get(key, {}), **value} if isinstance(value, dict) else value
    return base


def _spelled_out(value: Any, meanings: Mapping[str, str | None]) -> Any:
    """The same value with every placeholder replaced."""
    if isinstance(value, dict):
        return {key: _spelled_out(inner, meanings) for key, inner in value.items()}
    if isinstance(value, list):
        return [_spelled_out(inner, meanings) for inner in value]
    return meanings.get(value, value) if isinstance(value, str) else value


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)
