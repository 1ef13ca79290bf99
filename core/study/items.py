"""A text to judge, and what is known about it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from core.errors import require
from core.text import check_characters

ItemKind = Literal["adversarial", "original", "check", "practice"]
ORIGINAL = "original input"
LONGEST = 10_000


@dataclass(frozen=True)
class Item:
    """A text to judge; everything but the text and its context is hidden from raters.

    ``label`` is the true label of the source, or the right answer of a check or practice item;
    ``score`` is the right perceptibility of those two, if there is one.
    """

    text: str
    label: str
    source: str = ""
    method: str = ""
    kind: ItemKind = "adversarial"
    context: str = ""  # shown above the text: a premise
    victim: str = ""
    score: int | None = None
    feedback: str = ""  # shown after a practice item
    trace: str = ""  # the query part of the address that shows the attack

    def __post_init__(self) -> None:
        require(bool(self.text.strip()), "The text is empty.")
        require(len(self.text) <= LONGEST, f"The text is longer than {LONGEST:,} characters.")
        texts = (self.text, self.context, self.source, self.method, self.victim, self.label)
        for text in (*texts, self.feedback):
            check_characters(text)
        require(bool(self.label), "The label is missing.")
        require(
            self.kind in get_args(ItemKind), f"The kind is one of: {', '.join(get_args(ItemKind))}."
        )
        require(
            self.kind != "adversarial" or bool(self.method),
            "The method is missing: results are shown for each method.",
        )
        require(self.score is None or self.score in range(5), "The score is 0, 1, 2, 3 or 4.")
        if not self.source:  # an item without a known source is a source of its own
            object.__setattr__(self, "source", source_of(f"{self.context}\n{self.text}"))

    @property
    def is_judged(self) -> bool:
        """Whether it counts in the results."""
        return self.kind in ("adversarial", "original")

    @property
    def group(self) -> str:
        """The row of the results it belongs to."""
        return self.method if self.kind == "adversarial" else ORIGINAL


def source_of(text: str) -> str:
    """A short name of an original text: the same text always has the same name."""
    return hashlib.blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def check_set(items: Sequence[Item], labels: Sequence[str]) -> None:
    """Refuse a set of items that a study could not use."""
    require(len(labels) >= 2, "A label question needs at least two labels.")
    require(len(set(labels)) == len(labels), "Each label is written once.")
    require(all(label.strip() for label in labels), "A label has no name.")
    require(any(item.is_judged for item in items), "The study has no items to judge yet.")
    for item in items:
        require(
            item.label in labels,
            f'"{item.label}" is not one of the labels of the study ({", ".join(labels)}).',
        )
    seen = Counter((item.text, item.context, item.group, item.kind) for item in items)
    (twice, count), *_ = seen.most_common(1)
    require(count == 1, f'A text is there {count} times for one method: "{twice[0][:60]}".')


def without_repeats(items: Iterable[Item]) -> list[Item]:
    """Each original once: several methods that attack one sentence bring its control with them."""
    seen: dict[tuple[str, ...], Item] = {}
    for item in items:
        seen.setdefault((item.kind, item.group, item.context, item.text), item)
    return list(seen.values())


def relabelled(item: Item, labels: Sequence[str]) -> Item:
    """A label in other case, or as a number (as TextAttack writes it), becomes that label."""
    if item.label in labels:
        return item
    meant = [label for label in labels if label.casefold() == item.label.casefold()]
    number = item.label.removesuffix(".0")
    if not meant and number.isdecimal() and int(number) < len(labels):
        meant = [labels[int(number)]]
    return replace(item, label=meant[0]) if len(meant) == 1 else item
