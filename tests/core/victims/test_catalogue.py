"""The victims that come with the project: cards, sizes, sensible answers."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.package_files import sha256
from core.victims import Victim, given
from core.victims.bound import text_of
from core.victims.card import read_card
from core.victims.catalogue import bundled
from core.victims.neural import NeuralVictim
from core.victims.recipes import ALL_RECIPES, POINTERS, RECIPES, TRANSLATORS
from core.victims.training.table import main
from core.victims.words import ASSETS
from tests.toys.victim_parts import Space, train_tiny

TRAINED = [name for name in RECIPES if (ASSETS / name / "card.json").is_file()]

WITHOUT_LABELS = [
    name for name in (*POINTERS, *TRANSLATORS) if (ASSETS / name / "card.json").is_file()
]


SENTENCES = {
    "sst2": {
        "positive": "A warm, funny and moving film with a wonderful cast.",
        "negative": "A dull, clumsy mess that wastes a good cast and bores everyone.",
    },
    "ag": {
        "Sports": "The striker scored twice in the second half as the team won the cup final.",
        "Business": "Shares fell after the company reported lower profit and oil prices rose.",
        "World": "The president met foreign ministers for peace talks after soldiers were killed.",
    },
    "snli": {
        "entailment": "A man is outside.",
        "contradiction": "A woman is sleeping in bed.",
    },
}


SENTENCES["mr"] = SENTENCES["imdb"] = SENTENCES["sst2"]


PREMISE = "A man is riding a bicycle along a street in the rain."


def make(name: str) -> Victim:
    entry = bundled()[name]
    if reason := entry.missing():
        pytest.skip(reason)
    return given(entry(), {"premise": PREMISE})


@pytest.mark.parametrize("name", TRAINED)
def test_the_card_describes_its_files(name: str) -> None:
    card = read_card(ASSETS / name)
    assert card["name"] == name
    taught = " --teacher FILE --further VICTIMS" if "teacher" in card else ""
    assert card["command"] == f"python -m core.victims.training.train {name} --data DIR{taught}"
    assert tuple(card["labels"]) == RECIPES[name].labels
    assert card["held_out"]["rows"] >= 400
    assert card["held_out"]["calibration_error"] < 0.1
    for file, expected in card["files"].items():
        assert sha256(ASSETS / name / file) == expected
    assert (ASSETS / name / "weights.safetensors").stat().st_size < 5e6


@pytest.mark.parametrize("name", WITHOUT_LABELS)
def test_the_card_of_one_without_labels_describes_its_files(name: str) -> None:
    card = read_card(ASSETS / name)
    assert card["name"] == name
    assert card["command"] == f"python -m core.victims.training.train {name} --data DIR"
    assert card["task_key"] == ALL_RECIPES[name].task_key
    assert card["held_out"]["rows"] >= 400
    for file, expected in card["files"].items():
        assert sha256(ASSETS / name / file) == expected
    assert (ASSETS / name / "weights.safetensors").stat().st_size < 5e6


@pytest.mark.parametrize("name", [name for name in WITHOUT_LABELS if name in TRANSLATORS])
def test_a_plain_sentence_is_translated(name: str) -> None:
    said = make(name).predict(["A man in a red shirt is playing the guitar."])[0].lower()
    assert {"homme", "rouge", "guitare"} <= set(said.rstrip(".").split())


@pytest.mark.parametrize("name", [name for name in WITHOUT_LABELS if name in POINTERS])
def test_a_plain_question_is_answered(name: str) -> None:
    victim = bundled()[name]()
    passage = "The lighthouse on the northern cape was built in 1874 by the engineer Ada Lund."
    (span,) = given(victim, {"passage": passage}).predict(["When was the lighthouse built?"])
    assert "1874" in span.text


def test_all_victims_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in Path(ASSETS).rglob("*") if path.is_file()) < 35e6


@pytest.mark.parametrize("name", TRAINED)
def test_clear_sentences_are_understood(name: str) -> None:
    victim = make(name)
    for label, text in SENTENCES[RECIPES[name].data].items():
        (probabilities,) = victim.predict([text])
        assert victim.labels[int(probabilities.argmax())] == label, text


@pytest.mark.parametrize("name", TRAINED)
def test_bound_states_equal_their_texts(name: str) -> None:
    victim = make(name)
    words = ["It", "isn't", "a", "good", "film", "but", "the", "well-made", "plot", "works"]
    substitutes = ("great", "awful", "movie", "quixotic", "U.S.")
    space = Space(tuple((word, *substitutes) for word in words), ("", *(" ",) * 9, "!"))
    states = np.random.default_rng(0).integers(-1, 6, size=(100, 10))  # enough for the fast way
    expected = victim.predict([text_of(space, state) for state in states.tolist()])
    assert isinstance(victim, NeuralVictim)
    bound = victim.bind(space)
    assert np.abs(bound(states) - expected).max() < 1e-5


def test_the_readme_has_the_figures_of_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    printed = capsys.readouterr().out
    rows = [line.split()[1] for line in printed.splitlines() if line.startswith("| ")]
    assert [name for name in rows if name != "victim"] == TRAINED + WITHOUT_LABELS
    assert printed in (ASSETS / "README.md").read_text(encoding="utf-8")


def test_victims_without_weights_say_how_to_train_them(tmp_path: Path) -> None:
    entries = bundled(tmp_path)
    assert list(entries) == list(ALL_RECIPES)
    assert list(entries)[: len(RECIPES)] == list(RECIPES)
    entry = entries["cnn-sst2"]
    assert entry.card["labels"] == ("negative", "positive")
    with pytest.raises(ResourceMissingError, match=r"train cnn-sst2 --data DIR"):
        entry()


@pytest.fixture
def renamed(tmp_path: Path) -> Callable[[str, str], Path]:
    def place(tiny: str, name: str) -> Path:
        train_tiny(tiny, tmp_path)
        (tmp_path / tiny).rename(tmp_path / name)
        return tmp_path

    return place


def test_an_entry_makes_its_victim(renamed: Callable[[str, str], Path]) -> None:
    entry = bundled(renamed("cnn", "cnn-sst2"))["cnn-sst2"]
    assert entry.card["network"] == "cnn"
    assert entry.missing() == ""
    assert entry().predict(["a good film"]).shape == (1, 2)


def test_an_entry_takes_a_premise(renamed: Callable[[str, str], Path]) -> None:
    entry = bundled(renamed("dnn", "dnn-snli"))["dnn-snli"]
    assert given(entry(), {"premise": "The film is good"}).predict(["It was good"]).shape == (1, 3)


def test_listing_victims_loads_no_torch() -> None:
    import subprocess

    code = "import sys, core.victims.catalogue as c; c.bundled(); print('torch' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
