"""Links nobody can guess, a passphrase nobody can try for long."""

import hmac
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from core.errors import InputError
from core.study import access
from core.study.access import LockedError, passphrase_fits, passphrase_is_set, set_passphrase
from core.study.creating import create
from core.study.database import Database
from core.study.tables import Organiser, Rater
from tests.core.study.parts import plan, tokens

RIGHT = "correct horse"


def test_tokens_are_long_unlike_and_stored_only_as_a_hash(database: Database) -> None:
    study = create(database, plan())
    given = tokens(database, study)
    assert len(set(given)) == len(given)
    assert access.TOKEN_BYTES * 8 >= 128
    assert all(len(token) >= 32 for token in given)
    with database.reading() as session:
        stored = session.scalars(select(Rater.token_hash)).all()
    assert set(stored) == {access.token_hash(token) for token in given}
    assert not set(stored) & set(given)


def test_the_passphrase_is_set_once_and_stored_hashed(database: Database) -> None:
    assert not passphrase_is_set(database)
    assert not passphrase_fits(database, "")
    with pytest.raises(InputError, match="at least 8"):
        set_passphrase(database, "short")
    set_passphrase(database, RIGHT)
    assert passphrase_is_set(database)
    assert passphrase_fits(database, RIGHT)
    assert not passphrase_fits(database, RIGHT + " ")
    with pytest.raises(InputError, match="set already"):
        set_passphrase(database, "another one")
    assert passphrase_fits(database, RIGHT)
    with database.reading() as session:
        stored = session.get_one(Organiser, 1).passphrase
    assert stored is not None
    assert RIGHT not in stored


def test_the_comparison_takes_constant_time(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[int, int]] = []
    whole = hmac.compare_digest

    def compare(one: str, other: str) -> bool:
        compared.append((len(one), len(other)))
        return whole(one, other)

    set_passphrase(sqlite, RIGHT)
    monkeypatch.setattr(access.hmac, "compare_digest", compare)
    for tried in ("", RIGHT[:3], RIGHT):
        passphrase_fits(sqlite, tried)
    assert len(set(compared)) == 1  # always the whole hash, whatever was typed
    assert len(compared) == 3


def test_it_locks_after_several_wrong_ones_and_longer_each_time(database: Database) -> None:
    set_passphrase(database, RIGHT)
    for _ in range(access.TRIES):
        assert not passphrase_fits(database, "wrong", now=1000.0)
    with pytest.raises(LockedError, match="60 seconds"):
        passphrase_fits(database, RIGHT, now=1000.0)
    assert not passphrase_fits(database, "wrong", now=1061.0)
    with pytest.raises(LockedError, match="120 seconds"):
        passphrase_fits(database, RIGHT, now=1061.0)
    assert passphrase_fits(database, RIGHT, now=1200.0)
    for _ in range(access.TRIES - 1):  # a right one starts the count anew
        assert not passphrase_fits(database, "wrong", now=1300.0)
    assert passphrase_fits(database, RIGHT, now=1300.0)


def test_many_guesses_at_once_cannot_outrun_the_lock(database: Database) -> None:
    set_passphrase(database, RIGHT)

    def guess(number: int) -> str:
        try:
            return "in" if passphrase_fits(database, f"wrong {number}") else "no"
        except LockedError:
            return "locked"

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(guess, range(30)))
    assert outcomes.count("no") == access.TRIES
    assert outcomes.count("locked") == 30 - access.TRIES


def test_the_environment_can_hold_the_passphrase(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_passphrase(sqlite, RIGHT)
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", "from outside")
    assert passphrase_is_set(sqlite)
    assert passphrase_fits(sqlite, "from outside")
    assert not passphrase_fits(sqlite, RIGHT)
