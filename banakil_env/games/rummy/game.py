"""Builds the `Game` of Rummy."""

from __future__ import annotations

from banakil_env.games.rummy import check, expert, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.setup import tables_for

GAME = assemble(
    "rummy",
    "Rummy",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, greedy, expert),
    tables_for("rummy", 2, 4, 6),
    version=0,
    marks=texts.MARKS,
)
