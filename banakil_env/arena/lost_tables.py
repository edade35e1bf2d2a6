"""Messages about tables that a player lost by failing."""

from __future__ import annotations

from typing import Any

from banakil_env.arena.plan import Plan
from banakil_env.core.failures import UNKNOWN


def failure_of(plan: Plan, deal: int, number: int, table: dict[str, Any]) -> dict[str, Any]:
    """The failure by which a player lost a table: player, place, kind and reason, as values for JSON.

    Args:
        plan: the match.
        deal: the number of the deal.
        number: the number of the table in its deal.
        table: the outcome of the table, from `tables.play_tables`.

    Returns:
        A dict; its `file` and `line` refer to the player's code, and are None if unknown.
    """
    failed = table["failed"]
    return {
        "deal": deal,
        "seed": plan.seed_of(deal),
        "table": number,
        "seat": failed["seat"],
        "player": plan.players[failed["player"]],
        "kind": failed.get("kind", UNKNOWN),
        "reason": failed["reason"],
        "file": failed["file"],
        "line": failed["line"],
    }


def failure_text(failure: dict[str, Any]) -> str:
    """A failure as one line of text."""
    place = f" ({failure['file']}, line {failure['line']})" if failure["file"] else ""
    where = f"deal {failure['deal']} (seed {failure['seed']}), table {failure['table']}, seat {failure['seat']}"
    return f"{failure['player']} failed at {where}: {failure['reason']}{place}"
