"""What no column may hold; the words themselves are masked by rot13 here too."""

import codecs
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core import SUBSTITUTIONS, assets
from core.substitutions.blocked import GROUP_NOTE, SETTING, is_blocked
from core.substitutions.table import Function
from core.text import split

METHODS = ("synonym", "sememe", "embedding", "inflection", "plausible")
PROBES = ("The striker scored twice.", "The whites met the black gay couple.", "He took the boot.")


def texts() -> list[str]:
    """The sentences that come with the project."""
    files = sorted((assets.FOLDER / "sentences").glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["text"] for line in lines]


def unmasked(term: str) -> str:
    return codecs.decode(term, "rot13")


@pytest.mark.parametrize(
    "term",
    [*("zbyrfgre", "encvfg", "encrq", "snttbgf", "avttre", "fyhgf", "ergneq", "pbpxf"), "fcvpf"],
)
def test_a_term_and_its_forms_are_blocked(term: str) -> None:
    word = unmasked(term)
    assert is_blocked(word)
    assert is_blocked(f"the {word.upper()}")
    assert is_blocked(f"{word}-like")


def test_words_that_only_contain_a_blocked_one_are_not_blocked() -> None:
    ordinary = "assess canal cocktail prickly swanky spicy homogeneous grape scrape title Dickens"
    assert not list(filter(is_blocked, ordinary.split()))
    assert not is_blocked("we had a drink in the garden")


def test_a_method_cannot_offer_a_blocked_word() -> None:
    own = Function(lambda word: (unmasked("zbyrfgre"), "forward"))
    assert [s.word for s in own(["striker"])[0].substitutes] == ["forward"]


@pytest.mark.parametrize("method", METHODS)
def test_no_column_of_our_sentences_holds_a_blocked_word(method: str) -> None:
    words = [w for text in (*PROBES, *texts()[::6]) for w in split(text).words]
    columns = SUBSTITUTIONS[method]()(words)
    assert sum(len(column.substitutes) for column in columns) > 100
    assert not [s.word for column in columns for s in column.substitutes if is_blocked(s.word)]


@pytest.mark.parametrize("method", METHODS)
def test_a_word_for_a_group_of_people_stays(method: str) -> None:
    black, _, gay = SUBSTITUTIONS[method]()(["black", "and", "gay"])
    assert (black.note, gay.note) == (GROUP_NOTE, GROUP_NOTE)


@pytest.mark.parametrize("way", [{"env": SETTING}, {"option": "--all-words"}])
def test_research_may_ask_for_all_words(way: dict[str, str]) -> None:
    asked = subprocess.run(
        [
            *(sys.executable, "-m", "core", "space", "striker", "--substitution", "embedding"),
            *filter(None, [way.get("option")]),
        ],
        env={**os.environ, **dict.fromkeys(filter(None, [way.get("env")]), "allow")},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert unmasked("zbyrfgre") in asked.stdout
