"""Where rows come from, and how far an attack may go."""

from core.experiment.data import Limits


def test_the_limit_says_when_it_is_looked_at() -> None:
    assert Limits().rule == (
        "A success has at most 25 % of the words changed, checked at the end of the search "
        "(post-check)."
    )
    assert Limits(modification=0.125, enforced="constraint").rule == (
        "A success has at most 12.5 % of the words changed, kept to during the search (constraint)."
    )
