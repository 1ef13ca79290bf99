"""The bundled victims as a table, from their cards: ``python -m core.victims.training.table``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from core.victims.card import CARD, read_card
from core.victims.recipes import RECIPES
from core.victims.words import ASSETS

_HEAD = (
    "| victim | network | trained on | rows | held out | accuracy | ECE | MB | minutes |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)


def table(folder: Path = ASSETS) -> str:
    """One line for each victim that has a card, in Markdown."""
    lines = []
    for name in RECIPES:
        if not (folder / name / CARD).is_file():
            continue
        card = read_card(folder / name)
        held_out = card["held_out"]
        lines.append(
            f"| {name} | {card['about']} | {card['data']} | {card['training_rows']:,} "
            f"| {held_out['rows']:,} | {held_out['accuracy']:.1%} "
            f"| {held_out['calibration_error']:.3f} | {card['megabytes']} | {card['minutes']} |\n"
        )
    return _HEAD + "".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of the victims in a folder."""
    sys.stdout.write(table(*map(Path, arguments if arguments is not None else sys.argv[1:])))


if __name__ == "__main__":
    main()
