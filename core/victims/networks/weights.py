"""Build a victim's network, and keep its learned numbers in a small safetensors file."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from core.errors import InputError
from core.victims.networks.kinds import NetworkKind, Reader
from core.victims.networks.single import TunedEmbedding
from core.victims.words import FIRST, UNKNOWN, Words, quantise, restore

_DELTA: Final = "embedding.delta.weight"


def tuned_words(rows: Iterable[Sequence[int]], min_count: int) -> Tensor:
    """The ids seen often enough in training to get vectors of their own; unknown always does."""
    counts = Counter(number for row in rows for number in row)
    found = [n for n in sorted(counts) if n >= FIRST and counts[n] >= min_count]
    return torch.tensor([UNKNOWN, *found], dtype=torch.long)


def build_network(
    kind: NetworkKind,
    labels: int,
    options: Mapping[str, Any],
    *,
    words: Words | None = None,
    tuned: Tensor | None = None,
) -> nn.Module:
    """A network with its fixed vectors and with learned numbers at their starting values."""
    if not kind.reads_words:
        return kind.build(labels, **options)
    if words is None or tuned is None:
        raise InputError("This kind of network needs the shared words.")
    return kind.build(TunedEmbedding(torch.from_numpy(words.vectors), tuned), labels, **options)


def reader_of(kind: NetworkKind, words: Words | None) -> Reader:
    """What turns a text into ids for a kind of network."""
    if kind.own_reader is not None:
        return kind.own_reader()
    if words is None:
        raise InputError("This kind of network needs the shared words.")
    return words


def learned(network: nn.Module) -> dict[str, Tensor]:
    """The numbers that training changes."""
    return {n: p.detach().clone() for n, p in network.named_parameters() if p.requires_grad}


def save_weights(network: nn.Module, path: Path) -> None:
    """Write learned numbers in 16 bits, word vectors in 8."""
    from safetensors.numpy import save_file

    arrays: dict[str, Any] = {}
    for name, tensor in learned(network).items():
        if name == _DELTA:
            slots = network.get_submodule("embedding").slots
            ids = torch.argsort(slots)[-(len(tensor) - 1) :]  # type: ignore[arg-type]
            arrays["tuned"] = ids.to(torch.int32).numpy()
            arrays["codes"], arrays["scales"] = quantise(tensor[1:].numpy())
        else:
            arrays[name] = tensor.numpy().astype(np.float16)
    save_file(arrays, path)
    path.chmod(0o644)  # the library writes files that only the owner may read


def refilled(path: Path, build: Callable[[Tensor | None], nn.Module]) -> nn.Module:
    """A network with the learned numbers of a file, built for the words that the file changes."""
    from safetensors.numpy import load_file

    arrays = load_file(path)
    tuned = torch.from_numpy(arrays.pop("tuned")).long() if "tuned" in arrays else None
    network = build(tuned)
    state = {}
    if tuned is not None:
        delta = restore(arrays.pop("codes"), arrays.pop("scales"))
        state[_DELTA] = torch.cat([torch.zeros(1, delta.shape[1]), torch.from_numpy(delta)])
    state |= {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    if state.keys() != learned(network).keys():
        raise KeyError("the file has other tensors than the network")
    network.load_state_dict(state, strict=False)  # what is not learned is there already
    return network


def restored_network(
    path: Path, kind: NetworkKind, labels: int, options: Mapping[str, Any], words: Words | None
) -> nn.Module:
    """A trained classifier, ready to learn more."""

    def build(tuned: Tensor | None) -> nn.Module:
        return build_network(kind, labels, options, words=words, tuned=tuned)

    return refilled(path, build)


def load_network(
    path: Path, kind: NetworkKind, labels: int, options: Mapping[str, Any], words: Words | None
) -> nn.Module:
    """A trained network, ready to predict."""
    network = restored_network(path, kind, labels, options, words)
    kind.finish(network)
    return network.eval().requires_grad_(False)
