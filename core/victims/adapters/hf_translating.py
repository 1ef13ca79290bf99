"""Any Hugging Face model that writes a text from a text (Marian, T5, ...) as a victim."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, require
from core.text import HIDDEN_TEXT
from core.transformers_loader import load_pretrained
from core.victims.adapters.hf import longest, trained_for
from core.victims.translating import MOST_BEAMS

BATCH: Final = 32  # texts in one pass
LONGEST: Final = 256  # tokens that are read, and that are written


@dataclass(frozen=True, eq=False)
class HuggingFaceTranslation:
    """A model that writes translations, with its tokenizer."""

    hidden_token: str
    model: Any
    tokenizer: Any
    longest: int
    beams: int = 1
    prefix: str = ""  # before every text, such as T5's "translate English to French: "
    # A tokenizer refuses a second thread while its truncation is being set.
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "translation"

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """One translation for each text."""
        with self._lock:
            rows = [
                self.tokenizer(self.prefix + text, truncation=True, max_length=self.longest)
                for text in texts
            ]
        result = np.empty(len(texts), dtype=object)
        alike: dict[int, list[int]] = {}  # without padding a text is the same in any company
        for number, row in enumerate(rows):
            alike.setdefault(len(row["input_ids"]), []).append(number)
        result[alike.pop(0, [])] = ""  # nothing to translate
        for numbers in alike.values():
            for start in range(0, len(numbers), BATCH):
                part = numbers[start : start + BATCH]
                result[part] = self._written([rows[number]["input_ids"] for number in part])
        return result

    def _written(self, ids: list[list[int]]) -> list[str]:
        import torch

        with torch.inference_mode():
            found = self.model.generate(
                input_ids=torch.tensor(ids),
                attention_mask=torch.ones(len(ids), len(ids[0]), dtype=torch.long),
                num_beams=self.beams,
                do_sample=False,
                max_new_tokens=self.longest,
            )
        return [text.strip() for text in self.tokenizer.batch_decode(found, True)]


def load(
    source: str | Path, *, beams: int = 1, prefix: str = "", local_files_only: bool = True
) -> HuggingFaceTranslation:
    """Load a model that writes by folder or hub id."""
    require(1 <= beams <= MOST_BEAMS, f"A translator follows 1 to {MOST_BEAMS} beams.")
    loaded = load_pretrained("AutoModelForSeq2SeqLM", source, local_files_only=local_files_only)
    trained_for(loaded, "translation", source)
    tokenizer = loaded.tokenizer
    if loaded.model.generation_config.decoder_start_token_id is None:
        raise InputError(f'The model "{source}" does not say with which token it begins to write.')
    return HuggingFaceTranslation(
        hidden_token=tokenizer.unk_token or HIDDEN_TEXT,
        model=loaded.model,
        tokenizer=tokenizer,
        longest=min(LONGEST, longest(tokenizer, loaded.model.config)),
        beams=beams,
        prefix=prefix,
    )
