"""Which pictures stand in the documentation? Draws a table of every game anew, into docs/pictures/.

python docs/pictures.py
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.render import as_svg

FOLDER = Path(__file__).resolve().parent / "pictures"
SEED = 7
SEATS = 4  # or as many as can play
SHARE = 0.6  # of the round that has been played, at least
README = "banakil"  # the game of the README's picture, which is there in both themes


def position(game: Game, share: float = SHARE) -> Any:
    """A state of a round between the game's strongest compiled players, with another's melds if there are any."""
    plain, player = Plain(game), CompiledPlayer(list(game.players)[-1], game)
    states = [plain.new(max(seats for seats in game.seats if seats <= max(SEATS, game.seats[0])), seed=SEED)]
    while not plain.is_over(states[-1]):
        seen = plain.observe(states[-1], plain.seat_to_move(states[-1]) or 0)
        rows = seen["observation"][None], seen["action_mask"][None], np.array([len(states)], np.uint64)
        states.append(states[-1].copy())
        plain.apply(states[-1], int(player.act(*rows)[0]))
    later = states[int(share * len(states)) :]
    scenes = [game.scene(state, None) for state in later]
    melded = (any(meld.owner != scene.to_move for meld in scene.melds) for scene in scenes)
    return next(itertools.compress(later, melded), later[0])


def file_of(game: str, theme: str = "light") -> Path:
    """The picture of a game."""
    return FOLDER / (f"{game}.svg" if theme == "light" else f"{game}-{theme}.svg")


def draw(game: str) -> None:
    """Write the picture of a game, as seat 0 sees it."""
    found = find(game)
    state = position(found)
    FOLDER.mkdir(exist_ok=True)
    for theme in ("light", "dark") if game == README else ("light",):
        file_of(game, theme).write_text(as_svg(found, state, 0, theme=theme), encoding="utf-8")


def main() -> None:
    """Draw them all."""
    for game in GAMES:
        draw(game)
        print(f"written: {file_of(game).relative_to(FOLDER.parent.parent)}")


if __name__ == "__main__":
    main()
