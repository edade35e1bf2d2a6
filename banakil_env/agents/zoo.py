"""The players `zoo:NAME`: agents in the folders that `arena.zoo_folders` searches."""

from __future__ import annotations

from pathlib import Path

from banakil_env.agents.family import FamilyPlayer
from banakil_env.agents.network import AgentError, NetworkPlayer, player_of
from banakil_env.arena.zoo_folders import VARIABLE, folders, found_model, names
from banakil_env.core.game import Game
from banakil_env.core.hints import did_you_mean

__all__ = ["VARIABLE", "folders", "make", "model_of", "names"]


def model_of(name: str) -> Path:
    """The file of an agent.

    Raises:
        AgentError: there is no such agent in the folders; the message lists the agents that exist.
    """
    file = found_model(name)
    if file is None:
        here = ", ".join(names()) or "none"
        hint = did_you_mean(name, names(), most=4, nearness=0.5)
        raise AgentError(
            f"the zoo has no agent {name!r:.80} here{hint}: there are {here}. A checkout has agents/zoo, which "
            f"`pip install ./agents` installs as the package banakil-zoo; {VARIABLE} names another folder"
        )
    return file


def make(argument: str, game: Game) -> NetworkPlayer | FamilyPlayer:
    """The player of `zoo:NAME`.

    Raises:
        AgentError: the agent cannot be played; the message gives the reason.
    """
    return player_of(model_of(argument), game, f"zoo:{argument}")
