"""The words in which searches describe their steps: what all of them share."""

from core.narrate.moment import KINDS, Evaluated, Moment, MoveKind, moved

__all__ = ["KINDS", "Evaluated", "Moment", "MoveKind", "moved"]
