"""Folders with models of Hugging Face that write, as victims."""

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from core.errors import InputError
from core.tasks import task_of
from core.victims import Victim
from core.victims.adapters import hf_translating
from core.victims.config import read_victims
from tests.toys import tiny

TEXTS = ["a good film", "bad", "", "this is a very good film", "good bad film", "odd words"]


@pytest.fixture(scope="module", params=["marian", "t5"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.writer(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.parametrize("beams", [1, 3])
def test_it_writes_what_the_model_writes(folder: Path, beams: int) -> None:
    victim = hf_translating.load(folder, beams=beams)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    words = AutoTokenizer.from_pretrained(folder)
    found = victim.predict(TEXTS)
    assert found[TEXTS.index("")] == ""
    for text, said in zip(TEXTS, found, strict=True):
        if not text:
            continue
        with torch.inference_mode():
            rows = words(text, return_tensors="pt")
            kept = {name: rows[name] for name in ("input_ids", "attention_mask")}
            ids = model.generate(
                **kept, num_beams=beams, do_sample=False, max_new_tokens=victim.longest
            )
        assert said == words.batch_decode(ids, skip_special_tokens=True)[0].strip()
    assert len(set(found)) > 1


def test_it_is_a_victim_of_its_task(folder: Path) -> None:
    victim = hf_translating.load(folder)
    assert isinstance(victim, Victim)
    found = task_of(victim).checked(victim.predict(TEXTS), len(TEXTS))
    assert [victim.predict([text])[0] for text in TEXTS] == found.tolist()


def test_a_prefix_stands_before_every_text(folder: Path) -> None:
    plain, led = hf_translating.load(folder), hf_translating.load(folder, prefix="very bad ")
    assert led.predict(["film"])[0] == plain.predict(["very bad film"])[0]


def test_a_model_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    folder = tiny.writer(tmp_path, "marian", without="model.encoder.layers.0.fc1.weight")
    with pytest.raises(InputError, match="not trained for translation"):
        hf_translating.load(folder)


def test_the_victims_file_names_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "victims.toml"
    table = f'[victims.mine]\npath = "{folder}"\ntask_key = "translation"\nbeams = 2\nprefix = "a "'
    path.write_text(table)
    victim = read_victims(path)["mine"]()
    assert isinstance(victim, hf_translating.HuggingFaceTranslation)
    assert (victim.beams, victim.prefix) == (2, "a ")
