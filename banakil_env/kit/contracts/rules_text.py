"""What the rules of all contract games say alike: which contracts are played, and how totals decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banakil_env.kit.rules_text import TableFacts, limits

COUNTS = {7: "seven", 9: "nine"}  # of contracts


def contracts_played(lines: Sequence[str], rules: Any, table: TableFacts) -> str:
    """Which contracts are played; `lines`: the contracts with their numbers, in order."""
    if table.match:
        return f"A match has {COUNTS[len(lines)]} rounds with these contracts, in this order. {'; '.join(lines)}."
    if rules.contract == "any":
        return f"One round is played, with one of these contracts, drawn by chance. {'; '.join(lines)}."
    return f"One round is played, with contract {lines[int(rules.contract) - 1]}."


def totals(contracts: Sequence[Any], rules: Any, table: TableFacts) -> tuple[str, str]:
    """Who wins, and when a round or match is given up; `contracts`: of a match, one a round."""
    won = "One round is played. The lowest score wins."
    limit = limits(rules.max_turns, None, table)
    if table.match:
        won = f"""The totals of all {COUNTS[len(contracts)]} rounds are added up, and the lowest total wins; players
            with equal lowest totals share the win. The deal passes on after a scored round. An unscored round is dealt
            again, by the same dealer, for the same contract."""
        limit += f" A match is given up after {rules.max_rounds} deals, scored or not."
    return won, limit
