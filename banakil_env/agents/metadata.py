"""Reads the metadata of untrusted files as plain values. Every fault is a ValueError.

The messages continue a sentence that begins with the file's name. This module does not need PyTorch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from banakil_env.core.features import Features
from banakil_env.core.files import parse_json
from banakil_env.core.game import Game
from banakil_env.games import find_id

FEATURES = "features"  # the version of the feature columns that a network was trained on
COLUMNS = "columns"  # metadata key for `digest_of_columns` of these columns


def object_of(said: Mapping[str, str], name: str) -> dict[str, Any]:
    """The JSON object under this name in the metadata.

    Raises:
        ValueError: there is no such object.
    """
    if name not in said:
        raise ValueError(f"has no {name}")
    try:
        value = parse_json(said[name], finite=False)
    except ValueError as error:
        raise ValueError(f"has no {name} that can be read: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"has no object as its {name}, but {value!r:.80}")
    return value


def game_of(said: Mapping[str, str]) -> Game:
    """The game that the metadata name.

    Raises:
        ValueError: the game is not in GAMES, or has another version.
    """
    try:
        return find_id(said.get("game", ""))
    except ValueError as error:
        raise ValueError(f"plays {said.get('game', 'nothing')!s:.80}: {error}") from None


def checked_game(said: Mapping[str, str], form: str, names: set[str]) -> Game:
    """The game that the metadata of a file name, after a check of these metadata and of the feature columns.

    Args:
        said: the metadata.
        form: the format that the file must have.
        names: the names that the metadata must have.

    Raises:
        ValueError: the metadata have another format or other names than required, or the feature columns differ from
            the game's.
    """
    if said.get("format") != form:
        raise ValueError(f"is of format {said.get('format')!r}, and {form!r} can be played")
    if said.keys() != names:
        raise ValueError(f"says {', '.join(sorted(said))} in its metadata; an agent has {', '.join(sorted(names))}")
    game = game_of(said)
    check_features(said, game)
    return game


def digest_of_columns(features: Features) -> str:
    """A digest of the groups of columns in order (name, number of columns, subject): 16 hexadecimal digits."""
    groups = [f"{group.name} {group.count} {group.about}" for group in features.columns]
    return hashlib.sha256("; ".join(groups).encode()).hexdigest()[:16]


def features_said(features: Features) -> dict[str, str]:
    """The metadata about the feature columns of a network."""
    return {FEATURES: str(features.version), COLUMNS: digest_of_columns(features)}


def features_seen(said: Mapping[str, str], game: Game) -> Features:
    """The layout of columns that the metadata name, one of `Features.layouts`; the default if none matches."""
    digests = {digest_of_columns(features): features for features in game.features.layouts}
    return digests.get(said[COLUMNS], game.features)


def check_features(said: Mapping[str, str], game: Game) -> None:
    """Raise ValueError if a file was made for other feature columns than those of the game."""
    if said[FEATURES] != str(game.features.version):
        raise ValueError(
            f"was trained on version {said[FEATURES]:.20} of the features, and this is version "
            f"{game.features.version}: train it again, or play it with the release that made it"
        )
    check_columns(said, game, features_seen(said, game))


def check_columns(said: Mapping[str, str], game: Game, features: Features) -> None:
    """Raise ValueError if the digest of columns in the metadata differs from the digest of these columns."""
    here, there = digest_of_columns(features), said[COLUMNS]
    if there != here:
        raise ValueError(
            f"was trained on the feature columns {there:.20} of {game.id}, and version {features.version} of the "
            f"features has the columns {here}: other groups, or the same groups in another order; train it again, or "
            "play it with the release that made it"
        )
