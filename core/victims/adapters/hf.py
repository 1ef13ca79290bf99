"""Any Hugging Face sequence-classification model as a victim, from local safetensors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.text import HIDDEN_TEXT
from core.transformers_loader import Pretrained, load_pretrained
from core.victims.probabilities import checked_labels

_BATCH = 4_096  # tokens in one forward pass, padding included


@dataclass(frozen=True, eq=False)
class HuggingFaceVictim:
    """A classifier with its tokenizer; with a premise, texts are its hypotheses."""

    labels: tuple[str, ...]
    hidden_token: str
    model: Any
    tokenizer: Any
    longest: int  # tokens; the rest of a text is not read
    premise: str | None = None
    # A tokenizer refuses a second thread while its truncation is being set.
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def predict(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Softmax of the model's outputs, computed in batches of similar length."""
        result = np.zeros((len(texts), len(self.labels)))
        rows = self._encoded(list(texts)) if texts else []
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]["input_ids"]))
        while order:
            width = len(rows[order[-1]]["input_ids"])
            # Without a padding token, texts of different lengths cannot share a pass.
            count = max(1, _BATCH // width) if self.tokenizer.pad_token else 1
            batch, order = order[-count:], order[:-count]
            result[batch] = self._forward([rows[row] for row in batch])
        return result

    def _encoded(self, texts: list[str]) -> list[dict[str, list[int]]]:
        both = (texts,) if self.premise is None else ([self.premise] * len(texts), texts)
        with self._lock:
            fields = dict(self.tokenizer(*both, truncation=True, max_length=self.longest))
        return [{name: fields[name][row] for name in fields} for row in range(len(texts))]

    def _forward(self, rows: list[dict[str, list[int]]]) -> NDArray[np.float64]:
        import torch

        if len(rows) > 1:
            inputs = dict(self.tokenizer.pad(rows, return_tensors="pt"))
        else:
            inputs = {name: torch.tensor([values]) for name, values in rows[0].items()}
        with torch.inference_mode():
            return np.asarray(self.model(**inputs).logits.double().softmax(-1).numpy())


def load(
    source: str | Path,
    *,
    labels: Sequence[str] | None = None,
    premise: str | None = None,
    local_files_only: bool = True,
) -> HuggingFaceVictim:
    """Load a classifier by folder or hub id; ``labels`` renames those of its config."""
    loaded = load_pretrained(
        "AutoModelForSequenceClassification", source, local_files_only=local_files_only
    )
    model, tokenizer, config = loaded.model, loaded.tokenizer, loaded.model.config
    what = f'The model "{source}"'
    trained_for(loaded, "classification", source)
    if config.problem_type in ("multi_label_classification", "regression"):
        raise InputError(
            f"{what} is made for {config.problem_type.replace('_', ' ')}; a victim gives one "
            "probability for each of several labels that exclude each other."
        )
    own = [config.id2label[index] for index in range(config.num_labels)]
    names = checked_labels(own if labels is None else list(labels), what)
    if len(names) != len(own):
        raise InputError(f"{what} has {len(own)} labels, but {len(names)} names were given.")
    return HuggingFaceVictim(
        labels=names,
        hidden_token=tokenizer.unk_token or tokenizer.mask_token or HIDDEN_TEXT,
        model=model,
        tokenizer=tokenizer,
        longest=longest(tokenizer, config),
        premise=premise,
    )


def trained_for(loaded: Pretrained, task: str, source: str | Path) -> None:
    """Refuse a model of which a part is left as it was drawn."""
    if loaded.untrained:
        raise InputError(
            f'The model "{source}" is not trained for {task} ({loaded.untrained[0]} is missing); '
            "fine-tune it first."
        )


def longest(tokenizer: Any, config: Any) -> int:
    """How many tokens a model reads."""
    positions = getattr(config, "max_position_embeddings", None) or 512
    if config.model_type in ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer"):
        positions -= config.pad_token_id + 1  # their positions start after the padding id
    return int(min(tokenizer.model_max_length, positions))
