"""The players that clients of a server can name: players that run no code and read no file chosen by a client.

Names such as `net:PATH`, `onnx:FILE` and `module:function` load files or code. Clients can use such a name only if it
was listed when the server was started (`--player NAME`). A player is allowed for the games that it can play, and a
trained agent for the number of seats that it was trained with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from banakil_env.arena.players import current_name, make_players
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.play.defaults import agents, network_of_all_games

MAX_SEARCH_SECONDS, MAX_SEARCH_PLAYOUTS = 5.0, 20_000  # limits for the search of one move: seconds, playouts
_SEARCH = re.compile(r"search:([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s|)")
_NO_SEATS = 0  # marks a game that a player does not play


class NotAllowed(ValueError):
    """A player that clients cannot name. The text lists the players that they can name."""


def made(name: str, game: Game) -> Any:
    """Make a player from its name. Raises ValueError or ImportError if this fails."""
    [player] = make_players([name], game)
    return player


class Allowed:
    """The players that clients can name.

    Args:
        listed: further names that are allowed.
        make: makes a player from a name and a game.

    Raises:
        ValueError: a listed player plays no game; the text gives the reason.
    """

    def __init__(self, listed: Sequence[str] = (), make: Callable[[str, Game], Any] = made) -> None:
        self._listed = {current_name(name): _games_of(name, make) for name in listed}

    def names(self, game: Game, seats: int) -> list[str]:
        """The players that are offered for a game with `seats` seats."""
        search = ["search:100", "search:1s"] if game.search is not None else []
        of_all = [network] if (network := network_of_all_games()) else []
        listed = [name for name, games in self._listed.items() if games.get(game.name, _NO_SEATS) in (None, seats)]
        return list(dict.fromkeys([*game.players, *of_all, *agents(game, seats), *search, *listed]))

    def check(self, name: str, game: Game, seats: int) -> None:
        """Raise NotAllowed if clients cannot name this player for a game with `seats` seats."""
        if not self.is_offered(name, game, seats) and not (game.search is not None and _is_short_search(name)):
            raise NotAllowed(
                f"the player {name!r:.60} cannot be named here; {game.title} for {seats} has "
                f"{', '.join(self.names(game, seats))}, and searches of at most {MAX_SEARCH_SECONDS:g}s or "
                f"{MAX_SEARCH_PLAYOUTS} playouts; others are named when the server is started, with --player"
            )

    def is_offered(self, name: str, game: Game, seats: int) -> bool:
        """Whether the name is in `names`. Old names of players count; a search with another budget does not."""
        return current_name(name) in self.names(game, seats)


def trained_seats(player: Any) -> int | None:
    """The number of seats that an agent was trained with; None if unknown."""
    said: Any = getattr(player, "about", None)
    for name in ("config", "table", "num_players"):
        said = said.get(name) if isinstance(said, Mapping) else None
    return said if type(said) is int else None


def _games_of(name: str, make: Callable[[str, Game], Any]) -> dict[str, int | None]:
    """The games that a listed player plays, each with the number of seats that it was trained with (None if unknown).

    Raises ValueError if the player plays no game.
    """
    games: dict[str, int | None] = {}
    reasons = []
    for game in GAMES:
        try:
            games[game] = trained_seats(make(name, find(game)))
        except (ValueError, ImportError) as error:
            reasons.append(str(error))
    if not games:
        raise ValueError(f"the player {name!r:.60} plays no game: {'; '.join(dict.fromkeys(reasons)):.300}")
    return games


def _is_short_search(name: str) -> bool:
    """Whether a name is a search with a budget that clients are allowed to use."""
    found = _SEARCH.fullmatch(name)
    if found is None:
        return False
    amount, unit = float(found[1]), found[2]
    if not unit:
        return "." not in found[1] and 1 <= amount <= MAX_SEARCH_PLAYOUTS
    return 0 < amount / (1000 if unit == "ms" else 1) <= MAX_SEARCH_SECONDS
