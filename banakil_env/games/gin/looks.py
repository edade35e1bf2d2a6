"""Defines how Gin Rummy fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from banakil_env.kit.common.layout import Ways
from banakil_env.kit.one_pack.looks import looks_of

LOOKS = looks_of("gin", Ways(add_to_own=False, add_to_others=False, melds_laid=False))
