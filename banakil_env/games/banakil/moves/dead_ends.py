"""Finds plays after which the turn could not be ended; they are illegal (B2.5).

A player with an empty hand has gone out, and any card except the banned one may be discarded. A play can therefore lead
to a dead end only if every card left is the banned one (B2.4). The pack has `COPIES` cards of a face, and a play uses
at most three cards: a hand of more than `MOST_CARDS` is never in danger and is not examined.

In such a position the banned cards must be laid off. One meld takes one card of a face: a natural is in a meld once
(B3.1, B4.1), and so are a Two and a Joker. The cards that a meld takes do not depend on other melds. Therefore `left`
cards can be laid off if and only if at least that number of melds take one of them. A banned natural that is exchanged
leaves a Joker, which may be discarded. The hand then has only one such natural, because a natural is banned only if the
hand held none before.
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

MOST_CARDS = COPIES + 3  # the most cards in a hand from which a play may lead to a dead end


@compiled
def cannot_end(state: Any, left: int, slot: int, meld: int) -> bool:
    """Return whether a hand of only `left` banned cards can neither discard nor lay off.

    `meld` is the meld in `slot` after the play; `slot` is `state.num_melds` for a new meld.
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
