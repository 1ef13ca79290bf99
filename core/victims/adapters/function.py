"""Any Python function or scikit-learn-like classifier as a victim."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.text import HIDDEN_TEXT
from core.victims.probabilities import checked, checked_labels


@dataclass(frozen=True)
class FunctionVictim:
    """A function from texts to rows of probabilities, in the order of the labels."""

    labels: tuple[str, ...]
    function: Callable[[list[str]], object]
    name: str = "The function"
    hidden_token: str = HIDDEN_TEXT

    def __post_init__(self) -> None:
        checked_labels(self.labels, self.name)

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Call the function once with all texts; an empty list is not passed on."""
        answer = self.function(list(texts)) if texts else ()
        return checked(answer, len(texts), self.labels, self.name)


def from_estimator(
    estimator: Any, labels: Sequence[str] | None = None, *, hidden_token: str = HIDDEN_TEXT
) -> FunctionVictim:
    """A fitted classifier with ``predict_proba`` and ``classes_``, such as a pipeline over texts.

    ``labels`` renames the classes, in the order of ``classes_``.
    """
    name = type(estimator).__name__
    if not callable(getattr(estimator, "predict_proba", None)):
        raise InputError(f"{name} has no predict_proba; use a classifier that gives probabilities.")
    classes = labels if labels is not None else getattr(estimator, "classes_", None)
    if classes is None:
        raise InputError(f"{name} has no classes_; fit it first, or give the labels.")
    names = checked_labels([str(label) for label in classes], name)
    return FunctionVictim(names, estimator.predict_proba, name, hidden_token)
