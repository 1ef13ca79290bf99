"""The costly hash: few at once, and a flood from one address does not starve another."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.study.hashing import AT_ONCE, HashingTurns, fits, hash_in_memory, new_hash


def waiting(turns: HashingTurns, number: int) -> None:
    """Come back when so many wait."""
    for _ in range(6_000):
        if turns.waiting == number:
            return
        time.sleep(0.005)
    pytest.fail(f"{turns.waiting} wait, not {number}")


def test_addresses_take_turns() -> None:
    turns, served = HashingTurns(1), list[str]()

    def serve(address: str) -> None:
        with turns.turn(address):
            served.append(address)

    with ThreadPoolExecutor(60) as pool, turns.turn("somebody"):
        for number, address in enumerate(["flood"] * 50 + ["late", "later", "late"], start=1):
            pool.submit(serve, address)
            waiting(turns, number)
    assert served[:6] == ["flood", "late", "later", "flood", "late", "flood"]
    assert len(served) == 53
    with turns.turn("flood"):  # the place was given back
        assert turns.waiting == 0


def test_no_more_are_computed_at_once_than_there_are_places() -> None:
    turns, inside, most = HashingTurns(AT_ONCE), [0], list[int]()

    def work(number: int) -> None:
        with turns.turn(str(number % 3)):
            inside[0] += 1
            most.append(inside[0])
            time.sleep(0.002)
            inside[0] -= 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(60)))
    assert max(most) == AT_ONCE == 2


def test_a_place_is_given_back_when_something_fails() -> None:
    turns = HashingTurns(1)
    for _ in range(3):
        with pytest.raises(ValueError, match="broken"), turns.turn("a"):
            raise ValueError("broken")


def test_hashes_fit_their_passphrase_only() -> None:
    stored = new_hash("correct horse")
    assert stored != new_hash("correct horse")
    assert fits("correct horse", stored, "a")
    assert not fits("correct horsf", stored, "a")
    assert hash_in_memory("from outside") == hash_in_memory("from outside")
