"""Links nobody can guess, a passphrase nobody can try for long."""

import hmac
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import event, select

from core.errors import InputError
from core.study import access, hashing
from core.study.access import count_try, passphrase_fits, passphrase_is_set, set_passphrase
from core.study.creating import create
from core.study.database import Database
from core.study.tables import Organiser, Rater, WrongTries
from tests.toys.study import plan, tokens

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
    monkeypatch.setattr(hmac, "compare_digest", compare)
    for tried in ("", RIGHT[:3], RIGHT):
        passphrase_fits(sqlite, tried)
    assert len(set(compared)) == 1  # always the whole hash, whatever was typed
    assert len(compared) == 3


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash that costs little: the tests below are about who waits for how long."""
    monkeypatch.setattr(hashing, "COST", 2)


def attempt(database: Database, typed: str, address: str, session: str, now: float) -> float:
    """A try as the page does it; gives when a right one was in, and minus that for a wrong one."""
    due = now + count_try(database, address, session, now)
    return due if passphrase_fits(database, typed, address, session) else -due


@pytest.fixture
def quick(sqlite: Database, cheap: None) -> Database:
    """A database that does not wait for the disk."""

    @event.listens_for(sqlite._engine, "connect", insert=False)
    def hurry(connection: Any, record: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")

    sqlite.close()  # its connections are made anew
    return sqlite


def test_an_outsider_cannot_keep_the_right_passphrase_out(quick: Database) -> None:
    """Five wrong words, then one whenever it is judged at once, and the right one all day."""
    set_passphrase(quick, RIGHT)
    for _ in range(5):
        assert attempt(quick, "wrong", "192.0.2.66", "outsider", 0.0) <= 0
    pauses, wrong, again = [], 0, 0.0
    for minute in range(0, 24 * 60, 5):
        now = 60.0 * minute
        if wrong < 28 and now >= again:
            again = 3_600 - attempt(quick, "wrong", "192.0.2.66", "outsider", now)
            wrong += 1
        pauses.append(attempt(quick, RIGHT, "192.0.2.1", f"tab {minute}", now) - now)
    assert wrong > 20
    assert len(pauses) == 288
    assert set(pauses) == {0.0}


def test_nobody_behind_the_same_address_waits_for_long(quick: Database) -> None:
    set_passphrase(quick, RIGHT)
    for number in range(200):
        attempt(quick, "wrong", "192.0.2.66", f"tab {number % 50}", 0.1 * number)
    entry = attempt(quick, RIGHT, "192.0.2.66", "organiser", 20.0)
    assert 20.0 < entry <= 20.0 + access.LONGEST_SHARED_WAIT
    assert attempt(quick, RIGHT, "192.0.2.66", "organiser", 30.0) == 30.0


@pytest.mark.usefixtures("cheap")
def test_a_session_waits_twice_as_long_after_each_wrong_try(database: Database) -> None:
    set_passphrase(database, RIGHT)
    now, pauses = 0.0, []
    for number in range(9):
        due = -attempt(database, "wrong", f"2001:db8:{number}::1", "s", now)
        pauses.append(due - now)
        now = due
    assert pauses == [0, 2, 4, 8, 16, 32, 60, 60, 60]
    assert attempt(database, RIGHT, "192.0.2.1", "s", now) == now + 60
    assert attempt(database, "wrong", "192.0.2.1", "s", now + 60) == -now - 60  # begins anew


def test_many_tries_at_once_wait_for_each_other(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        waits = sorted(
            pool.map(lambda n: count_try(database, f"192.0.2.{n}", "one session", 0.0), range(12))
        )
    assert waits == [0, 2, 6, 14, 30, 62, 122, 182, 242, 302, 362, 422]


def test_wrong_tries_are_forgotten_after_an_hour_or_by_command(database: Database) -> None:
    for _ in range(3):
        count_try(database, "192.0.2.1", "s", 0.0)
    assert count_try(database, "192.0.2.1", "s", 7.0) == pytest.approx(7.0)
    assert count_try(database, "192.0.2.1", "s", 14.0 + access.REMEMBERED + 1) == 0
    count_try(database, "192.0.2.1", "s", 4_000.0)
    assert access.forget_tries(database) == 2
    assert count_try(database, "192.0.2.1", "s", 4_000.0) == 0


def test_what_is_remembered_of_tries_is_bounded_and_tells_nobody(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "MOST_SOURCES", 10)
    for number in range(30):
        count_try(database, f"192.0.2.{number}", f"secret session {number}", float(number))
    assert count_try(database, "192.0.2.29", "another", 29.0) == 1.0  # the newest are known
    with database.reading() as session:
        stored = session.scalars(select(WrongTries.source)).all()
    assert len(stored) == 10
    assert not any("192.0" in source or "secret" in source for source in stored)


def test_a_network_of_ipv6_counts_as_one_address(sqlite: Database) -> None:
    for number in range(9):
        count_try(sqlite, f"2001:db8::{number}:1", f"s{number}", 0.0)
    assert count_try(sqlite, "2001:db8::ffff", "s", 0.0) == access.LONGEST_SHARED_WAIT
    assert count_try(sqlite, "2001:db8:0:1::1", "another", 0.0) == 0.0  # not of this network
    count_try(sqlite, "::ffff:192.0.2.1", "t", 0.0)
    assert count_try(sqlite, "192.0.2.1", "u", 0.0) == 1.0
    assert count_try(sqlite, "this machine", "v", 0.0) == 0.0


def test_a_passphrase_of_any_length_is_an_answer(sqlite: Database) -> None:
    set_passphrase(sqlite, "x" * access.LONGEST)
    assert passphrase_fits(sqlite, "x" * access.LONGEST)
    assert not passphrase_fits(sqlite, "x" * 10_000_000)
    with pytest.raises(InputError, match="at most 1,000"):
        access.replace_passphrase(sqlite, "x" * 1_001)


def test_the_setup_code_is_long_and_forgives_how_it_is_typed() -> None:
    code = access.setup_code()
    assert code == access.setup_code()
    assert len(access.LETTERS) ** len(code.replace("-", "")) > 0.7 * 2**40
    assert not set("01OIL") & set(access.LETTERS)
    for typed in (code, code.lower(), code.replace("-", ""), f" {code[:2]} {code[2:]} "):
        assert access.setup_code_fits(typed)
    for wrong in ("", "-", code[:-1], code + "A", "x" * 10_000, "ÄÖ"):
        assert not access.setup_code_fits(wrong)


def test_the_environment_can_hold_the_passphrase(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_passphrase(sqlite, RIGHT)
    monkeypatch.setenv("SWAPSCOPE_PASSPHRASE", "from outside")
    assert passphrase_is_set(sqlite)
    assert passphrase_fits(sqlite, "from outside")
    assert not passphrase_fits(sqlite, RIGHT)
