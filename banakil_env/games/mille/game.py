"""Builds the `Game` of Mille."""

from __future__ import annotations

from banakil_env.games.mille import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for
from banakil_env.kit.two_sides import side_of

GAME = assemble(
    "mille",
    "Mille",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("mille", greedy)),
    tables_for("mille", 2),
    version=0,
    side_of=side_of,
)
