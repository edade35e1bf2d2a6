"""Draws the pictures and films of every game for the documentation, and the film of training, into docs/pictures/.

python docs/pictures.py
"""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.render import as_svg
from banakil_env.render.video import write_video

DOCS = Path(__file__).resolve().parent
if str(DOCS) not in sys.path:  # needed if this file is loaded from another folder
    sys.path.append(str(DOCS))

import learning  # noqa: E402 - the path comes first

FOLDER = DOCS / "pictures"
SEED = 7
SEATS = 4  # number of seats, or the nearest that the game allows
SHARE = 0.6  # smallest share of the round that has been played in a picture
README = "banakil"  # the game in the README's picture, which exists in both themes
FILM_WIDTH, FILM_SECONDS = 720, 0.7  # width of a film in pixels; seconds for each of its tables
FILM_MOVES = 24  # number of moves in a film
FILM_FROM = 0.3  # share of the round that has been played when a film begins


def states_of(game: Game) -> list[Any]:
    """The states of a round between the game's strongest rule-based players, including the first."""
    plain, player = Plain(game), CompiledPlayer(game.strongest_player, game)
    states = [plain.new(max(seats for seats in game.seats if seats <= max(SEATS, game.seats[0])), seed=SEED)]
    while not plain.is_over(states[-1]):
        seen = plain.observe(states[-1], plain.seat_to_move(states[-1]) or 0)
        rows = seen["observation"][None], seen["action_mask"][None], np.array([len(states)], np.uint64)
        states.append(states[-1].copy())
        plain.apply(states[-1], int(player.act(*rows)[0]))
    return states


def position(game: Game, states: list[Any]) -> Any:
    """The state of a round for the picture of a game; only states after the share `SHARE` of the round are used.

    It is the first of them with a meld of a seat that is not to move, or without such a state the first of them.
    """
    later = states[int(SHARE * len(states)) :]
    scenes = [game.scene(state, None) for state in later]
    melded = (any(meld.owner != scene.to_move for meld in scene.melds) for scene in scenes)
    return next(itertools.compress(later, melded), later[0])


def file_of(game: str, theme: str = "light") -> Path:
    """The path of a game's picture."""
    return FOLDER / (f"{game}.svg" if theme == "light" else f"{game}-{theme}.svg")


def film_of(game: str) -> Path:
    """The path of a game's film."""
    return FOLDER / f"{game}.webp"


def draw(game: str) -> None:
    """Write the picture and the film of a game, from the view of seat 0."""
    found = find(game)
    states = states_of(found)
    FOLDER.mkdir(exist_ok=True)
    for theme in ("light", "dark") if game == README else ("light",):
        drawing = as_svg(found, position(found, states), 0, theme=theme)
        file_of(game, theme).write_text(drawing, encoding="utf-8")
    first = min(int(FILM_FROM * len(states)), max(0, len(states) - FILM_MOVES))
    shown = states[first : first + FILM_MOVES]
    size = (FILM_WIDTH, max(_height(as_svg(found, state, 0)) for state in shown))
    write_video(film_of(game), ".webp", (as_svg(found, state, 0, size=size) for state in shown), FILM_SECONDS)


def _height(drawing: str) -> int:
    """The height of a drawing that is scaled to the width FILM_WIDTH."""
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)[0])
    return int(FILM_WIDTH * height / width + 1)


def main() -> None:
    """Draw all pictures and films."""
    for game in GAMES:
        draw(game)
        print(f"written: {file_of(game).relative_to(DOCS.parent)} and {film_of(game).name}")
    for file in learning.write(FOLDER):
        print(f"written: {file.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
