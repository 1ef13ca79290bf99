"""How a translating network learns: every piece of a translation from those before it."""

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from core.package_files import sha256
from core.victims.card import WEIGHTS, write_card
from core.victims.networks.batching import padded
from core.victims.networks.pieces import Pieces
from core.victims.networks.seq2seq import LIMIT, START
from core.victims.networks.translators import built
from core.victims.networks.weights import save_weights
from core.victims.recipes import Recipe
from core.victims.training import parallel
from core.victims.training.batches import drawn, slices
from core.victims.training.cards import card_of
from core.victims.training.fitting import hide_words
from core.victims.training.loop import Check, Subject, learn
from core.victims.training.parallel import ParallelSplit, Sentence
from core.victims.translating import PIECES, TranslationVictim, load
from core.victims.words import PAD

BEAMS: Final = 4  # with which a trained translator is measured as well
SMOOTH: Final = 0.1  # of the probability that is shared among all pieces


@dataclass(frozen=True)
class Pair:
    """The pieces of a sentence and of its translation, both with their end."""

    source: tuple[int, ...]
    target: tuple[int, ...]


def encode(rows: Sequence[Sentence], pieces: Pieces, longest: int) -> list[Pair]:
    """Rows as pieces, without those that are too long to learn from."""
    pairs = [Pair(tuple(pieces.row(r.source)), tuple(pieces.row(r.target))) for r in rows]
    return [pair for pair in pairs if max(len(pair.source), len(pair.target)) <= longest]


def subject(
    network: nn.Module, train: Sequence[Pair], stop: Sequence[Pair], recipe: Recipe
) -> Subject[list[Pair]]:
    """Learn to go on with a translation; what must fall is the loss of a piece."""
    generator = torch.Generator().manual_seed(recipe.seed)

    def loss(batch: Sequence[Pair], smooth: float = SMOOTH, hidden: float = 0.0) -> Tensor:
        ids, lengths = padded([pair.source for pair in batch])
        target, _ = padded([(START, *pair.target) for pair in batch])
        scores = network(hide_words(ids, hidden, generator), lengths, target[:, :-1])
        flat, wanted = scores.float().flatten(0, 1), target[:, 1:].flatten()
        return cross_entropy(flat, wanted, ignore_index=PAD, label_smoothing=smooth)

    def look() -> tuple[float, str]:
        network.eval()
        near = sorted(stop, key=_lengths)
        with torch.inference_mode():
            found = [loss(batch, 0.0).item() for batch in slices(near, 100)]
        mean = sum(found) / len(found)
        return mean, f"{mean:.4f}"

    return Subject(
        -(-len(train) // recipe.batch),
        lambda rng: drawn(train, recipe.batch, rng, _lengths),
        lambda batch: loss(batch, hidden=recipe.word_dropout),
        look,
    )


def _lengths(pair: Pair) -> tuple[int, int]:
    return len(pair.target), len(pair.source)


def train_steps(
    name: str, recipe: Recipe, data: Path, folder: Path, progress: Path | None = None
) -> Generator[Check, None, dict[str, Any]]:
    """Train, save, load again and measure a translator; its card is written and returned."""
    torch.manual_seed(recipe.seed)
    split = parallel.load(data)
    pieces = Pieces(parallel.train_pieces(split.train))
    network = built(recipe.network, pieces, recipe.options)
    train = encode(split.train, pieces, recipe.max_length)
    stop = encode(split.stop, pieces, LIMIT)
    yield Check(0.0, f"{name}: {len(train):,} rows, {pieces.count:,} pieces")
    took = yield from learn(network, subject(network, train, stop, recipe), recipe, progress)
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    pieces.tokenizer.save(str(home / PIECES))
    save_weights(network, home / WEIGHTS)
    card = card_of(home, recipe, network, took)
    card["files"][PIECES] = sha256(home / PIECES)
    card |= {"training_rows": len(train), "split": split.note}
    write_card(home, card)
    card |= measured(load(name, folder), split)  # what is shipped, rounding included
    write_card(home, card)
    return card


def measured(victim: TranslationVictim, split: ParallelSplit) -> dict[str, Any]:
    """BLEU of the whole, by sacrebleu, greedy and with beams, and the speed."""
    rows = {"stop": split.stop, "held_out": split.held_out}
    return {part: _bleu(victim, rows[part]) for part in rows} | {
        "held_out_beams": _bleu(replace(victim, beams=BEAMS), split.held_out)
    }


def _bleu(victim: TranslationVictim, rows: Sequence[Sentence]) -> dict[str, Any]:
    from sacrebleu import corpus_bleu

    began = time.process_time()
    said = victim.predict([row.source for row in rows]).tolist()
    seconds = time.process_time() - began
    bleu = corpus_bleu(said, [[row.target for row in rows]]).score
    return {
        "rows": len(rows),
        "bleu": round(bleu, 2),
        "beams": victim.beams,
        "sentences_per_second": round(len(rows) / seconds, 1),
    }
