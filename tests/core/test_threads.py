"""How many cores a model may use."""

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
