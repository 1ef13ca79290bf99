"""``a`` and ``an``: a substitute that needs the other one replaces the article too."""

from collections.abc import Sequence
from dataclasses import replace

import regex

from core.substitutions.protocol import Column, Columns, Substitute

_OTHER = {"a": "an", "an": "a"}
_CONSONANT = regex.compile(
    r"(?!hour|honest|hono|heir)[^aeiou]|eu|one|once|uni(?!n|m)|us(e|u)|ut", regex.IGNORECASE
)


def with_articles(words: Sequence[str], columns: Columns) -> tuple[Column, ...]:
    """Move what the article before a word does not fit to the article: ``an`` + ``a clever``."""
    kept = [list(column.substitutes) for column in columns]
    for place, (article, column) in enumerate(zip(words, columns[1:], strict=False), start=1):
        if article.lower() not in _OTHER:
            continue
        for one in column.substitutes:
            if not _suits(article, one):
                kept[place].remove(one)
                written = f"{_OTHER[article.lower()]} {one.word}"
                kept[place - 1].append(replace(one, word=written, width=one.width + 1))
    return tuple(
        Column(tuple(rest), "" if rest else column.note or "swapped with its article")
        for rest, column in zip(kept, columns, strict=True)
    )


def _suits(article: str, substitute: Substitute) -> bool:
    return bool(_CONSONANT.match(substitute.word)) == (article.lower() == "a")
