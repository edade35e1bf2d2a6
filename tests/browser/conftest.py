"""What the tests in a browser share: a server, Chromium, and pages that report every error of theirs.

make test-browser
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from served import DEADLINE, Served

# A path: Playwright looks up no names.
CHROMIUM = shutil.which(os.environ.get("CHROMIUM") or "chromium") or shutil.which("chromium-browser") or "chromium"
MILLISECONDS = 1000 * DEADLINE  # what Playwright waits for is there much sooner; the machine may be busy
expect.set_options(timeout=MILLISECONDS)
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"))
    yield served
    served.kill()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=list(ARGUMENTS), headless=True, timeout=MILLISECONDS
        )
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser, server: Served) -> Iterator[Callable[..., Page]]:
    """Makes pages, each in a profile of its own. At the end: no script failed, nothing was asked of another server."""
    faults: list[str] = []
    contexts = []

    def make(**options: object) -> Page:
        context = chromium.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if not _is_own(request.url, server) else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


def _is_own(url: str, server: Served) -> bool:
    return url.startswith((server.address, "blob:", "data:"))


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page(viewport={"width": 1280, "height": 900})
