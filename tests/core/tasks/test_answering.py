"""Answering: scores by hand, what is refused, and two searches with every number known."""

import numpy as np
import pytest

from core import SEARCHES, Attack, CoreError, InputError, SearchSpace
from core.goals import task_goal
from core.tasks import task_of
from core.tasks.answering import NO_ANSWER, Answering
from core.tasks.protocol import Bar
from core.victims.outputs import Span
from core.victims.protocol import given
from tests.toys.text_victims import FORMS, PASSAGE, QUESTION, SpanFinder

TASK = Answering()
CONTEXT = {"passage": PASSAGE}


def judged(outputs: list[Span], *reference: str) -> tuple[list[float], list[bool]]:
    rows = TASK.checked(outputs, len(outputs))
    scores, successes = TASK.goals["f1"].judge(reference, "")(rows)
    return scores.tolist(), successes.tolist()


def test_the_score_is_f1_weighed_with_confidence() -> None:
    spans = [
        Span("Bruno", 59, 64, 0.9),
        Span("by Bruno", 56, 64, 0.9),
        Span("Anna", 25, 29, 0.2, 0.1),
        Span("", confidence=0.3, none_confidence=0.7),
    ]
    scores, successes = judged(spans, "Bruno", "Bruno Berg")
    assert scores == pytest.approx([0.1, 1 - 2 / 3 * 0.9, 1.0, 1.0])
    assert successes == [False, False, True, True]


def test_any_answer_is_wrong_where_there_is_none() -> None:
    spans = [Span("", confidence=0.3, none_confidence=0.7), Span("Anna", 25, 29, 0.6, 0.4)]
    scores, successes = judged(spans, NO_ANSWER)
    assert scores == pytest.approx([0.3, 1.0])
    assert successes == [False, True]
    assert TASK.right(NO_ANSWER, (NO_ANSWER,))
    assert not TASK.right("Anna", (NO_ANSWER,))
    assert not TASK.right(NO_ANSWER, ("Anna",))
    assert TASK.right("to Anna", ("Anna",))


def attack(search: str, limit: float = 0.5) -> Attack:
    space = SearchSpace.from_text(QUESTION, FORMS)
    goal = task_goal(given(SpanFinder(), CONTEXT), space, "f1", ("Bruno",))
    return Attack(space, goal, SEARCHES[search](), max_changed=limit)


def test_local_search_with_every_number_known() -> None:
    """Four of five words are shared; any swap leaves three of them, two leave a tie."""
    result = attack("ls").run()
    assert [round(step.current.score, 6) for step in result.steps] == [0.2, 0.4, 1.0, 1.0]
    assert result.text == "Who builds the old bridge?"
    assert (result.status, result.requests, result.queries) == ("success", 13, 11)
    assert attack("ls", 0.25).run().status == "over_limit"


def test_sequential_greedy_with_every_number_known() -> None:
    result = attack("sgs").run()
    assert [round(step.current.score, 6) for step in result.steps] == [0.2, 0.4, 1.0, 1.0, 1.0]
    assert result.text == "Who builds the old bridge?"
    assert (result.status, result.requests, result.queries) == ("success", 7, 7)


def test_an_unanswerable_question_is_broken_by_any_answer() -> None:
    victim = given(SpanFinder(least=0.7), CONTEXT)
    space = SearchSpace.from_text("Who sold the new bridge?", FORMS)
    said = victim.predict([space.text(space.origin)])[0]
    assert said == Span("", 0, 0, 0.6, 0.4)
    goal = task_goal(victim, space, "f1", (NO_ANSWER,))
    assert Attack(space, goal, SEARCHES["ls"](), max_changed=1.0).run().status == "failed"
    eager = task_goal(given(SpanFinder(), CONTEXT), space, "f1", (NO_ANSWER,))
    assert Attack(space, eager, SEARCHES["ls"]()).run().status == "skipped"


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([Span("Anna")], "must answer 2 spans"),
        (["Anna", "Bruno"], "must answer 2 spans"),
        (None, "must answer 2 spans"),
        ([Span("Anna"), Span("Bruno", confidence=1.5)], "confidences from 0 to 1"),
        ([Span("Anna"), Span("Bruno", none_confidence=float("nan"))], "confidences from 0 to 1"),
    ],
)
def test_a_victim_that_answers_something_else_is_named(outputs: object, words: str) -> None:
    with pytest.raises(InputError, match=f"The robot .*{words}"):
        TASK.checked(outputs, 2, "The robot")


@pytest.mark.parametrize(
    ("passage", "reference", "words"),
    [
        ("", ["Bruno"], "The passage is empty; give the text to answer from."),
        (" \n", ["Bruno"], "The passage is empty; give the text to answer from."),
        ("word " * 2_000, ["word"], "The passage has 2,000 words; the limit is 1,000. Give"),
        (PASSAGE, ["Clara"], 'The answer "Clara" is not in the passage; copy it from there'),
        (PASSAGE, ["Bruno", "a run"], 'The answer "a run" is not in the passage'),
        (PASSAGE, [], f'A right answer is missing; give one, or "{NO_ANSWER}".'),
        (PASSAGE, ["Bruno", " "], "A right answer is missing"),
        (PASSAGE, ["Bruno", NO_ANSWER], f'"{NO_ANSWER}" stands beside other answers'),
    ],
)
def test_bad_input_is_one_sentence(passage: str, reference: list[str], words: str) -> None:
    with pytest.raises(CoreError) as caught:
        TASK.check({"passage": passage}, TASK.read(reference))
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_references_are_read_once_each() -> None:
    assert TASK.read([" Bruno", "Bruno", "by Bruno "]) == ("Bruno", "by Bruno")
    TASK.check(CONTEXT, ("BRIDGE  was built", NO_ANSWER))


def test_outputs_are_kept_as_plain_data() -> None:
    span = Span("Bruno", 59, 64, 0.9, 0.1)
    assert TASK.output(TASK.plain(span)) == span
    assert TASK.answer(span) == "Bruno"
    assert TASK.answer(Span("")) == NO_ANSWER


def test_both_answers_are_marked_in_the_passage() -> None:
    before, after = Span("Bruno", 59, 64, 0.8, 0.1), Span("Anna", 25, 29, 0.6, 0.2)
    shown = TASK.shown(before, after, ("Bruno",), CONTEXT)
    assert shown.bars == (
        Bar("F1", 1.0, 0.0, marked=True),
        Bar("confidence", 0.8, 0.6),
        Bar(NO_ANSWER, 0.1, 0.2),
    )
    first, last, passage = shown.texts
    assert (first.text, last.text) == ("Bruno", "Anna")
    assert [passage.text[start:end] for start, end in passage.marks] == ["Anna", "Bruno"]


@pytest.mark.parametrize(
    ("spans", "marks"),
    [
        ([Span("", 0, 0), Span("", 0, 0)], []),
        ([Span("Bruno", 59, 64), Span("Bruno", 59, 64)], ["Bruno"]),
        ([Span("by Bruno", 56, 64), Span("built by", 50, 58)], ["built by Bruno"]),
        ([Span("gone", 900, 904), Span("odd", 5, 2)], []),
    ],
)
def test_marks_never_overlap_or_leave_the_passage(spans: list[Span], marks: list[str]) -> None:
    passage = TASK.shown(spans[0], spans[1], ("Bruno",), CONTEXT).texts[-1]
    assert [passage.text[start:end] for start, end in passage.marks] == marks


def test_the_task_of_a_victim_is_found() -> None:
    assert isinstance(task_of(SpanFinder()), Answering)
    assert task_of(SpanFinder()).question.right == "yes"
    assert np.shape(TASK.checked((), 0)) == (0,)
