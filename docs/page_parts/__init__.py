"""The parts of the documentation that come from the code, by subject; `docs/generate.py` puts them into the pages."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
NO_BREAK = "\N{NO-BREAK SPACE}"


def beside(name: str) -> Any:
    """A module of the folder `docs`, loaded when a part needs it."""
    return importlib.import_module(name)
