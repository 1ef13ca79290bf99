"""Grammar errors in a text, by one of several checkers that work without a network."""

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from subprocess import SubprocessError
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import ResourceMissingError, first_line
from core.quality.cache import ScoreCache
from core.quality.link_grammar import LinkGrammar, link_grammar_missing
from core.quality.metric import Issue, Metric
from core.registry import Entry, find

METRIC = Metric(
    name="grammar",
    definition="number of grammar, spelling and usage errors the checker finds in the text",
    better="lower",
    unit="errors",
)
SERVER = "SWAPSCOPE_LANGUAGETOOL"  # the address of a LanguageTool server that runs already
_STYLE = frozenset({"Enhancement", "Readability", "Style"})  # advice, not errors


class Checker(Protocol):
    """Finds the errors of texts."""

    @property
    def identity(self) -> str:
        """The tool and its version."""
        ...

    def issues(self, texts: Sequence[str]) -> list[list[Issue]]:
        """The errors of each text."""
        ...


@lru_cache(maxsize=2)
def _linter(dialect: int) -> Any:
    import harper

    return harper.Linter(dialect)


class Harper:
    """Harper's rules and dictionary; a spelling must be wrong in American and British English."""

    _american, _british = 0, 1
    _lock = Lock()  # a linter refuses a second thread

    @property
    def identity(self) -> str:
        return f"harper-py {version('harper-py')}"

    def issues(self, texts: Sequence[str]) -> list[list[Issue]]:
        """The errors of each text, without advice on style."""
        with self._lock:
            return [self._check(text) for text in texts]

    def _check(self, text: str) -> list[Issue]:
        found = [
            lint
            for lint in _linter(self._american).lint(text, language="plaintext")
            if lint.lint_kind not in _STYLE
        ]
        if any(lint.lint_kind == "Spelling" for lint in found):
            british = {
                (lint.span.start, lint.span.end)
                for lint in _linter(self._british).lint(text, language="plaintext")
            }
            found = [
                lint
                for lint in found
                if lint.lint_kind != "Spelling" or (lint.span.start, lint.span.end) in british
            ]
        return [Issue(lint.span.start, lint.span.end, lint.message) for lint in found]


class Quire:
    """Quire's rules with its small edit tagger."""

    @property
    def identity(self) -> str:
        """The tool and the versions of its rules and its model."""
        return f"quire-grammar {version('quire-grammar')} {version('quire-grammar-model')}"

    def issues(self, texts: Sequence[str]) -> list[list[Issue]]:
        """The errors of each text, without advice on style."""
        check = import_module("quire_grammar").check
        return [
            [Issue(c.start, c.end, c.message) for c in check(text, disable=["style"])]
            for text in texts
        ]


class LanguageTool:
    """LanguageTool, from local files or a running server; never downloads anything."""

    def __init__(self) -> None:
        package = import_module("language_tool_python")
        if address := os.environ.get(SERVER):
            self.identity = f"LanguageTool {address}"
            start = {"remote_server": address}
        else:
            newest = _installed_languagetool()[-1]
            self.identity = f"LanguageTool {newest}"
            start = {"language_tool_download_version": newest}
        self._errors = (package.exceptions.LanguageToolError, OSError, SubprocessError)
        try:
            self._tool = package.LanguageTool("en-US", **start)
        except self._errors as error:
            raise self._failed(error) from error

    def issues(self, texts: Sequence[str]) -> list[list[Issue]]:
        """The errors of each text, all rules of American English on."""
        try:
            return [
                [
                    Issue(match.offset, match.offset + match.error_length, match.message)
                    for match in self._tool.check(text)
                ]
                for text in texts
            ]
        except self._errors as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> ResourceMissingError:
        return ResourceMissingError(
            f"{self.identity} does not answer ({first_line(error)}); start it again, or use the "
            "checker harper."
        )


def _installed_languagetool() -> list[str]:
    """Versions of LanguageTool unpacked where language_tool_python looks for them, oldest first."""
    folder = Path(os.environ.get("LTP_PATH") or Path.home() / ".cache" / "language_tool_python")
    jars = folder.expanduser().glob("LanguageTool-*/languagetool-server.jar")
    names = [jar.parent.name.removeprefix("LanguageTool-") for jar in jars]
    return sorted(names, key=lambda name: [int(p) if p.isdigit() else 0 for p in name.split(".")])


def _languagetool_missing() -> str:
    if not find_spec("language_tool_python"):
        return "The package is not there; get it with: python -m pip install language_tool_python"
    if os.environ.get(SERVER):
        return ""
    if not shutil.which("java"):
        return f"LanguageTool needs Java; install it, or name a running server in {SERVER}."
    if not _installed_languagetool():
        return (
            "LanguageTool's files are not there; get them once with: python -c "
            f'"import language_tool_python as t; t.LanguageTool()", or name a server in {SERVER}.'
        )
    return ""


def _needs(*modules: str, install: str) -> Callable[[], str]:
    def missing() -> str:
        if all(map(find_spec, modules)):
            return ""
        return f"The package is not there; get it with: python -m pip install {install}"

    return missing


CHECKERS: dict[str, Entry[Checker]] = {
    "harper": Entry(
        Harper,
        "Harper: rules and a dictionary, about 3 ms a sentence (default)",
        {"licence": "Apache-2.0"},
        _needs("harper", install="harper-py==0.2.0"),
    ),
    "quire": Entry(
        Quire,
        "Quire: rules and a small edit tagger, about 70 ms a sentence",
        {"licence": "MIT, model Apache-2.0"},
        _needs(
            "quire_grammar",
            "quire_grammar_model",
            "onnxruntime",
            install="quire-grammar[model]==0.3.4",
        ),
    ),
    "languagetool": Entry(
        LanguageTool,
        "LanguageTool: the checker of the paper; needs Java and its own files, or a server",
        {"licence": "LGPL-2.1"},
        _languagetool_missing,
    ),
    "link-grammar": Entry(
        LinkGrammar,
        "Link Grammar: words that fit no parse of their sentence; a Debian package",
        {"licence": "LGPL-2.1"},
        link_grammar_missing,
    ),
}


@dataclass(frozen=True, eq=False)
class GrammarErrors:
    """Numbers of grammar errors by one checker."""

    checker: Checker
    cache: ScoreCache = field(default_factory=ScoreCache)
    metric: Metric = METRIC

    @classmethod
    def load(cls, checker: str = "harper") -> "GrammarErrors":
        """Grammar errors by a checker of CHECKERS."""
        return cls(find(CHECKERS, checker, "grammar checker")())

    def issues(self, text: str) -> list[Issue]:
        """The errors of one text, to be shown."""
        return self.checker.issues([text])[0]

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """One number of errors for each text."""

        def compute(indices: list[int]) -> list[float]:
            found = self.checker.issues([texts[index] for index in indices])
            return [float(len(issues)) for issues in found]

        return self.cache.scores(f"grammar {self.checker.identity}", texts, compute)


def increase_per_word(
    before: Sequence[float] | NDArray[np.float64],
    after: Sequence[float] | NDArray[np.float64],
    words: Sequence[int],
) -> float:
    """IPW: errors added by the attack, over the words of the originals; negative if errors went.

    Sums over all texts before dividing, so that long texts weigh more than short ones.
    """
    total = int(np.sum(words))
    return float((np.sum(after) - np.sum(before)) / total) if total else 0.0
