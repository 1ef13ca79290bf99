"""Turns in a test: who asks, when, and how much may be asked."""

from app.shared.turns import TurnLimits
from app.shared.visitor import Visitor

ME = Visitor("10.0.0.1", "me")
PLENTY = TurnLimits(server=100, address=100, visitor=100, waiting=1_000, waiting_of_visitor=1_000)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now
