"""How each bundled victim is made: its data, its network and the settings of its training."""

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.package_files import MINILM, PackagedFile

LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "sst2": ("negative", "positive"),
    "mr": ("negative", "positive"),
    "imdb": ("negative", "positive"),
    "ag": ("World", "Sports", "Business", "Sci/Tech"),
    "snli": ("contradiction", "neutral", "entailment"),
}
TASK_KEYS: Final[Mapping[str, str]] = {
    "snli": "pair",
    "squad": "answering",
    "squad2": "answering",
    "multi30k": "translation",
}
TASKS: Final[Mapping[str, str]] = {
    "sst2": "sentiment of a sentence",
    "mr": "sentiment of a sentence",
    "imdb": "sentiment of a review",
    "ag": "topic of a news item",
    "snli": "entailment of a hypothesis by a fixed premise",
    "squad": "answer to a question in a passage",
    "squad2": 'answer to a question in a passage, or "no answer"',
    "multi30k": "translation from English to French",
}
DATA: Final[Mapping[str, str]] = {
    "sst2": "SST-2, phrases and sentences of the training part",
    "mr": "MR sentence polarity",
    "imdb": "IMDB training reviews",
    "ag": "AG's News, a pool of 16,500 training items",
    "snli": "SNLI, 100,000 of the 550,000 training pairs",
    "squad": "SQuAD 1.1, questions of the training part",
    "squad2": "SQuAD 1.1, and half of the development part of SQuAD 2.0",
    "multi30k": "Multi30k captions, and short sentences of Tatoeba",
}


@dataclass(frozen=True)
class Recipe:
    """The settings that, with the data and the seed, give a victim."""

    data: str
    network: str
    about: str
    options: Mapping[str, int | float] = field(default_factory=dict)
    epochs: int = 4
    batch: int = 64
    rate: float = 1e-3
    decay: float = 1e-5
    word_dropout: float = 0.05  # words hidden at random, so that the unknown token means "unknown"
    rows: int = 0  # of an epoch, drawn anew for each; 0 is all
    min_count: int = 2  # rarer words keep their GloVe vector unchanged
    max_length: int = 256
    checks: int = 2  # looks at the stopping data in an epoch
    patience: int = 3  # checks without a gain before training stops
    mean_keeps: float = 0.995  # of the running mean of the numbers at each step; 0 is no mean
    bfloat16: bool = False  # faster where the processor knows it, and a little less exact
    seed: int = 7
    package: PackagedFile | None = None  # that its network starts from
    start: str = ""  # another victim, from whose weights training goes on

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes, in the order of the probabilities; none where texts are the answers."""
        return LABELS.get(self.data, ())

    @property
    def task_key(self) -> str:
        """The task that its data teach."""
        return TASK_KEYS.get(self.data, "classification")


def _lstm(data: str, directions: int, hidden: int, **settings: int | float) -> Recipe:
    name = "BiLSTM" if directions == 2 else "LSTM"
    options = {"hidden": hidden, "directions": directions, "dropout": 0.4}
    about = f"{name} over words, maximum and mean over time"
    return Recipe(data, "lstm", about, options, **settings)  # type: ignore[arg-type]


def _cnn(data: str, dropout: float = 0.5, **settings: int | float) -> Recipe:
    options = {"filters": 100, "dropout": dropout}
    about = "CNN over words, windows of 3, 4 and 5, maximum over time"
    return Recipe(data, "cnn", about, options, **settings)  # type: ignore[arg-type]


def _minilm(data: str, frozen: int, **settings: int | float) -> Recipe:
    options = {"rank": 16, "frozen": frozen, "dropout": 0.1}
    about = f"all-MiniLM-L6-v2 with LoRA adapters on {6 - frozen} of its 6 layers"
    shared = {"rate": 1e-3, "decay": 0.01, "word_dropout": 0.0, "batch": 32, "max_length": 128}
    chosen: dict[str, Any] = {**shared, **settings}
    return Recipe(data, "minilm", about, options, package=MINILM, **chosen)


def _translator(network: str, about: str, **options: int | float) -> Recipe:
    return Recipe(
        "multi30k",
        network,
        about,
        options,
        epochs=8,
        batch=64,
        rate=2.5e-3,
        decay=1e-4,
        word_dropout=0.01,
        max_length=60,
        checks=3,
        patience=4,
        mean_keeps=0.997,
    )


RECIPES: Final[dict[str, Recipe]] = {  # of classifiers
    "bilstm-sst2": _lstm("sst2", 2, 128, epochs=4, checks=4, patience=6, mean_keeps=0.0),
    "cnn-sst2": _cnn("sst2", epochs=6, checks=4, patience=6),
    "minilm-sst2": _minilm("sst2", 0, epochs=2, checks=5, patience=5),
    "lstm-mr": _lstm("mr", 1, 128, epochs=15, patience=6, mean_keeps=0.0),
    "cnn-mr": _cnn("mr", epochs=15, patience=6, mean_keeps=0.0),
    "minilm-mr": _minilm("mr", 0, epochs=5),
    "bilstm-imdb": _lstm("imdb", 2, 64, epochs=3, min_count=8, max_length=200, mean_keeps=0.0),
    "lstm-imdb": _lstm("imdb", 1, 96, epochs=3, min_count=8, max_length=200, mean_keeps=0.0),
    "cnn-imdb": _cnn("imdb", 0.3, epochs=5, rate=2e-3, min_count=8, max_length=250),
    "minilm-imdb": _minilm("imdb", 3, epochs=1, checks=5, max_length=192, bfloat16=True),
    "wordcnn-ag": _cnn("ag", epochs=6, min_count=3, mean_keeps=0.0),
    "charcnn-ag": Recipe(
        "ag",
        "charcnn",
        "CNN over characters, two convolutions, maximum over time",
        {"filters": 128, "dropout": 0.4},
        epochs=14,
        max_length=400,
        checks=1,
        patience=4,
        mean_keeps=0.0,
    ),
    "dnn-snli": Recipe(
        "snli",
        "dnn",
        "sums of word vectors of both sentences, three hidden layers",
        {"hidden": 200, "dropout": 0.2},
        epochs=6,
        batch=128,
        min_count=3,
        word_dropout=0.02,
        mean_keeps=0.0,
    ),
    "infersent-snli": Recipe(
        "snli",
        "infersent",
        "BiLSTM encoder, maximum over time, product and difference of both sentences",
        {"hidden": 128, "dropout": 0.2},
        epochs=4,
        min_count=3,
        word_dropout=0.02,
        mean_keeps=0.0,
    ),
    "esim-snli": Recipe(
        "snli",
        "esim",
        "ESIM: BiLSTM, soft alignment of both sentences, second BiLSTM",
        {"hidden": 50, "dropout": 0.2},
        epochs=4,
        min_count=3,
        word_dropout=0.02,
    ),
    "minilm-snli": _minilm("snli", 2, epochs=1, checks=5, max_length=96),
}

TRANSLATORS: Final[dict[str, Recipe]] = {
    "transformer-multi30k": _translator(
        "transformer",
        "Transformer, 3 layers that read and 3 that write",
        size=128,
        heads=4,
        inner=384,
        layers=3,
        dropout=0.12,
    ),
    "convs2s-multi30k": _translator(
        "convs2s",
        "convolutions, 4 layers that read and 4 that write",
        size=160,
        layers=4,
        dropout=0.12,
    ),
}


def _minilm_pointer(data: str, **settings: Any) -> Recipe:
    return Recipe(
        data,
        "minilm-spans",
        "all-MiniLM-L6-v2 with LoRA adapters, and two scores for each piece of the passage",
        {"rank": 16, "frozen": 0, "dropout": 0.05},
        rows=4_000,
        batch=16,
        decay=0.01,
        max_length=96,
        checks=2,
        patience=4,
        mean_keeps=0.98,
        bfloat16=True,
        package=MINILM,
        **settings,
    )


POINTERS: Final[dict[str, Recipe]] = {
    "minilm-squad": _minilm_pointer("squad", epochs=3, rate=1.5e-3),
    "minilm-squad2": _minilm_pointer("squad2", epochs=1, rate=1e-3, start="minilm-squad"),
    "bidaf-squad": Recipe(
        "squad",
        "bidaf",
        "BiDAF: words and letters, attention both ways, two LSTM layers",
        {"hidden": 64, "letters": 32, "dropout": 0.15},
        epochs=4,
        rows=8_000,
        batch=32,
        rate=3e-3,
        max_length=160,
        min_count=200,
        checks=2,
        patience=4,
        mean_keeps=0.99,
    ),
}
# A ChainMap goes through its last mapping first.
ALL_RECIPES: Final[Mapping[str, Recipe]] = ChainMap(POINTERS, TRANSLATORS, RECIPES)
