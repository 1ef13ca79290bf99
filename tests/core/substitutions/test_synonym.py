"""Synonyms of WordNet."""

from core.substitutions.synonym import Synonym
from tests.toys.columns import SENTENCE, by_word, found


def test_names_in_lower_case_are_left_alone() -> None:
    columns = by_word(Synonym(), "robin williams and matt damon are in a fine comedy")
    assert all(columns[name].note == "proper name" for name in ("robin", "williams", "damon"))


def test_synonyms_take_the_inflection_of_the_word() -> None:
    movies = found(Synonym(), SENTENCE, "movies")
    assert "films" in movies
    assert "film" not in movies
    assert "film" in found(Synonym(), "A dull movie.", "movie")
    assert "began" in found(Synonym(), "They started to laugh.", "started")


def test_a_possessive_stays_one() -> None:
    assert "movie’s" in found(Synonym(), SENTENCE, "film’s")


def test_a_synonym_shows_its_sense() -> None:
    column = by_word(Synonym(), "A dull movie.")["movie"]
    assert column.substitutes[0].reason.startswith("movie.n.01: a form of entertainment")


def test_strict_synonyms_carry_the_tag_unchanged() -> None:
    strict = Synonym(strict=True)
    assert "films" not in found(strict, SENTENCE, "movies")
    assert "film" in found(strict, "We saw a dull movie yesterday.", "movie")
    assert by_word(strict, "It is bad.")["is"].note == "a form of be"
    assert by_word(strict, "It is bad.")["It"].note.startswith("part of speech")
    assert by_word(strict, "A xqzzy.")["xqzzy"].note == "not in WordNet"
