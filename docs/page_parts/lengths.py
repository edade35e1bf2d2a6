"""Measured lengths and times, from JSON files in docs: of episodes, of texts and of decisions."""

from __future__ import annotations

import json

from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find
from page_parts import DOCS

LENGTH_HEADS = ("decisions of all seats, mean", "most", "ended by the limit on turns", "rewarded", "size", "largest")


def lengths_table(game: Game) -> str:
    """A Markdown table of the lengths and points of episodes at each table of a game (`banakil_env.bench.rounds`)."""
    rows: list[list[object]] = []
    for name, players in _lengths()[game.name].items():
        title = next(table.title for table in game.tables if table.name == name)
        rows += [[title, f"`{player}`", *_length_cells(found)] for player, found in players.items()]
    return markdown_table(["table", "all seats by", *LENGTH_HEADS], rows)


def lengths_of_all_table() -> str:
    """A Markdown table of the lengths and points of episodes at the main table of every game."""
    rows: list[list[object]] = []
    for game in map(find, GAMES):
        main = game.tables[0]
        page = f"[{game.title}](games/{game.name}.md#rewards), {main.title}"
        for player, found in _lengths()[game.name][main.name].items():
            rows.append([page, f"`{player}`", *_length_cells(found)])
    return markdown_table(["table", "all seats by", *LENGTH_HEADS], rows)


def _lengths() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """The lengths and points of rounds in docs/rounds.json, by game, table and player."""
    kept: dict[str, dict[str, dict[str, dict[str, float]]]]
    kept = json.loads((DOCS / "rounds.json").read_text(encoding="utf-8"))
    return kept


def _length_cells(found: dict[str, float]) -> list[str]:
    return [
        f"{found['decisions']:,.1f}",
        f"{found['longest']:,}",
        f"{found['truncated']:.1%}",
        f"{found['paid']:.1%}",
        f"{found['size']:,.1f}",
        f"{found['largest']:,g}",
    ]


def text_table() -> str:
    """A Markdown table of the number of tokens in the texts of each game, counted by `banakil_env.text.lengths`."""
    rows: list[list[object]] = []
    for name, told in json.loads((DOCS / "text-lengths.json").read_text(encoding="utf-8")).items():
        (mean, most), (mean_all, most_all) = told["turn"], told["turn with moves"]
        rows.append([find(name).title, told["rules"], mean, most, mean_all, most_all, *told["microseconds"]])
    heads = ["game", "rules", "turn, mean", "longest", "with legal moves, mean", "longest"]
    return markdown_table([*heads, "µs to write a turn", "with legal moves"], rows)


def time_table() -> str:
    """A Markdown table of the rule-based players' time per decision, measured by `train.decision_times`."""
    kept = json.loads((DOCS / "decision-times.json").read_text(encoding="utf-8"))
    rows: list[list[object]] = [
        [
            f"[{find(name).title}](games/{name}.md)",
            *(f"{times[player]:.2f}" if player in times else "" for player in ("greedy", "expert")),
        ]
        for name, times in kept.items()
    ]
    return markdown_table(["game", "`greedy`, µs", "`expert`, µs"], rows)
