"""Finds the agents of the zoo, without PyTorch: in the checkout, in the package banakil-zoo, or in a folder of yours.

A checkout has them in `agents/zoo`; `pip install ./agents` there installs their weights as a separate package.
`BANAKIL_ZOO=FOLDER` names another folder of such agents.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from banakil_env.arena.generations import MODEL
from banakil_env.core.release import PACKAGE

VARIABLE = "BANAKIL_ZOO"


def folders() -> list[Path]:
    """The folders that are searched for agents, in order."""
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


def found_model(name: str) -> Path | None:
    """The path of an agent's weights; None if the agent is not available here."""
    if not name.replace("-", "").replace("_", "").isalnum():
        return None
    files = (folder / name / MODEL for folder in folders())
    return next((file for file in files if file.is_file()), None)
