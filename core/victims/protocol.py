"""What a victim is."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from core.text import check_length


@runtime_checkable
class Victim(Protocol):
    """A model: texts in, one output for each text out.

    A classifier answers with rows of label probabilities. A victim of another task names it as
    ``task_key``; what its outputs are is told by that task, and it may have no labels.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels, in the order of the probabilities."""
        ...

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """A classifier returns probabilities of shape ``(len(texts), len(labels))``."""
        ...


@runtime_checkable
class ContextVictim(Victim, Protocol):
    """A victim that reads fixed texts beside the one that is attacked, by the names of its task."""

    def given(self, context: Mapping[str, str]) -> Victim:
        """The same victim over texts that are read with this context."""
        ...


def given(victim: Victim, context: Mapping[str, str]) -> Victim:
    """Fix what a victim reads beside the text; one that reads nothing else stays as it is."""
    for text in context.values():
        check_length(text)
    return victim.given(context) if isinstance(victim, ContextVictim) else victim
