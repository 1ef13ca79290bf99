"""Neighbours in word vectors."""

import pytest

from core.substitutions import SUBSTITUTIONS
from core.substitutions.embedding import cosine, neighbours
from tests.toys.columns import by_word, found


def test_neighbours_are_the_nearest_first() -> None:
    near = dict(neighbours().of("terrible"))
    assert next(iter(near)) == "dreadful"
    assert len(near) == 50
    assert sorted(near.values(), reverse=True) == list(near.values())
    assert cosine("terrible", "dreadful") == pytest.approx(0.99, abs=0.01)
    assert cosine("terrible", "table") is None
    assert list(neighbours().of("xqzzy")) == []


def test_the_rules_of_ga_and_textfooler() -> None:
    ga = by_word(SUBSTITUTIONS["embedding"](rule="ga"), "a terrible film")["terrible"].substitutes
    fooler = SUBSTITUTIONS["embedding"](rule="textfooler")
    assert len(ga) == 8
    assert all(float(s.reason.split()[1]) >= 0.75 for s in ga)
    assert len(found(fooler, "a terrible film", "terrible")) > 20
    few = SUBSTITUTIONS["embedding"](rule="textfooler", nearest=3, min_cosine=0.9)
    assert len(found(few, "a terrible film", "terrible")) == 3
    assert "films" in found(fooler, "A dull movie.", "movie")


def test_agreeing_neighbours_carry_the_tag_of_the_word() -> None:
    words = found(SUBSTITUTIONS["embedding"](), "A dull movie.", "movie")
    assert "film" in words
    assert not {"films", "movies", "cinematic"} & set(words)


def test_other_parts_of_speech_have_no_agreeing_neighbours() -> None:
    assert (
        by_word(SUBSTITUTIONS["embedding"](), "far beyond it")["beyond"].note == "part of speech IN"
    )


def test_a_word_far_from_all_others_says_so() -> None:
    strict = SUBSTITUTIONS["embedding"](min_cosine=0.999)
    assert by_word(strict, "A dull movie.")["dull"].note == "no neighbour with cosine 0.999 or more"
