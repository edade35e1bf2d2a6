"""Tables about players: leads of fitted players, recipes of the zoo's agents, kinds of failure."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from banakil_env.core import failures
from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find
from page_parts import ROOT


def expert_table() -> str:
    """A Markdown table of the players whose parameters were fitted.

    It shows how many points per deal each is ahead of `greedy`, as its parameter file records.
    """
    rows: list[list[object]] = []
    for game in map(find, GAMES):
        for fitted in game.fitted.values():
            parameters = fitted.parameters
            found = tomllib.loads(parameters.file.read_text(encoding="utf-8"))
            for row in parameters.rows:
                options = ", ".join(f"{option}={value}" for option, value in row.options.items())
                said = found.get(row.name, {"ahead": {"greedy": "not fitted: plays as `greedy`"}})
                page = f"[{game.title}](../games/{game.name}.md)"
                rows.append([page, f"`{row.name}`", f"`{options}`", said["ahead"]["greedy"], said.get("deals", "")])
    return markdown_table(["game", "row", "fitted at", "points per deal ahead of `greedy` (99 %)", "deals"], rows)


def recipe_table() -> str:
    """A Markdown table of the recipes of the zoo's agents, with the settings in which they differ."""
    sys.path.insert(0, str(ROOT))  # since train/ is not installed
    from banakil_env.agents.model import UNSAID  # imported here, since other tables do not need PyTorch
    from train.recipes import RECIPES, recipe

    rows: list[list[object]] = []
    for name in RECIPES:
        config = recipe(name)
        if config.trainer == "aggrevate" and not name.startswith("demo"):
            first = "random" if config.begin_from is None else f"`{Path(config.begin_from).name}`"
            trials = config.trials
            told = config.reward.unit, trials.margin, trials.heat, trials.others, max(1, trials.orders)
            numbers = [f"{number:g}" for number in (*told, config.optimizer.epochs)]
            numbers.append(f"{1000 * config.optimizer.learning_rate:g}e-3")
            also = [name for name in UNSAID if getattr(config.network, name)]
            layers = ", ".join(map(str, [config.network.channels or "none", *config.network.hidden, *also]))
            others = ", ".join(f"`{player}`" for player in config.pool.players if player != "self")
            adviser, end = f"`{trials.player}`", [config.workers or "", f"{(config.seconds or 0) / 60:g}"]
            rows.append([f"`{name}`", adviser, others, *numbers, layers, first, *end])
    return markdown_table(
        [
            "recipe",
            "adviser",
            "also meets",
            "unit, in points",
            "margin",
            "heat",
            "others",
            "orders",
            "passes",
            "rate",
            "layers",
            "first weights",
            "workers",
            "minutes",
        ],
        rows,
    )


def failure_table() -> str:
    """A table of the kinds of failure of players."""
    rows: list[list[object]] = []
    for kind, meaning in failures.KINDS.items():
        if kind != failures.UNKNOWN:  # this kind occurs only in results of earlier versions
            follows = "loses the table" if kind in failures.REPLIES else "the match stops"
            rows.append([f"`{kind}`", meaning, follows])
    return markdown_table(["kind", "meaning", "a player that talks"], rows)
