"""How much memory something takes at its peak."""

import tracemalloc
from collections.abc import Callable

MEGABYTE = 1_000_000


def peak(call: Callable[[], object]) -> float:
    """Megabytes that Python and numpy hold at most while it runs."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


def refusal(call: Callable[[], object], most: float) -> str:
    """The sentence with which it refuses, while it takes less than so many megabytes."""
    from core import InputError

    said = ""

    def refused() -> None:
        nonlocal said
        try:
            call()
        except InputError as error:
            said = str(error)

    used = peak(refused)
    assert said, "it was not refused"
    assert used < most, f"{used:.0f} MB were taken to refuse it: {said}"
    assert len(said) < 500
    assert "\n" not in said
    return said
