"""Who judges what: balanced, apart, repeatable; and what cannot be done is explained."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.study.checking import explain
from core.study.design import Design, extra_orders, orders, reorder
from core.study.items import Item
from tests.toys.study import CHECK, PRACTICE, items


@st.composite
def studies(draw: st.DrawFn) -> tuple[list[Item], Design]:
    """Sources with one to three variants each, a few checks, any design."""
    made = []
    for number in range(draw(st.integers(1, 12))):
        methods = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True))
        made += [Item(f"{number} {m}", "x", f"s{number}", m) for m in methods]
    made += [Item(f"check {n}", "x", kind="check") for n in range(draw(st.integers(0, 3)))]
    made += [Item(f"practice {n}", "x", kind="practice") for n in range(draw(st.integers(0, 2)))]
    per_item, raters = draw(st.integers(1, 4)), draw(st.integers(1, 14))
    gap = draw(st.none() | st.integers(1, 8))
    return made, Design(per_item, raters, draw(st.integers(0, 9)), gap)


@settings(max_examples=300, deadline=None)
@given(studies())
def test_every_design_that_is_called_possible_keeps_every_promise(
    study: tuple[list[Item], Design],
) -> None:
    made, design = study
    explanation = explain(made, design)
    if not explanation.possible:
        with pytest.raises(InputError):
            orders(made, design)
        return
    lots = orders(made, design)
    assert len(lots) == design.raters
    assert lots == orders(made, design)
    given_to = Counter(number for lot in lots for number in lot)
    for number, item in enumerate(made):
        assert given_to[number] == (design.per_item if item.is_judged else design.raters)
    judged = [[number for number in lot if made[number].is_judged] for lot in lots]
    loads = [len(lot) for lot in judged]
    assert max(loads) - min(loads) <= 1
    for lot, whole in zip(judged, lots, strict=True):
        assert len(set(whole)) == len(whole)
        practice = [made[number].kind == "practice" for number in whole]
        assert practice == sorted(practice, reverse=True)
        places: dict[str, list[int]] = {}
        for place, number in enumerate(lot):
            places.setdefault(made[number].source, []).append(place)
        for at in places.values():
            if design.gap is None:
                assert len(at) == 1
            assert all(later - earlier >= (design.gap or 1) for earlier, later in pairwise(at))


@settings(max_examples=200, deadline=None)
@given(studies())
def test_what_comes_nearest_is_possible(study: tuple[list[Item], Design]) -> None:
    made, design = study
    needed = explain(made, design).raters_needed
    enough = Design(design.per_item, max(needed, design.raters), design.seed, None)
    if design.gap is None:
        assert explain(made, enough).possible
        if needed > 1:
            assert not explain(made, Design(design.per_item, needed - 1, 0, None)).possible


def test_a_gap_that_just_fits_is_found_and_a_wider_one_is_named() -> None:
    two = [Item(f"{n} {m}", "x", f"s{n}", m) for n in range(10) for m in "ab"]
    assert explain(two, Design(2, 2, gap=10)).possible
    (problem,) = explain(two, Design(2, 2, gap=11)).problems
    assert problem.endswith("Nearest: a gap of 10.")


def test_another_seed_gives_another_order_and_each_rater_an_own_one() -> None:
    made = items(10, ("ls",))[::2]
    first, second, third = orders(made, Design(3, 3, seed=1))
    assert len({tuple(first), tuple(second), tuple(third)}) == 3
    assert orders(made, Design(3, 3, seed=2)) != [first, second, third]


def test_methods_are_spread_over_raters() -> None:
    made = items(24, ("ls", "pso", "ga"))
    for lot in orders(made, Design(2, 8, seed=5)):
        shares = Counter(made[number].group for number in lot)
        assert max(shares.values()) - min(shares.values()) <= 4


def test_checks_are_spread_over_the_whole_order() -> None:
    made = items(20, ()) + [Item(f"check {n}", "x", kind="check") for n in range(4)]
    for lot in orders(made, Design(2, 2, seed=3)):
        at = [place for place, number in enumerate(lot) if made[number].kind == "check"]
        assert [place // 6 for place in at] == [0, 1, 2, 3]


def test_the_paper_design_is_explained_with_its_time() -> None:
    made = [Item(f"{n}", "x", f"s{n}", "ls") for n in range(100)] + [CHECK] * 5
    explanation = explain(made, Design(3, 3))
    assert explanation.possible
    assert explanation.minutes == 35
    assert "300 ratings in all" in explanation.facts[0]
    assert "100 items each, plus 5 attention checks: about 35 minutes" in explanation.facts[1]
    assert "no original inputs as controls" in explanation.facts[-1]


@pytest.mark.parametrize(
    ("design", "sentence"),
    [
        (Design(3, 3), "needs 9 raters, not 3. Nearest: 9 raters, or 1 rater per item, or raters"),
        (Design(3, 2), "that needs 9 raters, not 2. Nearest: 9 raters."),
        (Design(3, 2, gap=1), "3 different raters per item cannot be had from 2."),
        (Design(3, 3, gap=99), "cannot stay 99 apart in a rater's order. Nearest: a gap of 5."),
    ],
    ids=str,
)
def test_the_impossible_names_the_nearest_possible(design: Design, sentence: str) -> None:
    (problem,) = explain(items(5), design).problems
    assert sentence in problem


def test_other_facts() -> None:
    assert "raters an item can end in a tie" in explain(items(), Design(2, 6)).facts[-1]
    assert "1 or 2 items each" in explain(items(3, ()), Design(2, 4)).facts[1]
    assert "1 variants" not in " ".join(explain(items(3, ()), Design(2, 4)).facts)
    assert "4 places apart" in explain(items(9), Design(2, 4, gap=4)).facts[2]
    assert explain([PRACTICE], Design()).problems == ("There is nothing to judge yet: add items.",)


@pytest.mark.parametrize(
    "wrong", [{"per_item": 0}, {"raters": 0}, {"gap": 0}], ids=lambda wrong: next(iter(wrong))
)
def test_a_design_without_sense_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Design(**wrong)


def test_more_raters_fill_only_what_is_missing() -> None:
    made = [*items(3, ("ls",)), CHECK, PRACTICE]
    lots = extra_orders(made, {0: 1, 3: 2}, Design(3, 4, seed=1))
    judged = Counter(number for lot in lots for number in lot if made[number].is_judged)
    assert judged == {0: 1, 3: 2}
    assert all(lot[0] == made.index(PRACTICE) for lot in lots)


def test_a_new_order_has_the_same_items() -> None:
    made = [*items(9, ("ls",)), CHECK, PRACTICE]
    design = Design(1, 2, seed=4)
    lot = orders(made, design)[0]
    again = reorder(made, design, lot, seed=99)
    assert sorted(again) == sorted(lot)
    assert again != lot
    assert again[0] == lot[0] == made.index(PRACTICE)
