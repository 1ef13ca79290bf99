"""Constraints built on models."""

import math
from collections.abc import Sequence

import pytest

from core.errors import InputError
from core.quality import ScoreCache, Similarity
from core.quality.constraints import CONSTRAINTS, LanguageModelFilter, SentenceSimilarity, window
from core.quality.language_model import LanguageModel
from core.quality.models import load_folder
from core.quality.similarity import Encoder
from core.substitutions.protocol import Column, Substitute
from tests.toys import tiny


def column(*words: str, note: str = "") -> Column:
    return Column(tuple(Substitute(word, f"like {word}") for word in words), note)


def kept(columns: Sequence[Column]) -> list[list[str]]:
    return [[substitute.word for substitute in column.substitutes] for column in columns]


@pytest.mark.parametrize(
    ("length", "position", "expected"),
    [(20, 10, (3, 18)), (20, 0, (0, 15)), (20, 19, (5, 20)), (20, 7, (0, 15)), (9, 4, (0, 9))],
)
def test_the_window_moves_at_the_borders(
    length: int, position: int, expected: tuple[int, int]
) -> None:
    words = list(range(length))
    assert words[window(length, position, 15)] == list(range(*expected))


def test_similarity_drops_what_changes_the_sentence(encoder: Encoder, cache: ScoreCache) -> None:
    words = ["this", "is", "a", "very", "good", "film"]
    columns = [Column(note="stop word")] * 4 + [column("bad", "film", "good"), Column()]
    free = SentenceSimilarity(threshold=-9, size=3, encoder=encoder, cache=cache)(words, columns)
    assert kept(free) == kept(columns)
    reasons = [substitute.reason for substitute in free[4].substitutes]
    assert reasons[2] == "like good; similarity 1.00"
    scores = [float(reason.rsplit(" ", 1)[1]) for reason in reasons]
    between = sorted(scores)[1] - 0.01
    strict = SentenceSimilarity(between, size=3, encoder=encoder, cache=cache)(words, columns)
    assert len(strict[4].substitutes) == 2
    assert strict[0].note == "stop word"
    emptied = SentenceSimilarity(1.1, size=3, encoder=encoder, cache=cache)(words, columns)
    assert emptied[4] == Column((), emptied[4].note)
    assert "similar enough (textfooler >= 1.1)" in emptied[4].note


def test_similarity_looks_at_the_window_only(encoder: Encoder, cache: ScoreCache) -> None:
    words = ["this", "is", "a", "very", "good", "film"]
    columns = [Column()] * 5 + [column("bad")]
    filtered = SentenceSimilarity(-9, size=3, encoder=encoder, cache=cache)(words, columns)
    expected = Similarity(encoder, "textfooler", cache).scores(
        ["very good film"], ["very good bad"]
    )
    assert filtered[5].substitutes[0].reason.endswith(f"similarity {expected[0]:.2f}")


def test_short_texts_have_their_own_threshold(encoder: Encoder, cache: ScoreCache) -> None:
    words, columns = ["good", "film"], [column("bad"), Column()]
    lenient = SentenceSimilarity(1.1, short_threshold=-9, encoder=encoder, cache=cache)
    assert kept(lenient(words, columns)) == [["bad"], []]


def test_nothing_to_filter_needs_no_model() -> None:
    columns = (Column(note="none"), Column())
    assert SentenceSimilarity()(["a", "b"], columns) == columns
    assert LanguageModelFilter()(["a", "b"], columns) == columns


def test_constraints_refuse_senseless_settings() -> None:
    with pytest.raises(InputError, match="at least one word"):
        SentenceSimilarity(size=0)
    with pytest.raises(InputError, match="at least one substitute"):
        LanguageModelFilter(top=0)


@pytest.fixture(scope="module")
def colours(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    likely = {"sky": {"blue": 0.6, "grey": 0.2, "red": 0.1}, "rose": {"red": 0.8, "blue": 0.1}}
    names = [tiny.START, "sky", "rose", "red", "blue", "grey"]
    table = {}
    for last in names:
        row = likely.get(last, {})
        rest = (1 - sum(row.values())) / (len(names) - len(row))
        table[last] = {name: row.get(name, rest) for name in names}
    return load_folder(tiny.bigram(tmp_path_factory.mktemp("colours"), table))


def test_the_filter_keeps_the_likeliest_after_the_left_context(
    colours: LanguageModel, cache: ScoreCache
) -> None:
    keep = LanguageModelFilter(top=2, model=colours, cache=cache)
    words = ["sky", "red", "rose", "grey"]
    options = column("rose", "grey", "blue", "red")
    columns = [column("rose"), options, Column(note="stop word"), options]
    found = keep(words, columns)
    assert kept(found) == [["rose"], ["grey", "blue"], [], ["blue", "red"]]
    assert found[0] == columns[0]  # nothing to rank, nothing to add
    assert found[2].note == "stop word"
    assert found[1].substitutes[1].reason == f"like blue; log P {math.log(0.6):.1f}"
    assert keep(words, columns) == found  # the second time from the cache


def test_of_equally_likely_substitutes_the_first_are_kept(
    colours: LanguageModel, cache: ScoreCache
) -> None:
    keep = LanguageModelFilter(top=1, model=colours, cache=cache)
    assert kept(keep(["red"], [column("sky", "rose")])) == [["sky"]]


def test_constraints_are_listed_with_what_they_need() -> None:
    assert set(CONSTRAINTS) == {"similarity", "language-model"}
    for entry in CONSTRAINTS.values():
        reason = entry.missing()
        assert "pip install" in reason if reason else callable(entry())
