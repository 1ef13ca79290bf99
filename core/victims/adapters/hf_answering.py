"""Any Hugging Face question-answering model (BERT, SpanBERT, ...) as a victim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.text import HIDDEN_TEXT
from core.transformers_loader import load_pretrained
from core.victims.adapters.hf import longest, trained_for
from core.victims.answering import with_passage
from core.victims.networks.spans import Places, best_answer
from core.victims.outputs import Span


@dataclass(frozen=True, eq=False)
class HuggingFaceAnswering:
    """A model that points at answers, with its tokenizer; a long passage is read in parts."""

    hidden_token: str
    model: Any
    tokenizer: Any
    longest: int  # tokens of a question and a part of a passage
    none: bool  # whether it has learned to say that a passage does not tell
    passage: str = ""
    # A tokenizer refuses a second thread while its truncation is being set.
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "answering"

    def given(self, context: Mapping[str, str]) -> "HuggingFaceAnswering":
        """The same victim over questions about a passage."""
        return replace(self, passage=with_passage(context))

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """One span for each question."""
        if not self.passage:
            raise InputError('The model needs a passage: ask victim.given({"passage": ...}).')
        result = np.empty(len(texts), dtype=object)
        for number, text in enumerate(texts):
            result[number] = self._answer(text)
        return result

    def _answer(self, question: str) -> Span:
        with self._lock:
            rows = self.tokenizer(
                self._beginning(question),
                self.passage,
                truncation="only_second",
                max_length=self.longest,
                stride=self.longest // 3,  # tokens that two parts share
                return_overflowing_tokens=True,
                return_offsets_mapping=True,
                padding=True,
                return_tensors="pt",
            )
        return best_answer(self.passage, self._windows(rows), none=self.none)

    def _beginning(self, question: str) -> str:
        """As much of a question as leaves the passage enough tokens."""
        read = self.tokenizer(
            question,
            add_special_tokens=False,
            truncation=True,
            max_length=self.longest // 3,
            return_offsets_mapping=True,
        )
        return question[: read["offset_mapping"][-1][1]] if read["input_ids"] else question

    def _windows(self, rows: Any) -> list[tuple[NDArray[Any], Places]]:
        """The scores of "no answer" and of the passage's tokens, part by part."""
        import torch

        offsets = rows.pop("offset_mapping").tolist()
        rows.pop("overflow_to_sample_mapping")
        with torch.inference_mode():
            found = self.model(**rows)
        both = torch.stack([found.start_logits, found.end_logits], dim=1).double().numpy()
        windows: list[tuple[NDArray[Any], Places]] = []
        for row, scores in enumerate(both):
            inside = [at for at, part in enumerate(rows.sequence_ids(row)) if part == 1]
            places = [tuple(offsets[row][at]) for at in inside]
            windows.append((scores[:, [0, *inside]], places))
        return windows


def load(
    source: str | Path, *, no_answer: bool = False, local_files_only: bool = True
) -> HuggingFaceAnswering:
    """Load a question-answering model by folder or hub id.

    ``no_answer`` is for models that were trained on questions without an answer, as SQuAD 2.0 has.
    """
    loaded = load_pretrained(
        "AutoModelForQuestionAnswering", source, local_files_only=local_files_only
    )
    trained_for(loaded, "answering", source)
    tokenizer = loaded.tokenizer
    if not tokenizer.is_fast:
        raise InputError(
            f'The tokenizer of the model "{source}" does not tell where tokens stand; save it as '
            "a fast one (tokenizer.json) first."
        )
    return HuggingFaceAnswering(
        hidden_token=tokenizer.unk_token or tokenizer.mask_token or HIDDEN_TEXT,
        model=loaded.model,
        tokenizer=tokenizer,
        longest=longest(tokenizer, loaded.model.config),
        none=no_answer,
    )
