"""Rules and players as WebAssembly play as the libraries of this machine do, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from wasm_games import NODE, game_played, played_in_node, session_shown, shown_in_node

from banakil_env.core.game import Game
from banakil_env.core.targets.webassembly import NoLinker, linker_path
from banakil_env.games import GAMES, find
from banakil_env.play.names import OF_ALL_GAMES

SHORT = ("banakil", "gin", "rummy", "yaniv")  # the others take a minute each to build, with `--long`


def linker() -> str | None:
    try:
        return linker_path()
    except NoLinker:
        return None


needs_tools = pytest.mark.skipif(NODE is None or linker() is None, reason="needs Node and wasm-ld")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, long: bool) -> Game:
    if request.param not in SHORT and not long:
        pytest.skip("built with --long only")
    return find(request.param)


@needs_tools
def test_games_of_every_player_are_the_same_in_node(game: Game, tmp_path: Path, long: bool) -> None:
    """Every action that a player decides, the last state and the rewards."""
    games = [
        game_played(game, {"episode": episode}, ([player, "random"] * count)[:count], seed)
        for episode, seeds in (("round", 20 if long else 3), ("match", 2 if long else 1))
        for player in game.players
        for count in (game.seats[0], game.seats[-1])
        for seed in range(seeds)
    ]
    for python, node in zip(games, played_in_node(game, games, tmp_path)):
        assert node == {key: python[key] for key in ("actions", "end", "rewards")}


@needs_tools
def test_the_network_of_all_games_makes_the_same_moves_in_node(game: Game, tmp_path: Path, long: bool) -> None:
    """At tables of fewest and of most seats; it computes in 64 bits there, and in 32 here."""
    pytest.importorskip("torch")
    games = [
        game_played(game, {}, ([OF_ALL_GAMES, "greedy"] * count)[:count], seed)
        for count in (game.seats[0], game.seats[-1])
        for seed in range(5 if long else 1)
    ]
    for python, node in zip(games, played_in_node(game, games, tmp_path)):
        assert node["actions"] == python["actions"]


@needs_tools
def test_the_page_shows_what_the_server_shows(game: Game, tmp_path: Path, long: bool) -> None:
    """After every move what everybody and each seat sees; the record, the rules in words, and why a move is illegal."""
    moves = 1000 if long else 60
    games = [
        session_shown(game, {"episode": episode}, player, seats, seed, moves)
        for seed, (episode, player, seats) in enumerate(
            [("round", "greedy", game.seats[0]), ("match", game.strongest_player, game.seats[-1])]
        )
    ]
    found = shown_in_node(game, [each["given"] for each in games], tmp_path)
    for python, node in zip(games, found):
        for number, (here, there) in enumerate(zip(python["expected"]["views"], node["views"])):
            assert there == here, f"after move {number + 1}"
        assert node == python["expected"]
