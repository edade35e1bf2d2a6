"""The strength of players on a scale from 0 (`random`) to 1 (`expert`)."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find
from page_parts import NO_BREAK
from page_parts.figures import by_pair, lead_of_agent

SCALED = ("gin-2p", "rummy-2p", "yaniv-2p", "mille-2p", "canasta-2p")  # the tables shown in the README


def scale_table() -> str:
    """A Markdown table for the README: the scores of agents and players at the five tables `SCALED`.

    On this scale `random` has 0 and `expert` has 1.
    """
    return _scale_of(SCALED, "docs/games")


def leaderboard_table() -> str:
    """A Markdown table of the scores of agents at the main table of every game; `random` has 0 and `expert` has 1."""
    return _scale_of([game.tables[0].name for game in map(find, GAMES)], "games")


def _scale_of(tables: Sequence[str], folder: str) -> str:
    """A Markdown table of the scores of several kinds of players at these tables; empty where no lead was measured.

    A score is 1 plus the lead over `expert` divided by the lead of `expert` over `random`.

    Args:
        tables: the names of standing tables.
        folder: the folder of the pages of games, for links.
    """
    measured = by_pair()
    standing = {each.name: (game, each) for game in map(find, GAMES) for each in game.tables}
    rows: list[list[object]] = []
    for at in tables:
        game, table_of_game = standing[at]
        unit = -measured[at, "random", "expert"].ahead
        greedy = measured.get((at, "expert", "greedy"))
        searches = [figure for (of, player, _), figure in measured.items() if of == at and player.startswith("search:")]
        leads = [
            (-greedy.ahead, greedy.within_95) if greedy else None,
            lead_of_agent(measured, at, "expert", "learned"),
            lead_of_agent(measured, at, "expert", "alone"),
            lead_of_agent(measured, at, "expert"),
            (searches[0].ahead, searches[0].within_95) if searches else None,
        ]
        cells = [
            f"{1 + lead[0] / unit:.2f} ± {lead[1] / unit:.2f}".replace(" ", NO_BREAK) if lead else "" for lead in leads
        ]
        rows.append([f"[{game.title}]({folder}/{game.name}.md), {table_of_game.title}", *cells])
    heads = ["game", "`greedy`", "learned alone", "stands alone", "advised", "search, 200 ms per decision"]
    return markdown_table(heads, rows)


def today_text() -> str:
    """The sentences of docs/why-rummy.md about the strength of agents at the main tables."""
    measured = by_pair()
    main = [game.tables[0].name for game in map(find, GAMES)]
    units = {at: -measured[at, "random", "expert"].ahead for at in main}
    scores = {
        rung: {
            at: 1 + measured[at, rung, "expert"].ahead / units[at] for at in main if (at, rung, "expert") in measured
        }
        for rung in ("learned", "alone", "agent")
    }
    learned, advised = sorted(scores["learned"].values()), scores["agent"].values()
    near = sum(score >= 1 for score in scores["alone"].values())
    return textwrap.fill(
        "On this scale 0 is `random` and 1 is the rule-based player `expert`. Agents that learn alone, from random "
        f"weights, reach {learned[0]:.2f} to {learned[-1]:.2f} at the main tables. Agents that a stronger player has "
        f"taught, and that play without it, reach 1 or more at {near} of {len(main)} main tables ([agents that stand "
        "alone](standing-alone.md)). Agents that see the move of `expert` reach "
        f"{min(advised):.2f} to {max(advised):.2f} ([results](results.md)).",
        120,
    )
