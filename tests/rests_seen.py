"""What the columns about discards say at a position, as whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.agents.encoding import encode
from banakil_env.core.game import Game
from banakil_env.kit.pack52 import NUM_FACES
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.plain import Plain
from banakil_env.kit.rests import RESTS


def unscaled(columns: Any) -> dict[str, dict[str, int]]:
    """By group, the numbers of each card as they were before they were scaled: `columns` (groups * faces,)."""
    found = {}
    for group, row in zip(RESTS, columns.reshape(len(RESTS), NUM_FACES)):
        unit = float(group.note.rpartition("/ ")[2])
        found[group.name] = {FACES.names[face]: round(float(row[face]) * unit) for face in range(NUM_FACES)}
    return found


def rests_at(game: Game, state: Any) -> dict[str, dict[str, int]]:
    """The numbers that seat 0 sees."""
    observation = Plain(game).observe(state, 0)["observation"][None]
    columns, _ = encode(game, observation, features=game.features.with_rests)
    return unscaled(np.asarray(columns[0, game.features.width :]))
