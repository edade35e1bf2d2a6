"""Defines how Oklahoma Rummy fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from banakil_env.games.oklahoma.melds import TWOS
from banakil_env.games.oklahoma.state import copies_of
from banakil_env.kit.common.layout import Ways
from banakil_env.kit.wilds.looks import looks_of

LOOKS = looks_of(
    "oklahoma",
    copies_of,
    Ways(twins=True, ace_high=True, add_to_others=False, take_top=False, take_all=True),
    wild=TWOS,
    of_twos=True,
)
