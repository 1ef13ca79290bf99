"""The thesaurus: its file, its size, and the phrases in which nothing is swapped."""

from pathlib import Path

import pytest

from core.errors import ResourceMissingError
from core.substitutions import thesaurus as module
from core.substitutions.morphology import PARTS
from core.substitutions.thesaurus import fixed_phrase, thesaurus
from core.text import split


def test_every_line_is_a_sense_with_words_of_its_own() -> None:
    for entry, senses in thesaurus().items():
        lemma, part = entry.rsplit(".", 1)
        assert part in PARTS.values()
        assert len({sense.gloss for sense in senses}) == len(senses)
        for sense in senses:
            assert sense.gloss
            assert not set(sense.harmless) & set(sense.close)
            assert lemma not in (*sense.harmless, *sense.close)


def test_it_has_the_size_that_its_readme_tells() -> None:
    senses = [sense for listed in thesaurus().values() for sense in listed]
    harmless, close = (sum(len(getattr(s, name)) for s in senses) for name in ("harmless", "close"))
    told = (module.FILE.parent / "README.md").read_text(encoding="utf-8")
    for number in (len(thesaurus()), len(senses), harmless, close):
        assert f"{number:,}" in told
    assert harmless + close > 12_000


@pytest.mark.parametrize(
    ("text", "entry", "phrase"),
    [
        ("He told a love story again", "story.n", "love story"),
        ("He told love stories again", "story.n", "love story"),
        ("He told a story again", "story.n", ""),
    ],
)
def test_a_word_of_a_fixed_phrase_is_known(text: str, entry: str, phrase: str) -> None:
    words = split(text).words
    place = next(n for n, word in enumerate(words) if word.startswith("stor"))
    assert fixed_phrase(words, place, entry) == phrase


def test_a_missing_or_damaged_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FILE", tmp_path / "thesaurus.tsv")
    with pytest.raises(ResourceMissingError, match="is missing"):
        thesaurus.__wrapped__()
    (tmp_path / "thesaurus.tsv").write_text("word\tother\n", encoding="utf-8")
    with pytest.raises(ResourceMissingError, match="is damaged"):
        thesaurus.__wrapped__()
