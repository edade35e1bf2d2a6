"""The engine itself as a program of the contract in docs/write-the-rules.md, for a process that is trusted.

A variant of the rules makes it wrong: `VARIANT` is put in the place of the table's rules by the tests.
"""

from __future__ import annotations

from typing import Any

from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.written.traces import told

VARIANT = ""
TABLE: dict[str, Any] = {}


def setup(table: dict[str, Any]) -> None:
    """Remember which game is played."""
    TABLE.update(table)


def read(position: str) -> Any:
    """The state of a position, under the variant if there is one."""
    lines = [f"rules: {VARIANT}" if VARIANT and line.startswith("rules:") else line for line in position.splitlines()]
    return plain().from_text("\n".join(lines))


def plain() -> Plain:
    """The plain interface of the game."""
    return Plain(find(TABLE["game"]))


def after(position: str, move: str) -> Any:
    """The state after a move."""
    state = read(position)
    plain().apply(state, plain().parse_action(move))
    return state


def legal_moves(position: str) -> list[str]:
    """The legal moves."""
    state = read(position)
    return [plain().action_text(action) for action in plain().legal_actions(state)]


def apply(position: str, move: str) -> str:
    """The position after a move."""
    lines = told(plain().game, after(position, move)).splitlines()
    return "\n".join(f"rules: {TABLE['rules']}" if line.startswith("rules:") else line for line in lines)


def is_over(position: str, move: str) -> bool:
    """Whether the round is over."""
    return plain().is_over(after(position, move))


def scores(position: str, move: str) -> list[int]:
    """The points of the round."""
    return [int(points) for points in plain().game.outcome(after(position, move)).points]
