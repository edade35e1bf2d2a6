"""Matches between players: duplicate deals from held-out seeds, intervals over deals, ratings. See docs/arena.md.

>>> from banakil_env.arena import CompiledPlayer, play_match
>>> results = play_match([CompiledPlayer("greedy"), CompiledPlayer("random")], num_players=2, deals=200)
>>> results.margin("greedy", "random").low > 0
True
"""

from banakil_env.arena.apart import WorkerError
from banakil_env.arena.ask import MatchStopped, PlayerFailed
from banakil_env.arena.behaviour import behaviour_of
from banakil_env.arena.identities import identity_of
from banakil_env.arena.match import play_match
from banakil_env.arena.plan import Plan, PlanError, labels
from banakil_env.arena.players import CompiledPlayer, Explanation, Player
from banakil_env.arena.results import Rating, Results
from banakil_env.arena.seeds import SEED_SETS, seed_of
from banakil_env.arena.statistics import Interval, interval
from banakil_env.arena.store import StoreError
from banakil_env.core.identity import Identity

__all__ = [
    "SEED_SETS",
    "CompiledPlayer",
    "Explanation",
    "Identity",
    "Interval",
    "MatchStopped",
    "Plan",
    "PlanError",
    "Player",
    "PlayerFailed",
    "Rating",
    "Results",
    "StoreError",
    "WorkerError",
    "behaviour_of",
    "identity_of",
    "interval",
    "labels",
    "play_match",
    "seed_of",
]
