"""How much it takes to add a substitution, a victim or a page: a file and a line at most."""

import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.shared import loaders
from core import SUBSTITUTIONS, VICTIMS
from core.__main__ import main
from core.experiment import runner
from core.experiment.engines import Local
from core.experiment.plan_file import make_plan
from core.registry import Entry
from core.victims.catalogue import bundled
from core.victims.networks.registry import NETWORKS
from core.victims.recipes import RECIPES, Recipe
from tests.toys import tiny, victim_parts
from tests.toys.pages import harness
from tests.toys.places import ROOT

TEXT = "A charming and often very funny film."
DOUBLED = '''
"""Every word may be written with its last letter twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.substitutions.protocol import Column, Substitute


@dataclass(frozen=True)
class Doubled:
    """Words as they are typed in a hurry."""

    longest: int = 20

    def __call__(self, words: Sequence[str]) -> tuple[Column, ...]:
        return tuple(
            Column((Substitute(word + word[-1], "a slip of the finger"),))
            if len(word) <= self.longest
            else Column(note="too long")
            for word in words
        )
'''


@pytest.fixture
def _doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file, and the line."""
    (tmp_path / "doubled.py").write_text(DOUBLED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    made = importlib.import_module("doubled").Doubled
    entry = Entry(made, "the last letter twice", {"source": "this test"})
    monkeypatch.setitem(SUBSTITUTIONS, "doubled", entry)
    yield
    del sys.modules["doubled"]


@pytest.mark.usefixtures("_doubled")
def test_a_substitution_is_on_the_command_line_and_in_a_plan(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["substitutions"]["doubled"]
    assert listed["about"] == "the last letter twice"
    options = ["--substitution", "doubled", "--substitution-option", "longest=5"]
    assert main(["space", TEXT, *options]) == 0
    shown = capsys.readouterr().out
    assert "funnyy" in shown
    assert "charmingg" not in shown
    content = {
        **{"name": "mine", "victims": ["toy"], "substitutions": ["doubled"], "searches": ["ls"]},
        **{"data": {"bundled": "sentiment"}, "limits": {"rows": 3}},
    }
    path = tmp_path / "mine.jsonl"
    results = runner.run(make_plan(content), path, tmp_path, Local(1))
    assert {attack.substitution for attack in results.attacks} == {"doubled"}


@pytest.mark.usefixtures("_doubled")
@pytest.mark.parametrize("name", ["lattice", "step", "race"])
def test_a_substitution_is_on_the_pages(name: str) -> None:
    app = harness(name)
    for key, value in {"victim": "toy", "words": "doubled", "text": TEXT}.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="words").value == "doubled"


@pytest.mark.usefixtures("_doubled")
def test_a_substitution_is_in_the_form_of_an_experiment() -> None:
    assert "doubled" in harness("results").run().multiselect(key="new.words").options


def test_a_victim_of_a_file_is_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.bert(tmp_path / "bert")
    (tmp_path / "victims.toml").write_text(
        '[victims.ours]\npath = "bert"\nlabels = ["minus", "plus"]\ntask = "sentiment"\n'
    )
    monkeypatch.setenv("SWAPSCOPE_VICTIMS", str(tmp_path / "victims.toml"))
    before = {**VICTIMS}
    try:
        loaders.configured_victims()
        assert main(["attack", TEXT, "--victim", "ours", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["label"] in ("minus", "plus")
        app = harness("lattice")
        app.query_params.update({"victim": "ours", "words": "toy", "text": TEXT})
        app.run()
        assert not app.exception
        assert not app.error
        assert app.selectbox(key="victim").value == "ours"
        assert "ours" in harness("results").run().multiselect(key="new.victims").options
    finally:
        VICTIMS.clear()
        VICTIMS.update(before)


AVERAGE = '''
"""The mean of the vectors of a text's words, and one layer."""

from torch import Tensor, nn

from core.victims.networks.kinds import NetworkKind
from core.victims.networks.single import TunedEmbedding


class Average(nn.Module):
    """One layer over the mean."""

    def __init__(self, embedding: TunedEmbedding, labels: int) -> None:
        super().__init__()
        self.embedding, self.output = embedding, nn.Linear(embedding.size, labels)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        return self.output(self.embedding(ids).sum(dim=1) / lengths[:, None])


AVERAGE = NetworkKind(Average)
'''


def test_a_kind_of_network_is_trained_and_attacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file, the line, and a recipe for a victim that is such a network."""
    (tmp_path / "average.py").write_text(AVERAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    monkeypatch.setitem(NETWORKS, "average", importlib.import_module("average").AVERAGE)
    recipe = Recipe("sst2", "average", "the mean of word vectors")
    monkeypatch.setitem(victim_parts.RECIPES, "average-sst2", recipe)
    monkeypatch.setitem(RECIPES, "average-sst2", recipe)
    try:
        card = victim_parts.train_tiny("average-sst2", tmp_path, 256, epochs=8, rate=0.05)
        assert card["held_out"]["accuracy"] > 0.8
        monkeypatch.setitem(VICTIMS, "average-sst2", bundled(tmp_path)["average-sst2"])
        text = "The film was good"
        options = ["--victim", "average-sst2", "--substitution", "toy", "--json"]
        assert main(["attack", text, *options]) == 0
        assert json.loads(capsys.readouterr().out)["label"] == "positive"
        app = harness("lattice")
        app.query_params.update({"victim": "average-sst2", "words": "toy", "text": text})
        app.run()
        assert not app.exception
        assert not app.error
    finally:
        del sys.modules["average"]


def test_a_page_is_one_file_and_one_line(tmp_path: Path) -> None:
    for name in ("core", "assets"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "pages", tmp_path / "pages")
    shutil.copytree(ROOT / "app", tmp_path / "app")
    (tmp_path / "pages" / "hello.py").write_text('import streamlit as st\n\nst.title("Hello")\n')
    entry = tmp_path / "app" / "main.py"
    lines = entry.read_text().replace("TITLES = {", 'TITLES = {\n    "hello": "Hello",')
    entry.write_text(lines)
    app = AppTest.from_file(entry, default_timeout=60).run()
    assert not app.exception
    app.switch_page(str(tmp_path / "pages" / "hello.py")).run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Hello"]
