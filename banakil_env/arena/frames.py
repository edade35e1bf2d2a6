"""The results of a match as rows: plain values, or a pandas data frame.

A row is a player at a table, a pair of players in a deal, a player, or a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from banakil_env.arena.seeds import KEYED
from banakil_env.core.hints import did_you_mean
from banakil_env.core.install import install_line

if TYPE_CHECKING:
    from banakil_env.arena.results import Results
    from banakil_env.arena.statistics import Interval

TABLES = "tables"
Row = dict[str, Any]


def rows_of(results: Results, of: str = TABLES) -> list[Row]:
    """The rows that `of` names, see `Results.frame`. Raises ValueError if there are no such rows."""
    if of not in _KINDS:
        raise ValueError(f"rows are {', '.join(_KINDS)}, not {of!r:.40}{did_you_mean(of, _KINDS)}")
    return list(_KINDS[of](results))


def frame_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a `pandas.DataFrame`. Raises ImportError if pandas is not installed."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(f"a frame needs pandas: {install_line('frames')}; rows() gives plain values") from None
    return pd.DataFrame(list(rows))


def _of_tables(results: Results) -> Iterator[Row]:
    plan = results.plan
    sign = -1 if plan.found.low_wins else 1
    shapes = [table.seats for table in plan.tables([0])]
    for deal, tables in enumerate(results.deals):
        seed = {} if plan.seed_set == KEYED else {"seed": plan.seed_of(deal)}
        for number, (table, seats) in enumerate(zip(tables, shapes)):
            for place, player in enumerate(sorted(set(seats))):
                own, others = _split(table["points"], seats, player)
                winner, failed = table["winner"], table["failed"]
                yield {
                    "deal": deal,
                    **seed,
                    "table": number,
                    "player": plan.players[player],
                    "seats": " ".join(str(seat) for seat, who in enumerate(seats) if who == player),
                    "points": _mean(own),
                    "ahead": sign * (_mean(own) - _mean(others)),
                    "ending": table["ending"],
                    "winner": None if winner is None else plan.players[seats[winner]],
                    "turns": table["turns"],
                    "rounds": table["rounds"],
                    "decisions": table["decisions"][place],
                    "seconds": table["seconds"][place],
                    "failed": failed["reason"] if failed and failed["player"] == player else None,
                }


def _split(points: Sequence[float], seats: Sequence[int], player: int) -> tuple[list[float], list[float]]:
    """The points of the player's seats, and the points of the other seats."""
    pairs = list(zip(points, seats))
    return [each for each, who in pairs if who == player], [each for each, who in pairs if who != player]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _of_deals(results: Results) -> Iterator[Row]:
    players = results.plan.players
    for deal, margins in enumerate(results.margins().tolist()):
        for (one, other), ahead in zip(results.pairs, margins):
            yield {"deal": deal, "player": players[one], "opponent": players[other], "ahead": ahead}


def _of_players(results: Results) -> Iterator[Row]:
    for name in results.plan.players:
        said: Row = {"player": name}
        for measure, found in results.player(name).items():
            said |= _ends(measure, found)
        yield said | {"seconds": results.seconds(name)}


def _of_pairs(results: Results) -> Iterator[Row]:
    players = results.plan.players
    for one, other in results.pairs:
        names = players[one], players[other]
        margin, win = results.margin(*names), results.win(*names)
        yield {"player": names[0], "opponent": names[1], **_ends("margin", margin), **_ends("win", win)}


def _ends(name: str, found: Interval) -> Row:
    """Three cells of a row: a mean and the ends of its interval."""
    return {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}


_KINDS: Mapping[str, Callable[[Results], Iterator[Row]]] = {
    TABLES: _of_tables,
    "deals": _of_deals,
    "players": _of_players,
    "pairs": _of_pairs,
}
