"""Defines how Yaniv fills `observation="cards"`: sets and runs are discarded, and nothing stays on the table."""

from __future__ import annotations

import numpy as np

from banakil_env.games.yaniv.state import copies_in_packs
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import write_nothing
from banakil_env.kit.pack54 import JOKER_BIT, NUM_FACES

LOOKS = Looks(
    face_of=np.arange(NUM_FACES),
    copies=copies_in_packs,
    write_own=write_nothing,
    ways=Ways(twins=True, add_to_own=False, add_to_others=False, melds_laid=False),
    wild=JOKER_BIT,
)
