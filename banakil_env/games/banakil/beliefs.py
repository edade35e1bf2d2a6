"""What do the others likely hold? Hidden hands made likelier by what their players did not do.

Whoever has ended a turn could have laid cards down in it. At a table of players who lay down what they can, a hand with
a natural meld lying ready, or with a card that fits a meld of its side, is rare; dealt at random it is the rule. So
such cards are exchanged for others out of the stock until none is ready. Nothing is read but the table and the deal
that is to be changed.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below
from banakil_env.games.banakil.baselines.reading import in_natural_melds
from banakil_env.games.banakil.melds import naturals_that_fit, owner_of
from banakil_env.games.banakil.state import NO_BONUS, gain, lose, meld_in, side_of

# Exchanges that are tried for a hand; what is still ready then stays.
TRIES = 40


@compiled
def put_back_what_was_ready(state: Any, seat: int) -> None:
    """Exchange hidden cards that a hand could have laid down for cards of the stock, by the state's own generator.

    Nothing happens to a hand that has melded nothing where a *hand* pays so much that players wait for it (B9.8).
    """
    if state.melds_of[seat] == 0 and state.hand_bonus[0] != NO_BONUS:
        return
    bottom = wide(state.cutter_takes_wilds != 0)  # B9.2: everybody knows of that card
    if state.stock_size <= bottom:
        return
    ready = _ready(state, seat)
    for _ in range(TRIES):
        hidden = ready & ~wide(state.known[seat, 0])
        if hidden == 0:
            return
        for _ in range(random_below(state, popcount(hidden))):
            hidden &= hidden - 1
        face = lowest(hidden)
        place = bottom + random_below(state, wide(state.stock_size) - bottom)
        other = wide(state.stock[place])
        lose(state.hands, seat, face)
        gain(state.hands, seat, other)
        after = _ready(state, seat)
        if popcount(after) <= popcount(ready):
            state.stock[place] = face
            ready = after
        else:
            lose(state.hands, seat, other)
            gain(state.hands, seat, face)


@compiled
def _ready(state: Any, seat: int) -> int:
    """The naturals of a hand, as a mask of faces, that make melds or fit those of its side."""
    held = wide(state.hands[seat, 0])
    ready = in_natural_melds(held)
    if state.melds_of[seat]:
        for slot in range(wide(state.num_melds)):
            meld = meld_in(state, slot)
            if side_of(state, owner_of(meld)) == side_of(state, seat):
                ready |= held & naturals_that_fit(meld, state.fixed_wilds != 0)
    return ready
