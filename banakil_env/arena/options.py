"""The table at which a match, a recording or a training run is played: the game and its options, checked."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from banakil_env.core import engine
from banakil_env.core.game import Game
from banakil_env.core.jit import interpreted
from banakil_env.games import DEFAULT_GAME, find
from banakil_env.kit.switches import STANDARD


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """A game and the arguments of its method `new`, except the seed. None stands for the game's default.

    Attributes:
        game: the name of the game.
        num_players: the number of players.
        partners: whether they play as partners, in games that can be played with and without partners.
        rules: a preset, then switches. A dict of switches or a `Rules` is also accepted and stored as text.
        episode: round or match.
        max_turns: turns after which a round is truncated, in games with this option.

    Raises:
        ValueError: there is no such game, the game does not have an option, or an option has an invalid value.
    """

    game: str = DEFAULT_GAME
    num_players: int | None = None
    partners: bool | None = None
    rules: str | None = None
    episode: str = "round"
    max_turns: int | None = None

    def __post_init__(self) -> None:
        known = self.found.option_names
        for name in self._given():
            if name not in known:
                raise ValueError(f"{self.game} has no option {name}; it has {', '.join(known)}")
        if self.rules is not None and (not isinstance(self.rules, str) or STANDARD in self.rules.split()):
            object.__setattr__(self, "rules", self.found.rules.resolve(self.rules).text())
        for option in self.found.options:
            if getattr(self, option.name, None) is None and option.name in ("num_players", "rules"):
                object.__setattr__(self, option.name, option.default)
        self.found.new(**self.options)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle only the options; the receiving process finds the game by its name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def _given(self) -> dict[str, Any]:
        """The options that are not None, by name."""
        said = {each.name: getattr(self, each.name) for each in fields(TableOptions) if each.name != "game"}
        return {name: value for name, value in said.items() if value is not None}

    @cached_property
    def found(self) -> Game:
        """The game."""
        return find(self.game)

    @property
    def options(self) -> dict[str, Any]:
        """The options as keyword arguments of the game's `new` and of the environments."""
        return self._given()

    @property
    def arguments(self) -> list[str]:
        """The arguments of this table for `banakil arena`, `banakil record` and `banakil play`, without defaults."""
        usual, said = TableOptions(game=self.game), list[str]()
        rules = self.rules if self.max_turns is None else f"{self.rules} max_turns={self.max_turns}"
        if self.game != TableOptions.game:
            said += ["--game", self.game]
        if self.num_players != usual.num_players:
            said += ["--players", str(self.num_players)]
        if self.partners is not None:
            said.append("--partners" if self.partners else "--individuals")
        if rules is not None and rules != usual.rules:
            said += ["--rules", rules]
        if self.episode != usual.episode:
            said += ["--episode", self.episode]
        return said

    def match_command(self, *players: str) -> str:
        """The command that plays a match of these players at this table, as it is written in a shell."""
        return shlex.join(["banakil", "arena", *players, *self.arguments])

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat: partners have the same."""
        state = self.found.new(**self.options)[0]
        side_of = interpreted(engine.side_of)
        return tuple(int(side_of(state, seat)) for seat in range(self.seats))

    @property
    def seats(self) -> int:
        """The number of players."""
        assert self.num_players is not None
        return int(self.num_players)

    @property
    def plays_partners(self) -> bool:
        """Whether several seats share a side."""
        return len(set(self.sides)) < self.seats
