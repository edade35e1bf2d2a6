"""Games of the rummy family, Banakil of the Levant first, as reinforcement-learning environments.

Importing the package registers the environments of every game and loads no game and no compiler:

    >>> import pettingzoo, gymnasium, banakil_env
    >>> env = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4)
    >>> env = gymnasium.make("rummy/Banakil-v0", opponents="greedy")

The plain interface of a game, for people, tests and notebooks, is its package: `banakil_env.games.banakil`.
"""

from __future__ import annotations

import gymnasium
import pettingzoo

from banakil_env.core.release import VERSION as __version__
from banakil_env.games import GAMES, gymnasium_id, pettingzoo_id

__all__ = ["__version__"]


def _register() -> None:
    """Register the environments of every game in PettingZoo and Gymnasium.

    Entry points are texts, so a game, and its compiler, is imported only when its environment is made. When a notebook
    reloads the package, nothing is registered a second time.
    """
    for name in GAMES:
        if pettingzoo_id(name) not in pettingzoo.aec_registry:
            pettingzoo.register("aec", pettingzoo_id(name), "banakil_env.envs.aec:env", kwargs={"game": name})
        # A missing PettingZoo raises an error with the reason.
        if pettingzoo_id(name) not in pettingzoo.parallel_registry:
            entry = "banakil_env.envs.aec:no_parallel_env"
            pettingzoo.register("parallel", pettingzoo_id(name), entry, kwargs={"game": name})
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="banakil_env.envs.single:SingleEnv",
                vector_entry_point="banakil_env.envs.single:BatchEnv",
                kwargs={"game": name},
            )


_register()
