"""Trained networks as victims: predictions, fixed premises, bound spaces, damaged files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import InputError, ResourceMissingError
from core.victims import Victim
from core.victims.bound import covering, text_of
from core.victims.networks.batching import padded
from core.victims.networks.characters import CHARCNN
from core.victims.neural import NeuralVictim, load
from tests.toys.victim_parts import RECIPES, Space, train_tiny

PREMISE = "The film is good."
TEXTS = (
    "The film was good.",
    "Dull!",
    "",
    "It doesn't do well-made [UNK] movies, does it?",
    "bad " * 30,
    "A plot",
)
SPACE = Space(
    (
        ("The", "A"),
        ("film", "movie", "motion picture", "well-made zzz", "don't"),
        ("was", "is"),
        ("very good", "dull", "a great", "U.S."),
    ),
    ("", " ", " ", " not ", "!!"),
)


@pytest.fixture(scope="module", params=list(RECIPES))
def victim(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> NeuralVictim:
    folder = tmp_path_factory.mktemp("victims")
    train_tiny(request.param, folder)
    found = load(request.param, folder)
    return found.given({"premise": PREMISE})


def all_states(space: Space) -> np.ndarray:
    ranges = [range(-1, len(column)) for column in space.choices]
    return np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, len(ranges))


def test_rows_are_probabilities(victim: NeuralVictim) -> None:
    assert isinstance(victim, Victim)
    found = victim.predict(TEXTS)
    assert found.shape == (len(TEXTS), len(victim.labels))
    assert found.dtype == np.float64
    assert np.allclose(found.sum(axis=1), 1)
    assert found.min() >= 0


def test_a_text_gets_the_same_answer_alone_and_in_a_batch(victim: NeuralVictim) -> None:
    together = victim.predict(TEXTS)
    alone = np.concatenate([victim.predict([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5


def test_common_parts_computed_once_give_what_the_network_gives(victim: NeuralVictim) -> None:
    network: Any = victim.forward.network
    premise: tuple[torch.Tensor, ...] = ()
    if victim.task_key == "pair":
        premise = (network.premise(*padded([victim.reader.text_ids(PREMISE)])),)
    for text, answer in zip(TEXTS, victim.predict(TEXTS), strict=True):
        scores = network(*padded([victim.row(text)]), *premise) / victim.temperature
        assert np.abs(scores.softmax(dim=1).numpy() - answer).max() < 1e-5


def test_no_texts_give_no_rows(victim: NeuralVictim) -> None:
    assert victim.predict([]).shape == (0, len(victim.labels))


def test_bound_states_equal_their_texts(victim: NeuralVictim) -> None:
    bound = victim.bind(SPACE)
    states = all_states(SPACE)
    assert not bound.by_text
    expected = victim.predict([text_of(SPACE, state) for state in states.tolist()])
    assert np.abs(bound(states) - expected).max() < 1e-5


def test_few_bound_states_equal_their_texts(victim: NeuralVictim) -> None:
    states = all_states(SPACE)[[3, 70]]
    expected = victim.predict([text_of(SPACE, state) for state in states.tolist()])
    assert np.abs(victim.bind(SPACE)(states) - expected).max() < 1e-5


def test_bound_takes_no_states_and_spaces_without_words(victim: NeuralVictim) -> None:
    assert victim.bind(SPACE)(np.zeros((0, 4), dtype=np.int64)).shape == (0, len(victim.labels))
    for gap in ("", "?!"):
        found = victim.bind(Space((), (gap,)))(np.zeros((1, 0), dtype=np.int64))
        assert np.abs(found - victim.predict([gap])).max() < 1e-5


def test_a_substitute_that_grows_together_with_its_neighbour_is_read_as_text(
    victim: NeuralVictim,
) -> None:
    space = Space((("film", "3"), ("5", "good")), ("", ".", ""))
    bound = victim.bind(space)
    states = all_states(space)
    expected = victim.predict([text_of(space, state) for state in states.tolist()])
    assert np.abs(bound(states) - expected).max() < 1e-5
    assert bound.by_text == (victim.forward.kind is not CHARCNN)  # characters never grow together


def test_covering_states_contain_every_choice() -> None:
    states = covering(SPACE)
    for place, column in enumerate(SPACE.choices):
        assert set(states[:, place]) == set(range(-1, len(column)))


def test_a_premise_changes_the_answer(tmp_path: Path) -> None:
    train_tiny("infersent", tmp_path, count=400, epochs=4, rate=0.02)
    victim = load("infersent", tmp_path)
    praised, blamed = (
        victim.given({"premise": text}).predict(["It was lovely"])[0]
        for text in ("The film is good", "The film is awful")
    )
    assert victim.labels[int(praised.argmax())] == "entailment"
    assert victim.labels[int(blamed.argmax())] == "contradiction"


def test_a_premise_is_asked_for(tmp_path: Path) -> None:
    train_tiny("dnn", tmp_path)
    victim = load("dnn", tmp_path)
    with pytest.raises(InputError, match="needs a premise"):
        victim.predict(["It was good"])
    with pytest.raises(InputError, match="needs a premise"):
        victim.bind(SPACE)
    with pytest.raises(InputError, match="premise is empty"):
        victim.given({"premise": "  "})


def test_a_premise_changes_nothing_where_none_is_read(tmp_path: Path) -> None:
    train_tiny("cnn", tmp_path)
    victim = load("cnn", tmp_path)
    assert victim.given({"premise": PREMISE}) is victim


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    train_tiny("cnn", tmp_path)
    return tmp_path


def test_missing_weights_are_named_with_the_command(folder: Path) -> None:
    (folder / "cnn" / "weights.safetensors").unlink()
    with pytest.raises(ResourceMissingError, match=r"weights\.safetensors is missing.*train cnn"):
        load("cnn", folder)


def test_damaged_weights_are_named_with_the_command(folder: Path) -> None:
    path = folder / "cnn" / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ResourceMissingError, match=r"weights\.safetensors is damaged.*train cnn"):
        load("cnn", folder)


def test_changed_words_are_noticed(folder: Path) -> None:
    path = folder / "words.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("film", "filn"), encoding="utf-8")
    with pytest.raises(ResourceMissingError, match=r"words\.txt is damaged"):
        load("cnn", folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"options": {"filters": 7, "dropout": 0.1}},
        {"network": "lstm", "options": {"hidden": 6, "directions": 1, "dropout": 0.1}},
    ],
)
def test_weights_of_another_network_are_refused(folder: Path, changes: dict[str, object]) -> None:
    path = folder / "cnn" / "card.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    card |= changes
    path.write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(ResourceMissingError, match="does not fit its network"):
        load("cnn", folder)


def test_a_missing_or_damaged_card_is_named(folder: Path) -> None:
    path = folder / "cnn" / "card.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ResourceMissingError, match=r"card\.json is damaged.*train cnn"):
        load("cnn", folder)
    path.unlink()
    with pytest.raises(ResourceMissingError, match=r"card\.json is missing.*train cnn"):
        load("cnn", folder)
