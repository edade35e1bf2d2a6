"""What the columns with rests say at a position, as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banakil_env.agents.encoding import encode
from banakil_env.core.features import OF_CARDS, PLAIN, Columns
from banakil_env.core.game import Game
from banakil_env.kit.pack52 import NUM_FACES
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.plain import Plain


def unscaled(columns: Any, groups: Sequence[Columns]) -> dict[str, dict[str, int]]:
    """By group, the numbers of each card as they were before they were scaled: `columns` (groups * faces,)."""
    found = {}
    for group, row in zip(groups, columns.reshape(len(groups), NUM_FACES)):
        found[group.name] = {FACES.names[face]: round(float(row[face]) * _unit(group)) for face in range(NUM_FACES)}
    return found


def _unit(group: Columns) -> float:
    """The number that is a one in the columns of a group."""
    _, slash, unit = group.note.rpartition("/ ")
    return float(unit) if slash else 1.0


def rests_at(game: Game, state: Any) -> dict[str, dict[str, int]]:
    """The numbers about cards that seat 0 sees."""
    columns, groups = _seen_at(game, state)
    groups = [group for group in groups if group.about == OF_CARDS]
    return unscaled(np.concatenate([columns[group.name] for group in groups]), groups)


def numbers_at(game: Game, state: Any) -> dict[str, int]:
    """The numbers about the hand and the upcard that seat 0 sees."""
    columns, groups = _seen_at(game, state)
    return {group.name: round(float(columns[group.name][0]) * _unit(group)) for group in groups if group.about == PLAIN}


def _seen_at(game: Game, state: Any) -> tuple[dict[str, Any], list[Columns]]:
    """The columns behind those of all networks, by the name of their group, and these groups."""
    observation = Plain(game).observe(state, 0)["observation"][None]
    wider = game.features.with_rests
    assert wider is not None
    columns, _ = encode(game, observation, features=wider)
    groups = list(wider.columns[len(game.features.columns) :])
    return {group.name: columns[0, wider.first[group.name] :][: group.count] for group in groups}, groups
