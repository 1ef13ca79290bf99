"""Many attacks on one victim: the traces they have alone, merged calls, fair turns."""

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from core import (
    SEARCHES,
    SUBSTITUTIONS,
    VICTIMS,
    Attack,
    AttackResult,
    CoreError,
    Goal,
    InputError,
    SearchSpace,
    Victim,
    untargeted,
)
from core.goals import Bindable, probabilities
from core.objective import Cancelled, Floats
from core.sharing import MOST_ROWS, Asker, Request, Shared, Worker, cancellable_requests
from core.victims import ContextVictim, given, words
from core.victims.adapters.function import FunctionVictim
from core.victims.networks.forward import Forward
from core.victims.networks.rows import Rows
from core.victims.networks.weights import build_network
from core.victims.networks.word_kinds import ESIM
from core.victims.neural import NeuralVictim
from core.victims.recipes import RECIPES
from core.victims.words import FIRST

SENTENCES = (
    "A charming and often very funny film with a warm ending.",
    "The plot is a mess and the jokes are dull.",
    "I love this movie",
    "An honest, moving story told with great care.",
    "Some people walk outside with their happy dogs.",
    "The cast works hard, but the script is lazy and the whole thing feels far too long.",
)
PREMISES = ("Two women are walking their dogs in a park near the lake.", "A man sleeps.")


@cache
def victim_of(name: str) -> Victim:
    return VICTIMS[name]()


@cache
def space_of(text: str, source: str) -> SearchSpace:
    return SearchSpace.from_text(text, SUBSTITUTIONS[source]())


def goals(victim: Victim, source: str) -> list[Goal]:
    """One for each sentence; a victim of pairs gets the premises in turn."""
    result = []
    for number, text in enumerate(SENTENCES):
        asked = given(victim, {"premise": PREMISES[number % 2]})
        label = int(probabilities(asked, [text])[0].argmax())
        result.append(untargeted(asked, space_of(text, source), label))
    return result


def attacks(victim: Victim, source: str) -> list[Attack]:
    spaces = [space_of(text, source) for text in SENTENCES]
    return [
        Attack(space, goal, SEARCHES[key](), budget=200, seed=seed)
        for space, goal in zip(spaces, goals(victim, source), strict=True)
        for key, seed in (("ls", 0), ("pso", 1), ("ga", 2), ("ibgs", 0), ("sgs", 0))
    ]


def at_once(jobs: Sequence[Callable[[], object]]) -> list[object]:
    """Run every job in a thread of its own; what it returns, or the error it raises."""
    results: list[object] = [None] * len(jobs)
    start = threading.Barrier(len(jobs))

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = jobs[number]()
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return results


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("toy", "toy"),
        ("bilstm-sst2", "embedding"),
        ("cnn-sst2", "embedding"),
        ("dnn-snli", "embedding"),
    ],
)
def test_thirty_attacks_at_once_have_the_traces_they_have_alone(name: str, source: str) -> None:
    victim = victim_of(name)
    alone: list[AttackResult] = [attack.run() for attack in attacks(victim, source)]
    shared = Shared(victim)
    together = at_once([attack.run for attack in attacks(shared, source)])
    shared.close()
    assert len(alone) == 30
    assert together == alone  # every step with every candidate and every score, bit for bit
    assert shared.worker.calls < shared.worker.served / 2


def mixed_requests(victim: NeuralVictim, count: int) -> list[Rows]:
    """Requests of all sizes over several sentences and premises."""
    rng = np.random.default_rng(0)
    asked = [victim.given({"premise": premise}) for premise in PREMISES]
    spaces = [space_of(text, "embedding") for text in SENTENCES]
    bound = [(one.bind(space), space) for one in asked for space in spaces]
    requests = []
    for _ in range(count):
        reader, space = bound[rng.integers(len(bound))]
        size = (int(rng.choice([1, 2, 3, 5, 9, 20])), len(space.choices))
        states = np.where(rng.random(size) < 0.3, rng.integers(-1, space.counts + 1, size), 0)
        requests.append(reader.read(states))
    return requests


def check_that_batches_do_not_matter(victim: NeuralVictim, count: int) -> None:
    rng = np.random.default_rng(1)
    requests = mixed_requests(victim, count)
    alone = [victim.answer([request])[0] for request in requests]
    order = rng.permutation(count)
    while len(order):
        part, order = np.split(order, [rng.integers(1, 12)])
        for number, answer in zip(part, victim.answer([requests[n] for n in part]), strict=True):
            assert np.array_equal(answer, alone[number])


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bilstm-sst2", 200),
        ("cnn-sst2", 200),
        ("lstm-imdb", 200),
        ("charcnn-ag", 60),
        ("dnn-snli", 200),
        ("infersent-snli", 200),
        ("minilm-sst2", 15),
    ],
)
def test_a_text_gets_the_same_bits_whatever_it_is_batched_with(name: str, count: int) -> None:
    victim = victim_of(name)
    assert isinstance(victim, NeuralVictim)
    check_that_batches_do_not_matter(victim, count)


def test_that_holds_for_soft_alignment_too() -> None:
    """ESIM with the sizes of its recipe; what it has learned does not matter here."""
    recipe, known = RECIPES["esim-snli"], words.load()
    torch.manual_seed(0)
    network = build_network(
        ESIM, 3, recipe.options, words=known, tuned=torch.arange(FIRST, 2_000)
    ).eval()
    victim = NeuralVictim(
        "esim", recipe.labels, Forward(network.requires_grad_(False), ESIM), known, task_key="pair"
    )
    check_that_batches_do_not_matter(victim, 100)


def test_a_table_of_words_that_is_full_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    victim = VICTIMS["cnn-sst2"]()
    texts = [" ".join(column) for column in space_of(SENTENCES[0], "embedding").choices]
    expected = [victim.predict([text]) for text in texts]
    monkeypatch.setattr("core.victims.networks.shared_steps.MOST_WORDS", 20)
    for text, row in zip(texts * 2, expected * 2, strict=True):
        assert np.array_equal(victim.predict([text]), row)


class Held:
    """A victim of texts that answers only when it is let, and keeps what it was asked in a call."""

    labels = ("no", "yes")
    hidden_token = "<hidden>"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.entered, self.go = threading.Semaphore(0), threading.Semaphore(0)

    def predict(self, texts: Sequence[str]) -> Floats:
        self.calls.append(list(texts))
        self.entered.release()
        assert self.go.acquire(timeout=20)
        if "bad" in texts:
            raise InputError("This text is bad.")
        share = np.array([len(text) / 100 for text in texts])
        return np.stack([1 - share, share], axis=1)

    def let(self, calls: int = 1) -> None:
        for _ in range(calls):
            self.go.release()


def until(reached: Callable[[], bool]) -> None:
    for _ in range(4_000):
        if reached():
            return
        threading.Event().wait(0.005)
    pytest.fail("waited in vain")


class Crowd:
    """Threads that wait for a held victim; the first one holds it while the others queue up."""

    def __init__(self) -> None:
        self.victim = Held()
        self.shared = Shared(self.victim)
        self.results: dict[str, Any] = {}  # an array, or the error
        self.threads: list[threading.Thread] = []
        self.ask("first", ["first"])
        assert self.victim.entered.acquire(timeout=20)

    def ask(self, name: str, texts: list[str]) -> None:
        def run() -> None:
            try:
                self.results[name] = self.shared.predict(texts)
            except Exception as error:
                self.results[name] = error

        waiting = len(self.shared.worker.waiting)
        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()
        if self.threads[1:]:
            until(lambda: len(self.shared.worker.waiting) > waiting)

    def finish(self, calls: int) -> None:
        self.victim.let(calls)
        for thread in self.threads:
            thread.join(20)
        self.shared.close()


def test_requests_that_wait_together_are_answered_by_one_call() -> None:
    crowd = Crowd()
    for name in ("a", "bb", "ccc"):
        crowd.ask(name, [name, name * 2])
    crowd.finish(2)
    assert crowd.victim.calls == [["first"], ["a", "aa", "bb", "bbbb", "ccc", "cccccc"]]
    assert np.array_equal(crowd.results["bb"], [[0.98, 0.02], [0.96, 0.04]])


def test_first_come_first_served_and_no_call_is_too_large() -> None:
    crowd = Crowd()
    crowd.ask("large", ["x"] * (MOST_ROWS - 1))
    crowd.ask("next", ["y"] * 2)
    crowd.ask("short", ["z"])
    crowd.ask("huge", ["w"] * (MOST_ROWS + 5))
    crowd.finish(4)
    sizes = [[len(call), sorted(set(call))] for call in crowd.victim.calls]
    assert sizes == [
        [1, ["first"]],
        [MOST_ROWS, ["x", "z"]],
        [2, ["y"]],
        [MOST_ROWS + 5, ["w"]],
    ]


def test_a_bad_text_hurts_only_who_asked_it() -> None:
    crowd = Crowd()
    crowd.ask("good", ["good"])
    crowd.ask("ill", ["fine", "bad"])
    crowd.ask("also good", ["also good"])
    crowd.finish(5)
    assert str(crowd.results["ill"]) == "This text is bad."
    assert np.array_equal(crowd.results["good"], [[0.96, 0.04]])
    assert np.array_equal(crowd.results["also good"], [[0.91, 0.09]])


def test_the_worker_lives_on_after_an_error() -> None:
    crowd = Crowd()
    crowd.ask("ill", ["bad"])
    crowd.victim.let(2)
    until(lambda: "ill" in crowd.results)
    crowd.victim.let()
    assert crowd.shared.predict(["good"]).shape == (1, 2)
    crowd.finish(0)


def test_an_answer_of_another_shape_is_an_error_for_each_alone() -> None:
    shared = Shared(_Wrong())
    with pytest.raises(InputError, match="rows of 2 numbers"):
        shared.predict(["a", "b"])
    with pytest.raises(ValueError, match="longer"):
        shared.worker.ask(Request(["a"], "odd", lambda requests: [np.zeros((1, 2))] * 2))
    shared.close()


class _Wrong:
    labels = ("no", "yes")

    def predict(self, texts: Sequence[str]) -> Floats:
        return np.full((1, 2), 0.5)


def test_a_long_attack_does_not_starve_a_short_one() -> None:
    """Counted in calls of the victim: while LS waits, at most one call begins without it."""
    victim = victim_of("toy")
    turns: list[set[str]] = []
    waits: list[int] = []
    worker = Worker()

    def attack(name: str, key: str, seed: int) -> Attack:
        space = space_of(SENTENCES[0], "toy")
        inner = untargeted(victim, space, "positive")

        def ask(inputs: list[str]) -> Floats:
            def answer(requests: Sequence[tuple[str, list[str]]]) -> list[Floats]:
                turns.append({who for who, _ in requests})
                return [inner.ask(texts) for _, texts in requests]

            asked = len(turns)
            found = worker.ask(Request(_Named((name, inputs)), None, answer))
            if name == "ls":
                waits.append(next(n for n, who in enumerate(turns[asked:]) if name in who))
            return found

        goal = Goal(inner.prepare, ask, inner.judge, inner.verify)
        return Attack(space, goal, SEARCHES[key](), budget=300, seed=seed)

    long = [attack(f"pso {seed}", "pso", seed).run for seed in range(12)]
    at_once([*long, attack("ls", "ls", 0).run])
    worker.close()
    mine = [number for number, turn in enumerate(turns) if "ls" in turn]
    assert len(mine) >= 2
    assert len(turns) > mine[-1] + 1, "the long attacks should still be running"
    assert max(waits) <= 1


class _Named(tuple[str, list[str]]):
    def __len__(self) -> int:
        return len(self[1])


def test_a_cancelled_attack_drops_its_waiting_request() -> None:
    crowd = Crowd()
    space = space_of(SENTENCES[2], "toy")
    bound = crowd.shared.bind(space)
    cancelled = threading.Event()
    ended: list[BaseException] = []

    def run() -> None:
        with cancellable_requests(cancelled.is_set):
            try:
                bound(np.zeros((3, len(space.choices)), dtype=np.int32))
            except Exception as interruption:
                ended.append(interruption)

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: len(crowd.shared.worker.waiting) == 1)
    cancelled.set()
    thread.join(20)
    assert [type(one).__name__ for one in ended] == ["Cancelled"]
    assert not crowd.shared.worker.waiting
    crowd.finish(1)
    assert crowd.victim.calls == [["first"]]


def test_a_worker_outlives_the_only_request_being_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sharing.PATIENCE", 5.0)
    shared = Shared(victim_of("toy"))
    # It waits for a second one, and loses the first meanwhile.
    shared.worker._expected.add(Asker(lambda: False))
    bound = shared.bind(space := space_of(SENTENCES[2], "toy"))
    with cancellable_requests(lambda: True), pytest.raises(Cancelled):
        bound(np.zeros((1, len(space.choices)), dtype=np.int32))
    assert shared.predict(["good"]).shape == (1, 2)
    shared.close()


class Turns:
    """Two who ask a worker again and again; the second thinks until it is let."""

    def __init__(self) -> None:
        self.sizes: list[int] = []  # requests in each call
        self.worker, self.other = Worker(), Worker()
        self.thought, self.answered = threading.Semaphore(0), threading.Semaphore(0)
        self.ended = threading.Event()

    def ask(self, worker: Worker) -> None:
        worker.ask(Request(["a"], None, self.answer))

    def answer(self, requests: Sequence[list[str]]) -> list[Floats]:
        self.sizes.append(len(requests))
        return [np.zeros((1, 2)) for _ in requests]

    def second(self, then: Callable[[], None]) -> None:
        with cancellable_requests(lambda: False):
            self.ask(self.worker)
            self.answered.release()
            assert self.thought.acquire(timeout=20)
            then()
            self.ended.wait(20)

    def run(self, then: Callable[[], None], meanwhile: Callable[[], None] = lambda: None) -> None:
        """The first asks while the second thinks; then the second does something."""
        thread = threading.Thread(target=self.second, args=(then,))
        thread.start()
        assert self.answered.acquire(timeout=20)
        first = threading.Thread(target=self.ask, args=(self.worker,))
        first.start()
        meanwhile()
        self.thought.release()
        first.join(20)
        assert not first.is_alive()
        self.ended.set()
        thread.join(20)
        for worker in (self.worker, self.other):
            worker.close()


def test_who_thinks_is_waited_for_so_that_all_share_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sharing.PATIENCE", 60.0)
    turns = Turns()
    turns.run(lambda: turns.ask(turns.worker), lambda: until(lambda: bool(turns.worker.waiting)))
    assert turns.sizes == [1, 2]


def test_nobody_waits_for_who_has_left_or_asks_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.sharing.PATIENCE", 60.0)
    left, away = Turns(), Turns()
    left.run(left.ended.set)
    away.run(lambda: away.ask(away.other))
    assert left.sizes == [1, 1]
    assert away.sizes == [1, 1, 1]


def test_who_thinks_too_long_is_not_waited_for() -> None:
    turns = Turns()
    turns.run(lambda: None, lambda: until(lambda: len(turns.sizes) == 2))
    assert turns.sizes == [1, 1]


def test_a_cancelled_attack_ends_with_what_it_has() -> None:
    shared = Shared(victim_of("toy"))
    space = space_of(SENTENCES[0], "toy")
    goal = untargeted(shared, space, "positive")
    steps = Attack(space, goal, SEARCHES["ls"](), max_changed=1.0).steps()
    with cancellable_requests(lambda: True):
        next(steps)
        result = None
        while result is None:
            try:
                next(steps)
            except StopIteration as end:
                result = end.value
    shared.close()
    assert result.steps  # the answers came before anybody looked whether to give up


def test_a_closed_worker_says_so() -> None:
    shared = Shared(victim_of("toy"))
    shared.close()
    with pytest.raises(CoreError, match="was closed"):
        shared.predict(["a"])


def test_it_is_a_victim_like_the_one_inside() -> None:
    toy, pair = Shared(victim_of("toy")), Shared(victim_of("dnn-snli"))
    assert isinstance(toy, Victim)
    assert isinstance(toy, Bindable)
    assert isinstance(pair, ContextVictim)
    assert toy.labels == ("negative", "positive")
    assert (toy.task_key, pair.task_key) == ("classification", "pair")
    assert given(toy, {"premise": "ignored"}) is toy
    fixed = given(pair, {"premise": PREMISES[0]})
    assert isinstance(fixed, Shared)
    assert fixed.worker is pair.worker
    expected = given(victim_of("dnn-snli"), {"premise": PREMISES[0]}).predict(["Some dogs walk."])
    assert np.array_equal(fixed.predict(["Some dogs walk."]), expected)
    with pytest.raises(InputError, match="needs a premise"):
        pair.predict(["Some dogs walk."])
    for one in (toy, pair):
        one.close()


def test_a_hidden_word_is_written_as_the_victim_knows_it() -> None:
    asked: list[str] = []

    def answer(texts: list[str]) -> Floats:
        asked.extend(texts)
        return np.full((len(texts), 2), 0.5)

    shared = Shared(FunctionVictim(("no", "yes"), answer, hidden_token="<hidden>"))
    shared.bind(space_of("I love this movie", "toy"))(np.array([[0, -1, 0, 2]], dtype=np.int32))
    shared.close()
    assert asked == ["I <hidden> this picture"]
