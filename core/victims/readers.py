"""What turns a text into ids, for each kind of network."""

from collections.abc import Sequence
from typing import Protocol

from core.errors import InputError
from core.victims.networks.characters import Characters
from core.victims.words import Words


class Reader(Protocol):
    """Texts in, ids out; the ids of a text are mostly those of its words and gaps in order."""

    @property
    def hidden_ids(self) -> tuple[int, ...]:
        """The ids of a word that is hidden."""
        ...

    def word_ids(self, word: str) -> tuple[int, ...]:
        """The ids of one word."""
        ...

    def gap_ids(self, gap: str) -> tuple[int, ...]:
        """The ids of what stands between two words."""
        ...

    def text_ids(self, text: str) -> list[int]:
        """The ids of a text."""
        ...


def reader_of(network: str, words: Words | None) -> Reader:
    """The reader of a kind of network."""
    if network == "minilm":
        from core.victims.networks.minilm import WordPieces

        return WordPieces()
    if network == "charcnn":
        return Characters()
    if words is None:
        raise InputError(f"A network of the kind {network} needs the shared words.")
    return words


def frame_of(network: str, reader: Reader, premise: str) -> tuple[Sequence[int], Sequence[int]]:
    """The ids that a network gets before and behind those of a text."""
    if network != "minilm":
        return (), ()
    from core.victims.networks.minilm import CLASSIFY, SEPARATE

    first = (*reader.text_ids(premise), SEPARATE) if premise else ()
    return (CLASSIFY, *first), (SEPARATE,)
