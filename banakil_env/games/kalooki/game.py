"""What does Kalooki provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

from banakil_env.games.kalooki import check, greedy, hidden, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.contracts.rounds import reward
from banakil_env.kit.setup import tables_for
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import MATCH_EPISODE


def set_contract(blank: Any) -> None:
    """Write the contract of a single round, or the first of a match. RulesError: the rules name another for a match."""
    switch = rules.Rules.read(blank.rules).contract
    if blank.episode == MATCH_EPISODE and switch != 1:
        raise RulesError(
            f"a match goes through all {rules.CONTRACTS} contracts from the first: contract={switch} is a round"
        )
    blank.contract = switch if isinstance(switch, int) else 1


GAME = assemble(
    "kalooki",
    "Kalooki",
    Modules(rules, state, moves, check, observation, hidden, texts, greedy),
    tables_for("kalooki", 3, 4, 5),
    version=0,
    marks=texts.MARKS,
    reward=reward,
    low_wins=True,
    prepare=set_contract,
)
