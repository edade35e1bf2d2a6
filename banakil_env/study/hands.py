"""One seat's beliefs about the other hands: how often a hand holds a card, in deals that agree with the seat's view.

`search` samples the deals from the observation of the seat alone: hidden cards have no influence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.players import make_player
from banakil_env.core.game import Game
from banakil_env.kit.plain import Plain
from banakil_env.render.scenes import scene_of

DEALS = 128  # number of deals that are sampled
ATTEMPTS = 4  # samples are drawn again, at most this often, while fewer than half of the deals are valid


@dataclass(frozen=True)
class Believed:
    """One seat's beliefs about the other hands.

    Attributes:
        basis: how hidden hands are inferred, in words.
        deals: the number of deals in the sample.
        shares: by seat and card, the share of deals in which the seat holds at least one such card.
        counts: by seat and card, the mean number of such cards in the hand.
    """

    basis: str
    deals: int
    shares: dict[int, dict[str, float]]
    counts: dict[int, dict[str, float]]


def believed_hands(game: Game, state: Any, seat: int) -> Believed:
    """The beliefs of `seat` about the other hands in a state.

    Raises ValueError if the game is over or no sampled deal agrees with the seat's view.
    """
    plain = Plain(game)
    if plain.seat_to_move(state) is None:
        raise ValueError("the game is over: its hands are open")
    search: Any = make_player("search:1", game)
    deals = deals_of(search, plain, plain.observe(state, seat), np.random.default_rng(0), DEALS)
    if not len(deals):
        raise ValueError("no deal was found that agrees with what the seat sees")
    shares: dict[int, Counter[str]] = {}
    counts: dict[int, Counter[str]] = {}
    for deal in deals:
        seats = scene_of(game, deal, None).seats
        for place in range(1, len(seats)):
            held = seats[place].held()
            other = (seat + place) % len(seats)
            counts.setdefault(other, Counter()).update(held)
            shares.setdefault(other, Counter()).update(dict.fromkeys(held, 1))
    return Believed(
        search.basis.partition("; ")[0], len(deals), *(_means(each, len(deals)) for each in (shares, counts))
    )


def _means(counted: dict[int, Counter[str]], deals: int) -> dict[int, dict[str, float]]:
    return {seat: {card: count / deals for card, count in cards.items()} for seat, cards in counted.items()}


def deals_of(search: Any, plain: Plain, seen: Any, rng: np.random.Generator, count: int) -> npt.NDArray[Any]:
    """About `count` complete states that agree with the view of a seat, which is seat 0 in them.

    Deals with hands that would not have led another seat to its current decision are left out.

    Args:
        search: a player `search`.
        plain: the functions of the game for plain Python.
        seen: an observation from `Plain.observe`; the game must not be over.
        rng: the random generator.
        count: the number of states to sample.
    """
    search.suppose(seen["observation"].view(plain.game.observation), rng)
    found = np.empty(0, plain.game.state)
    for _ in range(ATTEMPTS):
        search.margins(np.empty(0, np.int64), rng, count)
        sound = [deal for deal, state in enumerate(search.supposed) if plain.check(state) is None]
        found = np.concatenate([found, search.supposed[sound]])
        if len(found) >= count // 2:
            break
    return found
