"""A folder with a question-answering model of Hugging Face as a victim."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

from core.errors import InputError, ResourceMissingError
from core.tasks import task_of
from core.victims import ContextVictim
from core.victims.adapters import hf_answering
from core.victims.config import read_victims
from tests.toys import tiny

PASSAGE = "this is a very good film. bad is this film."
QUESTIONS = ["is this a film", "very bad", "", "is this " * 40]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.answering_bert(tmp_path_factory.mktemp("answering"))


def test_its_answer_is_the_best_span_of_the_models_own_scores(folder: Path) -> None:
    victim = hf_answering.load(folder).given({"passage": PASSAGE})
    (found,) = victim.predict(QUESTIONS[:1])
    model = AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    words = AutoTokenizer.from_pretrained(folder)
    rows = words(QUESTIONS[0], PASSAGE, return_tensors="pt", return_offsets_mapping=True)
    places = rows.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        scores = model(**rows)
    inside = [at for at, part in enumerate(rows.sequence_ids()) if part == 1]
    first = scores.start_logits[0, inside].softmax(0)
    last = scores.end_logits[0, inside].softmax(0)
    both = torch.triu(first[:, None] * last[None])
    start, end = divmod(int(both.argmax()), len(inside))
    assert (found.start, found.end) == (places[inside[start]][0], places[inside[end]][1])
    assert found.text == PASSAGE[found.start : found.end]
    assert found.confidence == pytest.approx(float(both.max()), abs=1e-5)
    assert found.none_confidence == 0


def test_it_is_a_victim_of_its_task(folder: Path) -> None:
    victim = hf_answering.load(folder, no_answer=True)
    assert isinstance(victim, ContextVictim)
    assert victim.hidden_token == "[UNK]"
    asked = victim.given({"passage": PASSAGE})
    found = task_of(asked).checked(asked.predict(QUESTIONS), len(QUESTIONS))
    assert all(span.none_confidence > 0 for span in found)
    assert [asked.predict([text])[0] for text in QUESTIONS] == found.tolist()


def test_a_passage_longer_than_the_model_is_read_to_its_end(folder: Path) -> None:
    long = "very " * 100 + "good film"
    (found,) = hf_answering.load(folder).given({"passage": long}).predict(["is this film"])
    assert found.text == long[found.start : found.end]
    assert found.end > len("very " * 90)  # the model prefers words that come once


def test_a_model_without_a_trained_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not trained for answering \(qa_outputs"):
        hf_answering.load(tiny.headless_bert(tmp_path))


def test_what_is_missing_is_said(folder: Path) -> None:
    with pytest.raises(ResourceMissingError, match="cannot be loaded"):
        hf_answering.load(folder / "not-there")
    with pytest.raises(InputError, match="The passage is empty"):
        hf_answering.load(folder).given({})
    with pytest.raises(InputError, match="needs a passage"):
        hf_answering.load(folder).predict(["who"])


def test_the_victims_file_names_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "victims.toml"
    path.write_text(f'[victims.mine]\npath = "{folder}"\ntask_key = "answering"\nno_answer = true')
    entry = read_victims(path)["mine"]
    assert entry.card["task_key"] == "answering"
    victim = entry()
    assert isinstance(victim, hf_answering.HuggingFaceAnswering)
    assert victim.none
