"""a and an."""

from collections.abc import Sequence

import pytest

from core.space import SearchSpace
from core.substitutions.articles import with_articles
from core.substitutions.protocol import Column, Substitute


def test_a_substitute_that_needs_the_other_article_brings_it() -> None:
    words = ("A", "smart", "idea")
    smart = Column((Substitute("ingenious", "x"), Substitute("clever", "y")))
    article, kept, idea = with_articles(words, (Column(note="stop word"), smart, Column(note="z")))
    assert article == Column((Substitute("an ingenious", "x", 2),))
    assert kept == Column((Substitute("clever", "y"),))
    assert idea == Column(note="z")


@pytest.mark.parametrize(
    ("text", "new", "written"),
    [
        ("A smart idea.", "ingenious", "An ingenious idea."),
        ("AN ODD MAN", "strange", "A STRANGE MAN"),
        ("It is an odd one", "unusual", "It is an unusual one"),
        ("It is a long one", "hour-long", "It is an hour-long one"),
        ("It is an odd one", "unique", "It is a unique one"),
        ("It is the odd one", "strange", "It is the strange one"),
    ],
)
def test_the_written_text_has_the_right_article(text: str, new: str, written: str) -> None:
    old = {"smart", "odd", "long"}

    def offer(words: Sequence[str]) -> tuple[Column, ...]:
        offers = (Column((Substitute(new, "x"),)) if w.lower() in old else Column() for w in words)
        return with_articles(words, tuple(offers))

    space = SearchSpace.from_text(text, offer)
    at = next(n for n, column in enumerate(space.choices) if len(column) > 1)
    state = tuple(int(n == at) for n in range(len(space.choices)))
    assert space.text(state) == written
    assert space.text(space.origin) == text


def test_a_quoted_word_keeps_its_article() -> None:
    def offer(words: Sequence[str]) -> tuple[Column, ...]:
        return with_articles(
            words, [Column((Substitute("odd", "x"),) if w == "smart" else ()) for w in words]
        )

    assert SearchSpace.from_text('a "smart" idea', offer).elements == 0
