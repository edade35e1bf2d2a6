"""Names of players as people read them: names and levels in words, without paths."""

from __future__ import annotations

import re
from collections.abc import Sequence

from banakil_env.core.game import Game

LEVELS = ("easy", "medium")  # of the rule-based players, from weakest to strongest; `random` is below these levels
OF_ALL_GAMES = "zoo:rummy-family"  # the agent that plays every table of every game
_ZOO = re.compile(rf"(net|ppo|onnx|sb3):.*agents/zoo/|(?!{OF_ALL_GAMES}$)zoo:")
_SEARCH = re.compile(r"search:([0-9.]+)(ms|s|)")


def called(name: str) -> str:
    """A player's name for people: `Greedy`, `Trained agent`, `Search`. A path is shortened to its last part."""
    if _ZOO.match(name):
        return "Trained agent"
    if name == OF_ALL_GAMES:
        return "Network"
    if _SEARCH.fullmatch(name):
        return "Search"
    kind, _, rest = name.partition(":")
    return re.split(r"[/\\]", rest.rstrip("/\\"))[-1] if rest else kind[:1].upper() + kind[1:]


def described(name: str, game: Game) -> str:
    """A player's name for people, with its level: `Greedy, easy`; `Search, one second per move, strongest`."""
    if _ZOO.match(name):
        return "Trained agent, strong"
    if name == OF_ALL_GAMES:
        # At best as strong as `expert`, and weaker at tables that it has not learned.
        return f"{called(name)}, {' to '.join(LEVELS)}"
    if found := _SEARCH.fullmatch(name):
        amount, unit = found.groups()
        if not unit:
            return f"Search, {amount} playouts per move, strong"
        seconds = "one second" if name == "search:1s" else f"{amount} {'milliseconds' if unit == 'ms' else 'seconds'}"
        return f"Search, {seconds} per move, strongest"
    if name == "random":
        return "Random, any legal move"
    level = level_of(name, list(game.players))
    return f"{called(name)}, {level}" if level else called(name)


def level_of(name: str, players: Sequence[str]) -> str:
    """The level of one of the game's rule-based players, in one word; "" for any other player."""
    ruled = [each for each in players if each != "random"]
    return LEVELS[min(ruled.index(name), len(LEVELS) - 1)] if name in ruled else ""
