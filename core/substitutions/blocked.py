"""Words that no method puts on a screen, and words for groups of people, which get no substitutes.

Slurs, obscenities, words of sexual violence and words that insult groups are known by a salted
hash only: nobody reads them here. ``build.blocked`` makes the list. Research that needs them sets
``SWAPSCOPE_BLOCKED_WORDS=allow``.
"""

import os
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import numpy as np
import regex

from core.substitutions.lexicon import FOLDER, table

SETTING: Final = "SWAPSCOPE_BLOCKED_WORDS"  # in the environment, for research: allow
SALT: Final = b"swapscope blocks"
GROUP_NOTE: Final = "names a group of people"
_OTHERS = regex.compile(r"[^\p{L}\p{N}]+")


def allow() -> None:
    """Offer all words from now on, in this process and those that it starts."""
    os.environ[SETTING] = "allow"


def plain(term: str) -> str:
    """A term as it is compared: its letters and digits in lower case."""
    return _OTHERS.sub("", term.lower())


def digest(term: str) -> int:
    """What is kept of a term."""
    return int.from_bytes(blake2b(plain(term).encode(), digest_size=8, key=SALT).digest(), "big")


@cache
def _digests() -> frozenset[int]:
    return frozenset(np.asarray(table("blocked")["digests"]).tolist())


@lru_cache(maxsize=1 << 16)
def is_blocked(form: str) -> bool:
    """Whether a form, or one of the words in it, is blocked; the list holds inflected forms."""
    if os.environ.get(SETTING) == "allow":
        return False
    words = [word for word in _OTHERS.split(form) if word]
    pairs = [first + second for first, second in pairwise(words)]
    return any(digest(part) in _digests() for part in (form, *words, *pairs))


def names_a_group(word: str) -> bool:
    """Whether a word says of people which group they belong to: any swap of it may insult.

    Nationalities and religions with a capital are names already.
    """
    return word.lower() in _groups()


@cache
def _groups() -> frozenset[str]:
    return frozenset((FOLDER / "groups.txt").read_text(encoding="utf-8").split())
