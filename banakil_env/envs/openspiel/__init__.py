"""The games in OpenSpiel: importing this registers all of `GAMES` with `pyspiel`, as `python_<game>`.

Chance is explicit in all of them (`tables.py`). A game with a file `openspiel.py` in its folder is registered by that
file: there each deal has one history, so that small packs can be solved.
"""

import importlib
import importlib.util

from banakil_env.envs.openspiel import tables as tables
from banakil_env.games import GAMES, find

OWN = {
    name: module
    for name in GAMES
    if importlib.util.find_spec(module := f"banakil_env.games.{name}.openspiel") is not None
}

for _name in GAMES:
    if _name in OWN:
        importlib.import_module(OWN[_name])
    else:
        tables.register(find(_name))
