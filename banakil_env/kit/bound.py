"""What does a loop over hidden hands call? The functions and arrays of one game, declared here under their names.

The loops of `kit.beliefs` import these names, and `jit.bind` gives them the meaning that they have in a game, most of
them out of a `kit.held.Form`. Nothing calls them here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# Of `kit.held.Form` ---------------------------------------------------------------------------------------------------


def hidden_card(state: Any, seat: int) -> int:
    """A card of a hand that nobody else knows there, each with equal probability; -1 if there is no such card."""
    raise NotImplementedError


def exchange(state: Any, seat: int, card: int, place: int) -> None:
    """The card goes to this place of the stock, the card there to the hand."""
    raise NotImplementedError


def count_ranks(state: Any, seat: int, ranks: Any) -> None:
    """Add the cards of a hand to a row of numbers by rank."""
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
    """Whether a hand may hold the card."""
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
        loose: its cards in no meld. seen: as by `read_seen`.
    """
    raise NotImplementedError


def read_seen(state: Any, seen: Any) -> None:
    """Write what all can see, as masks: the pile, what fits melds, known cards, and who has melded."""
    raise NotImplementedError


def describe(state: Any, observer: int, seat: int, seen: Any, out: Any) -> None:
    """Write numbers about a hand, with what `observer` can see; `seen` as by `read_seen`."""
    raise NotImplementedError


def log_odds(state: Any, observer: int, seat: int, kind: int, seen: Any) -> float:
    """What a hand of a player adds to the log odds of the deal against one dealt at random."""
    raise NotImplementedError


def walk(state: Any, observer: int, kinds: Any, likelihoods: Any, exchanges: int) -> None:
    """Let the hands that `observer` cannot see become likely."""
    raise NotImplementedError
