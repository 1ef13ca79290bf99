"""Victims that are not ours: Hugging Face folders, Python functions, the TOML file."""

import json
from collections.abc import Sequence
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
from core.victims.adapters.function import FunctionVictim, from_estimator
from core.victims.config import configured_victims, read_victims
from tests.toys import tiny

TEXTS = ["this is a good film", "bad", "a very very bad film", "strange words here", ""]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.bert(tmp_path_factory.mktemp("bert"))


def edit(folder: Path, copy: Path, **changes: object) -> Path:
    """A copy of a model folder with another config."""
    copy.mkdir(exist_ok=True)
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    config = json.loads((copy / "config.json").read_text()) | changes
    (copy / "config.json").write_text(json.dumps(config))
    return copy


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
    copy = edit(folder, tmp_path / "copy")
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
    copy = edit(folder, tmp_path / "copy", problem_type="multi_label_classification")
    with pytest.raises(InputError, match="multi label classification"):
        hf.load(copy)


def test_code_that_comes_with_a_model_is_not_run(folder: Path, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    copy = edit(
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
    assert hf._longest(hf.load(folder).tokenizer, config) == expected


@pytest.mark.parametrize("search", ["ls", "sbgs"])
def test_adapters_can_be_attacked(folder: Path, search: str) -> None:
    words = [["this"], ["is"], ["a"], ["good", "bad", "very"], ["film", "this"]]
    space = SearchSpace.from_choices(words)
    for victim in (hf.load(folder), from_estimator(WordCounter())):
        (row,) = victim.predict([space.text(space.origin)])
        true = int(row.argmax())
        result = Attack(space, untargeted(victim, space, true), SEARCHES[search](), seed=0).run()
        (row,) = victim.predict([result.text])
        assert result.score == pytest.approx(1 - row[true], abs=1e-6)
        assert result.success <= (row.argmax() != true)


class WordCounter:
    """What a fitted scikit-learn pipeline over texts looks like from outside."""

    classes_ = np.array([0, 1])

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        good = np.array([text.split().count("good") for text in texts], dtype=np.float32)
        positive = 1 / (1 + np.exp(-good))
        return np.stack([1 - positive, positive], axis=1)


def test_an_estimator_is_a_victim() -> None:
    victim = from_estimator(WordCounter())
    assert isinstance(victim, Victim)
    assert victim.labels == ("0", "1")
    np.testing.assert_allclose(victim.predict(["good", "x"])[:, 1], [0.731059, 0.5], atol=1e-6)
    assert victim.predict([]).shape == (0, 2)
    assert from_estimator(WordCounter(), ["bad", "good"]).labels == ("bad", "good")


def test_objects_that_are_no_classifiers_are_refused() -> None:
    class Unfitted:
        def predict_proba(self, texts: Sequence[str]) -> None:
            """Never called."""

    with pytest.raises(InputError, match="int has no predict_proba"):
        from_estimator(3)
    with pytest.raises(InputError, match="Unfitted has no classes_; fit it first"):
        from_estimator(Unfitted())


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([[0.5, 0.5]], "2 rows of 2 numbers"),
        ([[0.2, 0.3, 0.5]] * 2, "one for each of no, yes"),
        ([[0.5, 0.5], [2.0, -1.0]], "for text 2 it answered 2, -1. Apply a softmax"),
        ([[0.5, 0.5], [1.0, 1.0]], "sum to 1"),
        ([[0.5, 0.5], [float("nan"), 1.0]], "nan"),
        ([["a", "b"]] * 2, "something else"),
        (None, "something else|numbers of shape"),
        ([[0.5, 0.5], [1.0]], "something else"),
    ],
)
def test_wrong_answers_are_one_sentence(answer: object, complaint: str) -> None:
    victim = FunctionVictim(("no", "yes"), lambda _: answer)
    with pytest.raises(InputError, match=complaint):
        victim.predict(["a", "b"])


def test_rounded_probabilities_are_accepted() -> None:
    victim = FunctionVictim(("no", "yes"), lambda texts: [[0.3333, 0.6666]] * len(texts))
    assert victim.predict(["a"]).sum() == pytest.approx(1, abs=1e-15)


def test_a_victim_needs_labels() -> None:
    with pytest.raises(InputError, match="at least two different labels"):
        FunctionVictim(("only",), lambda texts: [[1.0]] * len(texts))


def write(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def test_no_file_no_victims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SWAPSCOPE_VICTIMS", raising=False)
    assert configured_victims() == {}


def test_the_file_sets_up_models_by_path_hub_and_address(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(folder, tmp_path / "mine")
    path = write(
        tmp_path / "victims.toml",
        """
        [victims.mine]
        path = "mine"
        about = "A BERT of our own"
        task = "sentiment"
        data = "our reviews"
        accuracy = 0.9
        labels = ["minus", "plus"]

        [victims.away]
        path = "not-there"

        [victims.hub]
        hub = "org/not-downloaded"

        [victims.odd-hub]
        hub = "a/b/c/d"

        [victims.service]
        address = "http://127.0.0.1:9/classify"
        labels = ["no", "yes"]
        token_variable = "TEST_SERVICE_TOKEN"
        timeout = 1
        retries = 0
        """,
    )
    monkeypatch.setenv("SWAPSCOPE_VICTIMS", str(path))
    victims = configured_victims()
    assert list(victims) == ["mine", "away", "hub", "odd-hub", "service"]
    assert victims["mine"].about == "A BERT of our own"
    assert victims["mine"].card == {
        "task": "sentiment",
        "data": "our reviews",
        "labels": ["minus", "plus"],
        "accuracy": 0.9,
    }
    assert victims["mine"]().labels == ("minus", "plus")
    assert victims["away"].about == "path not-there"
    assert "is not a folder" in victims["away"].missing()
    assert "hf download org/not-downloaded" in victims["hub"].missing()
    assert "not a hub id" in victims["odd-hub"].missing()
    monkeypatch.delenv("TEST_SERVICE_TOKEN", raising=False)
    assert "set the environment variable TEST_SERVICE_TOKEN" in victims["service"].missing()
    monkeypatch.setenv("TEST_SERVICE_TOKEN", "secret")
    service = victims["service"]()
    assert service.labels == ("no", "yes")
    with pytest.raises(ResourceMissingError, match="did not answer after 1 tries") as caught:
        service.predict(["a"])
    assert "secret" not in str(caught.value)


def test_a_downloaded_hub_model_is_a_victim(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    store = tmp_path / "models--org--name"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text("abc")
    (store / "snapshots").mkdir()
    edit(folder, store / "snapshots" / "abc")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    path = write(tmp_path / "victims.toml", '[victims.hub]\nhub = "org/name"\n')
    assert read_victims(path)["hub"]().labels == ("negative", "positive")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("victims = ", "cannot be read"),
        ("victims = 3", r"tables named \[victims.NAME\]"),
        ("[other]", r"tables named \[victims.NAME\]"),
        ("[victims]\nx = 1", r"must be a table; write \[victims.x\]"),
        ("[victims.x]", "exactly one of path, hub and address"),
        ('[victims.x]\npath = "a"\nhub = "b"', "exactly one of path, hub and address"),
        ('[victims.x]\npaht = "a"', 'unknown key "paht"; did you mean "path"?'),
        ('[victims.x]\nzzz = "a"', 'unknown key "zzz"; use path, hub, address'),
        ("[victims.x]\npath = 3", "path must be a text in quotes, not 3"),
        ('[victims.x]\naddress = "http://h"\nretries = 1.5', "retries must be a whole number"),
        ('[victims.x]\naddress = "http://h"\ntimeout = true', "timeout must be a number"),
        ('[victims.x]\naddress = "http://h"\npremise = "p"', "premise does not apply"),
        ('[victims.x]\npath = "a"\nrate = 1', "rate does not apply"),
        ('[victims.x]\npath = "a"\nlabels = ["one"]', "two different labels"),
        ('[victims.x]\naddress = "file:///etc/hosts"', "is not an address of a service"),
        ('[victims.x]\naddress = "http://h"\ntimeout = 0', "time-out must be above 0"),
    ],
)
def test_wrong_files_are_one_sentence(tmp_path: Path, content: str, complaint: str) -> None:
    path = write(tmp_path / "victims.toml", content)
    with pytest.raises(InputError, match=complaint) as caught:
        read_victims(path)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="named by SWAPSCOPE_VICTIMS, cannot be read"):
        read_victims(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9")
    with pytest.raises(InputError, match="cannot be read"):
        read_victims(tmp_path / "latin.toml")
