"""What every substitution must do, and what each method finds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.substitutions import SUBSTITUTIONS
from core.substitutions.protocol import Column, Substitution
from core.text import split
from tests.toys.columns import SENTENCE, by_word

METHODS: dict[str, dict[str, Any]] = {
    "synonym": {},
    "synonym strict": {"strict": True},
    "sememe": {"lexicon": "wordnet"},
    "sememe unlimited": {"lexicon": "wordnet", "limit": None},
    "embedding": {},
    "embedding ga": {"rule": "ga"},
    "embedding textfooler": {"rule": "textfooler"},
    "inflection": {},
}


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Substitution:
    return SUBSTITUTIONS[request.param.split()[0]](**METHODS[request.param])


def check(words: tuple[str, ...], columns: list[Column] | tuple[Column, ...]) -> None:
    assert len(columns) == len(words)
    for word, column in zip(words, columns, strict=True):
        forms = [substitute.word for substitute in column.substitutes]
        assert bool(forms) != bool(column.note)
        assert all(substitute.reason for substitute in column.substitutes)
        assert word.lower() not in {form.lower() for form in forms}
        assert len({form.lower() for form in forms}) == len(forms)
        assert all(" ".join(split(form).words) == form for form in forms)


def test_every_method_keeps_the_rules_of_a_column(method: Substitution) -> None:
    words = split(SENTENCE).words
    columns = method(words)
    check(words, tuple(columns))
    assert any(column.substitutes for column in columns)
    assert method(words) == columns


def test_every_method_keeps_capitals(method: Substitution) -> None:
    for column in method(split("TERRIBLE MOVIES").words):
        assert all(substitute.word.isupper() for substitute in column.substitutes)
    for column in method(split("Terrible Movies").words):
        assert all(substitute.word[0].isupper() for substitute in column.substitutes)


def test_every_method_takes_a_text_without_words(method: Substitution) -> None:
    assert list(method(())) == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_breaks_a_column(text: str) -> None:
    words = split(text).words
    for key in SUBSTITUTIONS.keys() - {"table"}:
        check(words, tuple(SUBSTITUTIONS[key]()(words)))


def test_every_entry_says_what_it_is() -> None:
    assert set(SUBSTITUTIONS) >= {"synonym", "sememe", "embedding", "inflection"}
    assert all(entry.about and entry.card["source"] for entry in SUBSTITUTIONS.values())
    assert not any(entry.missing() for entry in SUBSTITUTIONS.values())


@pytest.mark.parametrize("key", ["synonym", "sememe", "embedding"])
def test_words_left_alone_say_why(key: str) -> None:
    columns = by_word(SUBSTITUTIONS[key](), SENTENCE + " Chapter II was xqzzying.")
    assert columns["the"].note == "stop word"
    assert columns["they'd"].note == "contraction"
    assert columns["he's"].note == "stop word"
    assert columns["3"].note == "number"
    assert columns["II"].note == "number"
    assert columns["Paris"].note == "proper name"
    assert columns["Mary's"].note == "proper name"
    assert "not in" in columns["xqzzying"].note


@pytest.mark.parametrize(
    ("key", "options"), [("embedding", {"rule": "x"}), ("sememe", {"lexicon": "x"})]
)
def test_an_unknown_option_is_refused(key: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="choose one of"):
        SUBSTITUTIONS[key](**options)
