"""How the server is started: for this machine alone, or open to the network."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.shared.addresses import network_address
from tests.toys import serving


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of this machine for others, without a port."""
    for name in ("SWAPSCOPE_ADDRESS", "SWAPSCOPE_OPEN", "SWAPSCOPE_PASSPHRASE"):
        monkeypatch.delenv(name, raising=False)
    address = network_address()
    if address is None:
        pytest.skip("this machine has no address but its own")
    return urlsplit(address).hostname or ""


def accepts(host: str, port: int) -> bool:
    """Whether anybody listens there."""
    try:
        socket.create_connection((host, port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("setting", ["", "0", "1"])
def test_only_an_open_server_is_reached_by_others(
    others: str, setting: str, tmp_path: Path
) -> None:
    log, port = tmp_path / "terminal.txt", serving.free_port()
    url = f"sqlite:///{tmp_path / 'studies.sqlite'}"
    with serving.process(port, log=log, SWAPSCOPE_DATABASE=url, SWAPSCOPE_OPEN=setting):
        assert accepts("localhost", port)
        assert accepts(others, port) == (setting == "1")
    told = log.read_text(encoding="utf-8")
    for line in (f"Others on this network open: http://{others}:{port}", "Set-up code"):
        assert (line in told) == (setting == "1")
