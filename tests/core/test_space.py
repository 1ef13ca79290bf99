"""The partition matroid: order of neighbours, sizes, complements, texts."""

import sys
import tracemalloc
from random import Random

import pytest

from core import Column, InputError, SearchSpace, Substitute
from core.space import Moves

SPACE = SearchSpace.from_choices([["I"], ["love", "like", "favor"], ["movie", "film", "picture"]])


def test_size_and_elements_are_exact() -> None:
    assert (SPACE.size, SPACE.elements, SPACE.origin) == (9, 4, (0, 0, 0))
    large = SearchSpace.from_choices([[f"{i}-{j}" for j in range(41)] for i in range(100)])
    assert large.size == 41**100


def test_neighbours_come_by_position_with_the_original_last() -> None:
    assert list(SPACE.neighbours((0, 1, 0))) == [(0, 2, 0), (0, 0, 0), (0, 1, 1), (0, 1, 2)]


def test_full_exchange_restores_one_word_and_changes_another() -> None:
    extra = list(SPACE.neighbours((0, 1, 0), "any"))[4:]
    assert extra == [(0, 0, 1), (0, 0, 2)]


def test_complement_needs_at_most_one_substitute_left() -> None:
    assert SPACE.complement((0, 1, 2)) == (0, 2, 1)
    assert SPACE.complement((0, 1, 0)) is None


def test_kinds_of_moves() -> None:
    assert SPACE.kind((0, 0, 0), (0, 1, 0)) == "insert"
    assert SPACE.kind((0, 1, 0), (0, 0, 0)) == "delete"
    assert SPACE.kind((0, 1, 0), (0, 2, 0)) == "exchange"


def test_random_states_cover_the_space() -> None:
    rng = Random(0)
    drawn = {SPACE.random(rng) for _ in range(200)}
    assert drawn == {(0, i, j) for i in range(3) for j in range(3)}


def substitution(words: object) -> list[Column]:
    like = Substitute("like", "by hand")
    return [Column((like, Substitute("LIKE", "again"), Substitute("Love", "itself")))] * 2


def test_from_text_keeps_the_text_and_the_capitalisation() -> None:
    space = SearchSpace.from_text("  Love, LOVE!\n", substitution)
    assert space.text(space.origin) == "  Love, LOVE!\n"
    assert space.choices == (("Love", "Like", "LIKE"), ("LOVE", "LIKE"))
    assert space.reasons == (("", "by hand", "again"), ("", "by hand"))
    assert space.text((1, 1)) == "  Like, LIKE!\n"


def test_a_word_without_substitutes_says_why() -> None:
    space = SearchSpace.from_text("one two", lambda words: [Column(note="a number")] * 2)
    assert space.notes == ("a number", "a number")


def test_hidden_words_are_written_as_the_unknown_token() -> None:
    assert SPACE.text((0, -1, 0)) == "I [UNK] movie"
    assert SPACE.texts(SPACE.hiding(SPACE.origin), "<oov>")[1] == "I <oov> movie"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([], "at least one word"),
        ([["a"], []], "Word 2 has no original"),
        ([["a", "b", "b"]], 'The choice "b" of word 1 is there twice'),
        ([["a", "a"]], "is there twice"),
        ([["a", " "]], "is empty"),
    ],
)
def test_wrong_choices_are_refused(choices: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SearchSpace.from_choices(choices)


def test_gaps_must_fit() -> None:
    with pytest.raises(InputError, match="one gap more"):
        SearchSpace((("a",),), ("",))


def test_whole_states_of_a_long_text_are_written_without_cutting_it() -> None:
    space = SearchSpace.from_choices([f"{i}", f"{i}'"] for i in range(1_000))
    states = [space.random(Random(seed)) for seed in range(50)]
    moves = Moves.of(states, 1_000)
    tracemalloc.start()
    texts = space.texts(moves)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert texts == [space.text(state) for state in states]
    assert peak < 20e6


def test_a_space_knows_its_size() -> None:
    words = [["".join(("word", str(at), "x", str(n))) for n in range(41)] for at in range(100)]
    space = SearchSpace.from_choices(words)
    texts = sum(sys.getsizeof(word) for column in space.choices for word in column)
    assert texts < space.nbytes < 2 * texts
