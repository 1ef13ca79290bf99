"""One server for the tests of a file, which must come through all of them unharmed."""

from collections.abc import Iterator

import pytest

from tests.server.sandbox import Sandbox, sandbox


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
