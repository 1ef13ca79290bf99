"""How SQuAD compares an answer with the right ones: its own normalisation, exact match and F1.

By the rules of the published evaluation of SQuAD 2.0; an empty answer means "no answer".
"""

import string
from collections import Counter
from collections.abc import Iterable
from typing import Final

import regex

_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_ARTICLES: Final = regex.compile(r"\b(a|an|the)\b")


def normalised(text: str) -> str:
    """Lower case, without punctuation, articles and repeated spaces."""
    plain = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", plain).split())


def exact(said: str, right: Iterable[str]) -> bool:
    """Whether it is one of the right answers."""
    return normalised(said) in map(normalised, _counted(right))


def f1(said: str, right: Iterable[str]) -> float:
    """How many words it has in common with the right answer that is nearest, from 0 to 1."""
    return max(_f1(said, each) for each in _counted(right))


def _counted(right: Iterable[str]) -> list[str]:
    """The answers that are left after normalisation; none of them is "no answer"."""
    return [each for each in right if normalised(each)] or [""]


def _f1(said: str, right: str) -> float:
    words, wanted = normalised(said).split(), normalised(right).split()
    if not words or not wanted:
        return float(words == wanted)
    common = (Counter(words) & Counter(wanted)).total()
    return 2 * common / (len(words) + len(wanted))
