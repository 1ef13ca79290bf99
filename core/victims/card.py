"""The card of a victim: what it is, how it was trained, how well it does, and its files' sha256."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from core.assets import shown
from core.errors import ResourceMissingError
from core.package_files import sha256

CARD: Final = "card.json"
WEIGHTS: Final = "weights.safetensors"


def train_command(name: str) -> str:
    """What to type to make the victim again."""
    return f"python -m core.victims.training.train {name} --data DIR"


def read_card(folder: Path) -> Mapping[str, Any]:
    path = folder / CARD
    if not path.is_file():
        raise ResourceMissingError(
            f"{shown(path)} is missing; make it again with: {train_command(folder.name)}"
        )
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ResourceMissingError(
            f"{shown(path)} is damaged; make it again with: {train_command(folder.name)}"
        ) from error
    return dict(card)


def task_key(card: Mapping[str, Any]) -> str:
    """The task that a card names; older cards only say whether a premise is needed."""
    return str(card.get("task_key") or ("pair" if card.get("needs_premise") else "classification"))


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write the card, readable for people too."""
    text = json.dumps(card, indent=2, ensure_ascii=False)
    (folder / CARD).write_text(text + "\n", encoding="utf-8")


def checked_files(folder: Path, card: Mapping[str, Any], shared: Path | None = None) -> None:
    """Compare every file that the card lists with its sha256; names are relative to the folder.

    The files of several victims, such as ``../words.txt``, may lie in another folder.
    """
    for name, expected in card["files"].items():
        path = (folder / name).resolve()
        if shared is not None and name.startswith("../"):
            path = shared / name.removeprefix("../")
        if not path.is_file():
            raise ResourceMissingError(
                f"{shown(path)} is missing; make it again with: {train_command(folder.name)}"
            )
        if sha256(path) != expected:
            raise ResourceMissingError(
                f"{shown(path)} is damaged (its sha256 is not the one in {CARD}); "
                f"make it again with: {train_command(folder.name)}"
            )


@contextmanager
def fitting(folder: Path) -> Iterator[None]:
    """Say in one line that weights do not fit the network of their card."""
    from safetensors import SafetensorError

    try:
        yield
    except (SafetensorError, KeyError, RuntimeError, TypeError) as error:
        raise ResourceMissingError(
            f"{folder / WEIGHTS} does not fit its network; make it again with: "
            f"{train_command(folder.name)}"
        ) from error
