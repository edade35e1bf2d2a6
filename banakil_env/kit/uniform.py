"""Chooses every legal action with equal probability. In every game, its score is the zero of normalized scores."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below


@compiled
def act(observation: Any, mask: Any, generator: Any) -> int:
    """A random legal action; all legal actions are equally likely."""
    return legal_at(mask, random_below(generator, count_legal(mask)))
