"""Banakil, the card game of the Levant, as a reinforcement-learning environment.

Importing the package registers its environments and loads nothing else:

    >>> import pettingzoo, gymnasium, banakil_env
    >>> env = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4)
    >>> env = gymnasium.make("rummy/Banakil-v0", opponents="greedy")

The plain interface of the game, for people, tests and notebooks, is `banakil_env.games.banakil`.
"""

from __future__ import annotations

import importlib.metadata

import gymnasium
import pettingzoo

try:
    __version__ = importlib.metadata.version("banakil-env")
except importlib.metadata.PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"


def _register() -> None:
    """Entry points are texts: a game is imported, and its compiler with it, when its environment is made.

    Not again when a notebook reloads the package.
    """
    if "rummy/banakil-v0" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", "rummy/banakil-v0", entry_point="banakil_env.envs.banakil:env")
    if "rummy/Banakil-v0" not in gymnasium.registry:
        gymnasium.register(
            "rummy/Banakil-v0",
            entry_point="banakil_env.envs.single:SingleEnv",
            vector_entry_point="banakil_env.envs.single:BatchEnv",
        )


_register()
