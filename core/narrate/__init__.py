"""The words in which searches describe their steps: what all of them share."""

from core.narrate.evaluated import KINDS, Evaluated, MoveKind, moved
from core.narrate.moment import Moment

__all__ = ["KINDS", "Evaluated", "Moment", "MoveKind", "moved"]
