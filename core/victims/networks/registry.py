"""The kinds of networks, by name; a new kind is one file and one line here."""

from typing import Final

from core.registry import find
from core.victims.networks.characters import CHARCNN
from core.victims.networks.kinds import NetworkKind
from core.victims.networks.minilm import MINILM_KIND
from core.victims.networks.word_kinds import CNN, DNN, ESIM, INFERSENT, LSTM

NETWORKS: Final[dict[str, NetworkKind]] = {
    "lstm": LSTM,
    "cnn": CNN,
    "charcnn": CHARCNN,
    "minilm": MINILM_KIND,
    "dnn": DNN,
    "infersent": INFERSENT,
    "esim": ESIM,
}


def kind_of(name: str) -> NetworkKind:
    """The kind of network with this name; an unknown one is refused with the known ones."""
    return find(NETWORKS, name, "kind of network")
