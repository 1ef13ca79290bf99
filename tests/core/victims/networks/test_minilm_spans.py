"""MiniLM that points at answers: padding, the place of a passage, a start from another victim."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.generators import follow
from core.victims.networks.minilm_spans import MINILM_SPANS, PlacedPieces
from core.victims.networks.spans import stacked
from core.victims.recipes import POINTERS
from core.victims.trained import load
from core.victims.training import answering
from tests.toys.text_parts import data_folder

OPTIONS = {"rank": 2, "frozen": 5, "dropout": 0.0}
PASSAGE = "Ada lives in Rome. Ben lives in Oslo."


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(0)
    return MINILM_SPANS.build(**OPTIONS).eval()


@torch.inference_mode()
def test_padding_changes_nothing(network: Any) -> None:
    reader = PlacedPieces()
    texts = [("Where does Ben live?", PASSAGE), ("Who?", "Ada lives in Rome, in a small house.")]
    parts = [[reader.read(text).ids for text in column] for column in zip(*texts, strict=True)]
    together = network(*stacked(parts[0]), *stacked(parts[1]))
    for row, (question, passage) in enumerate(zip(*parts, strict=True)):
        alone = network(*stacked([question]), *stacked([passage]))[0]
        columns = len(passage) + 1
        assert (together[row, :, :columns] - alone).abs().max() < 1e-4
        assert torch.isinf(together[row, :, columns:]).all()


@torch.inference_mode()
def test_the_question_and_the_place_of_the_passage_count(network: Any) -> None:
    reader = PlacedPieces()
    passage = stacked([reader.read(PASSAGE).ids])
    first, second = (
        network(*stacked([reader.read(text).ids]), *passage) for text in ("Who?", "Where?")
    )
    assert (first - second).abs().max() > 1e-3
    change = torch.linspace(-1, 1, len(network.beside))  # a norm takes away what is the same
    network.beside += change
    assert (network(*stacked([reader.read("Who?").ids]), *passage) - first).abs().max() > 1e-3
    network.beside -= change


def test_one_victim_starts_from_another(tmp_path: Path) -> None:
    data = data_folder(tmp_path / "data", rows=30)
    recipes = {
        name: replace(POINTERS[name], options=OPTIONS, rows=16, epochs=1, bfloat16=False)
        for name in ("minilm-squad", "minilm-squad2")
    }
    cards = [
        follow(answering.train_steps(name, recipe, data, tmp_path), lambda check: None)
        for name, recipe in recipes.items()
    ]
    assert [card["no_answer"] for card in cards] == [False, True]
    assert cards[1]["start"]["sha256"] == cards[0]["files"]["weights.safetensors"]
    assert set(cards[1]["held_out"]) > {"answerable_f1", "no_answer_f1"}
    first, second = (load(name, tmp_path) for name in recipes)
    asked: Any = second
    (span,) = asked.given({"passage": PASSAGE}).predict(["Where does Ben live?"])
    assert span.none_confidence > 0
    sure: Any = first
    (span,) = sure.given({"passage": PASSAGE}).predict(["Where does Ben live?"])
    assert span.none_confidence == 0
