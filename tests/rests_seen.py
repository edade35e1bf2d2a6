"""What the columns about discards say at a position, as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banakil_env.agents.encoding import encode
from banakil_env.core.features import Columns
from banakil_env.core.game import Game
from banakil_env.kit.pack52 import NUM_FACES
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.plain import Plain


def unscaled(columns: Any, groups: Sequence[Columns]) -> dict[str, dict[str, int]]:
    """By group, the numbers of each card as they were before they were scaled: `columns` (groups * faces,)."""
    found = {}
    for group, row in zip(groups, columns.reshape(len(groups), NUM_FACES)):
        unit = float(group.note.rpartition("/ ")[2])
        found[group.name] = {FACES.names[face]: round(float(row[face]) * unit) for face in range(NUM_FACES)}
    return found


def rests_at(game: Game, state: Any) -> dict[str, dict[str, int]]:
    """The numbers that seat 0 sees."""
    observation = Plain(game).observe(state, 0)["observation"][None]
    wider = game.features.with_rests
    assert wider is not None
    columns, _ = encode(game, observation, features=wider)
    return unscaled(np.asarray(columns[0, game.features.width :]), wider.columns[len(game.features.columns) :])
