"""Names that the server answers to."""

import pytest

from app.server.names import KnownNames, is_known
from tests.toys.asgi import asked, pages


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "192.168.1.20:80"])
def test_addresses_in_numbers_and_own_names_are_known(host: str) -> None:
    assert is_known(host, frozenset({"localhost"}))


@pytest.mark.parametrize("host", ["attacker.example", "localhost.attacker.example", "", "a@::1"])
def test_a_borrowed_name_is_refused(host: str) -> None:
    status, _, content = asked(KnownNames(pages), "/", host=host)
    assert (status, b"SWAPSCOPE_ADDRESS" in content) == (421, True)


def test_the_name_that_the_setting_gives_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAPSCOPE_ADDRESS", "https://study.example.org/app")
    assert asked(KnownNames(pages), "/", host="study.example.org")[2] == b"behind"
