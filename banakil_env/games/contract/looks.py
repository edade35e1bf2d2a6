"""Defines how Contract Rummy fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from banakil_env.kit.contracts.looks import LOOKS as LOOKS
