"""Read and write the compact word tables under assets/lexicon: npz files of numbers and text."""

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core import assets
from core.errors import ResourceMissingError

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

FOLDER = assets.FOLDER / "lexicon"
REBUILD = "python -m core.substitutions.build --sources DIR"
OTHERS = {  # tables that are made by another command
    "tagger": f"{REBUILD} --nltk-tagger",
    "blocked": "python -m core.substitutions.build.blocked --sources DIR",
    "exclusions": "python -m core.substitutions.build.exclusions --sources DIR",
}


def pack(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Store strings without line breaks as one array of bytes, which npz keeps without pickling."""
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def unpack(array: NDArray[Any]) -> list[str]:
    """Read what ``pack`` stored."""
    return array.tobytes().decode().split("\n") if array.size else []


def starts(rows: Iterable[int]) -> NDArray[np.uint32]:
    """Turn row lengths into the places where the rows start in one flat array."""
    return np.concatenate([[0], np.cumsum(list(rows), dtype=np.int64)]).astype(np.uint32)


def write(path: Path, **arrays: NDArray[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **arrays)


def read(path: Path, fix: str = REBUILD) -> Arrays:
    """Read a table, or say what is wrong with the file and which command mends it."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except FileNotFoundError:
        raise ResourceMissingError(f"{path} is missing; rebuild it with `{fix}`.") from None
    except (OSError, ValueError, EOFError, KeyError, AttributeError, BadZipFile, zlib.error):
        raise ResourceMissingError(f"{path} is damaged; rebuild it with `{fix}`.") from None


@cache
def table(name: str) -> Arrays:
    """Read one of the bundled tables once per process."""
    return read(FOLDER / f"{name}.npz", _fix(name))


def _fix(name: str) -> str:
    """The command that makes a table; the tagger can be had quickly only in NLTK's version."""
    return OTHERS.get(name, REBUILD)


def missing(tables: Iterable[str], packages: Iterable[str]) -> str:
    """Which table or package is not there and how to get it, or nothing."""
    for name in ("words", "tagger", "blocked", *tables):
        path = FOLDER / f"{name}.npz"
        if not path.exists():
            return f"{path} is missing; rebuild it with `{_fix(name)}`."
    for package in packages:
        if find_spec(package) is None:
            return f"{package} is not installed; install it with `pip install {package}`."
    return ""
