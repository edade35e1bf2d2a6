"""Finds plays after which the turn could not be ended, which are illegal (B2.5).

A player whose hand is empty has gone out, and any card but the banned one may be discarded. So a play can lead to a
dead end only if every card left is the banned one (B2.4). The pack has `COPIES` cards of a face, and a play uses up
three cards at most: a hand of more than `MOST_CARDS` is never in danger and is not examined.

Then the banned cards must be laid off. One meld takes one card of a face: a natural is in a meld once (B3.1, B4.1),
and so are a Two and a Joker. What a meld takes does not depend on other melds. So `left` cards can be laid off if and
only if as many melds take one of them. A banned natural that is exchanged leaves a Joker, which may be discarded; in
play the hand has only one such natural, because a natural is banned only if the hand held none before.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.games.banakil.faces import COPIES, JOKER, TWO
from banakil_env.games.banakil.melds import (
    ends_for_joker,
    ends_for_two,
    naturals_for_joker,
    naturals_that_fit,
    owner_of,
)
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.state import side_of

MOST_CARDS = COPIES + 3  # in a hand from which a play may lead to a dead end


@compiled
def cannot_end(state: Any, left: int, slot: int, meld: int) -> bool:
    """Whether a hand that is only `left` banned cards can neither be discarded from nor laid off.

    `meld` is what the play makes of the meld in `slot` (or a new one, at the end).
    """
    fixed = state.rules.wilds == FIXED
    side = side_of(state, state.seat)
    face = state.banned
    takers = 0
    for i in range(max(state.num_melds, slot + 1)):
        other = meld if i == slot else state.melds[i]
        if side_of(state, owner_of(other)) != side:
            continue
        if face == JOKER:
            takers += ends_for_joker(other, fixed) != 0
        elif face >= TWO:
            takers += ends_for_two(other, fixed) != 0
        else:
            fits = naturals_that_fit(other, fixed)
            fits |= naturals_for_joker(other, fixed, state.rules.set_joker_exchange != 0)
            takers += fits >> face & 1
    return takers < left
