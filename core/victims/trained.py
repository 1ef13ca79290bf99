"""Load a victim that was trained here, whatever its task."""

from pathlib import Path
from typing import Any

from core.victims.card import read_card, task_key
from core.victims.protocol import Victim


def load(name: str, folder: Path, words_folder: Path | None = None, **options: Any) -> Victim:
    """One of a folder of victims; the words that they share lie there too, or in another folder."""
    match task_key(read_card(folder / name)):
        case "answering":
            from core.victims import answering

            return answering.load(name, folder, words_folder, **options)
        case "translation":
            from core.victims import translating

            return translating.load(name, folder, **options)
    from core.victims import neural

    return neural.load(name, folder, words_folder, **options)
