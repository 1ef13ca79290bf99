"""Who judges what, in which order: balanced, blind, and the same again from the same seed."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import TypeVar

from core.errors import require
from core.study.items import Item

T = TypeVar("T")
SHUFFLES = 50  # random orders to try before the one that always works if any does


@dataclass(frozen=True)
class Design:
    """How items are given to raters.

    ``gap`` is None if nobody may see two variants of one source; else the least distance between
    two of them in a rater's order (1: next to each other is fine).
    """

    per_item: int = 3
    raters: int = 3
    seed: int = 0
    gap: int | None = None

    def __post_init__(self) -> None:
        require(self.per_item >= 1, "Each item needs at least one rater.")
        require(self.raters >= 1, "A study needs at least one rater.")
        require(self.gap is None or self.gap >= 1, "The gap between two variants is 1 or more.")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Design":
        return cls(**json.loads(text))


def orders(items: Sequence[Item], design: Design) -> list[list[int]]:
    """For each rater the numbers of the items, in the rater's own order; practice comes first."""
    judged = [number for number, item in enumerate(items) if item.is_judged]
    return extra_orders(items, dict.fromkeys(judged, design.per_item), design)


def extra_orders(items: Sequence[Item], need: Mapping[int, int], design: Design) -> list[list[int]]:
    """Orders for ``design.raters`` new raters who give each item the ratings it still needs."""
    random = Random(design.seed)
    lots = _lots(items, need, design, random)
    practice = [number for number, item in enumerate(items) if item.kind == "practice"]
    checks = [number for number, item in enumerate(items) if item.kind == "check"]
    return [
        [*practice, *_spread(_order(items, lot, design.gap, random), checks, random)]
        for lot in lots
    ]


def reorder(items: Sequence[Item], design: Design, lot: Sequence[int], seed: int) -> list[int]:
    """A new order of one rater's items, for a rater who takes over."""
    random = Random(seed)
    judged = [number for number in lot if items[number].is_judged]
    checks = [number for number in lot if items[number].kind == "check"]
    practice = [number for number in lot if items[number].kind == "practice"]
    return [*practice, *_spread(_order(items, judged, design.gap, random), checks, random)]


def _lots(
    items: Sequence[Item], need: Mapping[int, int], design: Design, random: Random
) -> list[list[int]]:
    """Give every item to raters who have least so far: loads never differ by more than one."""
    lots: list[list[int]] = [[] for _ in range(design.raters)]
    methods = [Counter[str]() for _ in lots]
    sources = [Counter[str]() for _ in lots]
    # With a gap every item is placed on its own, else all variants of a source together.
    groups = _groups(items, need) if design.gap is None else [[number] for number in need]
    random.shuffle(groups)
    for group in groups:
        wanted = sum(need[number] for number in group)
        require(
            wanted <= design.raters,
            f"{wanted} raters are needed, and there are {design.raters}: see the check of the "
            "design for what is possible.",
        )
        source = items[group[0]].source

        def burden(rater: int, source: str = source) -> tuple[int, int]:
            return len(lots[rater]), sources[rater][source]

        chosen = _least(range(design.raters), wanted, burden, random)
        for number in group:

            def familiar(rater: int, method: str = items[number].group) -> int:
                return methods[rater][method]

            lucky = _least(chosen, need[number], familiar, random)
            for rater in lucky:
                lots[rater].append(number)
                methods[rater][items[number].group] += 1
                sources[rater][source] += 1
            chosen = [rater for rater in chosen if rater not in lucky]
    return lots


def _groups(items: Sequence[Item], need: Mapping[int, int]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for number in need:
        groups.setdefault(items[number].source, []).append(number)
    return list(groups.values())


def _least(
    candidates: Sequence[int], count: int, burden: Callable[[int], object], random: Random
) -> list[int]:
    shuffled = random.sample(candidates, len(candidates))
    return sorted(shuffled, key=burden)[:count]  # type: ignore[arg-type]


def _order(items: Sequence[Item], lot: Sequence[int], gap: int | None, random: Random) -> list[int]:
    """A random order in which variants of one source keep their distance."""
    shuffled = random.sample(lot, len(lot))
    if gap is None:
        return shuffled
    for _ in range(SHUFFLES):
        order = _apart(items, shuffled, gap, lambda ready, left: ready[0])
        if order:
            return order
        random.shuffle(shuffled)

    def fullest(ready: list[int], left: Counter[str]) -> int:
        return max(ready, key=lambda number: left[items[number].source])

    # Taking from the source with most variants left succeeds whenever any order does.
    order = _apart(items, shuffled, gap, fullest)
    require(
        order is not None,
        f"Variants of one source cannot stay {gap} apart in {len(lot)} items: lower the gap.",
    )
    return order or []


def _apart(
    items: Sequence[Item],
    waiting: Sequence[int],
    gap: int,
    choose: Callable[[list[int], Counter[str]], int],
) -> list[int] | None:
    """Fill the places one by one with what may stand there, or None if nothing may."""
    left = Counter(items[number].source for number in waiting)
    rest, order = list(waiting), list[int]()
    last: dict[str, int] = {}
    while rest:
        place = len(order)
        ready = [n for n in rest if place - last.get(items[n].source, -gap) >= gap]
        if not ready:
            return None
        number = choose(ready, left)
        rest.remove(number)
        order.append(number)
        last[items[number].source] = place
        left[items[number].source] -= 1
    return order


def _spread(order: Sequence[T], checks: Sequence[T], random: Random) -> list[T]:
    """Put one check at a random place of each part of the order; in random order themselves."""
    result, parts = list(order), len(checks)
    for part, check in reversed(list(enumerate(random.sample(checks, parts)))):
        first, end = part * len(order) // parts, (part + 1) * len(order) // parts
        result.insert(random.randint(first, end), check)
    return result
