"""Small models, and a cache for what they say."""

from pathlib import Path

import pytest

from core.quality import ScoreCache
from core.quality.language_model import LanguageModel
from core.quality.models import load_folder
from core.quality.similarity import Encoder
from core.transformers_loader import load_pretrained
from tests.toys import tiny

TABLE = {
    tiny.START: {tiny.START: 0.25, "yes": 0.5, "no": 0.25},
    "yes": {tiny.START: 0.25, "yes": 0.25, "no": 0.5},
    "no": {tiny.START: 0.5, "yes": 0.125, "no": 0.375},
}
WORDS = ["the", "film", "story", "is", "was", "good", "bad", "well", "made", "-", "a", "tale"]


@pytest.fixture(scope="module")
def two_words(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    return load_folder(tiny.bigram(tmp_path_factory.mktemp("bigram"), TABLE))


@pytest.fixture(scope="module")
def llama_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.random_llama(tmp_path_factory.mktemp("llama"), WORDS)


@pytest.fixture(scope="module")
def llama(llama_folder: Path) -> LanguageModel:
    return load_folder(llama_folder)


@pytest.fixture
def cache(tmp_path: Path) -> ScoreCache:
    return ScoreCache(tmp_path / "scores.sqlite")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    folder = tiny.bert(tmp_path_factory.mktemp("bert"))
    model, words, _, _ = load_pretrained("AutoModel", folder)
    return Encoder("tiny", model, words)
