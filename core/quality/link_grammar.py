"""Link Grammar through its program link-parser: words that fit no parse of their sentence."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence

from core.errors import ResourceMissingError
from core.quality.metric import Issue

PROGRAM = "link-parser"
_FIX = "sudo apt install link-grammar link-grammar-dictionaries-en"
_SENTENCE = re.compile(r"\w.*?(?:[.!?]+(?=\s|$)|$)", re.DOTALL)
_UNUSED = re.compile(r"Found \d+ linkages? .* at null count (\d+)")
_OPTIONS = ("en", "-graphics=0", "-null=1", "-limit=100", "-timeout=5", "-echo=1")
_SECONDS = 600


def link_grammar_missing() -> str:
    """Why Link Grammar cannot be used here and how to get it, or nothing."""
    if shutil.which(PROGRAM):
        return ""
    return f"The program {PROGRAM} is not there; get it with: {_FIX}"


class LinkGrammar:
    """Counts, in every sentence, the fewest words that must be left out for it to parse."""

    identity = "link-grammar"

    def issues(self, texts: Sequence[str]) -> list[list[Issue]]:
        """One error for each word left out; all of a sentence's errors span the sentence."""
        spans = [[match.span() for match in _SENTENCE.finditer(text)] for text in texts]
        lines = [
            " ".join(text[start:end].split())
            for text, own in zip(texts, spans, strict=True)
            for start, end in own
        ]
        counts = _unused(lines)
        return [
            [
                Issue(start, end, "A word of this sentence fits no parse.")
                for start, end in own
                for _ in range(next(counts))
            ]
            for own in spans
        ]


def _unused(lines: list[str]) -> Iterator[int]:
    """The number of unused words of every line; the program repeats a line before its result."""
    try:
        answer = subprocess.run(
            [PROGRAM, *_OPTIONS],
            input="\n".join(lines) + "\n",
            capture_output=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ResourceMissingError(
            f"The program {PROGRAM} failed ({error}); install it again with: {_FIX}"
        ) from error
    counts = [0] * len(lines)
    current = -1
    for line in answer.stdout.splitlines():
        if current + 1 < len(lines) and line == lines[current + 1]:
            current += 1
        elif current >= 0 and (found := _UNUSED.match(line)):
            counts[current] = int(found[1])
    return iter(counts)
