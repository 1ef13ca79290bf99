"""A folder of Hugging Face as a victim."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from core import SEARCHES, Attack, SearchSpace, untargeted
from core.errors import InputError, ResourceMissingError
from core.victims import Victim
from core.victims.adapters import hf
from core.victims.adapters.function import from_estimator
from tests.toys import tiny

TEXTS = ["this is a good film", "bad", "a very very bad film", "strange words here", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bert(tmp_path_factory.mktemp("bert"))


def test_a_bert_folder_is_a_victim(folder: Path) -> None:
    victim = hf.load(folder)
    assert isinstance(victim, Victim)
    assert victim.labels == ("negative", "positive")
    assert victim.hidden_token == "[UNK]"
    found = victim.predict(TEXTS)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    words = AutoTokenizer.from_pretrained(folder)
    for text, row in zip(TEXTS, found, strict=True):
        with torch.inference_mode():
            expected = model(**words(text, return_tensors="pt")).logits.softmax(-1)
        np.testing.assert_allclose(row, expected.numpy()[0], atol=1e-6)
    assert victim.predict([]).shape == (0, 2)


def test_many_texts_take_several_passes(folder: Path) -> None:
    victim = hf.load(folder)
    texts = ["very " * 20 + "good", "bad"] * 80
    found = victim.predict(texts)
    np.testing.assert_allclose(found, np.tile(victim.predict(texts[:2]), (80, 1)), atol=1e-6)


def test_several_threads_may_ask_at_once(folder: Path) -> None:
    expected = hf.load(folder).predict(TEXTS)
    victim = hf.load(folder)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(victim.predict, [TEXTS] * 8))
    assert all(np.allclose(rows, expected, atol=1e-6) for rows in found)


def test_texts_longer_than_the_model_are_cut(folder: Path) -> None:
    victim = hf.load(folder)
    assert victim.longest == 32
    long = "good " * 100
    np.testing.assert_allclose(victim.predict([long]), victim.predict([long + " bad"]))


def test_the_hidden_token_is_one_token(folder: Path) -> None:
    victim = hf.load(folder)
    row = victim.tokenizer("a [UNK] film")["input_ids"]
    assert victim.tokenizer.convert_ids_to_tokens(row)[1:-1] == ["a", "[UNK]", "film"]


def test_a_premise_is_fixed(folder: Path) -> None:
    victim = hf.load(folder, premise="this is a film")
    words = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        pair = words("this is a film", "good", return_tensors="pt")
        expected = model(**pair).logits.softmax(-1).numpy()
    np.testing.assert_allclose(victim.predict(["good", "bad film"])[:1], expected, atol=1e-6)


def test_labels_can_be_renamed(folder: Path) -> None:
    assert hf.load(folder, labels=["minus", "plus"]).labels == ("minus", "plus")
    with pytest.raises(InputError, match="has 2 labels, but 3 names"):
        hf.load(folder, labels=["a", "b", "c"])
    with pytest.raises(InputError, match="two different labels"):
        hf.load(folder, labels=["same", "same"])


def test_without_padding_texts_go_one_by_one(folder: Path, tmp_path: Path) -> None:
    copy = tiny.edited(folder, tmp_path / "copy")
    settings = json.loads((copy / "tokenizer_config.json").read_text())
    settings.pop("pad_token")
    (copy / "tokenizer_config.json").write_text(json.dumps(settings))
    victim = hf.load(copy)
    assert victim.tokenizer.pad_token is None
    np.testing.assert_allclose(victim.predict(TEXTS), hf.load(folder).predict(TEXTS), atol=1e-6)


def test_an_encoder_without_classifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no trained classifier \(classifier\.bias is missing\)"):
        hf.load(tiny.headless_bert(tmp_path))


def test_several_labels_at_once_are_refused(folder: Path, tmp_path: Path) -> None:
    copy = tiny.edited(folder, tmp_path / "copy", problem_type="multi_label_classification")
    with pytest.raises(InputError, match="multi label classification"):
        hf.load(copy)


def test_code_that_comes_with_a_model_is_not_run(folder: Path, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    copy = tiny.edited(
        folder,
        tmp_path / "copy",
        model_type="own",
        auto_map={"AutoConfig": "own.Own", "AutoModelForSequenceClassification": "own.Own"},
    )
    (copy / "own.py").write_text(f"open({str(witness)!r}, 'w').close()\nclass Own: pass\n")
    with pytest.raises(ResourceMissingError, match="cannot be loaded"):
        hf.load(copy)
    assert not witness.exists()


@pytest.mark.parametrize("source", ["org/not-downloaded", "/no/such/folder"])
def test_a_model_that_is_not_here_is_one_sentence(source: str) -> None:
    with pytest.raises(ResourceMissingError, match="hf download") as caught:
        hf.load(source)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("model_type", "expected"), [("bert", 512), ("roberta", 510), ("deberta-v2", 512)]
)
def test_positions_that_start_after_the_padding_are_left_out(
    folder: Path, model_type: str, expected: int
) -> None:
    from transformers import AutoConfig

    config = AutoConfig.for_model(model_type, max_position_embeddings=512, pad_token_id=1)
    assert hf.longest(hf.load(folder).tokenizer, config) == expected


@pytest.mark.parametrize("search", ["ls", "sbgs"])
def test_adapters_can_be_attacked(folder: Path, search: str) -> None:
    words = [["this"], ["is"], ["a"], ["good", "bad", "very"], ["film", "this"]]
    space = SearchSpace.from_choices(words)
    for victim in (hf.load(folder), from_estimator(tiny.WordCounter())):
        (row,) = victim.predict([space.text(space.origin)])
        true = int(row.argmax())
        result = Attack(space, untargeted(victim, space, true), SEARCHES[search](), seed=0).run()
        (row,) = victim.predict([result.text])
        assert result.score == pytest.approx(1 - row[true], abs=1e-6)
        assert result.success <= (row.argmax() != true)
