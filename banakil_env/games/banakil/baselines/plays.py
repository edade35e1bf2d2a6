"""Every opening, addition and exchange that a mask allows, and what each one leaves.

A list of plays with the hand and the meld after each, so that a player can weigh them all and look further into the
few that are worth it.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.actions import (
    ADD,
    ADD_JOKER_LOW,
    ADD_TWO_LOW,
    CHOOSE_MELD,
    DISCARD,
    NUM_ACTIONS,
    OPEN_SEQUENCE,
    SWAP,
)
from banakil_env.games.banakil.baselines.reading import View
from banakil_env.games.banakil.faces import ALL_TWOS, JOKER, TWO
from banakil_env.games.banakil.melds import (
    HIGH,
    LOW,
    ends_for_joker,
    ends_for_two,
    naturals_for_joker,
    naturals_that_fit,
    with_exchange,
    with_joker,
    with_natural,
    with_two,
)
from banakil_env.games.banakil.openings import CARDS, USES_TWO, meld_opened
from banakil_env.games.banakil.seen import PLAY_CELL

# One play of a list: the action, the faces that it takes from the hand, whether a Joker comes back, the hand then (one
# or more of a face, two of it), which meld it goes to (one more than there are: a new one), and the meld then.
ACTION, FACES, BACK, ONE, BOTH, AT, MELD = range(7)
CELLS = 7
# A hand opens 540 melds at the very most, and a meld takes no more than 20 different cards.
MAX_PLAYS = 1280
LIST_SIZE = CELLS * MAX_PLAYS


@compiled
def list_plays(observation: Any, mask: Any, view: View, plays: Any) -> int:
    """Write all plays to the table into `plays` (int64, LIST_SIZE), by action, then by meld; return their number.

    Args:
        mask: the legal actions.
        view: the observation, decoded.
    """
    one, both, melds, slots, count = view.one, view.both, view.melds, view.slots, view.num_melds
    choosing = not observation.phase[PLAY_CELL]
    fixed, sets_too = observation.fixed_wilds != 0, observation.set_joker_exchange != 0
    twos = one & ALL_TWOS
    banned = observation.banned - 1
    if banned >= TWO and twos >> banned & 1:
        twos = 1 << banned
    n = 0
    first, last = (CHOOSE_MELD, NUM_ACTIONS) if choosing else (OPEN_SEQUENCE, DISCARD)
    for action in range(first, last):
        if not mask[action]:
            continue
        if not choosing and action < ADD:
            row = action - OPEN_SEQUENCE
            faces, meld = CARDS[row], meld_opened(row, fixed, 0, USES_TWO[row])
            if USES_TWO[row]:
                faces |= twos & -twos
            n = _note(plays, n, action, faces, 0, one, both, count, meld)
            continue
        said = _pending(observation) if choosing else action
        face = observation.named - 1 if choosing else _face_of_lay_off(said, twos)
        for i in range(count):
            if choosing and slots[i] != action - CHOOSE_MELD:
                continue
            after = _meld_after(melds[i], said, face, fixed, sets_too)
            if after >= 0:
                n = _note(plays, n, action, 1 << face, int(said >= SWAP), one, both, i, after)
    return n


@inlined
def _note(plays: Any, n: int, action: int, faces: int, back: int, one: int, both: int, meld_at: int, meld: int) -> int:
    """Append a play; return the number of plays."""
    if n == MAX_PLAYS:
        return n
    new_one, new_both = without(one, both, faces), both & ~faces
    if back:
        new_both |= new_one & 1 << JOKER
        new_one |= 1 << JOKER
    at = CELLS * n
    plays[at + ACTION] = action
    plays[at + FACES] = faces
    plays[at + BACK] = back
    plays[at + ONE] = new_one
    plays[at + BOTH] = new_both
    plays[at + AT] = meld_at
    plays[at + MELD] = meld
    return n + 1


@compiled
def _pending(observation: Any) -> int:
    """The addition or exchange whose card waits for its meld."""
    named = observation.named - 1
    if observation.swapping:
        return SWAP + named
    if named < TWO:
        return ADD + named
    return (ADD_TWO_LOW if named < JOKER else ADD_JOKER_LOW) + (0 if observation.waiting_low else 1)


@inlined
def without(one: int, both: int, faces: int) -> int:
    """The faces of which there is still a card when one of each in `faces` is gone."""
    return one & ~(faces & ~both)


@compiled
def _face_of_lay_off(action: int, twos: int) -> int:
    """The card that an addition or exchange takes from a hand with these Twos."""
    if action >= SWAP:
        return action - SWAP
    if action < ADD_TWO_LOW:
        return action - ADD
    return lowest(twos) if action < ADD_JOKER_LOW else JOKER


@compiled
def _meld_after(meld: int, action: int, face: int, fixed: bool, sets_too: bool) -> int:
    """The meld with the card of an addition or exchange, -1 if it does not take it."""
    if action >= SWAP:
        return with_exchange(meld, face) if naturals_for_joker(meld, fixed, sets_too) >> face & 1 else (-1)
    if action < ADD_TWO_LOW:
        return with_natural(meld, face, fixed) if naturals_that_fit(meld, fixed) >> face & 1 else (-1)
    end = LOW if (action - ADD_TWO_LOW) & 1 == 0 else HIGH
    if action < ADD_JOKER_LOW:
        return with_two(meld, face - TWO, end, fixed) if ends_for_two(meld, fixed) & end else (-1)
    return with_joker(meld, end, fixed) if ends_for_joker(meld, fixed) & end else (-1)
