"""The bundled victims as tables, from their cards: ``python -m core.victims.training.table``."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from core.victims.card import CARD, read_card
from core.victims.recipes import POINTERS, RECIPES, TRANSLATORS
from core.victims.words import ASSETS

Card: TypeAlias = Mapping[str, Any]

_FIRST: Final = "victim | network | trained on | rows | held out"
_LAST: Final = "MB | minutes"


def table(folder: Path = ASSETS) -> str:
    """One line for each victim that has a card, in Markdown, a table for each kind of answer."""
    parts = (
        _part(folder, RECIPES, "accuracy | ECE", _accuracy),
        _part(folder, POINTERS, "F1 | exact | questions a second", _agreement),
        _part(folder, TRANSLATORS, "BLEU | with 4 beams | sentences a second", _bleu),
    )
    return "\n".join(part for part in parts if part)


def _part(folder: Path, names: Iterable[str], figures: str, measured: Callable[[Card], str]) -> str:
    """A table of those of the victims that have a card."""
    cards = [read_card(folder / name) for name in names if (folder / name / CARD).is_file()]
    if not cards:
        return ""
    head = f"| {_FIRST} | {figures} | {_LAST} |\n"
    return (
        head
        + "|---" * (head.count("|") - 1)
        + "|\n"
        + "".join(
            f"| {card['name']} | {card['about']} | {card['data']} | {card['training_rows']:,} "
            f"| {card['held_out']['rows']:,} | {measured(card)} "
            f"| {card['megabytes']} | {card['minutes']} |\n"
            for card in cards
        )
    )


def _accuracy(card: Card) -> str:
    held_out = card["held_out"]
    return f"{held_out['accuracy']:.1%} | {held_out['calibration_error']:.3f}"


def _agreement(card: Card) -> str:
    held_out = card["held_out"]
    return f"{held_out['f1']} | {held_out['exact']} | {held_out['questions_per_second']}"


def _bleu(card: Card) -> str:
    held_out = card["held_out"]
    beams = card["held_out_beams"]["bleu"]
    return f"{held_out['bleu']} | {beams} | {held_out['sentences_per_second']}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of the victims in a folder."""
    sys.stdout.write(table(*map(Path, arguments if arguments is not None else sys.argv[1:])))


if __name__ == "__main__":
    main()
