"""Translation: scores by hand, and searches with every number known."""

from math import exp

import pytest

from core import SEARCHES, Attack, InputError, SearchSpace
from core.goals import judge_of, task_goal
from core.tasks.bleu import bleu
from core.tasks.translation import Translation
from tests.toys.text_victims import FORMS, SOURCE, TARGET, Dictionary

TASK = Translation()
ONE_GONE = exp(1 - 8 / 7)  # too short by one word, or by two
TWO_GONE = exp(1 - 8 / 6)
DOGS = 1 - ONE_GONE * (7 / 7 * 5 / 6 * 3 / 5 * 2 / 4) ** 0.25
RAN = 1 - ONE_GONE * (7 / 7 * 5 / 6 * 3 / 5 * 1 / 4) ** 0.25
GARDENS = 1 - ONE_GONE
DOGS_RUN = 1 - TWO_GONE * (6 / 6 * 4 / 5 * 2 / 4 * 1 / 3) ** 0.25


def attack(search: str, goal: str = "bleu", limit: float = 0.25) -> Attack:
    space = SearchSpace.from_text(SOURCE, FORMS)
    judged = task_goal(Dictionary(), space, goal, (TARGET,))
    return Attack(space, judged, SEARCHES[search](), max_changed=limit)


def test_the_score_is_what_is_missing_of_bleu() -> None:
    texts = ["The small dogs runs in the green garden", "The small dog ran in the green garden"]
    outputs = TASK.checked(Dictionary().predict([SOURCE, *texts]), 3)
    scores, successes = judge_of(TASK, "bleu", (TARGET,))(outputs)
    assert scores == pytest.approx([0.0, DOGS, RAN])
    assert not successes.any()


def test_local_search_with_every_number_known() -> None:
    result = attack("ls").run()
    assert [step.current.score for step in result.steps] == pytest.approx([0, RAN, 1, 1])
    assert result.text == "The small dog run in the green gardens"
    assert (result.status, result.requests, result.queries) == ("success", 9, 7)
    sweep = [candidate.score for candidate in result.steps[1].tried]
    assert sweep == pytest.approx([DOGS, RAN, RAN, GARDENS])


def test_sequential_greedy_changes_a_word_too_many() -> None:
    result = attack("sgs").run()
    assert [step.current.score for step in result.steps] == pytest.approx(
        [0, DOGS, DOGS_RUN, 1, 1, 1]
    )
    assert (result.status, result.requests, result.queries) == ("over_limit", 5, 5)
    assert attack("sgs", limit=0.5).run().status == "success"


def test_half_of_the_first_translation_is_enough() -> None:
    judge = judge_of(TASK, "half-bleu", (TARGET,), start=TARGET)
    texts = ["The small dog run in the green garden", "The small dogs run in the green garden"]
    scores, successes = judge(Dictionary().predict(texts))
    assert scores == pytest.approx([RAN, DOGS_RUN])
    assert (RAN < 0.5 < DOGS_RUN, successes.tolist()) == (True, [False, True])
    assert attack("sgs", "half-bleu", limit=0.5).run().status == "success"


def test_half_is_measured_from_what_the_victim_said_at_first() -> None:
    """A translation that was poor from the start must become half as good."""
    right = ("le petit chien court dans le jardin vert",)
    first = Dictionary().predict([SOURCE])[0]
    outputs = Dictionary().predict([SOURCE, "The small dogs runs in the green garden"])
    judge = judge_of(TASK, "half-bleu", right, start=first)
    scores, successes = judge(outputs)
    shares = [bleu(each, right).share for each in outputs]
    assert scores == pytest.approx([1 - share for share in shares])
    assert 0 < shares[0] < 1
    assert successes.tolist() == [False, shares[1] <= shares[0] / 2]


def test_what_is_right_and_what_is_refused() -> None:
    assert TASK.right(TARGET, (TARGET,))
    assert not TASK.right("vert le", (TARGET,)), "no two words in a row"
    assert TASK.read([" Va ! ", "Va !", "Pars !"]) == ("Va !", "Pars !")
    for texts in ([], [""], ["Va !", " "]):
        with pytest.raises(InputError, match="The right translation is missing; give one"):
            TASK.read(texts)
    for outputs in ([TARGET], [TARGET, 3], None):
        with pytest.raises(InputError, match="The robot must answer 2 texts"):
            TASK.checked(outputs, 2, "The robot")


def test_what_differs_is_marked() -> None:
    shown = TASK.shown("le chat noir dort.", "le chien dort bien.", ("le chat dort",), {})
    titles = ["BLEU", "words that match", "2 in a row", "3 in a row", "4 in a row"]
    assert [bar.title for bar in shown.bars] == titles
    assert shown.bars[1].before == pytest.approx(3 / 5)
    right, before, after = shown.texts
    assert right.text == "le chat dort"
    assert [before.text[start:end] for start, end in before.marks] == ["chat", "noir"]
    assert [after.text[start:end] for start, end in after.marks] == ["chien", "bien"]
    assert TASK.output(TASK.plain(TARGET)) == TASK.answer(TARGET) == TARGET
