"""A small synonym table written by hand, so that the engine runs before the real lexicons."""

from collections.abc import Sequence
from dataclasses import dataclass

from core import assets
from core.substitutions import Column, Substitute


@dataclass(frozen=True)
class Table:
    """Substitutes looked up by the lower-case word in a table."""

    entries: dict[str, list[str]]
    reason: str

    def __call__(self, words: Sequence[str]) -> list[Column]:
        return [self._column(word) for word in words]

    def _column(self, word: str) -> Column:
        found = self.entries.get(word.lower(), [])
        if not found:
            return Column(note="not in the table")
        return Column(tuple(Substitute(substitute, self.reason) for substitute in found))


def load() -> Table:
    """Read the hand-written table."""
    return Table(assets.read_json("toy/synonyms.json"), "toy table: synonym chosen by hand")
