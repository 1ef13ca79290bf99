"""The address that others can open."""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

import pytest
from streamlit import config

from app.shared import addresses, visitor
from core.errors import InputError


@pytest.mark.usefixtures("open_server")
def test_an_open_server_has_the_address_of_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    found = addresses.network_address(8599)
    if found is not None:  # a machine without a network has none
        parts = urlsplit(found)
        assert (parts.scheme, parts.port) == ("http", 8599)
        assert not ip_address(parts.hostname or "").is_loopback
    for host, expected in (("192.0.2.9", "192.0.2.9"), ("2001:db8::9", "[2001:db8::9]")):
        monkeypatch.setattr(addresses, "_leads_outside", lambda host=host: host)
        assert addresses.network_address(8599) == f"http://{expected}:8599"
    assert addresses.network_address() == f"http://[2001:db8::9]:{config.get_option('server.port')}"


def test_a_machine_without_a_network_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert addresses.network_address(8599) is None


def test_the_loopback_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_OUTSIDE", [(socket.AF_INET, "127.0.0.1")])
    assert addresses.network_address(8599) is None


def test_a_server_that_listens_at_one_address_has_that() -> None:
    config.set_option("server.address", "198.51.100.4")
    assert addresses.network_address(8599) == "http://198.51.100.4:8599"
    assert addresses.for_others("http://localhost:1/rate") == "http://198.51.100.4:1/rate"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://study.example.org", "https://study.example.org"),
        (" https://example.org/swapscope/ ", "https://example.org/swapscope"),
        ("192.0.2.7:8080", "http://192.0.2.7:8080"),
        ("http://[2001:db8::1]:80", "http://[2001:db8::1]:80"),
    ],
)
def test_whoever_runs_the_server_can_say_the_address(
    monkeypatch: pytest.MonkeyPatch, given: str, address: str
) -> None:
    monkeypatch.setenv("SWAPSCOPE_ADDRESS", given)
    assert visitor.server_is_open()
    assert addresses.network_address(8599) == address
    for page in ("http://localhost:8501/organise", "http://192.0.2.1:8501/organise"):
        assert addresses.for_others(page) == f"{address}/organise"


@pytest.mark.parametrize("given", ["ftp://x", "https://", "http://x:99999", "a b\n://", "x?y=1"])
def test_what_is_no_address_is_a_sentence(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("SWAPSCOPE_ADDRESS", given)
    with pytest.raises(InputError, match=r"Write it as https://study\.example\.org"):
        addresses.network_address(8599)


def test_nobody_else_opens_a_page_of_an_own_machine() -> None:
    for host in ("localhost:8501", "127.0.0.1:8501", "[::1]:8501", "x.localhost"):
        assert addresses.for_others(f"http://{host}/organise") is None
    assert addresses.for_others("http://[::1/organise") is None
    assert addresses.for_others("") is None


@pytest.mark.usefixtures("open_server")
def test_on_an_open_server_the_own_machine_gets_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "_leads_outside", lambda: "192.0.2.9")
    page = addresses.for_others("https://localhost:8501/organise?x=1#y")
    assert page == "https://192.0.2.9:8501/organise"
    known = "http://my-laptop.local:8501/organise"
    assert addresses.for_others(known) == known  # as the organiser has opened it
    monkeypatch.setattr(addresses, "_leads_outside", lambda: None)
    assert addresses.for_others("http://localhost:8501/organise") is None


def test_codes_to_scan_are_drawn() -> None:
    one, other = map(addresses.picture, ("http://192.0.2.9:1/a", "http://192.0.2.9:1/b"))
    assert one.startswith("<svg ")
    assert "#fff" in one  # light in a dark page too
    assert one != other
    lines = addresses.terminal_code("http://192.0.2.9:1").splitlines()
    assert len(set(map(len, lines))) == 1
    assert len(lines) > 10
