"""What the tests of the compiler share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from jit_checkout import CALL, Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a checkout keeps when its library has been built."""
    first = Checkout(tmp_path_factory.mktemp("first") / "checkout")
    assert first.run(CALL)[0] == [111, 1]
    return first.kept


@pytest.fixture
def built(checkout: Checkout, kept: Path) -> Checkout:
    """A checkout whose library another process has built: names of files hold no path."""
    shutil.copytree(kept, checkout.kept)
    return checkout
