"""Load pre-trained transformers from local files: safetensors only, and no code of the model's."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from core import threads
from core.errors import ResourceMissingError, first_line

# What a folder that is not what it should be makes transformers raise.
_FAILURES = (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError)


class Pretrained(NamedTuple):
    """A model ready for inference, its tokenizer, where they came from, and parts left random."""

    model: Any
    tokenizer: Any
    folder: Path
    untrained: tuple[str, ...]


def load_pretrained(task: str, source: str | Path, *, local_files_only: bool = True) -> Pretrained:
    """Load with the Auto class of a task, such as ``AutoModelForCausalLM``, in float32.

    The source is a folder or a hub id; a hub id must have been downloaded before, unless
    ``local_files_only`` is switched off.
    """
    import torch
    import transformers
    from safetensors import SafetensorError

    threads.limit()
    try:
        folder = _folder(source, local_files_only)
        with quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            model, report = getattr(transformers, task).from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except (*_FAILURES, SafetensorError) as error:
        raise ResourceMissingError(
            f'The model "{source}" cannot be loaded ({first_line(error)}); give a folder with '
            "config.json, a tokenizer and model.safetensors, or the hub id of a model downloaded "
            "before with: hf download ID"
        ) from error
    return Pretrained(model.eval(), tokenizer, folder, tuple(sorted(report["missing_keys"])))


def _folder(source: str | Path, local_files_only: bool) -> Path:
    if Path(source).is_dir():
        return Path(source)
    from huggingface_hub import snapshot_download

    files = ["*.json", "*.txt", "*.model", "*.safetensors"]
    return Path(
        snapshot_download(str(source), local_files_only=local_files_only, allow_patterns=files)
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the progress bars and load reports of transformers off the terminal."""
    verbosity: Any = import_module("transformers.utils.logging")
    shown, level = verbosity.is_progress_bar_enabled(), verbosity.get_verbosity()
    verbosity.disable_progress_bar()
    verbosity.set_verbosity_error()
    try:
        yield
    finally:
        verbosity.set_verbosity(level)
        if shown:
            verbosity.enable_progress_bar()
