"""Each part of a proof matters: with any of them too optimistic, proofs are no longer right."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from core.prove import Claim, branching, claim_about, convolution, prove
from core.prove.branching import Family
from core.prove.convolution import CnnMargins
from core.prove.word_cnn import WordCnn
from tests.toys import small_cnn

CASES = 200
TIGHT = 250  # networks with one filter of each width and two words: their bounds are nearly reached

Wrap = Callable[[Any], Callable[..., Any]]  # a part of a proof made too optimistic


def smaller(factor: float) -> Wrap:
    """What it gives, times a factor."""
    return lambda part: lambda *args: factor * part(*args)


def fewer_words(part: Callable[..., Any]) -> Callable[..., Any]:
    """As if one word less could change, if several can."""
    return lambda *args: part(*args[:-1], args[-1] - (args[-1] > 1))


PARTS: list[tuple[str, Any, str, Wrap]] = [
    ("rises of filters", CnnMargins, "_rises", smaller(0.5)),
    ("falls of filters", CnnMargins, "_falls", smaller(0.5)),
    ("falls are left out", CnnMargins, "_falls", smaller(0.0)),
    ("the slack belongs to each word", convolution, "largest_sums", fewer_words),
    ("what several words take together", Family, "most", fewer_words),
    ("a part is forgotten", Family, "parts", lambda part: lambda *args: part(*args)[1:]),
    ("windows without the word", CnnMargins, "_untouched", lambda p: lambda *a: p(*a) - np.inf),
    ("margins near 0", convolution, "rounding", lambda part: lambda *args: -0.2),
    ("choices that move words", WordCnn, "rests", lambda p: lambda *a: list(p(*a))[:1]),
    ("the last change", branching, "_last_changes", lambda part: without_lowest(part)),
]


def without_lowest(part: Callable[..., Any]) -> Callable[..., Any]:
    """The lowest margins after the last change are not looked at."""

    def changed(margins: Any, node: branching.Node, near: float) -> branching.Looked:
        found = part(margins, node, near)
        return branching.Looked(node, None, found.bound, found.low[1:], found.margins[1:])

    return changed


@pytest.fixture(autouse=True)
def without_local_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds would hide a gap in a proof."""
    monkeypatch.setattr(
        import_module("core.prove.proving"), "searched", lambda claim, over: (None, 0)
    )


@cache
def cases() -> tuple[tuple[Claim, int | None], ...]:
    """Claims with the truth about them."""
    claims = [small_cnn.claim_of(seed, 2 + seed % 2, words=4) for seed in range(CASES)]
    return tuple((claim, small_cnn.fewest(claim)) for claim in claims)


@cache
def tight_cases() -> tuple[tuple[Claim, float], ...]:
    """Claims about two words, and the least margin that the victim really gives."""
    found = []
    for seed in range(TIGHT):
        victim, space = small_cnn.cnn(seed, filters=1), small_cnn.space_of(seed, 2, moving=False)
        claim = claim_about(victim, space, 0, 1.0)
        rows = victim.predict([space.text(state) for state in small_cnn.states(claim)])
        found.append((claim, float(np.log(rows[:, 0] / rows[:, 1]).min())))
    return tuple(found)


def bound_of(claim: Claim) -> float:
    """The least margin after two changes, by the bound."""
    prover = WordCnn.of(claim)
    assert prover is not None
    rest = next(iter(prover.rests(0)))
    root = branching.Node((), np.arange(len(rest.choices)), 2)
    return next(branching.explore(prover.margins(rest, 1), root)).bound


def all_right() -> bool:
    """Whether all bounds hold and all proofs say what is so."""
    return all(bound_of(claim) <= least + 1e-4 for claim, least in tight_cases()) and all(
        prove(claim).changed == fewest for claim, fewest in cases()
    )


def test_with_every_part_as_it_is_all_proofs_are_right() -> None:
    assert all_right()
    assert {fewest for _, fewest in cases()} >= {None, 1, 2, 3}


@pytest.mark.parametrize(
    ("home", "name", "wrap"), [part[1:] for part in PARTS], ids=[part[0] for part in PARTS]
)
def test_a_part_that_is_too_optimistic_is_noticed(
    home: Any, name: str, wrap: Wrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, name, wrap(getattr(home, name)))
    assert not all_right()
