"""What a quality metric says about itself and about a text, as data."""

from dataclasses import asdict, dataclass
from typing import Literal, NamedTuple


@dataclass(frozen=True)
class Metric:
    """A number that can be computed for a text, or for a text and the original it came from."""

    name: str
    definition: str
    better: Literal["lower", "higher"]
    unit: str
    compares: bool = False  # needs the original text too
    recent: bool = False  # older results do not tell it

    def card(self, **more: str) -> dict[str, object]:
        """The metric as a registry card, with further lines such as the model."""
        return asdict(self) | more


class Issue(NamedTuple):
    """One error: ``text[start:end]`` and what is wrong with it."""

    start: int
    end: int
    message: str
