"""Words that are swapped together: which of them are one position, and what may stand there.

A substitute of several words of the text (``very funny``, or ``a clever`` where ``an ingenious``
needs another article) makes them one position: they are changed as a whole and count once.
"""

from collections.abc import Iterator, Sequence

from core.substitutions.protocol import Columns, Substitute
from core.text import match_case

GAP = " "  # nothing else may stand between words that are swapped together


def positions(columns: Columns, gaps: Sequence[str]) -> Iterator[range]:
    """The words of each position; ``gaps[i]`` stands before word ``i``."""
    start, end = 0, 1
    for place, column in enumerate(columns):
        if place == end:
            yield range(start, end)
            start, end = place, place + 1
        reach = (place + one.width for one in column.substitutes if _fits(place, one, gaps))
        end = max(end, *reach, place + 1)
    yield range(start, end)


def options(
    words: Sequence[str], columns: Columns, part: range, gaps: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The words of a position as they are, then what may stand there, each with its reason."""
    yield GAP.join(words[part.start : part.stop]), ""
    for place in part:
        for one in columns[place].substitutes:
            if one.word.strip() and _fits(place, one, gaps):
                end = place + one.width
                written = _written(words[place:end], one.word)
                around = (*words[part.start : place], written, *words[end : part.stop])
                yield GAP.join(around), one.reason


def _fits(place: int, one: Substitute, gaps: Sequence[str]) -> bool:
    """Whether the words that it replaces stand side by side."""
    end = place + one.width
    return end < len(gaps) and all(gap == GAP for gap in gaps[place + 1 : end])


def _written(replaced: Sequence[str], substitute: str) -> str:
    """The substitute in the capitals of what it replaces, word by word where both have as many."""
    new = substitute.split(GAP)
    if len(new) == len(replaced):
        return GAP.join(match_case(old, word) for old, word in zip(replaced, new, strict=True))
    return match_case(GAP.join(replaced), substitute)
