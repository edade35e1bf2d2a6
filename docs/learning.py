"""Draws the film of a training run: how the agent's results and its choice at one position change while it learns.

python docs/learning.py              # draw it again, from docs/learning.json
python docs/learning.py --train      # train again first: a few minutes

The agent learns two-player gin rummy from random weights: at first it imitates `expert`, then it improves by PPO. At
each evaluation the program records the agent's lead over `expert` and the probability of each discard at one position.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.render.cards import WIDTH as CARD_WIDTH
from banakil_env.render.cards import Cards, Placed
from banakil_env.render.drawing import Drawing, number
from banakil_env.render.lettering import BOLD
from banakil_env.render.themes import THEMES, Theme
from banakil_env.render.video import write_video

DOCS = Path(__file__).resolve().parent
DATA = DOCS / "learning.json"

# The training, as changes of a recipe.
RECIPE = "demo"
GAME = "gin"
RUN: dict[str, Any] = {
    "table.game": GAME,
    "table.rules": None,
    "seconds": None,
    "steps": 2_500_000,
    "rollout.tables": 64,
    "optimizer.batch": 1024,
    "optimizer.average": 0.99,
    "imitation.decisions": 1_600_000,
    "evaluation.times": 39,
    "evaluation.deals": 200,
    "evaluation.opponents": ["expert"],
}
POSITION_SEED, POSITION_MOVES = 21, 8  # gives a hand with a set and with two Kings that help little

# Measures of the picture.
SIZE = WIDTH, HEIGHT = 800, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 400, 84, 340  # edges of the curve
# The hand: its left edge, the visible width of a card, and the vertical range of the bars above it.
HAND, STRIP, BARS = 428, 31, (120, 244)
LETTERS, SMALL = 15, 13
TITLE = "An agent learns gin rummy"
FRAME_SECONDS, LAST_FRAMES = 0.25, 12  # seconds per picture; the last picture is shown for this number of pictures


def record(changes: dict[str, Any]) -> dict[str, Any]:
    """Train, and return the data of the film.

    Args:
        changes: changes of the recipe, such as `RUN`.
    """
    from banakil_env.agents.network import NetworkPlayer
    from train.begin import make_run
    from train.config import with_
    from train.curve import Point
    from train.progress import Display
    from train.recipes import recipe

    state, points = position(), list[dict[str, Any]]()

    class Recorder(Display):
        """Records each point of the curve, with the agent's choice at the position."""

        def show(self, done: float, steps: int, seconds: float, point: Point | None) -> None:
            super().show(done, steps, seconds, point)
            if point is not None:
                (standing,) = point.standings
                chances = discards(state, NetworkPlayer(run.agent))
                points.append({"steps": steps, "ahead": standing.margin, "width": standing.half_width} | chances)

    with tempfile.TemporaryDirectory() as folder:
        config = with_(recipe(RECIPE), changes)
        run = make_run(config, Path(folder))
        progress = run.train(Recorder(config, sys.stderr))
    seconds = round(progress.seconds)
    return {"run": changes, "seconds": seconds, "position": Plain(find(GAME)).to_text(state), "points": points}


def position() -> Any:
    """A position with a choice between eleven discards, from a round of `expert` against itself."""
    from banakil_env.arena.players import CompiledPlayer

    plain = Plain(find(GAME))
    state, player = plain.new(seed=POSITION_SEED), CompiledPlayer("expert", find(GAME))
    for move in range(POSITION_MOVES):
        seen = plain.observe(state, plain.seat_to_move(state) or 0)
        rows = seen["observation"][None], seen["action_mask"][None], np.array([move], np.uint64)
        plain.apply(state, int(player.act(*rows)[0]))
    return state


def discards(state: Any, player: Any) -> dict[str, Any]:
    """The probability with which a player discards each card of the hand, to three places."""
    plain = Plain(find(GAME))
    seen = plain.observe(state, plain.seat_to_move(state) or 0)
    chances = player.explain(seen["observation"], seen["action_mask"], 0).probabilities
    return {"discards": {plain.action_text(action).split()[-1]: round(chances[action], 3) for action in chances}}


def draw(data: dict[str, Any], shown: int, theme: str = "light") -> str:
    """The picture after the first `shown` evaluations, as SVG."""
    sheet, colors = Drawing(), THEMES[theme]
    point, points = data["points"][shown - 1], data["points"]
    steps = f"{point['steps']:,} decisions"
    phase = "imitates expert" if point["steps"] < data["run"]["imitation.decisions"] else "improves by PPO"
    sheet.write(TITLE, 16, 30, 20, colors.text, BOLD)
    sheet.write(f"{steps}: {phase}" if shown > 1 else "random weights", 16, 54, LETTERS, colors.faint)
    _curve(sheet, colors, points, shown)
    _hand(sheet, colors, data["position"], point["discards"])
    said = f"{steps}; {point['ahead']:+.1f} points per deal ahead of expert"
    return sheet.text(*SIZE, colors.table, TITLE, said)


def _curve(sheet: Drawing, colors: Theme, points: list[dict[str, Any]], shown: int) -> None:
    """Draw the points per deal ahead of `expert` so far, with the intervals as a band."""
    low = min(point["ahead"] - point["width"] for point in points)
    high = max(0.0, *(point["ahead"] + point["width"] for point in points))
    first, last = points[0]["steps"], points[-1]["steps"]

    def x(steps: int) -> float:
        return LEFT + (RIGHT - LEFT) * (steps - first) / (last - first)

    def y(ahead: float) -> float:
        return TOP + (BOTTOM - TOP) * (high - ahead) / (high - low)

    sheet.box(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, colors.panel, colors.panel_edge)
    for mark in range(int(low / 20) * 20, int(high) + 1, 20):
        edge = colors.faint if mark == 0 else colors.panel_edge
        sheet.add(f'<path d="M{LEFT} {number(y(mark))}H{RIGHT}" stroke="{edge}" fill="none"/>')
        sheet.write(f"{mark:+d}" if mark else "0", LEFT - 8, y(mark) + 5, SMALL, colors.faint, anchor="end")
    sheet.write("expert", RIGHT - 8, y(0) - 6, SMALL, colors.faint, anchor="end")
    done = points[:shown]
    upper = [f"{number(x(p['steps']))} {number(y(p['ahead'] + p['width']))}" for p in done]
    lower = [f"{number(x(p['steps']))} {number(y(p['ahead'] - p['width']))}" for p in done[::-1]]
    line = [f"{number(x(p['steps']))} {number(y(p['ahead']))}" for p in done]
    sheet.add(f'<path d="M{"L".join(upper + lower)}Z" fill="{colors.mover}" fill-opacity="0.2"/>')
    sheet.add(f'<path d="M{"L".join(line)}" stroke="{colors.mover}" stroke-width="2.5" fill="none"/>')
    at, ahead = done[-1]["steps"], done[-1]["ahead"]
    sheet.add(f'<circle cx="{number(x(at))}" cy="{number(y(ahead))}" r="5" fill="{colors.mover}"/>')
    sheet.write("points per deal ahead of expert, by decisions", LEFT, BOTTOM + 24, SMALL, colors.faint)
    sheet.write(f"{ahead:+.1f} points", RIGHT, BOTTOM + 46, LETTERS, colors.text, BOLD, anchor="end")


def _hand(sheet: Drawing, colors: Theme, text: str, chances: dict[str, float]) -> None:
    """Draw the hand of the position, and above each card the probability that the agent discards it."""
    cards, (top, bottom) = Cards(sheet, colors), BARS
    order = sorted(chances, key=lambda card: ("cdhs".index(card[-1]), "A23456789TJQK".index(card[0])))
    likeliest = max(chances, key=lambda card: chances[card])
    sheet.write("Which card does it discard?", HAND, TOP + 12, LETTERS, colors.text, BOLD)
    for place, card in enumerate(order):
        x, height = HAND + STRIP * place, (bottom - top) * chances[card]
        color = colors.mover if card == likeliest else colors.faint
        sheet.box(x + 4, bottom - height, STRIP - 10, max(height, 1.5), color, radius=2)
        if chances[card] >= 0.05:
            share = f"{100 * chances[card]:.0f}%"
            sheet.write(share, x + STRIP / 2 - 1, bottom - height - 5, SMALL, colors.text, anchor="middle")
        cards.put(Placed(card), x, bottom + 8)
    sheet.add(f'<path d="M{HAND} {bottom}h{STRIP * 10 + CARD_WIDTH}" stroke="{colors.faint}" fill="none"/>')


def frames(data: dict[str, Any], theme: str = "light") -> Iterator[str]:
    """Yield the pictures of the film."""
    count = len(data["points"])
    for shown in [*range(1, count + 1), *[count] * LAST_FRAMES]:
        yield draw(data, shown, theme)


def still(theme: str = "light") -> str:
    """The last picture, for readers who have turned motion off."""
    data = read()
    return draw(data, len(data["points"]), theme)


def read() -> dict[str, Any]:
    """The recorded data."""
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def write(folder: Path) -> list[Path]:
    """Write the film and its last picture in both themes; returns the paths."""
    data, files = read(), [folder / "training.svg"]
    files[0].write_text(still(), encoding="utf-8")
    for theme, name in (("light", "training.webp"), ("dark", "training-dark.webp")):
        files.append(folder / name)
        write_video(files[-1], ".webp", frames(data, theme), FRAME_SECONDS)
    return files


def main() -> None:
    """Train if the option is given, then draw."""
    parser = argparse.ArgumentParser(description="Draw the film of a training run.")
    parser.add_argument("--train", action="store_true", help="train first, and keep the run in docs/learning.json")
    if parser.parse_args().train:
        DATA.write_text(json.dumps(record(RUN), indent=1) + "\n", encoding="utf-8")
    for file in write(DOCS / "pictures"):
        print(f"written: {file.relative_to(DOCS.parent)}, {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
