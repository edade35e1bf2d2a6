"""How is it read what a file says of itself, that anybody may have written? As plain values, or as one error.

Nothing here needs PyTorch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from banakil_env.core.game import Game
from banakil_env.games import find_id

MOST_LEVELS = 32  # of lists and objects in each other; a configuration has four


def parsed(text: str) -> Any:
    """The value of a JSON text. ValueError: invalid JSON, or nested more than MOST_LEVELS deep."""
    try:
        value = json.loads(text)
    except RecursionError:
        value = None
    else:
        if _within(value, MOST_LEVELS):
            return value
    raise ValueError(f"more than {MOST_LEVELS} lists and objects are nested")


def object_of(said: Mapping[str, str], name: str) -> dict[str, Any]:
    """The JSON object of this name in metadata. ValueError: no such object; the message follows the file's name."""
    if name not in said:
        raise ValueError(f"has no {name}")
    try:
        value = parsed(said[name])
    except ValueError as error:
        raise ValueError(f"has no {name} that can be read: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"has no object as its {name}, but {value!r:.80}")
    return value


def game_of(said: Mapping[str, str]) -> Game:
    """The game that metadata name. ValueError: it is not in GAMES, or has another version; see `object_of`."""
    try:
        return find_id(said.get("game", ""))
    except ValueError as error:
        raise ValueError(f"plays {said.get('game', 'nothing')!s:.80}: {error}") from None


def _within(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested at most `levels` deep."""
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_within(one, levels - 1) for one in inner)
