"""Do the columns of a game's features move only with their version? Weights are trained on columns in one order."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import pytest

from banakil_env.agents.metadata import digest_of_columns
from banakil_env.games import GAMES, find

FILE = Path(__file__).parent / "data" / "feature-layouts.toml"


def layout_of(name: str) -> str:
    """The version of the features, and the digest of their groups; behind it those of the wider layouts."""
    features = find(name).features
    words = {"rests": features.with_rests, "offers": features.with_offers}
    wider = "".join(f", with {word} {digest_of_columns(layout)}" for word, layout in words.items() if layout)
    return f"{features.version}: {digest_of_columns(features)}{wider}"


@pytest.mark.parametrize("name", GAMES)
def test_columns_move_only_with_their_version(name: str) -> None:
    """Two groups of Canasta once changed places: its agent was refused by nobody, and lost 150 points per deal."""
    kept = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert layout_of(name) == kept[name], (
        f"raise the version of the features of {name} (`features_of(..., version=)`), train its agents again, "
        f'and write {name} = "{layout_of(name)}" to {FILE.name}'
    )


def test_the_digest_is_of_every_group_in_its_order() -> None:
    features = find("yaniv").features
    first, second, *others = features.columns
    changes = [
        (second, first, *others),
        (first, *others),
        (dataclasses.replace(first, count=first.count + 1), second, *others),
        (dataclasses.replace(first, name="other"), second, *others),
    ]
    digests = [digest_of_columns(dataclasses.replace(features, columns=columns)) for columns in changes]
    assert len({digest_of_columns(features), *digests}) == 1 + len(changes)
    reworded = (dataclasses.replace(first, note="other"), second, *others)
    assert digest_of_columns(dataclasses.replace(features, columns=reworded)) == digest_of_columns(features)
