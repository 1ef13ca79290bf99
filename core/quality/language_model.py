"""Causal language models: how likely is each token after those before it?"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST = 1_024  # tokens in one window: keeps the scores of all words of all positions in memory
_BATCH = 1_024  # tokens in one forward pass, padding included


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """A causal model with its tokenizer; ``identity`` tells its scores from another model's."""

    name: str
    identity: str
    model: Any
    tokenizer: Any
    start: tuple[int, ...]  # put before every text, so that the first word is scored too
    longest: int = LONGEST

    def ids(self, text: str) -> list[int]:
        """The tokens of a text, without any added ones."""
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def log_probabilities(self, sequences: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        """Natural logarithms of the probability of every token but the first, per sequence."""
        result = [np.zeros(max(len(sequence) - 1, 0)) for sequence in sequences]
        jobs = [
            (index, window)
            for index, sequence in enumerate(sequences)
            for window in windows(len(sequence), self.longest)
        ]
        jobs.sort(key=lambda job: job[1][1] - job[1][0])
        for batch in _batches(jobs):
            rows = [sequences[index][begin:end] for index, (begin, end, _) in batch]
            for (index, (begin, end, scored)), row in zip(batch, self._forward(rows), strict=True):
                result[index][scored - 1 : end - 1] = row[scored - 1 - begin : end - 1 - begin]
        return result

    def _forward(self, rows: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        import torch

        ids, mask = _padded(rows)
        with torch.inference_mode():
            logits = self.model(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1]
            scores = _picked(logits, ids[:, 1:])
        return [
            score[: len(row) - 1].numpy().astype(np.float64)
            for score, row in zip(scores, rows, strict=True)
        ]

    def word_log_probabilities(
        self, words: Sequence[str], choices: Sequence[Sequence[str]]
    ) -> list[NDArray[np.float64]]:
        """For each position, how likely each of its choices is after the words to its left.

        The words are read once; a choice of several tokens is then continued from the stored state
        of its left context. Without a start token nothing is known about the first word: zeros.
        """
        pieces = [self._piece(index, word) for index, word in enumerate(words)]
        ids = [*self.start, *(token for piece in pieces for token in piece)]
        before = np.cumsum([len(self.start), *map(len, pieces)])[:-1]
        result = [np.zeros(len(options)) for options in choices]
        for begin, end, scored in windows(len(ids), self.longest):
            inside = [
                index
                for index, options in enumerate(choices)
                if options and scored <= before[index] < end
            ]
            if inside:
                tails = {i: [self._piece(i, option) for option in choices[i]] for i in inside}
                prefixes = {i: int(before[i]) - begin for i in inside}
                scores = self._continue(ids[begin:end], prefixes, tails)
                for index in inside:
                    result[index] = scores[index]
        return result

    def _piece(self, index: int, word: str) -> list[int]:
        return self.ids(f" {word}" if index else word)

    def _continue(
        self, ids: list[int], prefixes: dict[int, int], tails: dict[int, list[list[int]]]
    ) -> dict[int, NDArray[np.float64]]:
        import torch

        result = {}
        with torch.inference_mode():
            read = self.model(input_ids=torch.tensor([ids]), use_cache=True)
            for index, length in prefixes.items():
                options = tails[index]
                first = read.logits[0, length - 1].double().log_softmax(-1)
                scores = first[[option[0] for option in options]].numpy().copy()
                longer = [row for row, option in enumerate(options) if len(option) > 1]
                if longer:
                    state = copy.deepcopy(read.past_key_values)
                    state.crop(length - len(ids))
                    state.batch_repeat_interleave(len(longer))
                    rest, mask = _padded([options[row] for row in longer])
                    seen = torch.ones((len(longer), length), dtype=mask.dtype)
                    logits = self.model(
                        input_ids=rest[:, :-1],
                        attention_mask=torch.cat([seen, mask[:, :-1]], dim=1),
                        past_key_values=state,
                    ).logits
                    picked = _picked(logits, rest[:, 1:]).double() * mask[:, 1:]
                    scores[longer] += picked.sum(1).numpy()
                result[index] = scores
        return result


def windows(length: int, longest: int) -> list[tuple[int, int, int]]:
    """Cover a long sequence: (begin, end, first token scored), each half over the one before."""
    result: list[tuple[int, int, int]] = []
    begin, end = 0, min(length, longest)
    scored = 1
    while scored < end or not result:
        result.append((begin, end, scored))
        begin, scored, end = end - longest // 2, end, min(end + longest - longest // 2, length)
    return result


def _batches(jobs: list[Any]) -> list[list[Any]]:
    result: list[list[Any]] = []
    for job in jobs:  # sorted by length, so the newest is the longest
        length = job[1][1] - job[1][0]
        if length < 2:
            continue
        if result and (len(result[-1]) + 1) * length <= _BATCH:
            result[-1].append(job)
        else:
            result.append([job])
    return result


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    import torch

    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    return ids, mask


def _picked(logits: Any, ids: Any) -> Any:
    logits = logits.float()
    return logits.gather(-1, ids[..., None])[..., 0] - logits.logsumexp(-1)
