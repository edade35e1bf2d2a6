"""Tables for the tests of Oklahoma Rummy."""

from __future__ import annotations

from game_tables import WholePack

from banakil_env.games import oklahoma
from banakil_env.kit.pack52 import FACES


class _Tables(WholePack):
    def pack(self, rules: str, players: int) -> list[str]:
        return [name for name in FACES.names for _ in range(2)]


_tables = _Tables(oklahoma, eager=0.7)
at, play, legal, lines, random_states = _tables.at, _tables.play, _tables.legal, _tables.lines, _tables.random_states
