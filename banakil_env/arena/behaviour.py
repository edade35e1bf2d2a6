"""How does a game behave? A digest of fixed games: equal digests mean equal rules, deals, observations and points.

Games of the rule-based players are played from fixed seeds, at the standing tables of the game, by each preset of its
rules. The digest covers what is observed and legal at each decision, each action, the final positions as text, and the
points. It depends on neither the machine nor the version of Python.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from banakil_env.core.batch import seed_dice
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.players import players_of
from banakil_env.games import find

GAMES_PLAYED = 200
MOST_DECISIONS = 1000  # of a game; what is left of a longer one is not played
FIRST_SEED = 2**62


def behaviour_of(game: str | Game) -> str:
    """The digest of a game's behaviour, 64 hexadecimal digits; computed once in a process, in about a second."""
    return _behaviour_of(find(game))


@functools.cache
def _behaviour_of(game: Game) -> str:
    found = hashlib.sha256(f"{game.id} {game.low_wins}\n".encode())
    found.update("\n".join(action.text for action in game.actions).encode())
    states = _tables(game)
    play_fixed(game, states, [min(1, len(game.players) - 1), 0], found, observed=True)
    add_endings(game, states, found)
    return found.hexdigest()


def _tables(game: Game) -> np.ndarray:
    """States that hold rules and nothing else: GAMES_PLAYED, of each standing table by each preset."""
    kinds = []
    for table in game.tables:
        for preset in dict.fromkeys([table.options.get("rules"), *game.rules.presets]):
            options = {**table.options, **({"rules": preset} if preset else {})}
            try:
                kinds.append(game.new(**options))
            except ValueError:  # these rules are for other tables
                continue
    return np.concatenate([kinds[number % len(kinds)] for number in range(GAMES_PLAYED)])


def play_fixed(game: Game, states: np.ndarray, kinds: Sequence[int], found: Any, observed: bool) -> None:
    """Play tables from fixed seeds to their ends, and add all that is legal and done there to a digest.

    Args:
        states: of the tables, which hold rules and nothing else; they become the last states.
        kinds: which compiled player (`Game.kinds`) plays the tables 0, 1, ..., over and over.
        found: the digest. observed: whether it covers the bytes of the observations too.
    """
    loops, count = kernels_of(game), len(states)
    seeds = np.arange(FIRST_SEED, FIRST_SEED + count, dtype=np.uint64)
    to_move, generators, own = np.zeros(count, np.int64), np.zeros(count, GENERATOR), np.zeros(1, GENERATOR)
    loops.start_many(states, seeds, to_move)
    seed_dice(generators, seeds)
    observations, dice = np.zeros(count, game.observation), np.zeros(count, np.uint64)
    masks, actions = np.zeros((count, game.num_actions), np.int8), np.zeros(count, np.int64)
    decide = players_of(game).decide_many
    for _ in range(MOST_DECISIONS):
        running = np.flatnonzero(to_move >= 0)
        if not len(running):
            return
        for number, kind in enumerate(kinds):
            tables = running[running % len(kinds) == number]
            k = len(tables)
            loops.look_many(states, tables, observations[:k], masks[:k], generators, dice[:k])
            decide(kind, observations[:k], masks[:k], dice[:k], own, actions[:k])
            loops.move_many(states, tables, actions[:k], to_move)
            for part in (tables, observations[:k], masks[:k], actions[:k]):
                if observed or part.dtype != game.observation:
                    found.update(part.tobytes())


def add_endings(game: Game, states: np.ndarray, found: Any) -> None:
    """Add the last positions as text, and what came of them, to a digest."""
    for state in states:
        ended = game.outcome(state)
        found.update(game.texts.to_text(state).encode())
        found.update(f"{ended.ending} {ended.winner} {ended.points} {ended.scores} {ended.marks}".encode())
