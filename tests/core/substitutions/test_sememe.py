"""The bundled sememe lexicon, and a user's HowNet read by OpenHowNet."""

import pickle
from pathlib import Path

import pytest

from core.substitutions import hownet
from core.substitutions.sememe import Sememe
from core.text import split

SENSES = [  # word, part of speech, definition
    ("film", "noun", "{shows|表演物}"),
    ("drama", "noun", "{shows|表演物}"),
    ("Opera", "noun", "{shows|表演物}"),
    ("film", "verb", "{record|记录}"),
    ("bad", "adj", "{bad|坏}"),
    ("two words", "noun", "{shows|表演物}"),
    ("quickly", "adv", "{fast|快}"),
    ("of", "prep", "{shows|表演物}"),
]


def write_hownet(folder: Path) -> Path:
    """A folder in the form that OpenHowNet reads."""
    resources = folder / "resources"
    resources.mkdir(parents=True)
    sememes = ["shows|表演物", "record|记录", "bad|坏", "fast|快"]
    (resources / "sememe_all").write_bytes(pickle.dumps(dict.fromkeys(sememes, 1)))
    (resources / "sememe_triples_taxonomy.txt").write_text(
        "bad|坏 antonym fast|快\n", encoding="utf-8"
    )
    senses = {
        str(number): {
            "No": str(number), "en_word": word, "en_grammar": part,
            "ch_word": "词", "ch_grammar": part, "Def": definition,
        }
        for number, (word, part, definition) in enumerate(SENSES)
    }  # fmt: skip
    (resources / "HowNet_dict_complete").write_bytes(pickle.dumps(senses))
    return folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def words_for(method: Sememe, text: str, word: str) -> list[str]:
    words = split(text).words
    return [s.word for s in method(words)[words.index(word)].substitutes]


def test_bundled_sememes_serve_inflected_words() -> None:
    method = Sememe()
    assert "dreadful" in words_for(method, "A terrible film.", "terrible")
    assert "comedians" in words_for(method, "The actors were good.", "actors")
    assert "sememes: performer, person" in {
        s.reason for s in method(("The", "actors", "laughed"))[1].substitutes
    }


def test_the_lexicon_in_use_is_named() -> None:
    assert Sememe().source == "WordNet 3.0 concepts (bundled)"


def test_the_limit_bounds_each_column() -> None:
    words = split("The old man walked home and made a good story.").words
    assert max(len(column.substitutes) for column in Sememe(limit=5)(words)) == 5
    assert max(len(column.substitutes) for column in Sememe(limit=None)(words)) > 25


def test_hownet_is_used_once_it_is_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hownet.main([str(write_hownet(tmp_path / "hownet"))]) == 0
    assert "6 entries written" in capsys.readouterr().out
    method = Sememe()
    assert method.source == "HowNet by OpenHowNet (6 entries)"
    assert words_for(method, "A long film.", "film") == ["opera", "drama"]
    assert words_for(method, "Three long FILMS.", "FILMS") == ["OPERAS", "DRAMAS"]
    column = method(("a", "bad", "film"))[1]
    assert column.note == "no word shares its sememes"
    assert Sememe(lexicon="wordnet").source.startswith("WordNet")


def test_a_hownet_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hownet.main([str(tmp_path)]) == 2
    assert "sememe_all is missing; fetch HowNet" in capsys.readouterr().err


def test_a_hownet_that_could_run_code_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_hownet(tmp_path / "hownet")
    (folder / "resources" / "HowNet_dict_complete").write_bytes(pickle.dumps({"1": print}))
    assert hownet.main([str(folder)]) == 2
    assert "not a plain HowNet file" in capsys.readouterr().err


def test_demanding_hownet_without_it_names_the_command() -> None:
    from core.errors import ResourceMissingError

    with pytest.raises(ResourceMissingError, match=r"python -m core\.substitutions\.hownet"):
        Sememe(lexicon="hownet")(("film",))
