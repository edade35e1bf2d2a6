"""The games in OpenSpiel: importing this package registers all of `GAMES` with `pyspiel` as `python_<game>`
(`tables.py`).
"""

from banakil_env.envs.openspiel import tables as tables
from banakil_env.games import GAMES, find

for _name in GAMES:
    tables.register(find(_name))
