"""Bundled files: read, or named together with the command that restores them."""

from pathlib import Path

import pytest

from core import ResourceMissingError, SearchSpace, assets
from core.substitutions import toy as toy_words
from core.victims import toy


def test_the_papers_example_is_bundled() -> None:
    examples = {example["title"]: example["text"] for example in assets.read_json("examples.json")}
    space = SearchSpace.from_text(
        examples["The paper's sememes: its own example"], toy_words.load()
    )
    assert space.text(space.origin) == "I love this movie"
    assert {word for column in space.choices for word in column[1:]} == {
        *("like", "favor", "film", "picture")
    }


def test_the_toy_victim_knows_every_toy_substitute() -> None:
    weights = toy.load().weights
    for substitutes in toy_words.load().rows.values():
        assert set(substitutes) <= set(weights)


def test_a_damaged_file_is_named_with_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "FOLDER", tmp_path)
    with pytest.raises(ResourceMissingError, match="git checkout assets/examples"):
        assets.read_json("examples.json")
    (tmp_path / "examples.json").write_text("{")
    with pytest.raises(ResourceMissingError, match="damaged"):
        assets.read_json("examples.json")
