"""The SplitMix64 generator: 64 bits in the state of a game, and the only source of randomness.

Every state has a field `rng`, so a copy of a state continues with the same cards. The functions accept any record with
a field `rng`. SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from banakil_env.core.jit import compiled, interpreted

# In the interpreter NumPy warns when 64-bit numbers wrap around, on which the generator relies.
warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, __name__.replace(".", r"\."))

# Converts a seed to the type that compiled functions take.
seed_word = cast("Callable[[int], int]", np.uint64)
MAX_SEED = 2**64 - 1

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SEED_1, _SEED_2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_27, _30, _31, _32, _33 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(33)
_LOW_32 = np.uint64(0xFFFFFFFF)

# Makes the seeds of a batch's rows independent of the cards that the same seed deals.
_ROWS = np.uint64(0x7AB1E5EED5)
# Seeds with the highest bit set are held out for measuring (`arena.seeds`). A row's seed has the same highest bit as
# the seed of its batch.
_HIGHEST_BIT = np.uint64(2**63)


def check_seed(seed: Any) -> int:
    """The seed as a plain `int`.

    Raises:
        ValueError: not a whole number from 0 to 2**64 - 1.
    """
    if isinstance(seed, (bool, np.ma.MaskedArray)) or not hasattr(seed, "__index__") or not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"seed must be a whole number from 0 to 2**64 - 1, or None for a random one; not {seed!r}")
    return int(seed)


@compiled
def seed_generator(state: Any, seed: int) -> None:
    """Seed the generator of `state` (uint64); neighboring seeds give unrelated games."""
    x = np.uint64(seed)
    x = (x ^ (x >> _33)) * _SEED_1
    x = (x ^ (x >> _33)) * _SEED_2
    state.rng = x ^ (x >> _33)


def seeds_of_rows(seed: int, rows: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """The seeds of the tables of a batch, uint64 (n,): `seed` itself for table 0, a mix of `seed` and i for table i.

    Table i gets the i-th number of a generator seeded with `seed`, with the highest bit replaced by that of `seed`. So
    two batches share a seed only with the probability of equal random 63-bit numbers, also if their own seeds are
    close. A batch whose seed is not held out deals no held-out game.

    Args:
        seed: the seed of the batch, 0..2**64 - 1.
        rows: the numbers of the tables, 0 or more.
    """
    numbers, first = np.asarray(rows).astype(np.uint64), np.uint64(seed)
    generator = SimpleNamespace(rng=first)
    with np.errstate(over="ignore"):  # 64-bit numbers wrap around
        interpreted(seed_generator)(generator, seed_word(int(first ^ _ROWS)))
        generator.rng = generator.rng + (numbers - np.uint64(1)) * _GAMMA
        drawn = interpreted(random_bits)(generator)
    return np.where(numbers == 0, first, (drawn & ~_HIGHEST_BIT) | (first & _HIGHEST_BIT))


@compiled
def random_bits(state: Any) -> int:
    """The next 64 random bits, as `uint64`."""
    state.rng += _GAMMA
    x = state.rng
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@compiled
def random_below(state: Any, n: int) -> int:
    """A random number from 0 to n - 1, all equally likely; 0 < n < 2**32 (Lemire's method, without bias)."""
    bound = np.uint64(n)
    product = (random_bits(state) >> _32) * bound
    if (product & _LOW_32) < bound:
        threshold = (_LOW_32 - bound + np.uint64(1)) % bound
        while (product & _LOW_32) < threshold:
            product = (random_bits(state) >> _32) * bound
    return int(np.int64(product >> _32))


@compiled
def shuffle(state: Any, cards: Any, n: int) -> None:
    """Shuffle the first `n` items of `cards` in place; every order is equally likely."""
    for last in range(n - 1, 0, -1):
        other = random_below(state, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
