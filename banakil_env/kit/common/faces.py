"""The faces that are common to all games: the 52 cards suit by suit, then the Joker.

A face is `13 * suit + rank`, with suits c d h s and ranks A 2 .. K, as in `kit.pack52`; the Joker is the last face. In
games in which only ranks matter (`kit.books`), the cards of clubs represent the ranks: the game looks as if its pack
had several copies of thirteen cards. So the numbers of cards add up to the size of the pack in every game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from banakil_env.kit.pack52 import FACES as CARDS
from banakil_env.kit.pack52 import NUM_RANKS as NUM_RANKS
from banakil_env.kit.pack52 import NUM_SUITS as NUM_SUITS
from banakil_env.kit.pack54 import FACES as _FACES
from banakil_env.kit.pack54 import JOKER as JOKER
from banakil_env.kit.pack54 import NUM_FACES as NUM_FACES

NAMES = _FACES.names
NUM_CARDS = len(CARDS)


def faces_named(names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The common faces with these names, such as `("3c", "4c", "JK")`."""
    return np.array([NAMES.index(name) for name in names], np.int64)


def kinds_named(kinds: Sequence[str]) -> npt.NDArray[np.int64]:
    """The common faces of kinds: for a rank such as `K`, the card of clubs; for a card such as `Qs`, that card."""
    return faces_named([kind if kind in NAMES else f"{kind}c" for kind in kinds])
