"""The seeds of the deals of a match: fixed, numbered sets held out from all training, or seeds made from a key.

A set is a name and the seed of its first deal; deal i of the set has that seed plus i. Programs that train draw their
seeds below 2**63, and every set begins above. A set is never changed: a new set gets a new name.

The seeds of the set "keyed" come from a key, by HMAC with SHA-256: without the key, these deals cannot be known.
These seeds too are above those that training draws.
"""

from __future__ import annotations

import hashlib
import hmac

FIRST_HELD_OUT = 2**63

# "arena" is for published measurements; "tuning" is for choosing parameters, so that the published deals stay unseen.
SEED_SETS = {"arena-v1": FIRST_HELD_OUT, "tuning-v1": FIRST_HELD_OUT + 2**62}
SEEDS_IN_SET = 2**62
KEYED = "keyed"


def seed_of(seed_set: str, deal: int, key: str | None = None) -> int:
    """The seed of a deal, 0..2**64 - 1.

    Args:
        seed_set: the name of the set.
        deal: the number of the deal in the set.
        key: the key of the set "keyed", in hexadecimal digits; None for every other set.

    Raises:
        ValueError: there is no such set or no such deal in it, the key is missing, or a key is given for another set.
    """
    if seed_set == KEYED and key is None:
        raise ValueError(f"the deals of the set {KEYED!r} come from a key, and none is given")
    if seed_set != KEYED and seed_set not in SEED_SETS:
        raise ValueError(f"there is no seed set {seed_set!r}: the sets are {', '.join(SEED_SETS)}")
    if key is not None and seed_set != KEYED:
        raise ValueError(f"the deals of {seed_set} come from no key: leave it out, or name the set {KEYED!r}")
    if not 0 <= deal < SEEDS_IN_SET:
        raise ValueError(f"deals of {seed_set} are numbered from 0 to {SEEDS_IN_SET - 1}, and {deal} is not among them")
    if key is not None:
        drawn = hmac.digest(bytes.fromhex(key), str(deal).encode(), hashlib.sha256)[:8]
        return int.from_bytes(drawn, "little") | FIRST_HELD_OUT
    return SEED_SETS[seed_set] + deal
