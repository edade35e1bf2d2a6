"""Lists every opening, addition and exchange that a mask allows, with its result.

The list has the hand and the meld after each play. A player can weigh all plays and look further into the best few.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled, inlined
from banakil_env.core.record_type import record_dtype
from banakil_env.games.banakil.actions import ADD, CHOOSE_MELD, DISCARD, NUM_ACTIONS, OPEN_SEQUENCE, SWAP
from banakil_env.games.banakil.baselines.reading import View, pending_of
from banakil_env.games.banakil.faces import ALL_TWOS, JOKER, TWO
from banakil_env.games.banakil.moves.lay_off import card_of, meld_after, takes
from banakil_env.games.banakil.openings import CARDS, USES_TWO, meld_opened
from banakil_env.games.banakil.seen import PLAY_CELL

# A hand opens at most 540 melds, and a meld takes at most 20 different cards.
MAX_PLAYS = 1280

# A list of plays: one column for each part of a play.
PLAYS = record_dtype(
    ("action", "<i8", (MAX_PLAYS,)),
    ("faces", "<i8", (MAX_PLAYS,)),  # the faces that the play takes from the hand, as a mask
    ("back", "<i8", (MAX_PLAYS,)),  # 1 if the hand gets a Joker by an exchange
    # the hand after the play: masks of the faces held at least once, and twice
    *(("one", "<i8", (MAX_PLAYS,)), ("both", "<i8", (MAX_PLAYS,))),
    ("to", "<i8", (MAX_PLAYS,)),  # the index of the meld that changes; the number of melds stands for a new meld
    ("meld", "<i8", (MAX_PLAYS,)),  # this meld after the play, packed as in melds.py
    align=True,
)


@compiled
def list_plays(observation: Any, mask: Any, view: View, plays: Any) -> int:
    """List in `plays` all plays to the table, sorted by action and then by meld; return their number.

    Args:
        observation: the observation of the seat to move.
        mask: the legal actions of this seat, int8.
        view: the same observation, decoded.
        plays: a record of PLAYS, written.
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
        said = pending_of(observation) if choosing else action
        face = observation.named - 1 if choosing else card_of(said, twos)
        for i in range(count):
            if choosing and slots[i] != action - CHOOSE_MELD:
                continue
            if takes(melds[i], said, fixed, sets_too):
                after = meld_after(melds[i], said, face, fixed)
                n = _note(plays, n, action, 1 << face, int(said >= SWAP), one, both, i, after)
    return n


@inlined
def _note(plays: Any, n: int, action: int, faces: int, back: int, one: int, both: int, to: int, meld: int) -> int:
    """Append a play to `plays`, unless the list is full; return the number of plays.

    `n` is the number of plays before, `one` and `both` are the hand before the play. The other arguments are the
    columns of PLAYS.
    """
    if n == MAX_PLAYS:
        return n
    new_one, new_both = without(one, both, faces), both & ~faces
    if back:
        new_both |= new_one & 1 << JOKER
        new_one |= 1 << JOKER
    plays.action[n], plays.faces[n], plays.back[n] = action, faces, back
    plays.one[n], plays.both[n] = new_one, new_both
    plays.to[n], plays.meld[n] = to, meld
    return n + 1


@inlined
def without(one: int, both: int, faces: int) -> int:
    """Return the mask of faces still held at least once after one card of each face in `faces` is gone."""
    return one & ~(faces & ~both)
