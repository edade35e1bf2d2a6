"""The command `banakil warmup`: compiles the functions of a game, so that nothing waits for them later."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from typing import Annotated

import numpy as np
import typer

from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.tables import Settings, Table, play_tables
from banakil_env.core.encoding import encode
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.jit import telling
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.terminal import leave
from banakil_env.envs.vector import Tables
from banakil_env.games import DEFAULT_GAME, GAMES, find

Part = tuple[str, Callable[[], object]]


def warmup(game: Annotated[str, typer.Option(help="which game; all: every one of them")] = DEFAULT_GAME) -> None:
    """Compile all functions of a game; functions that are compiled already take no time."""
    try:
        games = [find(name) for name in (GAMES if game == "all" else [game])]
    except ValueError as error:
        leave(f"banakil warmup: {error}, and all")
    for each in games:
        parts = list(parts_of(each))
        for number, (name, prepare) in enumerate(parts, 1):
            print(f"{each.name} {number}/{len(parts)}: {name}", flush=True)
            begun = time.monotonic()
            with telling(_say):
                prepare()
            print(f"    ready after {time.monotonic() - begun:.1f} s", flush=True)


def _say(name: str, seconds: float) -> None:
    print(f"    compiling {name}, about {seconds:.0f} s", flush=True)


def parts_of(game: Game) -> Iterator[Part]:
    """The steps of the compilation, each after those that it builds on: a name, and a function that compiles it."""
    yield "one table (PettingZoo, the plain interface)", lambda: _play_one(game)
    yield "many tables, every seat served", lambda: Tables(1, game=game).reset(seed=0)
    for player in game.players:
        yield f"many tables against {player}", functools.partial(_play_against, game, player)
    yield "features for networks", lambda: _write_features(game)
    for player in game.players:
        yield f"the player {player}", CompiledPlayer(player, game).prepare
    yield "the arena", lambda: _play_in_the_arena(game)


def _play_one(game: Game) -> None:
    """Play one game by the first legal action, and call the loops that it does not reach."""
    kernels = kernels_of(game)
    states = game.new()
    mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(1, game.observation)
    kernels.start_next(states)
    kernels.start_one(states, np.uint64(0))
    kernels.redeal_hidden_one(states.copy(), 0, np.uint64(0))
    kernels.random_play(states.copy(), np.zeros(1, GENERATOR), 1, mask)
    kernels.legal_one(states, mask)
    seat = kernels.apply_one(states, int(np.argmax(mask)))
    kernels.observe_one(states, max(seat, 0), seen, mask)
    kernels.end_one(states, REWARDS["margin"], np.zeros(game.max_seats))
    game.outcome(states[0])


def _play_against(game: Game, player: str) -> None:
    Tables(1, opponents=player, game=game).reset(seed=0)


def _write_features(game: Game) -> None:
    for features in game.features.layouts:
        encode(game, np.zeros((1, game.observation.itemsize), np.uint8), features=features)


def _play_in_the_arena(game: Game) -> None:
    settings = Settings(game.name, {}, int)
    seats = (0,) * len(game.outcome(game.new()[0]).points)
    play_tables([CompiledPlayer("random", game)], ["random"], [Table(0, seats)], settings)
