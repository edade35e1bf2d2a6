"""Builds the `Game` of Tonk."""

from __future__ import annotations

from banakil_env.games.tonk import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for

GAME = assemble(
    "tonk",
    "Tonk",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("tonk", greedy)),
    tables_for("tonk", 2, 3, 4),
    version=0,
    marks=texts.MARKS,
)
