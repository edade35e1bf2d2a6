"""Published players for these games: heuristics from papers, as players of the arena.

    banakil arena train.yardsticks:aggressive expert --game yaniv --players 4 --rules "call_limit=10 tie=asaf"

`aggressive` is the heuristic of Sahaj Raj Malla, "AI Agents for the Dhumbal Card Game: A Comparative Study"
(arXiv 2510.11736, 2025), in which it won 88.3 % of 1,024 rounds against ISMCTS, PPO and a random player. Dhumbal, or
Jhyap, is Yaniv in which a player can call with ten points or less. The paper and the author's published
program (sahajrajmalla/dhumbal-ai) describe the player; the code here was written for this project.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.games import find
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, VALUES

GAME = find("yaniv")
CALL, DISCARD, ALSO, DRAW, TAKE = (GAME.actions.first(block) for block in ("yaniv", "discard", "also", "draw", "take"))

# The value of a discard is its points, plus bonuses: for each card of several, for a run, for a remaining hand that can
# call, and for the share of the hand that it discards. TAKES: the most points of a card that is taken from the pile;
# the limit is two higher with an expensive hand, and one lower with a cheap hand.
EACH_OF_SEVERAL, RUN, CALLABLE, LIMIT = 2.0, 3.0, 50.0, 10
SHARE_SHED = 10.0
TAKES, DEAR, CHEAP = 4, 15, 12


def aggressive(observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> int:
    """Call as soon as possible, discard as many points as possible, and take cheap cards from the pile.

    Args:
        observation: the observation of the game `yaniv`, as the arena passes it to a function.
        mask: the legal actions.
    """
    if mask[CALL]:
        return CALL
    seen = observation.view(GAME.observation)[0]
    laid = [int(face) - 1 for face in seen["laid"][: int(seen["laid_size"])]]
    hand = [face for face, count in enumerate(seen["hand"]) for _ in range(int(count))]
    plan = best_discard(sorted(hand + laid))
    if len(laid) < len(plan):
        return (ALSO if laid else DISCARD) + plan[len(laid)]
    return _draw(_points(hand), mask, seen["ends"])


def best_discard(hand: list[int]) -> list[int]:
    """The best discard of `aggressive` from a hand: the faces to discard, ascending.

    `hand` has a face for each card, ascending. Of equally good discards the first that `_discards` yields is chosen.
    """
    total = max(1, _points(hand))

    def worth(laid: list[int]) -> float:
        shed = _points(laid)
        several = EACH_OF_SEVERAL * len(laid) if len(laid) > 1 else 0.0
        run = RUN if len(laid) > 2 and _suit(laid[0]) == _suit(laid[-1]) else 0.0
        return shed + several + run + (CALLABLE if total - shed <= LIMIT else 0.0) + SHARE_SHED * shed / total

    return max(_discards(hand), key=worth)


def _discards(hand: list[int]) -> Iterator[list[int]]:
    """Yield possible discards: single cards, sets, and runs without Jokers, since the paper's pack has no Jokers."""
    yield from ([face] for face in hand)
    naturals = [face for face in hand if face != JOKER]
    for size in range(2, len(naturals) + 1):
        for laid in itertools.combinations(naturals, size):
            if len({_rank(face) for face in laid}) == 1:
                yield list(laid)
            if size > 2 and _suit(laid[0]) == _suit(laid[-1]) and np.all(np.diff(laid) == 1):
                yield list(laid)


def _draw(points: int, mask: npt.NDArray[np.int8], ends: npt.NDArray[Any]) -> int:
    """The action that takes the cheapest end of the previous discard if it is cheap enough, or draws from the stock."""
    most = TAKES + (2 if points > DEAR else -1 if points <= CHEAP else 0)
    # `ends` is 1 for `take first`, and 2 for `take last`.
    takes = {int(ends[face]): int(VALUES[face]) for face in np.flatnonzero(ends)}
    legal = [(value, TAKE + end - 1) for end, value in takes.items() if value <= most and mask[TAKE + end - 1]]
    return min(legal)[1] if legal else DRAW


def _points(faces: list[int]) -> int:
    return sum(int(VALUES[face]) for face in faces)


def _rank(face: int) -> int:
    return face % NUM_RANKS


def _suit(face: int) -> int:
    return face // NUM_RANKS
