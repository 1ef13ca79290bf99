"""Which words English really uses, how often, and which of them are names or stop words."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from core.substitutions.lexicon import table, unpack

NAME_SHARE = 0.8  # a word written with a capital this often inside a sentence is a name
ONLY_NAME = 0.99  # ... and so often, although WordNet has it as an ordinary word too (john)
PLAIN_SHARE = 0.12  # ... and below this share a capital only marks the start of a sentence


class Usage(NamedTuple):  # there are many: a tuple is made faster than a frozen dataclass
    """How often a word is used, and which share of it has a capital inside sentences."""

    times: int
    capital: float
    ordinary: bool
    rank: int


@cache
def usage() -> Mapping[str, Usage]:
    """Every known word in lower case, those used in most texts first."""
    stored = table("words")
    columns = zip(
        unpack(stored["words"]),
        stored["counts"].tolist(),
        (stored["capital"] / 255).tolist(),
        stored["ordinary"].tolist(),
        strict=True,
    )
    return {
        word: Usage(times, capital, ordinary, rank)
        for rank, (word, times, capital, ordinary) in enumerate(columns)
    }


@cache
def stop_words() -> frozenset[str]:
    """NLTK's English stop words with more pronouns and quantities, and clitics written apart."""
    return frozenset(unpack(table("words")["stop"]))


def is_name(word: str) -> bool:
    """Whether the word is practically always written with a capital letter."""
    known = usage().get(word.lower())
    return known is not None and known.capital >= (ONLY_NAME if known.ordinary else NAME_SHARE)


def is_plain(word: str) -> bool:
    """Whether a capital letter on this word says nothing but that a sentence starts."""
    known = usage().get(word.lower())
    return known is not None and known.capital <= PLAIN_SHARE


def is_stop_word(word: str) -> bool:
    """Whether the word is a stop word, however its apostrophe is written."""
    return word.lower().replace("’", "'") in stop_words()
