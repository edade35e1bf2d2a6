"""Builds the `Game` of Gin Rummy."""

from __future__ import annotations

from banakil_env.core.game import Table
from banakil_env.games.gin import check, expert, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble

GAME = assemble(
    "gin",
    "Gin Rummy",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, greedy, expert),
    (
        Table("gin-2p", "one hand, by the rules of OpenSpiel", {}),
        Table("gin-match", "a match by the usual rules", {"rules": "common", "episode": "match"}),
    ),
    version=0,
    marks=texts.MARKS,
)
