"""Defines how 500 Rummy fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from banakil_env.games.rummy500.state import copies_of
from banakil_env.kit.common.layout import Ways
from banakil_env.kit.pack54 import JOKER_BIT
from banakil_env.kit.wilds.looks import looks_of

LOOKS = looks_of("rummy500", copies_of, Ways(ace_high=True, take_some=True), wild=JOKER_BIT)
