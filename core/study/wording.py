"""What raters read: consent, instructions, the two questions and the names of the five points."""

import json
from dataclasses import asdict, dataclass

from core.errors import require

POINTS = 5  # perceptibility is 0 to 4


@dataclass(frozen=True)
class Wording:
    """The texts of a study; the defaults ask what the paper asked."""

    title: str = "Rating short texts"
    consent: str = (
        "You are asked to read short texts and to answer two questions about each. "
        "Your answers are stored without your name and may be published. "
        "Taking part is voluntary, and you can stop at any time by closing this page."
    )
    instructions: str = (
        "Read each text once, at your normal speed, and answer by your first impression. "
        "Some texts were written by people, others were changed by a program. "
        "There are no trick questions, and you can go back to correct an answer."
    )
    label_question: str = "What does the text express?"
    score_question: str = "Was it written by a person?"
    scale: tuple[str, ...] = (
        "Machine-generated",
        "More like machine-generated",
        "Not sure",
        "More like human-written",
        "Human-written",
    )

    def __post_init__(self) -> None:
        require(len(self.scale) == POINTS, "The scale has five points: write five names.")
        require(
            all(point.strip() for point in self.scale) and len(set(self.scale)) == POINTS,
            "Each of the five points needs a name of its own.",
        )
        for name in ("title", "consent", "instructions", "label_question", "score_question"):
            text = getattr(self, name).strip()
            require(bool(text), f"Write a {name.replace('_', ' ')}: raters see it.")

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Wording":
        fields = json.loads(text)
        return cls(**{**fields, "scale": tuple(fields["scale"])})
