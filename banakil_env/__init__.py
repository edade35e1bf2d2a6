"""Banakil, the card game of the Levant, as a reinforcement-learning environment.

Importing the package registers its environments and loads nothing else:

    >>> import pettingzoo, banakil_env
    >>> env = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4)

The plain interface of the game, for people, tests and notebooks, is `banakil_env.games.banakil`.
"""

from __future__ import annotations

import importlib.metadata

import pettingzoo

try:
    __version__ = importlib.metadata.version("banakil-env")
except importlib.metadata.PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"

# Entry points are texts: a game is imported, and its compiler with it, when its environment is made.
GAMES = {"rummy/banakil-v0": "banakil_env.envs.banakil"}

for _id, _module in GAMES.items():
    if _id not in pettingzoo.aec_registry:  # not again when a notebook reloads the package
        pettingzoo.register("aec", _id, entry_point=f"{_module}:env")
