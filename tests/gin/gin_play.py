"""Plays lines of actions of Gin Rummy, for tests that read like the rules."""

from __future__ import annotations

from typing import Any

from banakil_env.games import gin
from banakil_env.kit.pack52 import FACES


def table(
    hand: str, other: str, pile: str, turn: str, *, stock: str = "", rules: str = "openspiel", **lines: str
) -> Any:
    """A position: seat 0's hand, seat 1's, the pile; the cards not named are the stock, those of `stock` the next."""
    named = FACES.parse_all(" ".join([hand, other, pile, stock, lines.get("melds_0", "").replace("|", " ")]))
    rest = [face for face in range(len(FACES)) if face not in named]
    size = int(lines.pop("stock_size", 52))
    under, left = rest[: max(0, size - len(FACES.parse_all(stock)))], rest[max(0, size - len(FACES.parse_all(stock))) :]
    text = [
        f"rules: {rules}",
        f"hand 0: {hand}",
        f"hand 1: {other}",
        f"pile: {FACES.text(left)} {pile}",
        f"stock: {stock} {FACES.text(under)}",
        f"turn: {turn}",
        f"limit: {lines.pop('limit', 10)}",
        "turns: 5",
        *(f"{key.replace('_', ' ')}: {value}" for key, value in lines.items()),
    ]
    return gin.from_text("\n".join(text))


def play(state: Any, line: str) -> Any:
    """Carry out actions with commas between them."""
    for action in line.split(","):
        gin.apply(state, gin.parse_action(action.strip()))
    return state


def legal(state: Any) -> list[str]:
    """The texts of the legal actions."""
    return [gin.action_text(action) for action in gin.legal_actions(state)]


def ending(state: Any) -> str:
    """How the round ended."""
    return gin.to_text(state).partition("over: ")[2].partition("\n")[0]
