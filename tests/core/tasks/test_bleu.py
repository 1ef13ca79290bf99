"""Sentence BLEU without smoothing, by hand."""

from math import exp

import pytest

from core.tasks.bleu import bleu

SAT = "le chat est assis sur le tapis"


@pytest.mark.parametrize(
    ("said", "right", "share"),
    [
        (SAT, SAT, 1.0),
        ("le chat est sur le tapis", SAT, 0.0),  # no four words in a row
        ("le chat est assis sur un tapis", SAT, (6 / 7 * 4 / 6 * 3 / 5 * 2 / 4) ** 0.25),
        ("le chat est assis", SAT, exp(1 - 7 / 4)),  # only too short
        ("le chat", SAT, exp(1 - 7 / 2)),  # no longer n-grams than the translation has
        ("chien", SAT, 0.0),
        ("", SAT, 0.0),
        ("le le le le", "le le chat", 0.0),  # no three in a row
        ("Le chat, dit-il.", "Le chat, dit-il.", 1.0),
    ],
)
def test_bleu(said: str, right: str, share: float) -> None:
    assert bleu(said, (right,)).share == pytest.approx(share)


def test_its_matches_are_told() -> None:
    found = bleu("le chat est sur le tapis", (SAT,))
    assert (found.matches, found.totals) == ((6, 4, 2, 0), (6, 5, 4, 3))
    assert found.precisions == pytest.approx((1.0, 0.8, 0.5, 0.0))
    assert bleu("chat", (SAT,)).precisions == (1.0, 0.0, 0.0, 0.0)


def test_several_references() -> None:
    assert bleu("un chat dort ici", ("le chien court", "un chat dort ici")).share == 1.0
