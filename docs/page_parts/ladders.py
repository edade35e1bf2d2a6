"""The leads of players at the standing tables: ladders, the newest agents of the zoo, the gain of search."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from banakil_env.arena.generations import newest
from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find
from page_parts.figures import ZOO, by_pair, ladder_figures, lead_text

if TYPE_CHECKING:
    from train.ladder import Figure

NOT_SIGNIFICANT, LESS_THAN_EXPERT = "†", "‡"  # marks of leads in the table of the zoo


def ladder_tables() -> str:
    """A Markdown table per game: the lead of each player at the standing tables, as `train.ladder` measured it."""
    figures, parts = ladder_figures(), []
    for game in map(find, GAMES):
        rows: list[list[object]] = []
        for standing in game.tables:
            here = [figure for figure in figures if (figure.game, figure.table) == (game.name, standing.name)]
            for player in _rungs(game, [figure.player for figure in here]):
                found = {figure.against: figure for figure in here if figure.player == player}
                ahead = [lead_text(found[other]) if other in found else "" for other in ("greedy", "expert")]
                deals = dict.fromkeys(map(_length, found.values()))
                taken = [figure.decision for figure in found.values()]
                rows.append(
                    [standing.name, _name_of(standing.name, player), *ahead, _time(min(taken)), ", ".join(deals)]
                )
        if rows:
            heads = ["table", "player", "ahead of `greedy` (95 %, 99 %)", "ahead of `expert` (95 %, 99 %)"]
            found = markdown_table([*heads, "a decision", "deals"], rows)
            parts.append(f"### [{game.title}](games/{game.name}.md)\n\n{found}")
    return "\n\n".join(parts)


def _name_of(at: str, player: str) -> str:
    """The name of a player in a row of the ladders: agents by their kind, with a link to the card."""
    kinds = {
        "agent": "advised agent",
        "unadvised": "advised agent",
        "learned": "learned alone",
        "sparred": "sparred",
        "alone": "stands alone",
    }
    if player not in kinds:
        return f"`{player}`"
    from train.ladder import folder_of

    folder = folder_of(at, player)
    if folder is None:  # it was measured, but is no longer in the zoo
        return kinds[player]
    link = f"[{kinds[player]}](../agents/zoo/{folder.name}/README.md)"
    return f"{link} without its adviser" if player == "unadvised" else link


def _rungs(game: Game, players: Sequence[str]) -> list[str]:
    """The players of a ladder from the lowest rung up: rule-based ones, the zoo's agent, others."""
    known = [*game.players, "learned", "sparred", "alone", "agent", "unadvised"]
    found = list(dict.fromkeys(players))
    return [player for player in known if player in found] + [player for player in found if player not in known]


def _length(figure: Figure) -> str:
    """The number of deals of a figure, or of rounds for departures, as text."""
    return f"{figure.deals:,} rounds" if figure.by == "departures" else f"{figure.deals:,}"


def _time(microseconds: float) -> str:
    """A time as text with two digits: in microseconds below a millisecond, otherwise in milliseconds."""
    value, unit = (microseconds, "µs") if microseconds < 1000 else (microseconds / 1000, "ms")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def zoo_table() -> str:
    """A Markdown table: by standing table, the lead of the newest agent over the rule-based players, as in the ladders.

    The lead over `random` comes from the agent's card. A lead whose 95 % interval contains 0 is marked, and so is a
    lead over `random` that is significantly smaller than that of `expert`.
    """
    measured = by_pair()
    rows: list[list[object]] = []
    for at in (standing.name for game in map(find, GAMES) for standing in game.tables):
        folder = newest(ZOO, at)
        if folder is None:
            continue
        [trained] = re.findall(r"^\| \*\*.*$", (folder / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
        on_random, within = _leads_of_card(folder)["random"]
        least, alone = measured[at, "random", "expert"], measured[at, "unadvised", "expert"]
        behind = -least.ahead - on_random > math.hypot(least.within_95, within)
        on_greedy, on_expert = (measured[at, "agent", player] for player in ("greedy", "expert"))
        rows.append(
            [
                f"[{folder.name}](../agents/zoo/{folder.name}/README.md)",
                f"{on_random:+z.2f} ± {within:.2f} {LESS_THAN_EXPERT * behind}".strip(),
                f"{on_greedy.ahead:+z.2f} ± {on_greedy.within_95:.2f} {_mark(on_greedy)}".strip(),
                f"{lead_text(on_expert)} {_mark(on_expert)}".strip(),
                lead_text(alone),
                trained.split("|")[3].strip(),
            ]
        )
    heads = ["agent", *(f"ahead of `{player}` (95 %)" for player in ("random", "greedy"))]
    heads += ["ahead of `expert` (95 %, 99 %)", "the same without its adviser", "minutes of training"]
    return markdown_table(heads, rows)


def _card_rows(folder: Path) -> dict[str, list[str]]:
    """The rows about opponents on an agent's card: cells by opponent."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:1] == "|"]
    return {line[0].strip("`"): line for line in lines if line[0].startswith("`") and len(line) >= 3}


def _leads_of_card(folder: Path) -> dict[str, tuple[float, float]]:
    """The leads on an agent's card, by opponent, with half widths at 95 %."""
    cells = _card_rows(folder)
    return {player: tuple(map(float, line[1].split(" ± "))) for player, line in cells.items()}  # type: ignore[misc]


def _mark(figure: Figure) -> str:
    """The mark for a lead that is not significant at 95 %; "" for any other lead."""
    return NOT_SIGNIFICANT * (figure.ahead <= figure.within_95)


def headroom_table() -> str:
    """A paragraph and a Markdown table about `search` against `expert` at the standing tables.

    The paragraph gives the number of tables where `search` is ahead. The table has a row for each of them with a
    significant lead at 95 %: the lead of `search`, that of the agent, and their ratio.
    """
    on_expert = [figure for figure in ladder_figures() if figure.against == "expert"]
    leads = {
        (figure.table, player): figure
        for figure in on_expert
        if (player := figure.player.partition(":")[0]) in ("agent", "search")
    }
    main = [game.tables[0].name for game in map(find, GAMES)]
    searches = [figure for (_, player), figure in leads.items() if player == "search"]
    clear = [figure for figure in searches if figure.ahead > figure.within_95]
    surely = [figure.table for figure in searches if figure.ahead > figure.within_99]
    behind = [figure.table for figure in searches if figure.ahead < -figure.within_95]
    said = (
        f"At 99 % the search is clear of `expert` at {len(surely)} of {len(searches)} tables, which are the main table "
        f"of {len(set(surely) & set(main))} of {len(main)} games; at 95 % at {len(clear)} tables. "
        f"It is clearly behind at {len(behind) or 'none'}."
    )
    order = [standing.name for game in map(find, GAMES) for standing in game.tables]
    rows: list[list[object]] = []
    for search in sorted(clear, key=lambda figure: order.index(figure.table)):
        agent = leads[search.table, "agent"]
        both = [f"{each.ahead:+z.2f} ± {each.within_95:.2f}" for each in (search, agent)]
        rows.append([search.table, *both, f"{agent.ahead / search.ahead:.0%}".replace("%", " %")])
    heads = ["table", "search, ahead of `expert` (95 %)", "agent, ahead of `expert` (95 %)", "agent in parts of search"]
    return f"{textwrap.fill(said, 120)}\n\n{markdown_table(heads, rows)}"
