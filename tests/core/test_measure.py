"""How the values of a goal are written."""

from core.measure import SCORE, SET_FUNCTION, written


def test_scores_have_the_digits_that_tell_them_apart() -> None:
    assert SCORE.digits(0.31, 0.47) == 3
    assert SCORE.digits(0.0061, 0.0123, 0.0118) == 4
    assert SCORE.digits(0.5, 0.5) == 3
    assert SCORE.digits(0.1, 0.1 + 1e-12) == 5
    assert written(0.0123, 4) == "0.0123"


def test_a_set_function_is_written_as_it_is() -> None:
    assert SET_FUNCTION.digits(32.0, 49.0) is None
    assert [written(value, None) for value in (49.0, 0.5, 100.0)] == ["49", "0.5", "100"]
