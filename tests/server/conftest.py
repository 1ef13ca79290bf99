"""One server for the tests of a file, which must come through all of them unharmed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.toys.sandbox import Sandbox, sandbox


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with sandbox(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(autouse=True)
def unharmed(request: pytest.FixtureRequest) -> Iterator[None]:
    """After each test the log holds no new traceback, and no file is where none may be."""
    if "server" not in request.fixturenames:
        yield
        return
    server: Sandbox = request.getfixturevalue("server")
    server.new_tracebacks()
    yield
    assert server.new_tracebacks() == []
    assert server.touched() == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On a busy machine an answer may come too late; such a rerun is reported."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=2))
