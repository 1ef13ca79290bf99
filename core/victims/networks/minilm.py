"""all-MiniLM-L6-v2 as a classifier: the encoder of the package, LoRA adapters and a small head.

The encoder is written out here (it is BERT with 6 layers of 384), which loads faster than a
general library and lets training keep the outputs of the layers that it does not change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, linear, scaled_dot_product_attention

from core.package_files import MINILM
from core.text import HIDDEN_TEXT
from core.victims.networks.batching import dense
from core.victims.networks.kinds import NetworkKind, Reader
from core.victims.networks.single import mask_of

CLASSIFY: Final = 101  # the mark before the first sentence
SEPARATE: Final = 102  # the mark behind each sentence
LIMIT: Final = 256  # pieces of a text that it reads
LAYERS: Final = 6
HEADS: Final = 12
SIZE: Final = 384
INNER: Final = 1_536
PIECES: Final = 30_522
POSITIONS: Final = 512
EPSILON: Final = 1e-12


@cache
def _folder() -> Path:
    return MINILM.check().parent


@cache
def tokenizer() -> Any:
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


@dataclass(frozen=True)
class WordPieces:
    """Word pieces of a text, without BERT's marks around them."""

    def text_ids(self, text: str) -> list[int]:
        return list(tokenizer().encode(text, add_special_tokens=False).ids)

    @property
    def hidden_ids(self) -> tuple[int, ...]:
        return self.word_ids(HIDDEN_TEXT)

    def word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(self.text_ids(word))

    gap_ids = word_ids


class Lora(nn.Module):
    """A frozen linear layer plus a product of two thin matrices (Hu et al., 2022)."""

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, layer.in_features) / layer.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, inputs: Tensor) -> Tensor:
        """The layer with its adapter."""
        return torch.add(self.layer(inputs), linear(linear(inputs, self.down), self.up))

    def merged(self) -> nn.Linear:
        """One linear layer that gives the same."""
        with torch.no_grad():
            self.layer.weight += self.up @ self.down
        return self.layer


class BertLayer(nn.Module):
    """One layer of BERT; queries, keys and values come from one matrix."""

    def __init__(self) -> None:
        super().__init__()
        self.attend = nn.Linear(SIZE, 3 * SIZE)
        self.gather = nn.Linear(SIZE, SIZE)
        self.norm_first = nn.LayerNorm(SIZE, eps=EPSILON)
        self.widen = nn.Linear(SIZE, INNER)
        self.narrow = nn.Linear(INNER, SIZE)
        self.norm_second = nn.LayerNorm(SIZE, eps=EPSILON)
        self.drop = nn.Dropout(0.0)

    def forward(self, hidden: Tensor, inside: Tensor) -> Tensor:
        """Hidden vectors of shape (batch, width, SIZE); ``inside`` is true where a text is."""
        batch, width, _ = hidden.shape
        heads = self.attend(hidden).view(batch, width, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        mixed = scaled_dot_product_attention(heads[0], heads[1], heads[2], attn_mask=inside)
        mixed = self.gather(mixed.transpose(1, 2).reshape(batch, width, SIZE))
        hidden = self.norm_first(hidden + self.drop(mixed))
        wide = self.narrow(gelu(self.widen(hidden)))
        result: Tensor = self.norm_second(hidden + self.drop(wide))
        return result

    def adapt(self, rank: int, dropout: float) -> None:
        """Freeze the layer and put adapters on its four matrices."""
        self.requires_grad_(False)
        self.drop.p = dropout
        for name in ("attend", "gather", "widen", "narrow"):
            setattr(self, name, Lora(getattr(self, name), rank))

    def merge(self) -> None:
        """Fold the adapters into the matrices, which makes prediction faster."""
        for name, child in list(self.named_children()):
            if isinstance(child, Lora):
                setattr(self, name, child.merged())


class BertEncoder(nn.Module):
    """The embeddings and layers of BERT, without its pooler."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces = nn.Embedding(PIECES, SIZE)
        self.positions = nn.Embedding(POSITIONS, SIZE)
        self.kind = nn.Parameter(torch.zeros(SIZE))
        self.norm = nn.LayerNorm(SIZE, eps=EPSILON)
        self.layers = nn.ModuleList(BertLayer() for _ in range(LAYERS))

    @property
    def stack(self) -> list[BertLayer]:
        """The layers, from the first to the last."""
        return [layer for layer in self.layers if isinstance(layer, BertLayer)]

    def embed(self, ids: Tensor, beside: Tensor | None = None) -> Tensor:
        """The input of the first layer; ``beside`` is added to its vectors before the norm."""
        places = self.positions.weight[: ids.shape[1]]
        vectors = self.pieces(ids) + places + self.kind
        result: Tensor = self.norm(vectors if beside is None else vectors + beside)
        return result

    def run(self, hidden: Tensor, lengths: Tensor, first: int, last: int) -> Tensor:
        """Layers ``first`` to ``last - 1``."""
        inside = mask_of(lengths, hidden.shape[1])[:, None, None, :, 0] > 0
        for layer in self.stack[first:last]:
            hidden = layer(hidden, inside)
        return hidden


class MiniLmClassifier(nn.Module):
    """The encoder with adapters on its upper layers, the mean over its tokens, one linear layer."""

    def __init__(
        self, encoder: BertEncoder, labels: int, *, rank: int, frozen: int, dropout: float
    ) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        self.frozen = frozen  # layers below keep the package's numbers
        for layer in encoder.stack[frozen:]:
            layer.adapt(rank, dropout)
        self.output = nn.Linear(SIZE, labels)
        self.drop = nn.Dropout(dropout)

    def below(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """The output of the frozen layers, which training computes once for each text."""
        with torch.no_grad():
            return self.encoder.run(self.encoder.embed(ids), lengths, 0, self.frozen)

    def above(self, hidden: Tensor, lengths: Tensor) -> Tensor:
        """Class scores from the output of the frozen layers."""
        found = self.encoder.run(hidden, lengths, self.frozen, LAYERS)
        inside = mask_of(lengths, found.shape[1])
        mean = (found * inside).sum(dim=1) / lengths[:, None]
        return dense(self.output, self.drop(mean))

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Class scores of shape (batch, labels)."""
        return self.above(self.below(ids, lengths), lengths)

    def merge(self) -> None:
        """Fold all adapters into the encoder."""
        for layer in self.encoder.stack:
            layer.merge()


class FrozenOutputs:
    """The outputs of the frozen layers for rows of ids, in 16 bits, each computed once."""

    def __init__(self, network: MiniLmClassifier) -> None:
        self.network = network
        self.known: dict[tuple[int, ...], Tensor] = {}

    def scores(self, rows: Sequence[tuple[int, ...]]) -> Tensor:
        """Class scores of rows."""
        lengths = torch.tensor([len(row) for row in rows])
        fresh = [row for row in dict.fromkeys(rows) if row not in self.known]
        if fresh:
            sizes = torch.tensor([len(row) for row in fresh])
            ids = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in fresh], True)
            for row, hidden in zip(fresh, self.network.below(ids, sizes), strict=True):
                self.known[row] = hidden[: len(row)].half()
        hidden = nn.utils.rnn.pad_sequence([self.known[row] for row in rows], True).float()
        return self.network.above(hidden, lengths)


def load_encoder() -> BertEncoder:
    """The encoder of the package."""
    from safetensors.torch import load_file

    stored = load_file(_folder() / "model.safetensors")
    state = {
        "pieces.weight": stored["embeddings.word_embeddings.weight"],
        "positions.weight": stored["embeddings.position_embeddings.weight"],
        "kind": stored["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": stored["embeddings.LayerNorm.weight"],
        "norm.bias": stored["embeddings.LayerNorm.bias"],
    }
    for number in range(LAYERS):
        old, new = f"encoder.layer.{number}.", f"layers.{number}."
        for part in ("weight", "bias"):
            heads = [stored[f"{old}attention.self.{n}.{part}"] for n in ("query", "key", "value")]
            state[f"{new}attend.{part}"] = torch.cat(heads)
            for name, stored_name in (
                ("gather", "attention.output.dense"),
                ("norm_first", "attention.output.LayerNorm"),
                ("widen", "intermediate.dense"),
                ("narrow", "output.dense"),
                ("norm_second", "output.LayerNorm"),
            ):
                state[f"{new}{name}.{part}"] = stored[f"{old}{stored_name}.{part}"]
    with torch.device("meta"):
        encoder = BertEncoder()
    encoder.load_state_dict(state, assign=True)
    return encoder


def frame(reader: Reader, premise: str) -> tuple[Sequence[int], Sequence[int]]:
    """BERT's marks around a text, and a premise before it."""
    first = (*reader.text_ids(premise), SEPARATE) if premise else ()
    return (CLASSIFY, *first), (SEPARATE,)


def _build(labels: int, **options: Any) -> MiniLmClassifier:
    return MiniLmClassifier(load_encoder(), labels, **options)


MINILM_KIND = NetworkKind(
    _build,
    own_reader=WordPieces,
    frame=frame,
    limit=LIMIT,
    rows_of_words=True,
    training_scores=FrozenOutputs,
    finish=MiniLmClassifier.merge,
)
