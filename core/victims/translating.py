"""A trained translator as a victim: sentences in, translations out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core import threads
from core.errors import require
from core.victims.card import WEIGHTS, checked_files, fitting, read_card
from core.victims.networks.pieces import Pieces
from core.victims.networks.pieces import load as load_pieces
from core.victims.networks.seq2seq import Writer, written
from core.victims.networks.translators import built
from core.victims.networks.weights import refilled
from core.victims.words import ASSETS

PIECES = "pieces.json"  # the vocabulary of a translator, in its folder
MOST_BEAMS = 16


@dataclass(frozen=True, eq=False)
class TranslationVictim:
    """A network that writes, and the pieces that it reads and writes."""

    name: str
    network: Writer
    pieces: Pieces
    beams: int = 1  # that are followed at a time; one is the likeliest piece at every place

    labels: ClassVar[tuple[str, ...]] = ()
    task_key: ClassVar[str] = "translation"

    def predict(self, texts: Sequence[str]) -> NDArray[Any]:
        """One translation for each text."""
        rows = [self.pieces.row(text) for text in texts]
        found = written(self.network, rows, self.beams)
        return np.array([self.pieces.text(ids) for ids in found], dtype=object)


def load(name: str, folder: Path = ASSETS, *, beams: int = 1) -> TranslationVictim:
    """A bundled translator, or one made like them, after its files were compared with its card."""
    require(1 <= beams <= MOST_BEAMS, f"A translator follows 1 to {MOST_BEAMS} beams.")
    threads.limit()
    home = folder / name
    card: Mapping[str, Any] = read_card(home)
    checked_files(home, card)
    pieces = load_pieces(home / PIECES)
    with fitting(home):
        network = refilled(
            home / WEIGHTS, lambda _: built(card["network"], pieces, card["options"])
        )
    writer: Any = network.eval().requires_grad_(False)
    return TranslationVictim(name, writer, pieces, beams)
