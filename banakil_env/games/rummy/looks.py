"""Defines how Rummy fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from banakil_env.kit.common.layout import Ways
from banakil_env.kit.one_pack.looks import looks_of

LOOKS = looks_of("rummy", Ways(add_to_others=True))
