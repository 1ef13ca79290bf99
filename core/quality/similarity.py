"""Similarity of two texts: the angle between their sentence vectors (all-MiniLM-L6-v2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.package_files import MINILM
from core.quality.cache import ScoreCache
from core.quality.metric import Metric
from core.registry import find
from core.transformers_loader import load_pretrained

_BATCH = 4_096  # tokens in one forward pass, padding included
_LONGEST = 256  # what the encoder was tuned with; longer texts are read in pieces


def angular(cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 - arccos(c) / pi: 1 for the same direction, 0 for the opposite one."""
    return np.asarray(1 - np.arccos(np.clip(cosine, -1, 1)) / np.pi)


def textfooler(cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 - arccos(c), as TextFooler's code has it: the angle in radians, not divided by pi."""
    return np.asarray(1 - np.arccos(np.clip(cosine, -1, 1)))


def plain(cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cosine itself."""
    return cosine


Form = Callable[[NDArray[np.float64]], NDArray[np.float64]]
FORMS: dict[str, Form] = {"cosine": plain, "angular": angular, "textfooler": textfooler}

METRIC = Metric(
    name="similarity",
    definition=(
        "cosine of the sentence vectors of the original and the changed text; a sentence vector "
        "is the mean of the encoder's token vectors"
    ),
    better="higher",
    unit="",
    compares=True,
)


@dataclass(frozen=True, eq=False)
class Encoder:
    """A transformer encoder whose mean token vector, made unit length, stands for a text."""

    identity: str
    model: Any
    tokenizer: Any
    # A tokenizer refuses a second thread while its truncation is being set.
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One unit vector for each text, in order."""
        if not texts:
            return np.zeros((0, self.model.config.hidden_size))
        with self._lock:
            pieces = self.tokenizer(
                list(texts), truncation=True, max_length=_LONGEST, return_overflowing_tokens=True
            )
        rows, owners = pieces["input_ids"], pieces["overflow_to_sample_mapping"]
        sums = np.zeros((len(texts), self.model.config.hidden_size))
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        while order:
            count = max(1, min(len(order), _BATCH // len(rows[order[-1]])))
            batch, order = order[-count:], order[:-count]
            np.add.at(sums, [owners[row] for row in batch], self._sums([rows[r] for r in batch]))
        # The length of the sum does not matter: the direction of sum and mean is the same.
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))

    def _sums(self, rows: list[list[int]]) -> NDArray[np.float64]:
        import torch

        batch = self.tokenizer.pad({"input_ids": rows}, return_tensors="pt")
        with torch.inference_mode():
            states = self.model(**batch).last_hidden_state
            kept = batch["attention_mask"][..., None]
            return np.asarray((states * kept).sum(1).double().numpy())


@lru_cache(maxsize=1)
def load_encoder() -> Encoder:
    """all-MiniLM-L6-v2 from its package, checked by hash; loaded once in a process."""
    model, tokenizer, _, _ = load_pretrained("AutoModel", MINILM.check().parent)
    return Encoder(MINILM.sha256[:16], model, tokenizer)


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarity of changed texts to their originals, in one of the FORMS."""

    encoder: Encoder
    form: str = "cosine"
    cache: ScoreCache = field(default_factory=ScoreCache)
    metric: Metric = METRIC

    @classmethod
    def load(cls, form: str = "cosine") -> "Similarity":
        """Similarity by MiniLM."""
        find(FORMS, form, "form of similarity")
        return cls(load_encoder(), form)

    def scores(self, originals: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        """One similarity for each pair."""
        if len(originals) != len(texts):
            raise InputError(
                f"Similarity needs one original for each text; got {len(originals)} originals "
                f"and {len(texts)} texts."
            )

        def compute(indices: list[int]) -> NDArray[np.float64]:
            wanted = [side[index] for index in indices for side in (originals, texts)]
            unique = {text: row for row, text in enumerate(dict.fromkeys(wanted))}
            vectors = self.encoder.encode(list(unique))
            left = vectors[[unique[originals[index]] for index in indices]]
            right = vectors[[unique[texts[index]] for index in indices]]
            return np.asarray((left * right).sum(1))

        keys = [f"{original}\0{text}" for original, text in zip(originals, texts, strict=True)]
        return FORMS[self.form](
            self.cache.scores(f"similarity {self.encoder.identity}", keys, compute)
        )
