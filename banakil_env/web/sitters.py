"""The players that a page may name: those that do not run code or read files of the page's choice.

Names such as `ppo:PATH`, `onnx:FILE` and `module:function` load files or code. A page may use them only if they were
listed when the server was started (`banakil serve --player NAME`). A player is offered for the games that it can be
made for, and a trained agent for the number of seats that it was trained with.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from banakil_env.arena.players import CompiledPlayer, Player, make_players
from banakil_env.core.game import Game, Table
from banakil_env.games import GAMES, find
from banakil_env.play.defaults import agents, default_player
from banakil_env.play.names import described
from banakil_env.web.limits import MAX_SEARCH_PLAYOUTS, MAX_SEARCH_SECONDS
from banakil_env.web.protocol import Refused

_SEARCH = re.compile(r"search:([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s|)")
NO_SEATS = 0  # errors of a player for a game that it does not play
MOST_MADE = 200  # players whose budgets pages choose


class Locked:
    """A player that several tables share: one thread at a time calls it."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.is_quick = isinstance(player, CompiledPlayer)
        self.seats = _trained_seats(player)
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
    """The rules and the partners of a table, in the words of the page."""
    if table is None:
        return None
    state = game.new(**table.options)[0]
    partners = bool(state["partners"]) if "partners" in game.option_names else None
    return {"rules": game.rules_of(state).text(), "partners": partners}


def _trained_seats(player: Player) -> int | None:
    """The number of seats that an agent was trained with; None: unknown."""
    said: Any = getattr(player, "about", None)
    for name in ("config", "table", "num_players"):
        said = said.get(name) if isinstance(said, Mapping) else None
    return said if type(said) is int else None


class Sitters:
    """The players that the pages of a server may name, each made once.

    Args:
        listed: further names that are allowed. ValueError: one of them plays no game; the text gives the reason.
    """

    def __init__(self, listed: tuple[str, ...] = ()) -> None:
        self._made: dict[tuple[str, str, bool], Locked] = {}
        self._lock = threading.Lock()
        self._listed = {name: self._games_of(name) for name in listed}

    def names(self, game: Game, seats: int) -> list[str]:
        """The players that are offered for a game with this number of seats."""
        search = ["search:100", "search:1s"] if game.search is not None else []
        listed = [name for name, games in self._listed.items() if games.get(game.name, NO_SEATS) in (None, seats)]
        return list(dict.fromkeys([*game.players, *agents(game, seats), *search, *listed]))

    def offers(self, game: Game, seats: int) -> list[dict[str, Any]]:
        """The same for people, from the weakest to the strongest: a name, its title, and the table that it was trained
        for.

        `table` holds the rules and the partners of an agent that was trained for one table; None: it plays at any
        table.
        """
        made = agents(game, seats)
        return [
            {"name": name, "label": described(name, game), "table": _table_of(game, made.get(name))}
            for name in self.names(game, seats)
        ]

    def default(self, game: Game, num_players: int, options: Any) -> str:
        """The default player of a seat."""
        return default_player(game, num_players, options)

    def find(self, name: str, game: Game, seats: int, advises: bool = False) -> Locked:
        """The player of a name. Refused: pages may not name it, or it cannot be made.

        Args:
            seats: of the table. advises: for hints, a separate player, so that hints do not wait for the tables at
                which the player plays.
        """
        if not self._allows(name, game, seats):
            raise Refused(
                f"the player {name!r:.60} cannot be named here; {game.title} for {seats} has "
                f"{', '.join(self.names(game, seats))}, and searches of at most {MAX_SEARCH_SECONDS:g}s or "
                f"{MAX_SEARCH_PLAYOUTS} playouts"
            )
        try:
            return self._player(name, game, advises)
        except (ValueError, ImportError) as error:
            raise Refused(str(error)) from None

    def _player(self, name: str, game: Game, advises: bool = False) -> Locked:
        with self._lock:
            if (game.name, name, advises) not in self._made:
                [made] = make_players([name], game)
                self._made[game.name, name, advises] = Locked(made)
            return self._made[game.name, name, advises]

    def _games_of(self, name: str) -> dict[str, int | None]:
        """The games that a listed player plays, and the seats it was trained for. ValueError: it plays no game."""
        games: dict[str, int | None] = {}
        reasons = []
        for game in GAMES:
            try:
                games[game] = self._player(name, find(game)).seats
            except (ValueError, ImportError) as error:
                reasons.append(str(error))
        if not games:
            raise ValueError(f"the player {name!r:.60} plays no game: {'; '.join(dict.fromkeys(reasons)):.300}")
        return games

    def _allows(self, name: str, game: Game, seats: int) -> bool:
        if name in self.names(game, seats):
            return True
        found = _SEARCH.fullmatch(name)
        if found is None or game.search is None or len(self._made) > MOST_MADE:
            return False
        amount, unit = float(found[1]), found[2]
        if not unit:
            return "." not in found[1] and 1 <= amount <= MAX_SEARCH_PLAYOUTS
        return 0 < amount / (1000 if unit == "ms" else 1) <= MAX_SEARCH_SECONDS
