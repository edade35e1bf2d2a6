"""The players `zoo:NAME`: agents of the folders that `arena.zoo_folders` searches."""

from __future__ import annotations

from pathlib import Path

from banakil_env.agents.family import FamilyPlayer
from banakil_env.agents.network import AgentError, NetworkPlayer, player_of
from banakil_env.arena.zoo_folders import VARIABLE, folders, found_model, names
from banakil_env.core.game import Game

__all__ = ["VARIABLE", "folders", "make", "model_of", "names"]


def model_of(name: str) -> Path:
    """The file of an agent. AgentError: it is not here; the text lists those that are."""
    file = found_model(name)
    if file is None:
        here = ", ".join(names()) or "none"
        raise AgentError(
            f"the zoo has no agent {name!r:.80} here: there are {here}. A checkout has agents/zoo, which "
            f"`pip install ./agents` installs as the package banakil-zoo; {VARIABLE} names another folder"
        )
    return file


def make(argument: str, game: Game) -> NetworkPlayer | FamilyPlayer:
    """The player of `zoo:NAME`. AgentError: it cannot be played, and why."""
    return player_of(model_of(argument), game, f"zoo:{argument}")
