"""Which players may a page name? Those that run no code and read no file of the page's choice.

Names such as `ppo:PATH`, `onnx:FILE` and `module:function` load what they name. A page may have them only where whoever
started the server has listed them (`banakil serve --player NAME`).
"""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy.typing as npt

from banakil_env.arena.players import CompiledPlayer, Player, make_players
from banakil_env.core.game import Game
from banakil_env.play.defaults import default_player, zoo_players
from banakil_env.web.limits import MAX_SEARCH_PLAYOUTS, MAX_SEARCH_SECONDS
from banakil_env.web.protocol import Refused

_SEARCH = re.compile(r"search:(\d{1,6}(?:\.\d{1,3})?)(ms|s|)")


class Locked:
    """A player that several tables share: one thread asks it at a time."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.is_quick = isinstance(player, CompiledPlayer)
        self._player, self._lock = player, threading.Lock()
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
            return self._player.explain(observation, mask, dice)  # type: ignore[attr-defined]


class Sitters:
    """The players that the pages of a server may name, each made once.

    Args:
        listed: further names that are allowed.
    """

    def __init__(self, listed: tuple[str, ...] = ()) -> None:
        self._listed = listed
        self._made: dict[tuple[str, str], Locked] = {}
        self._lock = threading.Lock()

    def names(self, game: Game) -> list[str]:
        """Those that are offered for a game."""
        search = ["search:100", "search:1s"] if game.search is not None else []
        return list(dict.fromkeys([*game.players, *zoo_players(game), *search, *self._listed]))

    def default(self, game: Game, num_players: int, options: Any) -> str:
        """Who plays where nobody is chosen."""
        return default_player(game, num_players, options)

    def find(self, name: str, game: Game) -> Locked:
        """The player of a name. Refused: it may not be named here, or cannot be made."""
        if not self._allows(name, game):
            raise Refused(
                f"the player {name!r:.60} cannot be named here; there are {', '.join(self.names(game))}, and searches "
                f"of at most {MAX_SEARCH_SECONDS:g}s or {MAX_SEARCH_PLAYOUTS} playouts"
            )
        with self._lock:
            if (game.name, name) not in self._made:
                try:
                    [made] = make_players([name], game)
                except (ValueError, ImportError) as error:
                    raise Refused(f"the player {name!r:.60} cannot be made: {error}") from None
                self._made[game.name, name] = Locked(made)
            return self._made[game.name, name]

    def _allows(self, name: str, game: Game) -> bool:
        if name in self.names(game):
            return True
        found = _SEARCH.fullmatch(name)
        if found is None or game.search is None or len(self._made) > 200:
            return False
        amount, unit = float(found[1]), found[2]
        if not unit:
            return "." not in found[1] and 1 <= amount <= MAX_SEARCH_PLAYOUTS
        return 0 < amount / (1000 if unit == "ms" else 1) <= MAX_SEARCH_SECONDS
