"""What raters have said of an item."""

from fractions import Fraction

from tests.toys.judged import judged


def test_majority_and_mean_as_the_paper_takes_them() -> None:
    item = judged("p3", "p4", "n0")
    assert (item.majority, item.valid, item.tied) == ("positive", True, False)
    assert item.mean_score == Fraction(7, 3)
    lost = judged("n3", "n4", "p0")
    assert (lost.majority, lost.valid) == ("negative", False)


def test_more_than_two_labels_need_no_absolute_majority() -> None:
    assert judged("p1", "p1", "n1", "x1").majority == "positive"
