"""The state that a search makes of an observation of Banakil: compiled once, and kept on disk."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import SEED, Library, read, written
from banakil_env.games.banakil.hidden import suppose
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.state import STATE


def _reconstruct(observations: Any, seed: int, states: Any) -> None:
    suppose(observations[0], seed, states[0])


reconstruct = Library("banakil_reconstructed").entry(
    _reconstruct, {"observations": read(OBSERVATION, 1), "seed": SEED, "states": written(STATE, 1)}
)
