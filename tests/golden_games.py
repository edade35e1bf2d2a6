"""Recorded games between compiled players, for the golden games of any game's tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.kit.plain import Plain


def recorded(game: Game, note: str, options: dict[str, Any], seed: int, players: tuple[str, ...]) -> str:
    """A whole game as text, a note in front; the players sit seat by seat, by turns where there are more seats."""
    plain = Plain(game)
    state = plain.new(**options, seed=seed)
    recorder, dice = plain.recorder(state, seed=seed), np.zeros(1, GENERATOR)
    seen, mask = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8)
    while not plain.is_over(state):
        seat = plain.seat_to_move(state)
        kernels_of(game).observe_one(np.asarray(state).reshape(1), seat, seen, mask)
        action = game.players[players[seat % len(players)]](seen[0], mask, dice[0])
        recorder.note(state, action)
        plain.apply(state, action)
    return f"# {note}\n{recorder.text(state)}"
