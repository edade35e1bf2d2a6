"""The learning curve of a run: its points, and a picture."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banakil_env.agents import make_player
from banakil_env.agents.model import Network
from banakil_env.agents.network import NetworkPlayer
from banakil_env.arena import Plan, Results
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import Player
from banakil_env.arena.workers import play_deals
from banakil_env.core.files import write_whole
from train.config import SEED_SET, Config, made_of

AGENT = "agent"
FILE = "curve.json"
DEALS_AT_ONCE = 100


@dataclass(frozen=True)
class Standing:
    """The learner against another player: points per deal ahead, and the share of tables won."""

    opponent: str
    margin: float
    half_width: float
    win: float


@dataclass(frozen=True)
class Point:
    """One evaluation.

    Attributes:
        steps: the number of decisions learned from so far.
        seconds: the training time so far.
        cpu_seconds: processor time of all threads of this process so far; None in a curve of an older version.
        standings: the results against each opponent, on held-out deals.
        entropy, clip_fraction, explained_variance: figures of the last update; None before the first.
    """

    steps: int
    seconds: float
    standings: tuple[Standing, ...]
    entropy: float | None = None
    clip_fraction: float | None = None
    explained_variance: float | None = None
    cpu_seconds: float | None = None


def points_of(said: Any) -> list[Point]:
    """The points of a curve, read from JSON. Raises ConfigError if the value is not a curve."""
    points: list[Point] = made_of(list[Point], said, "points")
    return points


def match(
    agent: Player,
    opponent: str,
    table: TableOptions,
    deals: int,
    seed_set: str,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play a match between a player, called AGENT, and another one on duplicate deals, as the arena does.

    Args:
        agent: the player.
        opponent: the name of the other player, as `banakil_env.agents.make_player` takes it.
        table: the table.
        deals: the number of deals.
        seed_set: the set of deals.
        progress: called with the number of deals played.

    Raises:
        PlayerError: the opponent cannot be made.
    """
    plan = Plan((AGENT, opponent), **dataclasses.asdict(table), deals=deals, seed_set=seed_set, budget=None)
    players: list[Player] = [agent, make_player(opponent, table.found)]
    results = Results(plan)
    # Play many tables at once, since a network takes less time per row in a larger call.
    for first in range(0, deals, DEALS_AT_ONCE):
        for outcomes in play_deals(players, plan, range(first, min(first + DEALS_AT_ONCE, deals)), record=False):
            results.add(outcomes)
        if progress:
            progress(len(results.deals))
    return results


def standings(network: Network, config: Config) -> tuple[Standing, ...]:
    """The results of the network's likeliest actions against each opponent of the evaluation."""
    found, agent = [], NetworkPlayer(network, AGENT)
    for opponent in config.evaluation.opponents:
        results = match(agent, opponent, config.table, config.evaluation.deals, SEED_SET)
        margin = results.margin(AGENT, opponent)
        width = margin.half_width if margin.deals > 1 else 0.0
        found.append(Standing(opponent, margin.mean, width, results.win(AGENT, opponent).mean))
    return tuple(found)


def draw(points: list[Point], path: Path, title: str) -> None:
    """Write the learning curve as a PNG: points per deal ahead of each opponent, with intervals; below, the entropy."""
    from matplotlib.figure import Figure  # imported here, since it takes a second, which would delay the first output

    figure = Figure(figsize=(8, 6), dpi=120, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    unit, divisor = ("million decisions", 1e6) if points[-1].steps >= 1_000_000 else ("thousand decisions", 1e3)
    steps = [point.steps / divisor for point in points]
    for number, first in enumerate(points[0].standings):
        ours = [point.standings[number] for point in points]
        margins = [one.margin for one in ours]
        (line,) = upper.plot(steps, margins, marker="o", markersize=3, label=f"against {first.opponent}")
        low = [one.margin - one.half_width for one in ours]
        high = [one.margin + one.half_width for one in ours]
        upper.fill_between(steps, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    upper.axhline(0, color="black", linewidth=0.8)
    upper.set_ylabel("points per deal ahead\n(held-out deals, 95 % interval)")
    upper.set_title(title)
    upper.legend(loc="lower right")
    upper.grid(alpha=0.3)
    learned = [point for point in points if point.entropy is not None]
    lower.plot([point.steps / divisor for point in learned], [point.entropy for point in learned], color="tab:green")
    lower.set_ylabel("entropy (nats)")
    lower.set_xlabel(f"{unit}; {points[-1].seconds / 60:.1f} minutes of training")
    lower.set_ylim(bottom=0)
    lower.grid(alpha=0.3)
    save_picture(figure, path)


def draw_runs(runs: Mapping[str, Sequence[Point]], path: Path, title: str) -> None:
    """Write the curves of several runs as one PNG: a panel per opponent, a line with its interval per run.

    Args:
        runs: the points of each run, by name; all against the same opponents.
        path: the file.
        title: the title of the chart.
    """
    from matplotlib.figure import Figure  # imported here as in `draw`

    opponents = [one.opponent for one in next(iter(runs.values()))[0].standings]
    figure = Figure(figsize=(8, 1 + 3 * len(opponents)), dpi=120, layout="constrained")
    panels = figure.subplots(len(opponents), 1, sharex=True, squeeze=False)[:, 0]
    for number, (opponent, panel) in enumerate(zip(opponents, panels)):
        for name, points in runs.items():
            minutes = [point.seconds / 60 for point in points]
            ours = [point.standings[number] for point in points]
            (line,) = panel.plot(minutes, [one.margin for one in ours], marker="o", markersize=3, label=name)
            low, high = [one.margin - one.half_width for one in ours], [one.margin + one.half_width for one in ours]
            panel.fill_between(minutes, low, high, color=line.get_color(), alpha=0.12, linewidth=0)
        panel.axhline(0, color="black", linewidth=0.8)
        panel.set_ylabel(f"points per deal ahead of {opponent}\n(held-out deals, 95 % interval)")
        panel.grid(alpha=0.3)
    panels[0].set_title(title)
    panels[0].legend(loc="lower right")
    panels[-1].set_xlabel("minutes of training")
    save_picture(figure, path)


def save_picture(figure: Any, path: Path) -> None:
    """Write a matplotlib figure as a PNG. The same figure always gives the same bytes; no partial file is left."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", metadata={"Software": None})
    write_whole(path, picture.getvalue())
