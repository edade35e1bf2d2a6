"""Cards of the games of one pack, as masks, from text."""

from __future__ import annotations

import numpy as np

from banakil_env.kit.pack52 import FACES, mask_of


def mask_of_text(text: str) -> np.int64:
    """The mask of these cards, such as "5c 5d 5h"."""
    return np.int64(mask_of(FACES.parse_all(text)))
