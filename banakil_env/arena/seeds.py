"""Which deals are played? Fixed, numbered sets of seeds, held out from all training.

A set is a name and the seed of its first deal; deal i of it is that seed plus i, for ever. Programs that train draw
their seeds below 2**63, which is where no set for measuring begins. A set is never changed: a new one gets a new name.
"""

from __future__ import annotations

FIRST_HELD_OUT = 2**63

# "arena" measures and publishes; "tuning" is for whoever chooses parameters, so that the published deals stay unseen.
SEED_SETS = {"arena-v1": FIRST_HELD_OUT, "tuning-v1": FIRST_HELD_OUT + 2**62}
SEEDS_IN_SET = 2**62


def seed_of(seed_set: str, deal: int) -> int:
    """The seed of a deal, 0..2**64 - 1. ValueError: there is no such set, or no such deal in it."""
    if seed_set not in SEED_SETS:
        raise ValueError(f"there is no seed set {seed_set!r}: the sets are {', '.join(SEED_SETS)}")
    if not 0 <= deal < SEEDS_IN_SET:
        raise ValueError(f"deals of {seed_set} are numbered from 0 to {SEEDS_IN_SET - 1}, and {deal} is not among them")
    return SEED_SETS[seed_set] + deal
