"""Which games are there in OpenSpiel? Importing this registers all of `GAMES` with `pyspiel`, as `python_<game>`.

A game whose folder has a file `openspiel.py` registers itself by it, with explicit chance, so that algorithms that need
the whole tree run on it; of the others chance is sampled (`sampled.py`).
"""

import importlib
import importlib.util

from banakil_env.envs.openspiel import sampled as sampled
from banakil_env.games import GAMES, find

OWN = {name: f"banakil_env.games.{name}.openspiel" for name in GAMES}
EXPLICIT = tuple(name for name, module in OWN.items() if importlib.util.find_spec(module))

for _name in GAMES:
    if _name in EXPLICIT:
        importlib.import_module(OWN[_name])
    else:
        sampled.register(find(_name))
