"""Tables for the tests of 500 Rummy."""

from __future__ import annotations

from game_tables import WholePack

from banakil_env.games import rummy500
from banakil_env.kit.pack54 import FACES, JOKER


class _Tables(WholePack):
    def pack(self, rules: str, players: int) -> list[str]:
        packs, jokers = 1 + (players > 4), rummy500.Rules.parse(rules).jokers
        return [name for face, name in enumerate(FACES.names) for _ in range(packs * (jokers if face == JOKER else 1))]


_tables = _Tables(rummy500, eager=0.7)
at, play, legal, lines, random_states = _tables.at, _tables.play, _tables.legal, _tables.lines, _tables.random_states
