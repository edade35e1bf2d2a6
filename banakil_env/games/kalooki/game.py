"""Builds the `Game` of Kalooki."""

from __future__ import annotations

from banakil_env.games.kalooki import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.contracts.rounds import first_contract
from banakil_env.kit.setup import tables_for

GAME = assemble(
    "kalooki",
    "Kalooki",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("kalooki", greedy)),
    tables_for("kalooki", 3, 4, 5),
    version=0,
    marks=texts.MARKS,
    low_wins=True,
    prepare=first_contract(rules.Rules, rules.CONTRACTS),
)
