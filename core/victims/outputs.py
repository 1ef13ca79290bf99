"""What victims say that are no classifiers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A part of a passage that answers a question; its text is empty for "no answer"."""

    text: str
    start: int = 0  # characters of the passage
    end: int = 0
    confidence: float = 1.0  # in this part, or in the best one if there is said to be no answer
    none_confidence: float = 0.0  # in "no answer"
