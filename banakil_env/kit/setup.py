"""Makes a new state from options: checks the options that all games share, and writes the rules into a record.

Also makes the usual tables of a game that differ only in the number of players, and the function for forfeits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.fields import Fields
from banakil_env.core.game import Option, Table
from banakil_env.kit.switches import Rules, RulesError
from banakil_env.kit.table_state import EPISODES


def _numbers(seats: tuple[int, ...]) -> str:
    """The numbers of players in words: `2, 3 or 4`."""
    *others, last = map(str, seats)
    return f"{', '.join(others)} or {last}" if others else last


def options(rules: type[Rules], seats: tuple[int, ...]) -> tuple[Option, ...]:
    """The options of a game whose tables differ only in players, rules and episode."""
    names = ", ".join(rules.preset_names())
    return (
        Option("num_players", seats[0], _numbers(seats)),
        Option(
            *("rules", next(iter(rules.presets))),
            f"a preset ({names}), switches after it; a dict of switches; or a Rules",
        ),
        Option("episode", EPISODES[0], " or ".join(EPISODES)),
    )


def blank_state(
    fields: Fields, rules: type[Rules], seats: tuple[int, ...], num_players: Any, chosen: Any, episode: str
) -> npt.NDArray[Any]:
    """An array of one state in which only rules, players and episode are set. RulesError: invalid options.

    `chosen` are the rules in any form that `Rules.resolve` accepts.
    """
    if isinstance(num_players, bool) or not hasattr(num_players, "__index__") or num_players not in seats:
        raise RulesError(f"num_players must be {_numbers(seats)}, not {num_players!r:.80}")
    if episode not in EPISODES:
        raise RulesError(f"episode must be {' or '.join(map(repr, EPISODES))}, not {episode!r:.80}")
    states = np.zeros(1, fields.dtype)
    rules.resolve(chosen).write(states[0].rules)
    states[0].num_players = num_players
    states[0].episode = EPISODES.index(episode)
    states[0].dealer = num_players - 1
    for name, field in fields.items():
        if field.lives:
            states[0][name] = field.nothing
    return states


def tables_for(game: str, *players: int) -> tuple[Table, ...]:
    """One table for each of these numbers of players."""
    return tuple(Table(f"{game}-{n}p", f"{n} players", {"num_players": n}) for n in players)


def forfeits(points: Mapping[str, int]) -> Callable[[Mapping[str, Any]], int]:
    """Make the function `Game.forfeit` for a game in which a forfeit depends only on the option `episode`.

    Args:
        points: the points of a forfeit for each episode.
    """

    def forfeit(options: Mapping[str, Any]) -> int:
        """The points that a player loses for a failure at a table with these options."""
        return points[options.get("episode", EPISODES[0])]

    return forfeit
