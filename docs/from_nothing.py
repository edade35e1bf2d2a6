"""Parts of the pages about `train/ppo.py`: excerpts of the file, its ablations, and the agents that it trained."""

from __future__ import annotations

import ast
import json
import statistics
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banakil_env.core.markdown import markdown_table
from banakil_env.games import GAMES, find

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "train" / "ppo.py"
RESULTS = ROOT / "docs" / "learning-from-nothing.json"
ZOO = ROOT / "agents" / "zoo"
FRONT = "canasta-2p"  # the table in the README's example


def excerpt(name: str, source: Path = SOURCE) -> str:
    """The source of a class or a method of a trainer, such as `Learner.play`, as a code block."""
    text = source.read_text(encoding="utf-8")
    found: Any = ast.parse(text)
    for part in name.split("."):
        found = next(node for node in found.body if getattr(node, "name", None) == part)
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    lines = text.splitlines()[first - 1 : found.end_lineno]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(["```py", *(line[indent:] for line in lines), "```"])


def ablations() -> str:
    """For each standing table, a Markdown table of the results of each setting of `train.ablations`."""
    from train.ablations import read_settings

    said, parts = read_settings(), []
    for table in said["tables"]:
        found = {setting: runs_of(table, setting) for setting in said["settings"]}
        rows = [
            _row(setting, same)
            for steps in sorted({one["steps"] for runs in found.values() for one in runs})
            for setting, runs in found.items()
            if (same := [one for one in runs if one["steps"] == steps])
        ]
        if rows:
            parts.append(f"### {_title(table)}\n\n" + markdown_table(_HEADS, rows))
    return "\n\n".join(parts)


_HEADS = ["setting", "million decisions", "ahead of `greedy`", "ahead of `expert`", "each seed", "entropy", "seconds"]


def runs_of(table: str, setting: str) -> list[dict[str, Any]]:
    """The runs of a setting at a standing table, by seed."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return [one for one in results if (one["table"], one["setting"]) == (table, setting)]


def _row(setting: str, runs: Sequence[dict[str, Any]]) -> list[str]:
    ends = [one["curve"][-1] for one in runs]
    behind = [[_standing(end, player)["margin"] for end in ends] for player in ("greedy", "expert")]
    width = max(_standing(end, "expert")["half_width"] for end in ends)
    return [
        f"`{setting}`",
        f"{ends[0]['steps'] / 1e6:.1f}",
        *(f"{statistics.mean(margins):+z.1f}" for margins in behind),
        f"{', '.join(f'{margin:+z.1f}' for margin in behind[1])} (± {width:.1f})",
        f"{statistics.mean(end['entropy'] for end in ends):.2f}",
        f"{statistics.median(end['seconds'] for end in ends):.0f}",
    ]


def _standing(end: dict[str, Any], opponent: str) -> dict[str, Any]:
    return next(one for one in end["standings"] if one["opponent"] == opponent)


def _title(table: str) -> str:
    [found] = [(game, one) for game in map(find, GAMES) for one in game.tables if one.name == table]
    return f"{found[0].title}, {found[1].title}"


def exploited() -> str:
    """A Markdown table of lower bounds on the exploitability of agents that learned alone (`train.best_response`)."""
    from train.zoo import BEST_RESPONSE

    rows = []
    for folder in _agents_of("learned"):
        path = folder / BEST_RESPONSE
        if not path.exists():
            continue
        said = json.loads(path.read_text(encoding="utf-8"))
        bound = said["response_over_player"]
        cells = [f"{bound['margin']:+z.2f} ± {bound['half_width_95']:.2f}, ± {bound['half_width_99']:.2f}"]
        for name in ("response_over_expert", "player_over_expert"):  # the strongest rule-based player of every game
            cells.append(f"{said[name]['margin']:+z.2f} ± {said[name]['half_width_95']:.2f}")
        rows.append([_link(folder), *cells, f"{said['steps'] / 1e6:.1f}", f"{said['seconds'] / 60:.1f}"])
    heads = ["agent", "learner ahead of the agent (95 %, 99 %)", "learner ahead of `expert`", "agent ahead of `expert`"]
    return markdown_table([*heads, "million decisions", "minutes"], rows)


def learned() -> str:
    """A Markdown table of the agents of the zoo that learned by themselves, from their cards."""
    rows = []
    for folder in _agents_of("learned"):
        cells = _cells(folder)
        margins = {row[0].strip("`"): row[1] for row in cells if row[0].startswith("`") and len(row) >= 3}
        [trained] = [row for row in cells if row[0].startswith("**")]
        said = [margins.get(player, "") for player in ("random", "greedy", "expert")]
        rows.append([_link(folder), trained[1], trained[2], *said])
    heads = ["agent", "decisions", "minutes", "ahead of `random`", "ahead of `greedy`", "ahead of `expert`"]
    return markdown_table(heads, rows)


def front() -> str:
    """A sentence for the README: in how many games agents that learned alone are significantly ahead of `expert`."""
    from train.ladder import of_cards, read, shown

    found = [one for one in shown((*of_cards(), *read())) if (one.player, one.against) == ("learned", "expert")]
    clear = {one.game for one in found if one.ahead > one.within_95}
    [first] = [one for one in found if one.table == FRONT]
    [trained] = [row for row in _cells(ZOO / first.agent) if row[0].startswith("**")]
    lead, clear_in = f"{first.ahead:,.0f} ± {first.within_95:.0f}", f"{len(clear)} of {len(GAMES)} games"
    text = (
        "**Agents learn here from nothing.** From random weights, by self-play alone, they lead the strongest "
        f"rule-based player, `expert`, in {clear_in}: in Canasta for two by {lead} points per deal, after {trained[2]} "
        "minutes on one core ([Learning from nothing](docs/learning-from-nothing.md))."
    )
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def alone() -> str:
    """A Markdown table of the taught agents without an adviser: their teachers, and leads as in the ladders."""
    from train.ladder import of_cards, read, shown

    leads = {(one.agent, one.player, one.against): one for one in shown((*of_cards(), *read()))}
    times: dict[str, float] = {}
    for of_game in json.loads((ROOT / "docs" / "decision-times.json").read_text(encoding="utf-8")).values():
        times |= of_game
    rows = []
    for folder in _agents_of("alone"):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))["about"]["config"]
        teacher = ZOO / config["teacher"].removeprefix("zoo:")
        [trained] = [row for row in _cells(folder) if row[0].startswith("**")]
        own, greedy = (leads[folder.name, "alone", against] for against in ("expert", "greedy"))
        taught_by = leads[teacher.name, "agent", "expert"]
        rows.append(
            [
                _link(folder),
                f"{own.ahead:+z.2f} ± {own.within_95:.2f}, ± {own.within_99:.2f}",
                f"{own.deals:,}",
                f"{greedy.ahead:+z.2f} ± {greedy.within_95:.2f}",
                f"{_link(teacher)} {taught_by.ahead:+z.2f} ± {taught_by.within_95:.2f}",
                trained[1],
                trained[2],
                f"{times[folder.name]:.0f} µs" if folder.name in times else "",
            ]
        )
    heads = ["agent", "ahead of `expert` (95 %, 99 %)", "deals", "ahead of `greedy`", "teacher, ahead of `expert`"]
    heads += ["labels", "minutes", "a decision"]
    return markdown_table(heads, rows)


def _agents_of(kind: str) -> list[Path]:
    """The folders of the agents of a kind, ordered by game and table."""
    names = [f"{table.name}-{kind}" for game in map(find, GAMES) for table in game.tables]
    return [ZOO / name for name in names if (ZOO / name).is_dir()]


def _cells(folder: Path) -> list[list[str]]:
    """The rows of the tables on an agent's card."""
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]


def _link(folder: Path) -> str:
    return f"[{folder.name}](../agents/zoo/{folder.name}/README.md)"
