"""Pages are tested as on an own machine, unless a test opens the server to the network."""

from collections.abc import Iterator

import pytest
from streamlit import config


def listening_on(address: str) -> Iterator[None]:
    """As if the server were started so."""
    before = config.get_option("server.address")
    config.set_option("server.address", address)
    yield
    config.set_option("server.address", before)


@pytest.fixture(autouse=True)
def own_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("SWAPSCOPE_ADDRESS", raising=False)
    yield from listening_on("localhost")


@pytest.fixture
def open_server(own_machine: None) -> Iterator[None]:
    yield from listening_on("0.0.0.0")
