"""Do the columns of a game's features move only with their version? Weights are trained on columns in one order."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from banakil_env.games import GAMES, find

FILE = Path(__file__).parent / "data" / "feature-layouts.toml"


def layout_of(name: str) -> str:
    """The version of the features, and a digest of their groups in order: name, number of columns, what they are of."""
    features = find(name).features
    groups = [f"{group.name} {group.count} {group.about}" for group in features.columns]
    return f"{features.version}: {hashlib.sha256('; '.join(groups).encode()).hexdigest()[:16]}"


@pytest.mark.parametrize("name", GAMES)
def test_columns_move_only_with_their_version(name: str) -> None:
    """Two groups of Canasta once changed places: its agent was refused by nobody, and lost 150 points a deal."""
    kept = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert layout_of(name) == kept[name], (
        f"raise the version of the features of {name} (`features_of(..., version=)`), convert its agents, "
        f'and write {name} = "{layout_of(name)}" to {FILE.name}'
    )
