"""Finds the agents of the zoo, `zoo:gin-2p`: in the checkout, in the package banakil-zoo, or in a folder of yours.

A checkout keeps them in `agents/zoo`; `pip install ./agents` there installs their weights as a package of their own.
`BANAKIL_ZOO=FOLDER` names another folder of such agents.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from banakil_env.agents.family import FamilyPlayer
from banakil_env.agents.network import AgentError, NetworkPlayer, player_of
from banakil_env.arena.generations import MODEL
from banakil_env.core.game import Game
from banakil_env.core.release import PACKAGE

VARIABLE = "BANAKIL_ZOO"


def folders() -> list[Path]:
    """The folders that are searched for agents, in this order."""
    own = os.environ.get(VARIABLE)
    if own:
        return [Path(own)]
    installed = importlib.util.find_spec("banakil_zoo")
    places = installed.submodule_search_locations if installed else None
    return [PACKAGE.parent / "agents" / "zoo", *map(Path, places or ())]


def names() -> list[str]:
    """The names of the agents that are available here."""
    found = {path.parent.name for folder in folders() for path in folder.glob(f"*/{MODEL}")}
    return sorted(found)


def model_of(name: str) -> Path:
    """The file of an agent. AgentError: it is not here; the text lists those that are."""
    for folder in folders():
        if name.replace("-", "").replace("_", "").isalnum() and (folder / name / MODEL).is_file():
            return folder / name / MODEL
    here = ", ".join(names()) or "none"
    raise AgentError(
        f"the zoo has no agent {name!r:.80} here: there are {here}. A checkout has agents/zoo, which "
        f"`pip install ./agents` installs as the package banakil-zoo; {VARIABLE} names another folder"
    )


def make(argument: str, game: Game) -> NetworkPlayer | FamilyPlayer:
    """The player of `zoo:NAME`. AgentError: it cannot be played, and why."""
    return player_of(model_of(argument), game, f"zoo:{argument}")
