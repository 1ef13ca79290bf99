"""The words that raters read."""

from typing import Any

import pytest

from core.errors import InputError
from core.study.wording import Wording


@pytest.mark.parametrize(
    "wrong",
    [{"scale": ("a",)}, {"scale": ("a", "a", "b", "c", "d")}, {"consent": " "}, {"title": ""}],
    ids=str,
)
def test_wording_that_raters_could_not_use_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Wording(**wrong)
