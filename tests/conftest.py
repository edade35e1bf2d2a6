"""What every test module shares: the `--long` option, and properties that are tried on the same examples each time."""

from __future__ import annotations

import pytest
from hypothesis import settings

from banakil_env.core.openmp import sleep_while_waiting

sleep_while_waiting()  # before any test loads PyTorch

settings.register_profile("banakil", derandomize=True, deadline=None)
settings.load_profile("banakil")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play more games and try more examples: minutes to hours")


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether to use the larger counts. Every test runs without it too, with counts that find most errors."""
    return bool(request.config.getoption("--long"))
