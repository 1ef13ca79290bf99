"""Small real models, made by hand and saved as the libraries save them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MarianConfig,
    MarianMTModel,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

from core.transformers_loader import quiet

START = "<|endoftext|>"


def tokenizer(words: list[str], **special: str) -> PreTrainedTokenizerFast:
    """Splits at spaces and around punctuation; every other word is unknown."""
    vocabulary = {word: index for index, word in enumerate([*special.values(), *words])}
    inner = Tokenizer(WordLevel(vocabulary, unk_token=special["unk_token"]))
    inner.pre_tokenizer = Whitespace()
    if "cls_token" in special:
        marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
        inner.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
        )
    return PreTrainedTokenizerFast(tokenizer_object=inner, **special)


def save(model: Any, words: PreTrainedTokenizerFast, folder: Path) -> Path:
    with quiet():
        model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def bigram(folder: Path, table: dict[str, dict[str, float]]) -> Path:
    """A GPT-2 whose next token depends on the last one only, by the given probabilities.

    Attention and feed-forward parts are zero and the layer norm is undone, so that the output
    weights are the logarithms of the table.
    """
    words = [word for word in table if word != START]
    tokens = tokenizer(words, unk_token=START)
    size = len(table)
    config = GPT2Config(
        vocab_size=size,
        n_positions=64,
        n_embd=size,
        n_layer=1,
        n_head=1,
        tie_word_embeddings=False,
        layer_norm_epsilon=1e-12,
        bos_token_id=0,
        eos_token_id=0,
    )
    model = GPT2LMHeadModel(config)
    order = [START, *words]
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.transformer.wte.weight.copy_(torch.eye(size))
        model.transformer.ln_f.weight.fill_(float(np.std(np.eye(size)[0])))
        model.transformer.ln_f.bias.fill_(1 / size)
        for column, last in enumerate(order):
            for row, following in enumerate(order):
                model.lm_head.weight[row, column] = np.log(table[last][following])
    return save(model, tokens, folder)


def random_llama(folder: Path, words: list[str], positions: int = 64) -> Path:
    """A Llama with random weights, for comparing two ways to compute the same thing."""
    torch.manual_seed(0)
    tokens = tokenizer(words, unk_token=START)
    config = LlamaConfig(
        vocab_size=len(tokens),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        initializer_range=0.5,
        bos_token_id=0,
        eos_token_id=0,
    )
    return save(LlamaForCausalLM(config), tokens, folder)


BERT_MARKS = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def bert(folder: Path, labels: tuple[str, ...] = ("negative", "positive"), **options: str) -> Path:
    """A BERT classifier with random weights and a vocabulary of seven words."""
    torch.manual_seed(1)
    words = tokenizer(["a", "good", "bad", "film", "very", "is", "this"], **BERT_MARKS)
    config = _bert_config(len(words), id2label=dict(enumerate(labels)), **options)
    return save(BertForSequenceClassification(config), words, folder)


def answering_bert(folder: Path) -> Path:
    """A BERT that points at answers, with random weights."""
    torch.manual_seed(1)
    words = tokenizer(["a", "good", "bad", "film", "very", "is", "this"], **BERT_MARKS)
    return save(BertForQuestionAnswering(_bert_config(len(words))), words, folder)


WRITER_MARKS = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}


def writer(folder: Path, kind: str, without: str = "") -> Path:
    """A Marian or T5 model that writes, with random weights; one of them can be left out."""
    torch.manual_seed(2)
    words = tokenizer(["a", "good", "bad", "film", "very", "is", "this"], **WRITER_MARKS)
    marks = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    sizes: dict[str, Any] = {"vocab_size": len(words), "d_model": 16, **marks}
    model: Any
    if kind == "t5":
        sizes |= {"d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2}
        model = T5ForConditionalGeneration(T5Config(**sizes, initializer_factor=20.0))
    else:
        for part in ("encoder", "decoder"):
            sizes |= {f"{part}_layers": 1, f"{part}_attention_heads": 2, f"{part}_ffn_dim": 32}
        sizes |= {"max_position_embeddings": 24, "forced_eos_token_id": 1, "init_std": 1.0}
        model = MarianMTModel(MarianConfig(**sizes))
    save(model, words, folder)
    if without:
        path = folder / "model.safetensors"
        save_file(
            {n: t for n, t in load_file(path).items() if n != without}, path, {"format": "pt"}
        )
    return folder


def headless_bert(
    folder: Path, vocabulary: Sequence[str] = ("a", "good", "film"), **options: float
) -> Path:
    """The same BERT without a classifier on top."""
    torch.manual_seed(1)
    words = tokenizer([*vocabulary], **BERT_MARKS)
    return save(BertModel(_bert_config(len(words), **options)), words, folder)


def _bert_config(size: int, **options: Any) -> BertConfig:
    return BertConfig(
        vocab_size=size,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        initializer_range=0.5,
        **options,
    )


def edited(folder: Path, copy: Path, **changes: object) -> Path:
    """A copy of a model folder with another config."""
    copy.mkdir(exist_ok=True)
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    config = json.loads((copy / "config.json").read_text()) | changes
    (copy / "config.json").write_text(json.dumps(config))
    return copy


class WordCounter:
    """What a fitted scikit-learn pipeline over texts looks like from outside."""

    classes_ = np.array([0, 1])

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        good = np.array([text.split().count("good") for text in texts], dtype=np.float32)
        positive = 1 / (1 + np.exp(-good))
        return np.stack([1 - positive, positive], axis=1)
