"""A design explained in sentences: what each rater gets, what is impossible, what comes nearest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from core.errors import InputError
from core.narrate.words import count
from core.study.design import Design, orders
from core.study.items import ORIGINAL, Item

SECONDS = 20  # an item takes about so long


@dataclass(frozen=True)
class Explanation:
    """Whether a design can be carried out, and what it means."""

    problems: tuple[str, ...]  # why it cannot; each names the nearest that can
    facts: tuple[str, ...]
    raters_needed: int
    minutes: int  # for the rater with most items

    @property
    def possible(self) -> bool:
        """Whether a study can be made of it."""
        return not self.problems


def explain(items: Sequence[Item], design: Design, seconds: float = SECONDS) -> Explanation:
    """Check a design against its items."""
    judged = [item for item in items if item.is_judged]
    sources = Counter(item.source for item in judged)
    most = max(sources.values(), default=1)
    needed = design.per_item * (most if design.gap is None else 1)
    own = Counter(item.kind for item in items)
    total = len(judged) * design.per_item
    load = ceil(total / design.raters)
    each = load + own["check"] + own["practice"]
    minutes = ceil(each * seconds / 60)
    problems = [] if judged else ["There is nothing to judge yet: add items."]
    problems += _problems(items, design, needed, most) if judged else []
    facts = [
        f"{count(len(judged), 'item')} ({_mixture(judged)}), each judged by "
        f"{count(design.per_item, 'rater')}: {count(total, 'rating')} in all.",
        f"{count(design.raters, 'rater')}, {_loads(total, design.raters)} each"
        + (f", plus {count(own['check'], 'attention check')}" if own["check"] else "")
        + (f", after {count(own['practice'], 'practice item')}" if own["practice"] else "")
        + f": about {count(minutes, 'minute')} per rater at {seconds:.0f} seconds per item.",
        _variants(design, most, needed),
        f"Every rater has a random order of their own; seed {design.seed} gives the same again.",
        "Blind: method, victim, true label and kind of an item never reach the rater's browser.",
    ]
    if design.per_item % 2 == 0:
        facts.append(
            "With an even number of raters an item can end in a tie; "
            "a tie has no majority and counts as not valid."
        )
    if not own["original"]:
        facts.append("There are no original inputs as controls: results have nothing beside them.")
    return Explanation(tuple(problems), tuple(facts), needed, minutes)


def _problems(items: Sequence[Item], design: Design, needed: int, most: int) -> list[str]:
    if design.raters < needed:
        if needed == design.per_item:
            return [
                f"{count(design.per_item, 'different rater')} per item cannot be had from "
                f"{design.raters}. Nearest: {needed} raters, or {design.raters} per item."
            ]
        nearest = [f"{needed} raters"]
        if design.raters >= most:
            nearest.append(f"{count(design.raters // most, 'rater')} per item")
        if design.raters >= design.per_item:
            nearest.append("raters who see several variants of one sentence, as in the paper")
        return [
            f"A source has {most} variants, each for {count(design.per_item, 'rater')}, and "
            f"nobody may see two of them: that needs {needed} raters, not {design.raters}. "
            f"Nearest: {', or '.join(nearest)}."
        ]
    try:
        orders(items, design)
    except InputError:
        return [
            f"Variants of one source cannot stay {design.gap} apart in a rater's order. "
            f"Nearest: a gap of {_widest(items, design)}."
        ]
    return []


def _widest(items: Sequence[Item], design: Design) -> int:
    """The widest gap that works; halving is right because a wider gap is never easier."""
    low, high = 1, design.gap or 1
    while high - low > 1:
        middle = (low + high) // 2
        try:
            orders(items, Design(design.per_item, design.raters, design.seed, middle))
            low = middle
        except InputError:
            high = middle
    return low


def _variants(design: Design, most: int, needed: int) -> str:
    if most == 1:
        return "Each source is there once, so nobody sees two variants of one sentence."
    if design.gap is None:
        return (
            f"Nobody sees two variants of one sentence. With up to {most} variants of a source "
            f"that needs at least {needed} raters."
        )
    return (
        f"A rater may see several variants of one sentence, at least {design.gap} places apart: "
        "the second may be judged with the first in mind."
    )


def _mixture(judged: Sequence[Item]) -> str:
    groups = Counter(item.group for item in judged)
    names = sorted(groups, key=lambda group: (group == ORIGINAL, group))
    return ", ".join(f"{groups[name]} {name}" for name in names)


def _loads(total: int, raters: int) -> str:
    low, rest = divmod(total, raters)
    return count(low, "item") if not rest else f"{low} or {low + 1} items"
