"""Which pictures stand in the documentation? Draws tables and films into docs/pictures/: every game, and training.

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
if str(DOCS) not in sys.path:  # where this file is loaded from somewhere else
    sys.path.append(str(DOCS))

import learning  # noqa: E402 - the path comes first

FOLDER = DOCS / "pictures"
SEED = 7
SEATS = 4  # or the nearest number with which the game can be played
SHARE = 0.6  # of the round that has been played in a picture, at least
README = "banakil"  # the game of the README's picture, which is there in both themes
FILM_WIDTH, FILM_SECONDS = 720, 0.7  # of a film, and of each of its tables
FILM_MOVES = 24  # of a film
FILM_FROM = 0.3  # of the round that has been played when a film begins


def states_of(game: Game) -> list[Any]:
    """The states of a round between the game's strongest compiled players, the first included."""
    plain, player = Plain(game), CompiledPlayer(game.strongest_player, game)
    states = [plain.new(max(seats for seats in game.seats if seats <= max(SEATS, game.seats[0])), seed=SEED)]
    while not plain.is_over(states[-1]):
        seen = plain.observe(states[-1], plain.seat_to_move(states[-1]) or 0)
        rows = seen["observation"][None], seen["action_mask"][None], np.array([len(states)], np.uint64)
        states.append(states[-1].copy())
        plain.apply(states[-1], int(player.act(*rows)[0]))
    return states


def position(game: Game, states: list[Any]) -> Any:
    """One of the states of a round, with another seat's melds if there are any."""
    later = states[int(SHARE * len(states)) :]
    scenes = [game.scene(state, None) for state in later]
    melded = (any(meld.owner != scene.to_move for meld in scene.melds) for scene in scenes)
    return next(itertools.compress(later, melded), later[0])


def file_of(game: str, theme: str = "light") -> Path:
    """The picture of a game."""
    return FOLDER / (f"{game}.svg" if theme == "light" else f"{game}-{theme}.svg")


def film_of(game: str) -> Path:
    """The film of a game."""
    return FOLDER / f"{game}.webp"


def draw(game: str) -> None:
    """Write the picture and the film of a game, as seat 0 sees them."""
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
    """Of a drawing that is FILM_WIDTH wide."""
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)[0])
    return int(FILM_WIDTH * height / width + 1)


def main() -> None:
    """Draw them all."""
    for game in GAMES:
        draw(game)
        print(f"written: {file_of(game).relative_to(DOCS.parent)} and {film_of(game).name}")
    for file in learning.write(FOLDER):
        print(f"written: {file.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
