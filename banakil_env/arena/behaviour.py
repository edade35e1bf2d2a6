"""Digests of the behavior of a game and of its rule-based players, computed from fixed games.

The fixed games start from fixed seeds, at the standing tables of the game, under each preset of its rules. The digest
of a game covers the observations and legal actions at each decision, each action, the final positions as text, and the
points: equal digests mean equal rules, deals, observations and points. The digest of a player covers only its actions:
equal digests mean equal moves in these games, even if the player's source code differs. Digests do not depend on the
machine or on the version of Python.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.batch import seed_dice
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.players import players_of
from banakil_env.games import find

GAMES_PLAYED = 200  # number of games for the digest of a game
GAMES_OF_PLAYER = 400  # number of games for the digest of a player
MOST_DECISIONS = 1000  # decisions in one game; a longer game is cut off here
FIRST_SEED = 2**62


def behaviour_of(game: str | Game) -> str:
    """The digest of a game's behavior, 64 hexadecimal digits; computed once per process, in about a second."""
    return _behaviour_of(find(game))


@functools.cache
def _behaviour_of(game: Game) -> str:
    found = hashlib.sha256(f"{game.id} {game.low_wins}\n".encode())
    found.update("\n".join(action.text for action in game.actions).encode())
    states = fixed_tables(game, GAMES_PLAYED)
    play_fixed(game, states, [min(1, len(game.players) - 1), 0], found, observed=True)
    add_endings(game, states, found)
    return found.hexdigest()


def behaviour_of_player(game: Game, player: str) -> str:
    """The digest of a rule-based player's behavior, 64 hexadecimal digits; computed once per process.

    It takes a fifth of a second after compilation. The digest also covers `Game.player_versions`.

    Args:
        game: the game.
        player: the player's name in `Game.players`.
    """
    return _behaviour_of_player(game, player)


@functools.cache
def _behaviour_of_player(game: Game, player: str) -> str:
    found = hashlib.sha256(f"{game.id} {game.player_versions.get(player, 1)}\n".encode())
    add_decisions(game, act_of(game, game.kind_of(player)), found)
    return found.hexdigest()


def add_decisions(game: Game, act: Callable[[Decisions], None], found: Any) -> None:
    """Add the actions of a player in fixed games to a digest.

    The player moves for every seat. In the second half of the games random legal moves replace half of its moves, so
    that positions occur that it avoids.

    Args:
        game: the game.
        act: writes the player's actions into `Decisions.actions`.
        found: the digest, a `hashlib` object.
    """
    for asked in fixed_decisions(game, fixed_tables(game, GAMES_OF_PLAYER)):
        act(asked)
        found.update(asked.tables.tobytes())
        found.update(asked.actions.tobytes())
        strays = np.flatnonzero((asked.tables >= GAMES_OF_PLAYER // 2) & (asked.dice >> np.uint64(63) == 1))
        asked.actions[strays] = _random_legal(asked.masks[strays], asked.dice[strays])


def _random_legal(masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Draw a legal action for each row from its dice."""
    before = np.cumsum(masks, 1, np.int64)
    drawn = (dice % before[:, -1].astype(np.uint64)).astype(np.int64)
    return np.argmax(before > drawn[:, None], 1)


def fixed_tables(game: Game, count: int) -> np.ndarray:
    """States that hold only rules: the standing tables of the game, each under each preset, in turn."""
    kinds = []
    for table in game.tables:
        for preset in dict.fromkeys([table.options.get("rules"), *game.rules.presets]):
            options = {**table.options, **({"rules": preset} if preset else {})}
            try:
                kinds.append(game.new(**options))
            except ValueError:  # this preset is for other numbers of players
                continue
    return np.concatenate([kinds[number % len(kinds)] for number in range(count)])


@dataclass(frozen=True)
class Decisions:
    """Decisions at several tables, one row per table.

    Attributes:
        part: the tables are `part`, `part + parts`, `part + 2 * parts`, ...; see `fixed_decisions`.
        tables: int64 (rows,), indices of the tables.
        observations: uint8 (rows, bytes), records.
        masks: int8 (rows, actions), 1 for a legal action.
        dice: uint64 (rows,), random bits.
        actions: int64 (rows,), written by the player.
    """

    part: int
    tables: npt.NDArray[np.int64]
    observations: npt.NDArray[Any]
    masks: npt.NDArray[np.int8]
    dice: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int64]


def fixed_decisions(game: Game, states: np.ndarray, parts: int = 1) -> Iterator[Decisions]:
    """Play tables from fixed seeds to their ends: yield decisions, and carry out the actions written into them.

    Args:
        game: the game.
        states: one state per table that holds only rules; overwritten with the final states.
        parts: the tables are split into this number of parts, which decide one after the other.
    """
    loops, count = kernels_of(game), len(states)
    seeds = np.arange(FIRST_SEED, FIRST_SEED + count, dtype=np.uint64)
    to_move, generators = np.zeros(count, np.int64), np.zeros(count, GENERATOR)
    loops.start_many(states, seeds, to_move)
    seed_dice(generators, seeds)
    observations, dice = np.zeros(count, game.observation), np.zeros(count, np.uint64)
    masks, actions = np.zeros((count, game.num_actions), np.int8), np.zeros(count, np.int64)
    for _ in range(MOST_DECISIONS):
        running = np.flatnonzero(to_move >= 0)
        if not len(running):
            return
        for part in range(parts):
            tables = running[running % parts == part]
            k = len(tables)
            loops.look_many(states, tables, observations[:k], masks[:k], generators, dice[:k])
            yield Decisions(part, tables, observations[:k], masks[:k], dice[:k], actions[:k])
            loops.move_many(states, tables, actions[:k], to_move)


def act_of(game: Game, kind: int) -> Callable[[Decisions], None]:
    """A function that writes the actions of a compiled player, given by its number in `Game.kinds`."""
    own, decide = np.zeros(1, GENERATOR), players_of(game).decide_many
    return lambda asked: decide(kind, asked.observations, asked.masks, asked.dice, own, asked.actions)


def play_fixed(game: Game, states: np.ndarray, kinds: Sequence[int], found: Any, observed: bool) -> None:
    """Play tables from fixed seeds to their ends, and add all legal and chosen actions to a digest.

    Args:
        game: the game.
        states: one state per table that holds only rules; overwritten with the final states.
        kinds: the compiled players (numbers in `Game.kinds`) of the tables 0, 1, ..., used in turn.
        found: the digest, a `hashlib` object.
        observed: whether the digest also covers the bytes of the observations.
    """
    players = [act_of(game, kind) for kind in kinds]
    for asked in fixed_decisions(game, states, len(kinds)):
        players[asked.part](asked)
        found.update(asked.tables.tobytes())
        if observed:
            found.update(asked.observations.tobytes())
        found.update(asked.masks.tobytes())
        found.update(asked.actions.tobytes())


def add_endings(game: Game, states: np.ndarray, found: Any) -> None:
    """Add the final positions as text, and their results, to a digest."""
    for state in states:
        ended = game.outcome(state)
        found.update(game.texts.to_text(state).encode())
        found.update(f"{ended.ending} {ended.winner} {ended.points} {ended.scores} {ended.marks}".encode())
