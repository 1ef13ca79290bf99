"""The pieces of words that a translating network reads and writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ResourceMissingError
from core.text import HIDDEN_TEXT
from core.victims.networks.seq2seq import END, LIMIT
from core.victims.words import UNKNOWN


@dataclass(frozen=True, eq=False)
class Pieces:
    """Texts in, pieces out, and back."""

    tokenizer: Any

    @property
    def count(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def row(self, text: str) -> list[int]:
        """The pieces of a text and its end; of one that is too long, the beginning."""
        ids: list[int] = []
        for number, part in enumerate(text.split(HIDDEN_TEXT)):
            ids += [UNKNOWN] * (number > 0)
            ids += self.tokenizer.encode(part.strip()).ids
        return [*ids[: LIMIT - 1], END]

    def text(self, ids: Sequence[int]) -> str:
        """The text of pieces, without marks."""
        return str(self.tokenizer.decode(list(ids))).strip()


def load(path: Path) -> Pieces:
    """The pieces of a vocabulary file."""
    from tokenizers import Tokenizer

    try:
        return Pieces(Tokenizer.from_file(str(path)))
    except Exception as error:  # the library raises nothing narrower
        raise ResourceMissingError(f"{path} is missing or damaged ({error}).") from error
