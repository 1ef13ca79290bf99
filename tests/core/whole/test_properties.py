"""Properties over thousands of random set functions, and over any Unicode text."""

from itertools import product
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core import SEARCHES, Attack, Goal, SearchSpace, State, function_goal, text, theory
from core.key_index import KeyIndex
from core.search.local import LocalSearch
from core.space import Moves


@st.composite
def set_functions(draw: st.DrawFn) -> tuple[SearchSpace, Goal, dict[State, int]]:
    counts = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    states = list(product(*(range(count + 1) for count in counts)))
    values = draw(st.lists(st.integers(0, 100), min_size=len(states), max_size=len(states)))
    table = dict(zip(states, values, strict=True))
    space = SearchSpace.from_choices(
        [f"{i}-{j}" for j in range(count + 1)] for i, count in enumerate(counts)
    )
    return space, function_goal(table.__getitem__), table


@settings(max_examples=2_000, deadline=None)
@given(set_functions())
def test_local_search_theorem_one_and_exhaustive(
    case: tuple[SearchSpace, Goal, dict[State, int]],
) -> None:
    space, goal, table = case
    for exchange in ("same", "any"):
        search = LocalSearch(exchange=exchange, complement=False)
        local = Attack(space, goal, search).run()
        assert theory.certify(space, goal, local.state, exchange).holds
        bound = theory.theorem_one(space, theory.tabulate(space, goal), local.state)
        assert bound.left >= bound.right - 1e-9
    best = Attack(space, goal, SEARCHES["exhaustive"]()).run()
    assert best.score == max(table.values())
    assert theory.optimum(theory.tabulate(space, goal)) == (best.state, best.score)


@given(st.text())
def test_any_text_is_rebuilt_exactly(sentence: str) -> None:
    words, gaps = text.split(sentence)
    assert text.join(words, gaps) == sentence
    assert len(gaps) == len(words) + 1


@given(st.text())
def test_tokens_are_those_of_the_words_and_gaps(sentence: str) -> None:
    words, gaps = text.split(sentence)
    parts = [text.tokens(gaps[0])]
    for word, gap in zip(words, gaps[1:], strict=True):
        parts += [text.word_tokens(word), text.tokens(gap)]
    if not any(text.split(gap).words for gap in gaps):
        assert text.tokens(sentence) == [token for part in parts for token in part]


@given(set_functions(), st.integers(0, 2**32))
def test_moves_texts_matrix_and_keys_agree_with_whole_states(
    case: tuple[SearchSpace, Goal, dict[State, int]], seed: int
) -> None:
    space = case[0]
    rng = Random(seed)
    parts = [space.neighbours(space.random(rng), "any") for _ in range(3)]
    parts += [space.hiding(space.random(rng)), Moves.of([space.random(rng)], len(space.choices))]
    moves = Moves.join(parts)
    states = list(moves)
    whole = Moves.of(states, len(space.choices))
    assert [moves[index] for index in range(len(moves))] == states
    assert moves == whole
    assert moves.matrix.tolist() == [list(state) for state in states]
    assert space.texts(moves) == [space.text(state) for state in states]
    assert moves.hidden.tolist() == [-1 in state for state in states]
    keys = space.keys(moves)
    assert np.array_equal(keys, space.keys(whole))
    assert len(set(keys.tolist())) == len(set(states))


@given(st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=40), max_size=12))
def test_the_key_index_numbers_keys_like_a_dict(batches: list[list[int]]) -> None:
    index = KeyIndex(capacity=4)
    reference: dict[int, int] = {}
    for batch in batches:
        keys = np.array(batch, dtype=np.uint64)
        assert index.find(keys).tolist() == [reference.get(key, -1) for key in batch]
        new = [key for key in dict.fromkeys(batch) if key not in reference]
        index.add(np.array(new, dtype=np.uint64))
        reference.update((key, len(reference)) for key in new)
        assert index.find(keys).tolist() == [reference[key] for key in batch]
    assert len(index) == len(reference)
