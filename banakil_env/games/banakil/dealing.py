"""How does chance deal one card after the other? For algorithms that walk the tree of all games.

The engine shuffles once and deals from the top. Here the caller chooses every card, with its probability: the hands
seat by seat, the upcard, and later the card that a player draws. A hand is dealt in the order of its faces, so that one
sequence of cards leads to each hand; the probabilities are still those of a shuffled pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.banakil.state import clear_table, deal_out, lay_pack


@compiled
def lay_undealt(states: Any) -> None:
    """Make the first table one with the whole pack as its stock and nothing dealt."""
    clear_table(states[0])
    lay_pack(states[0])


@compiled
def deal_cards(states: Any, cards: Any) -> None:
    """Deal these cards at the first table: the hands of the seats in turn, then the upcard; what is left is the stock.

    Args:
        states: the rules and the dealer are kept; the rest is overwritten.
        cards: faces, int64, all cards of the pack.
    """
    state = states[0]
    clear_table(state)
    lay_pack(state)
    for i in range(cards.shape[0]):
        _bring_up(state, cards[i], state.stock_size - i)
    deal_out(state)


@compiled
def put_next(states: Any, face: int) -> None:
    """Make a card of this face, which must be in the stock, the next one at the first table."""
    _bring_up(states[0], face, states[0].stock_size)


@compiled
def _bring_up(state: Any, face: int, size: int) -> None:
    """Swap a card of this face with the last of the lowest `size` cards of the stock."""
    for i in range(size):
        if state.stock[i] == face:
            state.stock[i], state.stock[size - 1] = state.stock[size - 1], state.stock[i]
            return


def next_in_hand(pool: Sequence[int], hand: Sequence[int], size: int) -> list[tuple[int, float]]:
    """The faces that may be the next card of a hand dealt in the order of its faces, with their probabilities.

    Args:
        pool: number of cards of each face before this hand.
        hand: the cards dealt to the hand so far, ascending.
        size: final number of cards of the hand.
    """
    last = hand[-1] if hand else 0
    held = hand.count(last) if hand else 0
    missing = size - len(hand)
    above = [0] * (len(pool) + 1)  # cards of higher faces
    for face in range(len(pool) - 1, 0, -1):
        above[face - 1] = above[face] + pool[face]
    # Hands that go on so, counted by their cards. Those of the faces below `last` are the same for all.
    ways = {
        last: sum(
            comb(pool[last], copies) * comb(above[last], missing - (copies - held))
            for copies in range(held + 1, min(pool[last], held + missing) + 1)
        )
    }
    for face in range(last + 1, len(pool)):
        fewer = comb(above[face] + pool[face], missing) - comb(above[face], missing)
        ways[face] = comb(pool[last], held) * fewer
    total = sum(ways.values())
    return [(face, count / total) for face, count in ways.items() if count]
