"""Names of the functions and arrays of a game that the compiled loops over hidden hands use.

The loops of `kit.beliefs` import these names, and `jit.bind` replaces each name by the function or array of one game.
Most of those functions come from a `kit.held.Form`. The functions below are declarations only and are never called.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# From `kit.held.Form` -------------------------------------------------------------------------------------------------


def hidden_card(state: Any, seat: int) -> int:
    """A random card of a hand that the other seats do not know, each equally likely; -1 if there is none."""
    raise NotImplementedError


def exchange(state: Any, seat: int, card: int, place: int) -> None:
    """Exchange a card of a hand with the card at this place of the stock."""
    raise NotImplementedError


def count_ranks(state: Any, seat: int, ranks: Any) -> None:
    """Add the number of cards of each rank in a hand to `ranks`."""
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
    """The face of a card in the stock or the pile; `pack52.NO_FACE` or more if the card has no face in masks."""
    raise NotImplementedError


def rank_of(card: int) -> int:
    """The rank of a card in the stock or the pile."""
    raise NotImplementedError


def holdable(card: int) -> bool:
    """Whether the card can be in a hand."""
    raise NotImplementedError


def public_stock(state: Any) -> bool:
    """Whether the order of the stock is public."""
    raise NotImplementedError


def has_meld(state: Any, seat: int, rank: int) -> bool:
    """Whether a seat or its side has a meld of the rank, in games where only ranks matter."""
    raise NotImplementedError


# From `kit.beliefs` ---------------------------------------------------------------------------------------------------

pile_depth = 0  # how many cards of the pile, from the top, are visible in order
first_layer = second_layer = last_layer = np.zeros(0)  # weights of the networks


def describe_hand(
    state: Any, observer: int, seat: int, loose: int, seen: Any, ranks: Any, out: Any, first: int
) -> None:
    """Write numbers about a hand alone into `out`, from index `first` on.

    Args:
        loose: the cards of the hand in no meld, as a mask.
        seen: the masks that `read_seen` has written.
        ranks: int64, the cards of the hand by rank.
    """
    raise NotImplementedError


def read_seen(state: Any, seen: Any) -> None:
    """Write the public information into `seen`, as masks: the pile, cards that melds accept, known cards, melders."""
    raise NotImplementedError


def describe(state: Any, observer: int, seat: int, seen: Any, out: Any) -> None:
    """Write numbers about the hand of `seat` into `out`, from the view of `observer`; see `read_seen` for `seen`."""
    raise NotImplementedError


def log_odds(state: Any, observer: int, seat: int, kind: int, seen: Any) -> float:
    """The log odds that one hand contributes to a deal: its probability in play against its probability at random."""
    raise NotImplementedError


def walk(state: Any, observer: int, kinds: Any, likelihoods: Any, exchanges: int) -> None:
    """Exchange cards that `observer` cannot see between hands and stock, so that likely hands become more probable."""
    raise NotImplementedError
