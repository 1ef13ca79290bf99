"""A real server, a real Chromium, and a page that may not complain."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, expect

from tests.toys import serving
from tests.toys.browser.checks import PATIENCE

# Streamlit asks for these below the page's own address first; the answer is a harmless 404.
KNOWN_404 = ("_stcore/health", "_stcore/host-config")
HERE = Path(__file__).parent

expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A click may fall between two runs of a page on a busy machine; such a rerun is reported."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **serving.launch_options()}


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with serving.app() as address:
        yield address


@pytest.fixture
def clean(page: Page, server: str) -> Iterator[Page]:
    """A page that must end without console errors and without a request to anywhere else."""
    complaints: list[str] = []

    def console(message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and not where.endswith(KNOWN_404):
            complaints.append(f"console: {message.text} {where}")

    def request(sent: Request) -> None:
        if not sent.url.startswith((server, server.replace("http", "ws"), "data:", "blob:")):
            complaints.append(f"outside: {sent.url}")

    page.on("console", console)
    page.on("request", request)
    page.set_default_timeout(PATIENCE)
    yield page
    assert complaints == []
