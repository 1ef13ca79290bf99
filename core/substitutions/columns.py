"""What every substitution does in the same way: leave some words alone, and finish a column."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from core.substitutions.blocked import GROUP_NOTE, is_blocked, names_a_group
from core.substitutions.protocol import Column, Substitute
from core.substitutions.vocabulary import is_name, is_plain, is_stop_word, usage
from core.text import match_case, split

_POSSESSIVE = regex.compile(r"(.*\p{L})(['’]s)", regex.IGNORECASE)
_CONTRACTION = regex.compile(r".*(n['’]t|['’](d|m|ll|re|ve))", regex.IGNORECASE)


_ROMAN = regex.compile(r"[IVX]{2,}")


def stem(word: str) -> tuple[str, str]:
    """Take the possessive ending off: ``film's`` gives ``film`` and ``'s``."""
    match = _POSSESSIVE.fullmatch(word)
    return (match[1], match[2]) if match else (word, "")


def refusal(word: str, tag: str) -> str:
    """Why a word is left alone whatever the method, or nothing."""
    if is_stop_word(word) or is_stop_word(stem(word)[0]):
        return "stop word"
    if _CONTRACTION.fullmatch(word):
        return "contraction"
    if any(character.isdigit() for character in word) or _ROMAN.fullmatch(word):
        return "number"
    if len(stem(word)[0]) == 1:
        return "single character"
    if is_proper(word, tag):
        return "proper name"
    return ""


def is_proper(word: str, tag: str) -> bool:
    """Whether the word is a name: tagged and written as one, or always written with a capital.

    In lower-case text the tag alone decides, unless the word is an ordinary one.
    """
    base = stem(word)[0]
    tagged = tag in ("NNP", "NNPS") and (word[:1].isupper() or not is_plain(base))
    return tagged or is_name(base)


@lru_cache(maxsize=1 << 16)
def is_fit(form: str, lemma: str = "") -> bool:
    """Whether a form is in use and is an ordinary content word, neither a name nor a stop word."""
    left_alone = is_name(form) or is_stop_word(form) or is_stop_word(lemma)
    return form in usage() and "'" not in form and not left_alone


@lru_cache(maxsize=1 << 16)
def stays_whole(form: str) -> bool:
    """Whether a form is read as the same words when the text is split again."""
    return split(form).words == tuple(form.split(" "))


def column(
    word: str, found: Iterable[tuple[str, str]], note: str, limit: int | None = None
) -> Column:
    """Write substitutes like the word they replace; the note is for a word that gets none."""
    if names_a_group(stem(word)[0]):
        return Column(note=GROUP_NOTE)
    substitutes = tuple(_finish(word, found, limit))
    return Column(substitutes) if substitutes else Column(note=note)


def _finish(word: str, found: Iterable[tuple[str, str]], limit: int | None) -> Iterator[Substitute]:
    base, ending = stem(word)
    seen = {word.lower(), base.lower()}
    for form, reason in found:
        if limit is not None and len(seen) - len({word.lower(), base.lower()}) >= limit:
            return
        cased = match_case(base, form) + ending
        if form.lower() not in seen and stays_whole(cased) and not is_blocked(form):
            seen.add(form.lower())
            yield Substitute(cased, reason)
