"""Tables for the tests of Rummy."""

from __future__ import annotations

from game_tables import WholePack

from banakil_env.games import rummy
from banakil_env.kit.pack52 import FACES


class _Tables(WholePack):
    def pack(self, rules: str, players: int) -> list[str]:
        return list(FACES.names)


_tables = _Tables(rummy)
at, play, legal, lines, random_states = _tables.at, _tables.play, _tables.legal, _tables.lines, _tables.random_states
