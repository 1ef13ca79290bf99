"""An item as raters have judged it."""

from typing import Any

from core.study.items import ORIGINAL, Item
from core.study.judgements import Judged, Judgement


def judged(
    *answers: str, method: str = "ls", source: str = "s", label: str = "positive", number: int = 1
) -> Judged:
    """An item with answers written as p3, n0 and so on."""
    names = {"p": "positive", "n": "negative", "x": "neutral"}
    kind: dict[str, Any]
    kind = {"kind": "original"} if method == ORIGINAL else {"method": method}
    item = Item(f"{method} {source}", label, source, **kind)
    said = [Judgement(f"r{i}", names[a[0]], int(a[1])) for i, a in enumerate(answers)]
    return Judged(number, item, tuple(said))
