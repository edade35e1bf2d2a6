"""Rules and players as WebAssembly play as the libraries of this machine do, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from wasm_games import NODE, game_played, played_in_node

from banakil_env.core.jit.webassembly import NoLinker, _linker
from banakil_env.games import GAMES, find

SHORT = ("gin", "rummy", "yaniv")  # the others take a minute each to build, with `--long`


def linker() -> str | None:
    try:
        return _linker()
    except NoLinker:
        return None


needs_tools = pytest.mark.skipif(NODE is None or linker() is None, reason="needs Node and wasm-ld")


@needs_tools
@pytest.mark.parametrize("name", GAMES)
def test_games_of_every_player_are_the_same_in_node(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every action that a player decides, the last state and the rewards."""
    long = request.config.getoption("--long")
    if name not in SHORT and not long:
        pytest.skip("built with --long only")
    game = find(name)
    games = [
        game_played(game, {"episode": episode}, ([player, "random"] * count)[:count], seed)
        for episode, seeds in (("round", 20 if long else 3), ("match", 2 if long else 1))
        for player in game.players
        for count in (game.seats[0], game.seats[-1])
        for seed in range(seeds)
    ]
    for python, node in zip(games, played_in_node(game, games, tmp_path)):
        assert node == {key: python[key] for key in ("actions", "end", "rewards")}
