"""Which tests run in one process, one after the other? Those about a game, and all others of a file.

Each process then builds and loads what it needs for its own games only, and makes a module's fixtures once.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from banakil_env.games import GAMES

# The folders with the tests of one game, and the game.
FOLDERS = {path.name: path.name for path in Path(__file__).parent.iterdir() if path.name in GAMES}
FOLDERS |= {"contract_rummy": "contract"}
del FOLDERS["contract"], FOLDERS["banakil"]  # the tests that every game must pass; and too many for one process


def game_of(name: str) -> str:
    """The game that a test is about, by its folder or the first of its parameters that is a game; "": no single game.

    Args:
        name: as pytest writes it, such as `tests/contract/test_contract_text.py::test_a_text[gin-openspiel-2p-round]`.
    """
    path, _, test = name.partition("::")
    folder = FOLDERS.get(Path(path).parent.name)
    if folder is not None:
        return folder
    words = re.split(r"[^\w]+", test.partition("[")[2])
    return next((word for word in words if word in GAMES), "")


def group_of(name: str) -> str:
    """The group of a test."""
    return game_of(name) or name.partition("::")[0]


class Groups(LoadScopeScheduling):
    """Gives whole groups to processes, in the order of their first tests.

    It is `--dist loadgroup`, which finds its groups by names that pytest 9.2 does not let it change (xdist 3.8).
    """

    def __init__(self, config: Any, log: Any) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
