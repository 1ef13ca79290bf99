"""Load language models from local files; SmolLM2 is converted once into the user's cache folder."""

import json
import logging
import os
import shutil
import tempfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.errors import ResourceMissingError, first_line
from core.package_files import SMOLLM2, PackagedFile, sha256
from core.quality.cache import ENVIRONMENT, cache_folder
from core.quality.language_model import LONGEST, LanguageModel
from core.registry import Entry
from core.transformers_loader import load_pretrained, quiet

log = logging.getLogger(__name__)

_SEPARATOR = "<|endoftext|>"  # what GPT-2 and SmolLM2 saw between documents
_STAMP = "converted.json"
_GPT2 = "openai-community/gpt2"


def load_language_model(source: str | Path = "smollm2") -> LanguageModel:
    """A model of LANGUAGE_MODELS, of a folder, or of a hub id that is already on this machine."""
    entry = LANGUAGE_MODELS.get(str(source))
    return entry() if entry else load_folder(source)


def load_folder(source: str | Path, name: str = "", identity: str = "") -> LanguageModel:
    """Load a causal model from local safetensors; nothing is fetched, no remote code is run."""
    model, tokenizer, folder, _ = load_pretrained("AutoModelForCausalLM", source)
    limit = getattr(model.config, "max_position_embeddings", None) or LONGEST
    files = [*sorted(folder.glob("*.safetensors")), *folder.glob("tokenizer.json")]
    return LanguageModel(
        name=name or str(source),
        identity=identity or "+".join(sha256(path)[:16] for path in files),
        model=model,
        tokenizer=tokenizer,
        start=_start(tokenizer),
        longest=min(limit, LONGEST),
    )


def _start(tokenizer: Any) -> tuple[int, ...]:
    known = tokenizer.get_vocab()
    for token in (_SEPARATOR, tokenizer.bos_token, tokenizer.eos_token):
        if token in known:
            return (known[token],)
    return ()


@lru_cache(maxsize=1)
def load_smollm2() -> LanguageModel:
    """SmolLM2-135M, loaded once in a process; the first call ever converts it, half a minute."""
    folder = converted(SMOLLM2)
    return load_folder(folder, name="smollm2", identity=folder.name)


def converted(source: PackagedFile) -> Path:
    """The folder of float16 safetensors made from a GGUF file, made again when it is damaged."""
    folder = _converted_folder(source)
    if folder.is_dir():
        if _intact(folder):
            return folder
        log.warning("The converted model %s is damaged; converting it again.", folder)
        shutil.rmtree(folder)
    path = source.check()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as draft:
            converted = Path(draft, "model")
            _convert(path, converted)
            hashes = {file.name: sha256(file) for file in sorted(converted.iterdir())}
            (converted / _STAMP).write_text(json.dumps(hashes, indent=1), encoding="utf-8")
            os.replace(converted, folder)
    except OSError as error:
        if not _intact(folder):  # otherwise another process was faster: use its copy
            raise ResourceMissingError(
                f"{source.inside} cannot be converted into {folder} ({first_line(error)}); make "
                f"room there, or name another folder in {ENVIRONMENT}."
            ) from error
    return folder


def _converted_folder(source: PackagedFile) -> Path:
    return cache_folder() / "models" / f"{source.module}-{source.sha256[:16]}"


def _convert(path: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    with quiet():
        source = {"gguf_file": path.name, "local_files_only": True}
        AutoTokenizer.from_pretrained(path.parent, **source).save_pretrained(folder)
        AutoModelForCausalLM.from_pretrained(
            path.parent,
            quantization_config=GgufConfig(dequantize=True),
            dtype=torch.float16,
            **source,
        ).save_pretrained(folder)


def _intact(folder: Path) -> bool:
    try:
        hashes = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
        return all(sha256(folder / name) == expected for name, expected in hashes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _smollm2_missing() -> str:
    if _converted_folder(SMOLLM2).is_dir():
        return ""
    absent = [module for module in ("gguf", "accelerate") if not find_spec(module)]
    if absent:
        return f"Converting SmolLM2 needs {absent[0]}: python -m pip install {absent[0]}"
    return SMOLLM2.missing()


def _load_gpt2() -> LanguageModel:
    return load_folder(_GPT2, name="gpt2")


def _gpt2_missing() -> str:
    from huggingface_hub import try_to_load_from_cache

    if isinstance(try_to_load_from_cache(_GPT2, "model.safetensors"), str):
        return ""
    return f"GPT-2 is not on this machine; get it with: hf download {_GPT2}"


LANGUAGE_MODELS: dict[str, Entry[LanguageModel]] = {
    "smollm2": Entry(
        load_smollm2,
        "SmolLM2-135M-Instruct, a small general language model (default)",
        {"parameters": 134_515_008, "licence": "Apache-2.0", "package": SMOLLM2.requirement},
        _smollm2_missing,
    ),
    "gpt2": Entry(
        _load_gpt2,
        "GPT-2 small, the model usually reported for perplexity",
        {"parameters": 124_439_808, "licence": "MIT"},
        _gpt2_missing,
    ),
}
