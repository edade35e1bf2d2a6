"""Does the engine of a game play as its referee says, over presets, switches at random and numbers of players?

Each game has a referee in its own folder. Positions that random games seldom reach are in tests/<game>/.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from referees import LONGEST, compare_preset, compare_switches, referee_of

from banakil_env.core.game import Game
from banakil_env.games import GAMES, find


class Amounts(NamedTuple):
    """How many positions are compared.

    Attributes:
        preset: in games of each preset, number of players and episode. switches: with each seed of switches at random.
        long_preset, long_switches: the same with `--long`.
        seeds: of switches at random. moves: of a game at most; a referee may be slow.
    """

    preset: int
    switches: int
    long_preset: int = 4000
    long_switches: int = 4000
    seeds: int = 12
    moves: int = LONGEST


AMOUNTS = {
    "canasta": Amounts(150, 150),
    "contract": Amounts(100, 60),
    "hand": Amounts(150, 150),
    "hand_and_foot": Amounts(250, 200, 20_000, 15_000, seeds=6),
    "kalooki": Amounts(100, 60),
    "mille": Amounts(600, 150, 40_000),
    "oklahoma": Amounts(25, 60, 3000, 3000, seeds=8),
    "rummy": Amounts(60, 100, 2500),
    "rummy500": Amounts(20, 10, 1600, 2000, seeds=8, moves=35),
    "tonk": Amounts(150, 150),
    "yaniv": Amounts(150, 150),
}
# Banakil's referee has tests of its own; Gin Rummy's is OpenSpiel (tests/plugins/openspiel).
ELSEWHERE = {"banakil", "gin"}

PRESETS = [
    (game, preset, players, episode)
    for game in AMOUNTS
    for preset in find(game).rules.presets
    for players in find(game).seats
    for episode in ("round", "match")
]
SEEDS = [(game, seed) for game, amounts in AMOUNTS.items() for seed in range(amounts.seeds)]


def engine_of(game: str) -> tuple[Game, Callable[[str], Any]]:
    """The two that play against each other."""
    return find(game), referee_of(game)


def test_every_game_has_a_referee() -> None:
    assert set(AMOUNTS) | ELSEWHERE == set(GAMES)


@pytest.mark.parametrize(("game", "preset", "players", "episode"), PRESETS)
def test_games_of_the_presets(game: str, preset: str, players: int, episode: str, long: bool) -> None:
    amounts = AMOUNTS[game]
    enough = amounts.long_preset if long else amounts.preset
    compare_preset(*engine_of(game), preset, players, episode, enough, LONGEST if long else amounts.moves)


@pytest.mark.parametrize(("game", "seed"), SEEDS)
def test_games_of_switches_at_random(game: str, seed: int, long: bool) -> None:
    amounts = AMOUNTS[game]
    compare_switches(*engine_of(game), seed, amounts.long_switches if long else amounts.switches)
