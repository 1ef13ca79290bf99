"""How many cores a model may use."""

import os
import sys
from threading import Thread

import pytest
import torch

from core import InputError, threads


@pytest.mark.parametrize(("value", "expected"), [(None, 1), ("2", 2)])
def test_one_thread_unless_told_otherwise(
    value: str | None, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(threads.ENVIRONMENT, raising=False)
    if value:
        monkeypatch.setenv(threads.ENVIRONMENT, value)
    threads.limit()
    assert torch.get_num_threads() == expected
    torch.set_num_threads(1)


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.ENVIRONMENT, value)
    with pytest.raises(InputError, match="SWAPSCOPE_THREADS"):
        threads.limit()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell threads their cores")
@pytest.mark.parametrize("value", ["1", "2"])
def test_threads_that_take_turns_share_a_core(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(threads.ENVIRONMENT, value)
    before, found = os.sched_getaffinity(0), list[set[int]]()

    def look() -> None:
        threads.keep_to_one_core()
        found.append(os.sched_getaffinity(0))

    for thread in [Thread(target=look) for _ in range(3)]:
        thread.start()
        thread.join()
    assert os.sched_getaffinity(0) == before
    assert all(cores == found[0] for cores in found)
    assert len(found[0]) == (1 if value == "1" else len(before))
