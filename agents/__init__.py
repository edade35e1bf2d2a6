"""What a checkout adds to `banakil_env.agents`: the zoo of trained agents in this folder, and a short name.

>>> from agents import make_player
>>> make_player("net:agents/zoo/gin-2p", "gin")
"""

from banakil_env.agents import (
    KINDS,
    CallablePlayer,
    CompiledPlayer,
    Player,
    PlayerError,
    choose,
    make_player,
    player_names,
)

__all__ = [
    "KINDS",
    "CallablePlayer",
    "CompiledPlayer",
    "Player",
    "PlayerError",
    "choose",
    "make_player",
    "player_names",
]
