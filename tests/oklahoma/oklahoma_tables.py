"""Tables for the tests of Oklahoma Rummy."""

from __future__ import annotations

from set_tables import TablesOf

from banakil_env.games import oklahoma
from banakil_env.kit.pack52 import FACES

_tables = TablesOf(oklahoma, lambda rules, players: [name for name in FACES.names for _ in range(2)])
at, play, legal, lines, random_states = _tables.at, _tables.play, _tables.legal, _tables.lines, _tables.random_states
