"""Builds the `Game` of Canasta."""

from __future__ import annotations

from banakil_env.games.canasta import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for
from banakil_env.kit.two_sides import side_of

GAME = assemble(
    "canasta",
    "Canasta",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("canasta", greedy)),
    tables_for("canasta", 4, 2),
    version=0,
    side_of=side_of,
)
