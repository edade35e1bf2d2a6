"""The functions and arrays of one game that a loop over hidden hands calls, declared here under their names.

The loops of `kit.beliefs` import these names, and `jit.bind` gives them the meaning that they have in a game, most of
them out of a `kit.held.Form`. Nothing calls them here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Of `kit.held.Form` ---------------------------------------------------------------------------------------------------


def hidden_card(state: Any, seat: int) -> int:
    """A random card of a hand that is unknown to the other seats, each with equal probability; -1: there is no such
    card.
    """
    raise NotImplementedError


def exchange(state: Any, seat: int, card: int, place: int) -> None:
    """Exchange a card of a hand with the card at this place of the stock."""
    raise NotImplementedError


def count_ranks(state: Any, seat: int, ranks: Any) -> None:
    """Add the cards of a hand to counts by rank."""
    raise NotImplementedError


def hand_once(state: Any, seat: int) -> int:
    """The faces in a hand, as a mask."""
    raise NotImplementedError


def hand_twice(state: Any, seat: int) -> int:
    """The faces that a hand holds twice, as a mask."""
    raise NotImplementedError


def hand_known(state: Any, seat: int) -> int:
    """The faces that everybody knows to be in a hand, as a mask."""
    raise NotImplementedError


def face_of(card: int) -> int:
    """The face of a card of the stock or the pile; from `pack52.NO_FACE` on: it has no face of a mask."""
    raise NotImplementedError


def rank_of(card: int) -> int:
    """The rank of a card of the stock or the pile."""
    raise NotImplementedError


def holdable(card: int) -> bool:
    """Whether the card can be in a hand."""
    raise NotImplementedError


def public_stock(state: Any) -> bool:
    """Whether the order of the stock is public."""
    raise NotImplementedError


def has_meld(state: Any, seat: int, rank: int) -> bool:
    """Whether a seat or its side has a meld of the rank, where only ranks matter."""
    raise NotImplementedError


# Of `kit.beliefs` -----------------------------------------------------------------------------------------------------

pile_depth = 0  # the depth down to which the order of the pile is seen
first_layer = second_layer = last_layer = np.zeros(0)  # of the networks


def describe_hand(
    state: Any, observer: int, seat: int, loose: int, seen: Any, ranks: Any, out: Any, first: int
) -> None:
    """Write numbers about a hand alone, from place `first` of `out` on.

    Args:
        loose: its cards outside melds. seen: as written by `read_seen`.
    """
    raise NotImplementedError


def read_seen(state: Any, seen: Any) -> None:
    """Write the public information as masks: the pile, cards that fit melds, known cards, and seats with melds."""
    raise NotImplementedError


def describe(state: Any, observer: int, seat: int, seen: Any, out: Any) -> None:
    """Write numbers about a hand, from the view of `observer`; `seen` as written by `read_seen`."""
    raise NotImplementedError


def log_odds(state: Any, observer: int, seat: int, kind: int, seen: Any) -> float:
    """The log odds that a player's hand contributes: a real deal against a random one."""
    raise NotImplementedError


def walk(state: Any, observer: int, kinds: Any, likelihoods: Any, exchanges: int) -> None:
    """Change the hands that `observer` cannot see towards likely ones."""
    raise NotImplementedError
