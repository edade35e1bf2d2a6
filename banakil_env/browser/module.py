"""The WebAssembly module of a game, with its rules and rule-based players, and its description for JavaScript.

    <game>.wasm     rules and players: functions over states, observations and masks in the memory of the module
    <game>.json     the names of the functions, sizes in bytes, and the players by name

`script/machine.js` loads both. `docs/browser.md` describes them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.core.jit import Entry
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.past import past_entries
from banakil_env.core.players import players_of
from banakil_env.core.targets import webassembly
from banakil_env.core.views import card_views_of
from banakil_env.kit.table_events import LOG_SIZE


def entries_of(game: Game) -> tuple[Entry, ...]:
    """The exported functions: deal, legal actions, move, observation in two layouts, events, decision of a player."""
    kernels = kernels_of(game)
    rules = kernels.start_one, kernels.legal_one, kernels.apply_one, kernels.observe_one, kernels.end_one
    return (*rules, past_entries(game).note_one, players_of(game).decide_many, card_views_of(game).write_cards)


def module_of(game: Game) -> bytes:
    """The rules and the rule-based players of a game as a WebAssembly module. See `core.targets.webassembly`."""
    return webassembly(f"{game.name}_browser", entries_of(game))


def described(game: Game) -> dict[str, Any]:
    """The description that JavaScript needs to call the module of a game, as JSON."""
    return {
        "game": game.id,
        "entries": {entry.name: entry.symbol for entry in entries_of(game)},
        "state": game.state.itemsize,
        "observation": game.observation.itemsize,
        "generator": GENERATOR.itemsize,
        "log": LOG_SIZE,
        "actions": game.num_actions,
        "seats": game.max_seats,
        "cards": {array.name: int(np.prod(array.shape)) for array in game.cards.arrays},
        "players": list(game.players),
        "seatAt": _place_of(game.state, "seat"),
    }


def _place_of(record: np.dtype[Any], field: str) -> int:
    """The offset of a field in a record, in bytes."""
    assert record.fields is not None
    return int(record.fields[field][1])
