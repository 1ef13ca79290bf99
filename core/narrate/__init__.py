"""The words in which searches describe their steps: what all of them share."""

from core.narrate.moment import KINDS, NO_RULES, Evaluated, Moment, MoveKind, Rules, moved

__all__ = ["KINDS", "NO_RULES", "Evaluated", "Moment", "MoveKind", "Rules", "moved"]
