"""Answering with the passage attacked: what stays, and an attack with every number known."""

import pytest

from core import SEARCHES, Attack, InputError
from core.options import Choice
from core.spec import AttackSpec
from core.tasks.reading import Reading
from core.text import split
from core.victims.adapters.passages import PassageVictim
from tests.toys import text_victims
from tests.toys.text_victims import FORMS, PASSAGE, QUESTION, SpanFinder

SPEC = AttackSpec(
    *(PASSAGE, "finder-passage", Choice("forms"), Choice("ls"), "reading"),
    context={"question": QUESTION},
    reference=("Bruno",),
    max_changed=0.25,
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    text_victims.register(monkeypatch)


@pytest.mark.parametrize(
    ("answers", "fixed"),
    [
        (("Bruno",), ["Bruno"]),
        (("by  bruno", "Anna"), ["Anna", "by", "Bruno"]),
        (("new bridge was",), ["new", "bridge", "was"]),
        (("no answer",), []),
        (("run",), ["Bruno"]),  # a part of a word is the word
    ],
)
def test_the_words_of_the_answers_stay(answers: tuple[str, ...], fixed: list[str]) -> None:
    words = split(PASSAGE).words
    assert [words[at] for at in Reading().fixed(split(PASSAGE), answers)] == fixed


def test_every_place_of_an_answer_stays() -> None:
    assert Reading().fixed(split("Ada met ada, then Adam."), ("ada",)) == (0, 2, 4)


def test_bad_input_is_one_sentence() -> None:
    with pytest.raises(InputError, match="The question is empty; type one"):
        Reading().check({"question": " "}, ("Bruno",))
    with pytest.raises(InputError, match='The answer "Clara" is not in the passage'):
        Reading().fixed(split(PASSAGE), ("Clara",))


def test_the_passage_is_attacked_outside_the_answer() -> None:
    """Swaps of "new", "bridge" and "built" each take a shared word from the second sentence."""
    attack = SPEC.prepare(PassageVictim(SpanFinder()), FORMS)
    free = [column[0] for column in attack.space.choices if column[1:]]
    assert free == ["new", "bridge", "built"]
    result = attack.run()
    assert (result.status, result.score) == ("success", 1.0)
    assert [round(step.current.score, 6) for step in result.steps] == [0.2, 0.4, 0.6, 1.0, 1.0]
    assert len(attack.space.changed(result.state)) == 3
    assert "by Bruno" in result.text
    own = SPEC.prepare(PassageVictim(SpanFinder()))
    assert own.space == attack.space


def test_an_answer_that_could_be_swapped_away_is_not() -> None:
    spec = AttackSpec(
        *(PASSAGE, "finder-passage", Choice("forms"), Choice("ls"), "reading"),
        context={"question": QUESTION},
        reference=("bridge was built by Bruno",),
    )
    attack = spec.prepare()
    assert [column[0] for column in attack.space.choices if column[1:]] == ["new"]
    assert isinstance(attack, Attack)
    assert attack.search == SEARCHES["ls"]()
