"""Pairs of sentences: does the second follow from the first, which stays as it is?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from core.tasks.classification import Classification
from core.tasks.protocol import Field, RaterQuestion


@dataclass(frozen=True)
class Pair(Classification):
    """The victim labels how the attacked sentence stands to a fixed premise."""

    key: ClassVar[str] = "pair"
    title: ClassVar[str] = "Sentence pairs"
    context: ClassVar[tuple[Field, ...]] = (
        Field("premise", "Premise (stays as it is)", "A man plays a guitar outside."),
    )
    attacked: ClassVar[Field] = Field(
        "text", "The hypothesis to attack", "A man is playing an instrument."
    )

    opposites: ClassVar[Mapping[str, str]] = {
        "entailment": "contradiction",
        "contradiction": "entailment",
    }

    @property
    def question(self) -> RaterQuestion:
        """How the hypothesis stands to the premise."""
        return RaterQuestion("How does the text follow from the premise?", self.choices)
