"""Changes to a search space by hand: locked words, removed substitutes, added ones."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputError, require
from core.space import SearchSpace
from core.untrusted import MALFORMED

LOCKED = "locked by you"
OWN = "added by you"


@dataclass(frozen=True)
class Edits:
    """What is changed, by the position of the word."""

    locked: tuple[int, ...] = ()
    removed: tuple[tuple[int, str], ...] = ()
    added: tuple[tuple[int, str], ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything is changed at all."""
        return bool(self.locked or self.removed or self.added)

    def add(self, space: SearchSpace, position: int, word: str) -> "Edits":
        """The same edits and one more substitute, which must be new and a word."""
        word = word.strip()
        require(word != "", "Type a word to add.")
        require(word.isprintable(), "The word has a control character in it; type it again.")
        here = space.choices[position]
        require(word not in here, f'"{word}" is already a choice of word {position + 1}.')
        rest = tuple(pair for pair in self.removed if pair != (position, word))
        return replace(self, removed=rest, added=(*self.added, (position, word)))

    def apply(self, space: SearchSpace) -> SearchSpace:
        """The space with the edits made; what does not fit it is left out."""
        choices, reasons, notes = [], [], []
        for position, column in enumerate(space.choices):
            rows = dict(zip(column, space.reasons[position], strict=True))
            for at, word in self.added:
                if at == position:
                    rows.setdefault(word, OWN)
            for at, word in self.removed:
                if at == position and word != column[0]:
                    rows.pop(word, None)
            note = space.notes[position]
            if position in self.locked:
                rows, note = {column[0]: ""}, LOCKED
            choices.append(tuple(rows))
            reasons.append(tuple(rows.values()))
            notes.append(note if len(rows) == 1 else "")
        return SearchSpace(tuple(choices), space.gaps, tuple(reasons), tuple(notes))

    def text(self) -> str:
        """The edits in a few letters, for an address."""
        parts = {"lock": self.locked, "drop": self.removed, "add": self.added}
        kept = {name: part for name, part in parts.items() if part}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""

    @classmethod
    def parse(cls, text: str) -> "Edits":
        """Read what ``text`` wrote."""
        try:
            return cls.of(json.loads(text)) if text else cls()
        except MALFORMED as error:
            raise InputError(
                "The edits in the address cannot be read; open the page without them."
            ) from error

    @classmethod
    def of(cls, parts: Mapping[str, Any]) -> "Edits":
        """Edits from plain lists."""
        drop, add = (
            tuple((int(at), str(word)) for at, word in parts.get(name, ()))
            for name in ("drop", "add")
        )
        return cls(tuple(map(int, parts.get("lock", ()))), drop, add)
