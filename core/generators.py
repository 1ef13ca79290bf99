"""Long work as a generator of steps: whoever runs it can show each, and stop between two."""

from collections.abc import Callable, Generator
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


def mapped(steps: Generator[S, None, R], change: Callable[[S], T]) -> Generator[T, None, R]:
    """The same work, its steps told in another way."""
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                result: R = end.value
                return result
            yield change(step)
    finally:
        steps.close()  # so that work that is left early cleans up at once


def follow(steps: Generator[S, None, R], watch: Callable[[S], object]) -> R:
    """Run to the end, telling each step; gives what the work returns."""
    reported = mapped(steps, watch)
    try:
        while True:
            next(reported)
    except StopIteration as end:
        result: R = end.value
        return result
