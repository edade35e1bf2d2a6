"""What the tests of the compiler share."""

from __future__ import annotations

from pathlib import Path

import pytest
from jit_checkout import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")
