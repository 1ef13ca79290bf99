"""Networks that point at answers, by name; a new kind is one file and one line here."""

from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

from core.errors import InputError
from core.registry import find
from core.victims.networks.bidaf import BIDAF, PlacedWords
from core.victims.networks.minilm_spans import MINILM_SPANS
from core.victims.networks.single import TunedEmbedding
from core.victims.networks.spans import SpanKind, SpanReader
from core.victims.words import Words

POINTERS: Final[dict[str, SpanKind]] = {"bidaf": BIDAF, "minilm-spans": MINILM_SPANS}


def pointer_kind(name: str) -> SpanKind:
    """The kind of network with this name; an unknown one is refused with the known ones."""
    return find(POINTERS, name, "kind of answering network")


def reader_of(kind: SpanKind, words: Words | None) -> SpanReader:
    """What feeds a network of this kind."""
    if kind.own_reader is not None:
        return kind.own_reader()
    return PlacedWords(_needed(words))


def built(
    kind: SpanKind, options: Mapping[str, Any], words: Words | None, tuned: Tensor | None
) -> nn.Module:
    """An untrained network."""
    if kind.own_reader is not None:
        return kind.build(**options)
    vectors = torch.from_numpy(_needed(words).vectors)
    none = torch.zeros(0, dtype=torch.long)
    return kind.build(TunedEmbedding(vectors, none if tuned is None else tuned), **options)


def _needed(words: Words | None) -> Words:
    if words is None:
        raise InputError("This kind of network needs the shared words.")
    return words
