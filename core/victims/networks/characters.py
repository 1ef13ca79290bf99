"""Networks over characters, and the characters that they know."""

from dataclasses import dataclass
from typing import Any, Final

from torch import nn

from core.text import HIDDEN_TEXT
from core.victims.networks.kinds import NetworkKind
from core.victims.networks.single import CharCnnClassifier
from core.victims.words import FIRST, UNKNOWN

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789 -,;.!?:'\"/\\|_@#$%^&*~`+=<>()[]{}"
_IDS: Final = {character: number for number, character in enumerate(ALPHABET, start=FIRST)}
SIZE: Final = FIRST + len(ALPHABET)


@dataclass(frozen=True)
class Characters:
    """One id for each character; a hidden word is one unknown character."""

    @property
    def hidden_ids(self) -> tuple[int, ...]:
        return (UNKNOWN,)

    def word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(_IDS.get(character, UNKNOWN) for character in word.lower())

    gap_ids = word_ids

    def text_ids(self, text: str) -> list[int]:
        result: list[int] = []
        for number, part in enumerate(text.split(HIDDEN_TEXT)):
            result += [UNKNOWN] * (number > 0)
            result += self.word_ids(part)
        return result


def _build(labels: int, **options: Any) -> nn.Module:
    return CharCnnClassifier(SIZE, labels, **options)


CHARCNN = NetworkKind(_build, own_reader=Characters)
