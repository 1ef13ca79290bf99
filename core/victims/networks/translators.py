"""The kinds of networks that translate, by name; a new kind is one file and one line here."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from torch import nn

from core.registry import find
from core.victims.networks.convs2s import ConvS2S
from core.victims.networks.pieces import Pieces
from core.victims.networks.transformer import Transformer

TRANSLATORS: Final[dict[str, Callable[..., nn.Module]]] = {
    "transformer": Transformer,
    "convs2s": ConvS2S,
}


def built(network: str, pieces: Pieces, options: Mapping[str, Any]) -> nn.Module:
    """An untrained network over these pieces."""
    return find(TRANSLATORS, network, "kind of translator")(pieces.count, **options)
