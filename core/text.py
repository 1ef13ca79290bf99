"""Split a text into words and the gaps between them, and rebuild it exactly."""

import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, cast

import regex

from core.errors import InputError

HIDDEN_TEXT: Final = "[UNK]"  # how a hidden word is written in a text, unless a victim says else
MAX_WORDS = 1_000
MAX_CHARACTERS = 100_000

P = ParamSpec("P")
Result = TypeVar("Result")

_WORD = regex.compile(
    r"""
    (?<!\S)['’](?:s|d|m|t|ll|re|ve|em)(?![\p{L}\p{M}\p{N}])   # a clitic written apart: it 's
  | (?:\p{L}\.){2,}                                           # U.S., e.g.
  | [\p{L}\p{N}][\p{L}\p{M}\p{N}_]*                           # letters and digits of any script,
    (?:(?:['’\-‐‑\u200c\u200d]|(?<=\p{N})[.,:/](?=\p{N}))     # joined as in don't, well-made, 3.5
       [\p{L}\p{N}][\p{L}\p{M}\p{N}_]*)*
  | (?=[\p{Extended_Pictographic}\p{RI}])\X                   # one emoji, whatever it is built of
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_CLITIC = regex.compile(r"(.+?)(n't|'(?:s|d|m|ll|re|ve))", regex.IGNORECASE)
_MARKS = regex.compile(r"(\S)\1*")


def remembered(
    size: int, longest: int = 100
) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Remember the answers about so many words or texts; a very long one would fill the memory."""

    def decorate(function: Callable[P, Result]) -> Callable[P, Result]:
        known: Callable[P, Result] = cast(Any, lru_cache(maxsize=size)(function))

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> Result:
            argument = args[0]
            length = (
                len(argument) if isinstance(argument, str) else sum(map(len, cast(Any, argument)))
            )
            return (known if length <= longest else function)(*args, **kwargs)

        return answer

    return decorate


class Pieces(NamedTuple):
    """The words of a text and the ``len(words) + 1`` gaps around them."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]


def split(text: str) -> Pieces:
    """Split so that ``join(*split(text)) == text``; punctuation stays in the gaps."""
    words, gaps, end = [], [], 0
    for match in _WORD.finditer(text):
        gaps.append(text[end : match.start()])
        words.append(match.group())
        end = match.end()
    return Pieces(tuple(words), (*gaps, text[end:]))


def join(words: tuple[str, ...], gaps: tuple[str, ...]) -> str:
    """Put words and gaps together again."""
    return gaps[0] + "".join(word + gap for word, gap in zip(words, gaps[1:], strict=True))


def places(pieces: Pieces) -> list[tuple[int, int]]:
    """Where each word begins and ends in the text of these pieces."""
    words, gaps = pieces
    found, end = [], 0
    for gap, word in zip(gaps, words, strict=False):  # there is one gap more
        start = end + len(gap)
        end = start + len(word)
        found.append((start, end))
    return found


def match_case(original: str, substitute: str) -> str:
    """Write the substitute in the capitalisation style of the word it replaces."""
    if len(original) > 1 and original.isupper():
        return substitute.upper()
    if original[:1].isupper() and original[1:] == original[1:].lower():
        return substitute[:1].upper() + substitute[1:]
    return substitute


def tokens(text: str) -> list[str]:
    """Tokens as word-level victims see them: lower case, clitics apart, runs of one mark together.

    The tokens of a text are the tokens of its words and gaps one after the other, so a victim can
    look up the ids of every substitute once.
    """
    words, gaps = split(text)
    result = [mark.group() for mark in _MARKS.finditer(gaps[0])]
    for word, gap in zip(words, gaps[1:], strict=True):
        result += word_tokens(word)
        result += [mark.group() for mark in _MARKS.finditer(gap)]
    return result


def placed_tokens(text: str) -> list[tuple[str, int, int]]:
    """The tokens of a text with the characters where each begins and ends."""
    words, gaps = split(text)
    result, end = [], 0
    for gap, word in zip(gaps, (*words, ""), strict=True):
        result += [(m.group(), end + m.start(), end + m.end()) for m in _MARKS.finditer(gap)]
        end += len(gap)
        parts = word_tokens(word) if word else []
        if sum(map(len, parts)) != len(word):  # a letter that is longer in lower case
            result += [(part, end, end + len(word)) for part in parts]
            end += len(word)
            continue
        for part in parts:
            result.append((part, end, end + len(part)))
            end += len(part)
    return result


def word_tokens(word: str) -> list[str]:
    """The tokens of a single word: ``don't`` gives ``do`` and ``n't``."""
    plain = word.lower().replace("’", "'")
    clitic = _CLITIC.fullmatch(plain)
    return list(clitic.groups()) if clitic else [plain]


def check_characters(text: str) -> None:
    """Refuse what no screen shows and no file keeps."""
    for index, character in enumerate(text):
        if unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\n\r":
            raise InputError(
                f"Character {index + 1} of the text, U+{ord(character):04X}, is a control "
                "character or not valid Unicode; remove it and try again."
            )


def check_length(text: str) -> None:
    """Refuse what is far too long before anybody reads it."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"The text has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}. "
            "Attack a shorter part of it."
        )


def check(text: str) -> str:
    """Return the text if it can be attacked, else say in one line why not."""
    check_length(text)
    check_characters(text)
    count = len(split(text).words)
    if count == 0:
        raise InputError("The text has no words; type a sentence with at least one word.")
    if count > MAX_WORDS:
        raise InputError(
            f"The text has {count:,} words; the limit is {MAX_WORDS:,}. "
            "Attack a shorter part of it."
        )
    return text
