"""Searches, victims and substitutes to choose from."""

from app.shared import choices
from core import SEARCHES, SUBSTITUTIONS, VICTIMS, SearchSpace
from tests.toys.racing import asked


def test_a_search_that_cannot_run_says_why() -> None:
    small, large = asked("I love this movie").space, SearchSpace.from_choices([["a", "b"]] * 40)
    assert choices.for_space(small) == (list(SEARCHES), "")
    names, why = choices.for_space(large)
    assert "exhaustive" not in names
    assert "1,099,511,627,776 variants" in why


def test_victims_have_plain_names_and_stand_beside_their_like() -> None:
    assert choices.victim_name("bilstm-sst2") == "Movie reviews, BiLSTM (bilstm-sst2)"
    assert choices.victim_name("minilm-squad-passage") == (
        "Passages with a question, MiniLM (minilm-squad-passage)"
    )
    assert choices.victim_name("mine") == "mine"
    known = [key for key in VICTIMS if "-" in key]
    assert all(key in choices.victim_name(key) != key for key in known)
    groups = [choices.victim_group(key) for key in choices.victims()]
    assert len(dict.fromkeys(groups)) == sum(
        one != other for one, other in zip(groups, ["none", *groups], strict=False)
    )


def test_substitutes_have_plain_names() -> None:
    assert choices.words_name("plausible") == "Plausible words (plausible)"
    assert choices.words_name("mine") == "mine"
    assert set(SUBSTITUTIONS) <= set(choices.WORDS)
