"""The players at a server's tables: those that pages can name (`play.allowed`), each made once and shared."""

from __future__ import annotations

import threading
from typing import Any

import numpy.typing as npt

from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.core.game import Game, Table
from banakil_env.play.allowed import Allowed, made
from banakil_env.play.defaults import agents, default_adviser, default_player, player_anywhere
from banakil_env.play.names import described
from banakil_env.web.protocol import Refused

MOST_MADE = 200  # players with a budget chosen by a page


class Locked:
    """A player that several tables share; only one thread at a time calls it."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.is_quick = isinstance(player, CompiledPlayer)
        self.about = getattr(player, "about", None)
        self._player: Any = player
        self._lock = threading.Lock()
        if hasattr(player, "explain"):
            self.explain = self._explain

    def act(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any], dice: npt.NDArray[Any]) -> Any:
        """See `banakil_env.arena.Player.act`."""
        with self._lock:
            return self._player.act(observations, masks, dice)

    def prepare(self) -> None:
        """See `banakil_env.arena.Player`."""
        with self._lock:
            getattr(self._player, "prepare", lambda: None)()

    def _explain(self, observation: Any, mask: Any, dice: int) -> Any:
        with self._lock:
            return self._player.explain(observation, mask, dice)


def _table_of(game: Game, table: Table | None) -> dict[str, Any] | None:
    """The rules and the partners of a table, as pages name them in requests; None if `table` is None."""
    if table is None:
        return None
    state = game.new(**table.options)[0]
    partners = bool(state["partners"]) if "partners" in game.option_names else None
    return {"rules": game.rules_of(state).text(), "partners": partners}


class Sitters:
    """The players that the pages of a server can name, each made once.

    Args:
        listed: further names that are allowed.

    Raises:
        ValueError: a listed player plays no game; the text gives the reason.
    """

    def __init__(self, listed: tuple[str, ...] = ()) -> None:
        self._made: dict[tuple[str, str, bool], Locked] = {}
        self._lock = threading.Lock()
        self._allowed = Allowed(listed, self._player)

    def names(self, game: Game, seats: int) -> list[str]:
        """The players that are offered for a game with `seats` seats."""
        return self._allowed.names(game, seats)

    def offers(self, game: Game, seats: int) -> list[dict[str, Any]]:
        """The offered players as people read them, from the weakest to the strongest: name, title and table.

        `table` holds the rules and the partners of an agent that was trained for one table; None for a player for any
        table.
        """
        trained = agents(game, seats)
        return [
            {"name": name, "label": described(name, game), "table": _table_of(game, trained.get(name))}
            for name in self.names(game, seats)
        ]

    def default(self, game: Game, num_players: int, options: Any) -> str:
        """The name of the player that a page offers first for a seat at a table with these options."""
        return default_player(game, num_players, options)

    def anywhere(self, game: Game) -> str:
        """The name of the player that a page offers first for a seat at a table for which no agent was trained."""
        return player_anywhere(game)

    def adviser(self, game: Game, num_players: int, options: Any) -> str:
        """The name of the player that gives hints at a table with these options."""
        return default_adviser(game, num_players, options)

    def find(self, name: str, game: Game, seats: int, advises: bool = False) -> Locked:
        """The player with this name.

        Args:
            name: the name.
            game: the game.
            seats: the number of seats of the table.
            advises: whether it gives hints: then it is a separate player, so that hints do not wait for tables where
                the player plays.

        Raises:
            Refused: pages cannot name this player, or it cannot be made.
        """
        try:
            self._allowed.check(name, game, seats)
            if len(self._made) > MOST_MADE and not self._allowed.is_offered(name, game, seats):
                raise Refused(f"pages have requested {MOST_MADE} different searches: choose search:100 or search:1s")
            return self._player(name, game, advises)
        except (ValueError, ImportError) as error:
            raise Refused(str(error)) from None

    def _player(self, name: str, game: Game, advises: bool = False) -> Locked:
        with self._lock:
            if (game.name, name, advises) not in self._made:
                self._made[game.name, name, advises] = Locked(made(name, game))
            return self._made[game.name, name, advises]
