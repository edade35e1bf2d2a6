"""Which games are there in OpenSpiel? Importing this registers all of `GAMES` with `pyspiel`, as `python_<game>`.

Banakil has explicit chance (`banakil.py`), so that algorithms that need the whole tree run on it; of the others chance
is sampled (`sampled.py`).
"""

from banakil_env.envs.openspiel import banakil as banakil
from banakil_env.envs.openspiel import sampled as sampled
from banakil_env.games import GAMES, find

EXPLICIT = ("banakil",)

for _name in GAMES:
    if _name not in EXPLICIT:
        sampled.register(find(_name))
