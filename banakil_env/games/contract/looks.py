"""Contract Rummy in the common layout."""

from __future__ import annotations

from banakil_env.kit.contracts.looks import LOOKS as LOOKS
