"""The bound of the paper beside an earlier one."""

import numpy as np
import pytest

from core import InputError, theory


@pytest.mark.parametrize(("ours", "least"), [(1 / 3, 3), (1 / 2, 2)])
def test_the_statements_of_figure_two_hold_but_for_the_corner(ours: float, least: int) -> None:
    statement = theory.check(ours, least)
    assert statement.holds
    assert not statement.strict  # equal at α = 0 and the smallest d
    assert (statement.largest, statement.alpha, statement.d) == (0.0, 0.0, least)
    assert not theory.check(ours, least - 1).holds
    assert not theory.check(ours, least + 1).holds  # a smaller d would do
    assert theory.check(ours, least + 1).strict


def test_the_earlier_bound_is_the_formula() -> None:
    assert theory.greedy_bound(0.0, 4) == 0.25
    assert theory.greedy_bound(1e-9, 4) == pytest.approx(0.25)
    assert theory.greedy_bound(2.0, 3) == pytest.approx((1 - np.exp(-2 / 3)) / 2)
    assert theory.difference(2.0, 3, 1 / 3) == pytest.approx((1 - np.exp(-2 / 3)) / 2 - 1 / 3)
    with pytest.raises(InputError, match="above 0"):
        theory.greedy_bound(1.0, 0.0)
