import pytest

from core.substitutions.tagging import tag, universal
from core.text import split
from tests.toys.places import DATA


def test_tags_a_sentence() -> None:
    words = split("The old actors gave us a truly moving performance.").words
    assert tag(words)[:4] == ("DT", "JJ", "NNS", "VBD")
    assert tag(words)[-1] == "NN"


def test_a_contraction_gets_the_tag_of_its_first_part() -> None:
    words = split("It doesn't help that we’re late and the film's long.").words
    tags = dict(zip(words, tag(words), strict=True))
    assert tags["doesn't"] == "VBZ"
    assert tags["we’re"] == "PRP"
    assert tags["film's"] == "NN"


def test_a_capital_at_the_start_of_a_sentence_makes_no_name() -> None:
    words = split("It was long. Acting was poor, said John Smith of London.").words
    tags = dict(zip(words, tag(words), strict=True))
    assert tags["Acting"] != "NNP"
    assert tags["John"] == tags["Smith"] == tags["London"] == "NNP"


def test_an_empty_text_has_no_tags() -> None:
    assert tag([]) == ()


@pytest.mark.parametrize(
    ("penn", "coarse"),
    [("NNS", "NOUN"), ("VBD", "VERB"), ("MD", "VERB"), ("JJR", "ADJ"), ("RB", "ADV"),
     ("PRP$", "PRON"), ("WP$", "PRON"), ("WRB", "ADV"), ("IN", "ADP"), ("FW", "X")],
)  # fmt: skip
def test_coarse_tags(penn: str, coarse: str) -> None:
    assert universal(penn) == coarse


def test_most_tags_of_hand_tagged_sentences_are_right() -> None:
    lines = (DATA / "tagged.txt").read_text(encoding="utf-8").splitlines()
    pairs = [[cell.rsplit("/", 1) for cell in line.split()] for line in lines]
    right = sum(
        own == gold
        for sentence in pairs
        for own, (_, gold) in zip(tag([word for word, _ in sentence]), sentence, strict=True)
    )
    assert right / sum(map(len, pairs)) >= 0.94
