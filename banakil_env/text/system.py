"""The text for a player before its first decision: the rules of the table, and how to reply."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Game
from banakil_env.text.rules import rules_text_of

HOW_TO_REPLY = (
    "You play at one seat of this table. At each of your decisions you are told what you see. Think as long as you "
    "like, and end your reply with one line `MOVE: ` and your move, written as in the list of moves. You may give "
    "several moves of your turn at once, with `;` between them, such as `MOVE: open 7h 8h 9h; discard Kc`."
)


def system_text(game: Game, state: Any) -> str:
    """The rules of the table of a state, and how to reply."""
    return f"{rules_text_of(game, state)}\n{HOW_TO_REPLY}"
