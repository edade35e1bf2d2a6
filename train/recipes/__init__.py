"""The recipes, each a TOML file: the values of a `Config` that differ from its defaults.

A recipe can extend a base, a file in `bases/`, whose values are used for settings that the recipe does not have. In
both, "none" stands for no value (null in JSON), and "strongest" in place of a player for the strongest rule-based
player of the game. A table without its own recipe is trained by the base `imitation`.

The folder `stages/` has the recipes of agents that are not kept; the training of some kept agents started from their
weights. Such a kept agent is trained again stage by stage: `gin-2p-3`, `gin-2p-4`, then `gin-2p-5`.

The folder `learned/` has the recipes of agents that learn by themselves, such as `yaniv-2p-learned`, with values of
`train.ppo.Config`. The folder `alone/` has those of agents without an adviser that a stronger player teaches, such as
`yaniv-2p-alone`, with values of `train.distil.Config`.
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
    """The recipe with this name, or for the table with this name in any game. Raises ConfigError if there is none."""
    if name in RECIPES:
        return _config(name, _read(_FILES[name]))
    tables = standing_tables()
    if name not in tables:
        raise ConfigError(f"there is no recipe {name!r:.80}; there are {', '.join(recipe_names())}")
    return _config(name, {"extends": GENERAL, "table": tables[name]})


@functools.cache
def learned_recipe(name: str) -> LearnedConfig:
    """The recipe with this name for an agent that learns by itself. Raises ConfigError if there is none."""
    if name not in LEARNED:
        raise ConfigError(f"there is no recipe {name!r:.80} of a learned agent; there are {', '.join(LEARNED)}")
    from train import ppo  # imported here, since it needs tyro, which most programs that read recipes do not need

    said = {"out": f"runs/{name}"} | _read(FOLDER / "learned" / f"{name}.toml")
    config: LearnedConfig = made_of(ppo.Config, said, name)
    return config


@functools.cache
def alone_recipe(name: str) -> AloneConfig:
    """The recipe with this name for a taught agent without an adviser. Raises ConfigError if there is none."""
    if name not in ALONE:
        raise ConfigError(
            f"there is no recipe {name!r:.80} of an agent that stands alone; there are {', '.join(ALONE)}"
        )
    from train import distil  # imported here, since it needs tyro

    said = {"out": f"runs/{name}"} | _read(FOLDER / "alone" / f"{name}.toml")
    config: AloneConfig = made_of(distil.Config, said, name)
    return config


def main_recipe(game: str) -> Config:
    """The recipe for the main table of a game. Raises ConfigError if there is no such game."""
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
    """The configuration of a recipe. Raises ConfigError if the recipe has an unknown setting or value."""
    whole = _extended(said)
    strongest = find(whole.get("table", {}).get("game", DEFAULT_GAME)).strongest_player
    config = from_dict({"name": name} | _spelled_out(whole, {NONE: None, STRONGEST: strongest}))
    # Without repetition, in case "strongest" is another player in the list.
    opponents = tuple(dict.fromkeys(config.evaluation.opponents))
    return dataclasses.replace(config, evaluation=dataclasses.replace(config.evaluation, opponents=opponents))


def _extended(said: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a recipe and its bases, group by group. The recipe's own values take precedence."""
    found = {key: value for key, value in said.items() if key != "extends"}
    if "extends" not in said:
        return found
    base = _extended(_read(FOLDER / "bases" / f"{said['extends']}.toml"))
    for key, value in found.items():
        base[key] = {**base.get(key, {}), **value} if isinstance(value, dict) else value
    return base


def _spelled_out(value: Any, meanings: Mapping[str, str | None]) -> Any:
    """The same value with all placeholders replaced."""
    if isinstance(value, dict):
        return {key: _spelled_out(inner, meanings) for key, inner in value.items()}
    if isinstance(value, list):
        return [_spelled_out(inner, meanings) for inner in value]
    return meanings.get(value, value) if isinstance(value, str) else value


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)
