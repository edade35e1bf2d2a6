"""Describes each argument of an environment in a sentence, with its default in each environment.

The tables of arguments on the games' pages are generated from this. Defaults are read from the signatures.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from banakil_env.core.game import Game
from banakil_env.envs.aec import RummyAEC
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.envs.vector import Tables

# The environments, by the call that makes them.
ENVIRONMENTS: Mapping[str, type[Any]] = {
    "pettingzoo.make": RummyAEC,
    "gymnasium.make": SingleEnv,
    "make_vec": BatchEnv,
    "Tables": Tables,
}

NOTES: Mapping[str, str] = {
    "num_envs": "the number of tables",
    "tables": "the number of tables, or a dict of options for each of them",
    "opponents": (
        "the players of the other seats: a name, a player or a callable; a tuple has one for each other seat, a list "
        "is a pool; `None`: the caller plays every seat"
    ),
    "seat": "the learner's seat: a number, `rotating` or `random`",
    "observation": "the form of observations: `features`, `record`, `dict` or `cards`",
    "history": "the number of past events that come with an observation, 0 to 256",
    "reward": "`margin`, `points` or `win`; paid at the end of the episode",
    "reward_scale": "`points`, or `unit`: margin and points are divided by the game's unit",
    "truncate_at_limit": "whether an episode that reaches the limit of turns or rounds is truncated, not terminated",
    "autoreset_mode": "when a finished table is dealt again: `NextStep` (the default), `SameStep` or `Disabled`",
    "autoreset": "another name of `autoreset_mode`; in `Tables` the only one",
    "copy": "whether returned arrays are copies, which no later step changes",
    "illegal": "`raise` an error for illegal actions, or `report` them in `refused`",
    "threads": "the largest number of threads; results do not depend on it; `None`: one for each core",
    "buffers": "arrays of the caller that each step writes into",
    "render_mode": "what `render()` returns: `ansi`, `svg`, `rgb_array`, or a window (`human`)",
    "render_seat": "the view that is drawn: a seat, `agent`, or `None` for all hands open",
}


@dataclass(frozen=True)
class Described:
    """The description of one argument.

    Attributes:
        name: the argument's name.
        note: its meaning.
        defaults: by environment that has the argument, its default; `inspect.Parameter.empty` if it is required.
    """

    name: str
    note: str
    defaults: Mapping[str, Any]


def arguments_of(game: Game) -> list[Described]:
    """The arguments of every environment except `game`, followed by the options of the game."""
    found: dict[str, dict[str, Any]] = {name: {} for name in NOTES}
    for way, environment in ENVIRONMENTS.items():
        for name, parameter in list(inspect.signature(environment.__init__).parameters.items())[1:]:  # without self
            if name != "game" and parameter.kind is not parameter.VAR_KEYWORD:
                found[name][way] = parameter.default
    own = [Described(name, NOTES[name], defaults) for name, defaults in found.items()]
    return own + [
        Described(option.name, option.help, dict.fromkeys(ENVIRONMENTS, option.default)) for option in game.options
    ]
