"""The searches of our own: each main idea, on spaces where breaking it shows."""

from dataclasses import replace

import numpy as np
import pytest

from core import SEARCHES, Attack, AttackResult, SearchSpace, State, function_goal
from core.errors import InputError
from core.objective import Bools, Candidate, Floats, Goal
from core.search import additive, finder
from core.search.additive import Additive, log_odds
from core.search.genetic import Genetic, GeneticThenLocal
from core.search.label import LabelSearch, down_the_columns, unlike
from core.search.local import LocalSearch
from core.search.portfolio import MEMBERS, Portfolio
from core.search.swarm import ParticleSwarm, SwarmThenLocal
from core.search.swift import Swift
from core.space import HIDDEN
from core.theory import certify
from core.theory.searches import endless
from tests.tools.measure_swift import SETTINGS, area, interval, mcnemar, merged, renewed
from tests.toys.narrating import BY_COLUMN
from tests.toys.spaces import astray_case, logistic_case, random_case, toy_case


def answer(state: State, gain: float) -> Candidate:
    """A sentence whose log-odds lie so much above those of an original with even odds."""
    return Candidate(state, 1 / (1 + float(np.exp(-gain))), success=False)


def model() -> Additive:
    return Additive(np.array([3, 0, 3], dtype=np.int32), answer((0, 0, 0), -3.0))


def test_log_odds_are_finite_everywhere() -> None:
    assert log_odds(0.5) == 0.0
    assert -20 < log_odds(-1.0) < log_odds(0.2) < log_odds(0.8) < log_odds(50.0) < 20


def test_one_answer_tells_about_every_substitute_of_its_words() -> None:
    ours = model()
    before = ours.guess(np.array([[2, 0, 0]], dtype=np.int32))[0]
    ours.learn([answer((1, 0, 0), -1.0)])
    asked, sibling, other = ours.guess(np.array([[1, 0, 0], [2, 0, 0], [0, 0, 2]], dtype=np.int32))
    assert asked == pytest.approx(2.0, abs=0.1)
    assert asked > sibling > before
    assert sibling > other


def test_an_answer_about_two_words_is_shared_and_a_second_tells_them_apart() -> None:
    ours = model()
    ours.learn([answer((1, 0, 1), -1.0)])
    first, second = ours.guess(np.array([[1, 0, 0], [0, 0, 1]], dtype=np.int32))
    assert first == pytest.approx(second)
    ours.learn([answer((0, 0, 1), -3.0)])
    first, second = ours.guess(np.array([[1, 0, 0], [0, 0, 1]], dtype=np.int32))
    assert first > 1.5 > 0.2 > second


def test_plans_grow_word_by_word_and_are_new() -> None:
    ours = model()
    ours.learn([answer((1, 0, 0), 0.0)])
    plans = ours.plans(5, optimism=0.0)
    assert [sum(map(bool, plan.state)) for plan in plans] == [1, 2]
    assert all(plan.state not in ours.seen for plan in plans)
    assert plans[1].state[0] == plans[0].state[0]


def test_the_bar_follows_what_was_seen() -> None:
    ours = model()
    assert ours.bar == pytest.approx(3.0)
    ours.learn([answer((1, 0, 0), 0.5)])
    assert ours.bar == pytest.approx(3.5)
    ours.learn([replace(answer((2, 0, 0), 1.0), success=True)])
    assert ours.bar == pytest.approx(3.5)
    early = model()
    early.learn([replace(answer((2, 0, 0), -1.0), success=True)])
    assert early.bar == pytest.approx(2.0)


def test_swift_succeeds_as_often_as_local_search_in_a_third_of_the_queries() -> None:
    ours, theirs = [], []
    for seed in range(12):
        space, goal = logistic_case(seed)
        ours.append(Attack(space, goal, Swift()).run())
        theirs.append(Attack(space, goal, LocalSearch()).run())
    assert sum(r.success for r in ours) >= sum(r.success for r in theirs) > 6
    assert sum(r.queries for r in ours) < sum(r.queries for r in theirs) / 3
    words = [sum(sum(map(bool, r.state)) for r in some if r.success) for some in (ours, theirs)]
    assert words[0] <= 1.15 * words[1]


def test_after_a_success_swift_goes_on_to_fewer_words() -> None:
    first = last = 0
    for space, goal in map(logistic_case, range(6)):
        steps = Attack(space, goal, Swift(doubt_after_success=4.0)).run().steps
        counts = [len(space.changed(s.current.state)) for s in steps if s.current.success]
        assert counts == sorted(counts, reverse=True)
        first, last = first + sum(counts[:1]), last + sum(counts[-1:])
    assert first > last > 0


@pytest.mark.parametrize("key", ["swift", "pso+ls", "ga+ls"])
def test_a_run_without_success_ends_in_a_certified_local_optimum(key: str) -> None:
    for space, goal in (toy_case(), *map(random_case, range(8))):
        hopeless = endless(goal)
        result = Attack(space, hopeless, SEARCHES[key]()).run()
        assert result.status == "failed"
        assert certify(space, hopeless, result.state).holds


def over_the_limit(result: AttackResult) -> bool:
    """Whether a run ever held a success with more than two changed words."""
    return any(
        step.current.success and sum(map(bool, step.current.state)) > 2 for step in result.steps
    )


def test_a_success_beyond_the_limit_teaches_the_way_to_one_within_it() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=5, doubt=0.0)).run()
    assert over_the_limit(result)
    assert result.status == "success"
    assert "rank" not in (step.kind for step in result.steps)
    assert result.queries < Attack(space, goal, LocalSearch()).run().queries + space.elements


def test_where_asking_again_does_not_help_local_search_within_the_limit_does() -> None:
    space, goal = astray_case()
    result = Attack(space, goal, Swift(probes=0)).run()  # the climb takes what gains as it comes
    assert over_the_limit(result)
    assert result.status == "success"
    kinds = [step.kind for step in result.steps]
    anew = kinds.index("rank")
    assert kinds[anew:] == ["rank", "insert", "insert", "stop", "end"]
    assert [len(step.tried) for step in result.steps[anew + 1 : -2]] == [Swift().batch] * 2


def test_a_success_that_stays_beyond_the_limit_is_the_answer() -> None:
    space, goal = astray_case()
    effort = Swift(probes=0)  # one word never does it
    result = Attack(space, goal, effort, max_changed=0.125).run()
    assert result.status == "over_limit"
    assert [step.kind for step in result.steps[-3:]] == ["stop", "stop", "end"]
    assert not result.steps[-3].current.success


def test_the_model_remembers_only_so_many_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additive, "MEMORY", 2)
    ours, fresh = model(), model()
    answers = [answer((i, 0, j), i - j) for i in range(3) for j in range(1, 3)]
    ours.learn(answers)
    fresh.learn(answers[-2:])
    states = np.array([a.state for a in answers], dtype=np.int32)
    assert ours.guess(states) == pytest.approx(fresh.guess(states))
    assert ours.seen > {a.state for a in answers}


def blind(goal: Goal) -> Goal:
    """The same successes, every score the same."""

    def judge(rows: Floats) -> tuple[Floats, Bools]:
        scores, successes = goal.judge(rows)
        return np.zeros_like(scores), successes

    return replace(goal, judge=judge)


def test_label_search_never_looks_at_a_score() -> None:
    for space, goal in (toy_case(), *map(logistic_case, range(3))):
        seeing, unseeing = (Attack(space, g, BY_COLUMN).run() for g in (goal, blind(goal)))
        assert seeing.state == unseeing.state
        assert [s.tried.moves for s in seeing.steps] == [s.tried.moves for s in unseeing.steps]


def test_label_search_that_is_cut_short_does_not_look_at_a_score_either() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, BY_COLUMN).run()
    for budget in range(1, whole.queries, 11):
        seeing, unseeing = (Attack(space, g, BY_COLUMN, budget).run() for g in (goal, blind(goal)))
        assert seeing.state == unseeing.state
        met = any((step.tried.successes & ~step.tried.moves.hidden).any() for step in seeing.steps)
        assert seeing.steps[-1].current.success == met
        assert met or seeing.state == space.origin


def test_label_search_ends_where_no_word_can_be_restored_and_none_moved_nearer() -> None:
    for seed in range(6):
        space, goal = logistic_case(seed)
        result = Attack(space, goal, BY_COLUMN, max_changed=1.0).run()
        assert result.success
        moves = space.neighbours(result.state)
        kept = moves[np.flatnonzero(goal(moves).successes)]
        words = len(space.changed(result.state))
        assert (kept.changed >= words).all()
        assert (down_the_columns(space)(kept) >= sum(result.state))[kept.changed == words].all()


def test_label_search_takes_the_substitutes_that_keep_the_sentence_similar() -> None:
    film = ["film", "trousers", "movie", "cinema", "potato"]  # not in the order of nearness
    space = SearchSpace.from_choices([["A"], ["funny"], film, ["with"], ["an"], ["ending"]])
    goal = function_goal(lambda state: float(state[2] > 0), lambda value: value > 0)
    results = {
        way: Attack(space, goal, LabelSearch(distance=way)).run()
        for way in ("similarity", "column")
    }
    assert results["column"].text == "A funny trousers with an ending"
    assert results["similarity"].text == "A funny movie with an ending"
    far = unlike(space)(space.column(space.origin, 2))
    assert far.argmin() == 1
    assert 0 < far.min() < 0.2 < far.max() < 1
    with pytest.raises(InputError, match="similarity"):
        LabelSearch(distance="letters")  # type: ignore[arg-type]


def test_label_search_gives_up_politely() -> None:
    space, goal = logistic_case(0, words=4)
    result = Attack(space, endless(goal), replace(BY_COLUMN, draws=5)).run()
    assert (result.status, result.state) == ("failed", space.origin)
    assert result.queries <= 1 + space.elements + 5


def test_label_search_walks_through_hidden_words_to_a_sentence_without_any() -> None:
    space = SearchSpace.from_choices([[f"{i}", *(f"{i}{c}" for c in "abcdefgh")] for i in range(6)])
    good = (3, 5, 2, 8)  # all must be right, or hidden: one draw of 4,096 has them

    def f(state: State) -> float:
        return sum(choice in (right, HIDDEN) for choice, right in zip(state, good, strict=False))

    goal = function_goal(f, lambda value: value == len(good))
    walking = replace(BY_COLUMN, draws=1_000)
    drawing = replace(walking, hidden=0)
    for seed in range(5):
        result = Attack(space, goal, walking, seed=seed, max_changed=1.0).run()
        assert (result.status, result.state) == ("success", (*good, 0, 0))
    plain = [Attack(space, goal, drawing, seed=seed).run() for seed in range(5)]
    assert sum(result.status == "failed" for result in plain) > len(plain) / 2
    tried = [state for step in result.steps for state in step.tried.moves]
    assert any(HIDDEN in state for state in tried)


def test_label_search_hides_words_that_cannot_be_changed_too() -> None:
    words = [[f"{i}", *(f"{i}{c}" for c in "abcdefgh")] for i in range(4)]
    space = SearchSpace.from_choices([*words, ["never"]])
    good = (3, 5, 2, 8)

    def f(state: State) -> float:  # hidden words are right as long as "never" is hidden too
        right = (HIDDEN,) if state[4] == HIDDEN else ()
        return sum(c in (g, *right) for c, g in zip(state, good, strict=False))

    goal = function_goal(f, lambda value: value == len(good))
    for seed in range(5):
        result = Attack(space, goal, BY_COLUMN, seed=seed, max_changed=1.0).run()
        assert (result.status, result.state) == ("success", (*good, 0))


def test_label_search_starts_again_while_it_is_beyond_the_limit() -> None:
    space = SearchSpace.from_choices([[f"{i}", f"{i}a", f"{i}b"] for i in range(8)])

    def f(state: State) -> float:  # six words of one kind, or two of another kind
        return max(state.count(1) / 6, (state[0] == 2) / 2 + (state[7] == 2) / 2)

    goal = function_goal(f, lambda value: value >= 1)
    kinds = []
    for seed in range(20):
        result = Attack(space, goal, replace(BY_COLUMN, starts=1), seed=seed).run()
        kinds.append([step.kind for step in result.steps].count("generation"))
        assert kinds[-1] <= BY_COLUMN.rounds
        assert result.status in ("success", "over_limit")
        assert result.status == "success" or kinds[-1] == BY_COLUMN.rounds
    assert len(set(kinds)) > 1


@pytest.mark.parametrize(
    ("plain", "polished"), [(ParticleSwarm, SwarmThenLocal), (Genetic, GeneticThenLocal)]
)
def test_a_polished_search_does_the_same_first(plain: type, polished: type) -> None:
    space, goal = random_case(2)
    for case in (goal, endless(goal)):
        before = Attack(space, case, plain()).run()
        after = Attack(space, case, polished()).run()
        shared = len(before.steps) - 1
        assert before.steps[:-1] == after.steps[:shared]
        assert after.score >= before.score


def test_a_portfolio_goes_on_until_a_member_succeeds_within_the_limit() -> None:
    space, goal = logistic_case(1)
    quick = Attack(space, goal, Portfolio()).run()
    assert finder(Portfolio(), quick.steps) is Swift
    lost = Attack(space, endless(goal), Portfolio()).run()
    assert sum(step.kind == "start" for step in lost.steps) == len(MEMBERS)
    assert lost.score == max(step.current.score for step in lost.steps)
    for budget in (10, 30, 60):
        alone = Attack(space, goal, Swift(), budget).run()
        assert Attack(space, goal, Portfolio(), budget).run().success >= alone.success


def test_an_interrupted_search_keeps_the_success_it_had() -> None:
    space, goal = logistic_case(3)
    whole = Attack(space, goal, Swift(doubt_after_success=4.0)).run()
    done = next(s for s in whole.steps if s.current.success)
    for budget in range(done.queries, whole.queries):
        result = Attack(space, goal, Swift(doubt_after_success=4.0), budget).run()
        shown = [s for s in whole.steps if s.queries <= budget][-1]
        assert result.success
        assert result.state == shown.current.state


def test_the_paired_statistics() -> None:
    ours, theirs = np.array([True] * 9 + [False]), np.array([True] * 3 + [False] * 6 + [True])
    assert mcnemar(ours, theirs) == pytest.approx(2 * (1 + 7) / 2**7)
    assert mcnemar(ours, ours) == 1.0
    assert area(np.array([5, 20, 60, 2000]), 60).tolist() == [1.0, 1.0, 1 / 41, 0.0]
    low, high = interval(np.array([0.0, 1.0] * 50))
    assert 0.38 < low < 0.5 < high < 0.62


def test_a_setting_measured_anew_takes_its_old_place() -> None:
    first, second = (
        dict(zip(("victim", "substitution", "sentences"), s, strict=False)) for s in SETTINGS[:2]
    )
    assert merged([first, second], {**first, "new": True}) == [{**first, "new": True}, second]
    assert merged([second], first) == [first, second]


def test_one_search_measured_anew_needs_the_same_local_search() -> None:
    old = {"victim": "v", "weights": "w", "searches": {"ls": 1, "swift": 2, "ls-label": 3}}
    new = {"victim": "v", "weights": "w", "searches": {"ls": 1, "ls-label": 4}}
    assert renewed(old, new)["searches"] == {"ls": 1, "swift": 2, "ls-label": 4}
    for other in ({**new, "weights": "x"}, {**new, "searches": {"ls": 5, "ls-label": 4}}):
        with pytest.raises(SystemExit, match="has changed"):
            renewed(old, other)
