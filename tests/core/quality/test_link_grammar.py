"""Link Grammar, which is not always there."""

import os
import sys
from pathlib import Path

import pytest

from core.errors import ResourceMissingError
from core.quality import CHECKERS


@pytest.fixture
def link_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program with the output format of link-parser: each "of" fits no parse."""
    program = tmp_path / "link-parser"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "print('echo set to 1')\n"
        "for line in sys.stdin.read().splitlines():\n"
        "    print(line)\n"
        "    bad = line.split().count('of')\n"
        "    if bad: print('No complete linkages found.')\n"
        "    tail = f' at null count {bad}' if bad else ''\n"
        "    print(f'Found 2 linkages (2 had no P.P. violations){tail}')\n"
        "print('Bye.')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return program


def test_link_grammar_counts_words_outside_the_parse(link_parser: Path) -> None:
    texts = ["All is well.", "One of of one. Two.\nThree of three!", "!help", "..."]
    found = CHECKERS["link-grammar"]().issues(texts)
    assert [len(issues) for issues in found] == [0, 3, 0, 0]
    assert [texts[1][issue.start : issue.end] for issue in found[1]] == [
        "One of of one.",
        "One of of one.",
        "Three of three!",
    ]


def test_link_grammar_that_fails_is_one_sentence(link_parser: Path) -> None:
    checker = CHECKERS["link-grammar"]()
    link_parser.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(ResourceMissingError, match="sudo apt install link-grammar"):
        checker.issues(["All is well."])


def test_link_grammar_that_is_not_there_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResourceMissingError, match="sudo apt install link-grammar"):
        CHECKERS["link-grammar"]()
