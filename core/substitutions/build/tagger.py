"""Convert the weights of NLTK's averaged perceptron tagger from a pickle to plain arrays."""

import io
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np

from core.substitutions.build.sources import NLTK_DATA
from core.substitutions.lexicon import pack, starts, write

PICKLE = f"{NLTK_DATA}/taggers/averaged_perceptron_tagger/averaged_perceptron_tagger.pickle"


class PlainUnpickler(pickle.Unpickler):
    """Reads dictionaries, sets, strings and numbers, and refuses anything that could run code."""

    def find_class(self, module: str, name: str) -> type[set[Any]]:
        """Allow sets, which Python 2 wrote as a call, and nothing else."""
        if (module, name) in {("__builtin__", "set"), ("builtins", "set")}:
            return set
        raise pickle.UnpicklingError(f"{module}.{name} is not plain data")


def build(unpacked: Path, folder: Path) -> None:
    """Write tagger.npz."""
    pickled = (unpacked / PICKLE).read_bytes()
    weights, tagdict, classes = PlainUnpickler(io.BytesIO(pickled), encoding="latin-1").load()
    save(folder / "tagger.npz", weights, tagdict, classes)


def save(path: Path, weights: dict[str, dict[str, Any]], tagdict: Any, classes: Any) -> None:
    """Write a perceptron's weights as rows of (tag, weight), weights in thousandths."""
    tags = sorted(classes)
    index = {tag: number for number, tag in enumerate(tags)}
    features = sorted(weights)
    cells = [cell for feature in features for cell in sorted(weights[feature].items())]
    write(
        path,
        features=pack(features),
        starts=starts(len(weights[feature]) for feature in features),
        tags=np.array([index[tag] for tag, _ in cells], dtype=np.uint8),
        weights=np.array([round(weight * 1000) for _, weight in cells], dtype=np.int32),
        classes=pack(tags),
        tagdict=pack([json.dumps(dict(sorted(tagdict.items())))]),
    )
