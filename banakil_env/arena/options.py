"""What is played at a table? The options of the game, which a match, a recording and a training run have in common."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from banakil_env.games.banakil.game import GAME


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """What `banakil.new` takes but the seed. ValueError: what it refuses, and why.

    Attributes:
        num_players: 2, 3 or 4.
        partners: whether four play as partners; None: they do.
        rules: a preset, and switches behind it.
        episode: round or match.
        max_turns: turns after which a round is truncated; None: the rules' own number.
    """

    num_players: int = 2
    partners: bool | None = None
    rules: str = "pagat"
    episode: str = "round"
    max_turns: int | None = None

    def __post_init__(self) -> None:
        GAME.new(**self.options)

    @property
    def options(self) -> dict[str, Any]:
        """The same by name."""
        return {each.name: getattr(self, each.name) for each in fields(TableOptions)}

    @property
    def plays_partners(self) -> bool:
        """Whether four play as partners."""
        return bool(GAME.new(**self.options)[0].partners)
