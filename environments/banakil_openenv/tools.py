"""A table for models that call tools: the environment of TRL's trainer (`environment_factory`).

    GRPOTrainer(model, args=..., environment_factory=lambda: TableTools("http://localhost:8000", game="gin"))

Every public method except `reset` and `get_reward` is a tool for the model.
"""

from __future__ import annotations

from typing import Any

from banakil_openenv.client import TableClient
from banakil_openenv.models import TableAction, TableObservation


class TableTools:
    """A seat at a table; one game at a time.

    Args:
        base_url: the address of the server.
        table: fields of `Table`; a row of the data set can override them.
    """

    def __init__(self, base_url: str = "http://localhost:8000", **table: Any) -> None:
        self._client = TableClient(base_url=base_url, message_timeout_s=300).sync()
        self._table = table
        self._last: TableObservation | None = None

    def reset(self, seed: int | None = None, table: dict[str, Any] | None = None, **_: Any) -> str:
        """Deal a game; returns its rules and the first decision, which are appended to the prompt.

        Args:
            seed: the seed of the deal.
            table: fields of `Table`. Other columns of the data set are ignored.
        """
        chosen = {**self._table, **(table or {})} | ({} if seed is None else {"seed": seed})
        self._last = self._client.reset(**chosen).observation
        return f"{self._last.rules}\n\nMake your moves with the tool `play`.\n\n{self._last.told}"

    def play(self, moves: str) -> str:
        """Make your move, or several moves of your turn with `;` between them; returns what happened.

        Args:
            moves: The move as in the list of moves, such as `draw` or `discard 7h`.

        Returns:
            What you see now, or why nothing was played.
        """
        if self._last is None or self._last.done:
            return "The game is over."
        self._last = self._client.step(TableAction(reply=moves)).observation
        return self._last.told

    def get_reward(self) -> float:
        """The reward of the game. A model that stopped before the end has forfeited it."""
        if self._last is None:
            return 0.0
        if not self._last.done:
            self._last = self._client.step(TableAction(resign=True)).observation
        return float(self._last.reward or 0)
