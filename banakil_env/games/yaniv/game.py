"""Builds the `Game` of Yaniv."""

from __future__ import annotations

from banakil_env.games.yaniv import (
    check,
    expert,
    greedy,
    hidden,
    looks,
    moves,
    observation,
    rules,
    scoring,
    state,
    texts,
)
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.setup import tables_for

GAME = assemble(
    "yaniv",
    "Yaniv",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, greedy, expert),
    tables_for("yaniv", 2, 3, 4),
    version=0,
    marks=texts.MARKS,
    reward=scoring.reward,
    low_wins=True,
)
