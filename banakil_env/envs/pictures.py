"""What does `render()` of an environment give? The one place that knows the render modes."""

from __future__ import annotations

import warnings
from typing import Any

from banakil_env.core.game import Game
from banakil_env.render import as_text

RENDER_MODES = ("ansi",)

# Modes that users' tools ask for as a matter of course (Stable-Baselines3's `make_vec_env` does), and that give no
# picture yet: the environment is made without one. A mode that is drawn moves from here to RENDER_MODES and `picture`.
NOT_DRAWN = ("rgb_array",)

_warned: set[str] = set()


def check_render_mode(mode: str | None) -> str | None:
    """The mode, None for one that is not drawn, of which a warning says so once. ValueError: there is none such."""
    if mode in NOT_DRAWN:
        if mode not in _warned:
            _warned.add(mode)
            warnings.warn(f'there are no pictures for render_mode="{mode}" yet: render() gives None', stacklevel=3)
        return None
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be {' or '.join(map(repr, [*RENDER_MODES, None]))}, not {mode!r:.80}")
    return mode


def picture(game: Game, state: Any, mode: str) -> str:
    """The table in a mode of RENDER_MODES, all hands open."""
    assert mode == "ansi"
    return as_text(game, state)
