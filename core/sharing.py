"""One victim for many attacks at once: a worker gathers their requests into shared batches.

Every attack waits for its request before it makes the next one, so that first come, first served
is fair: nobody is served twice while somebody waits.

The victims of this project answer a text with the same bits whatever it is batched with, so that an
attack takes the same steps beside others as alone. A model from outside may round in another way
in a larger batch; its scores can then differ in their last digits.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from threading import Condition, Event, Thread, local
from time import monotonic
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from core.errors import CoreError
from core.objective import Cancelled, Floats
from core.space import Ints, Moves, SearchSpace
from core.victims.probabilities import checked
from core.victims.protocol import PairVictim, Victim

MOST_ROWS: Final = 1_024  # texts in one call of the victim, unless a single request has more
PATIENCE: Final = 0.02  # seconds to wait for those who asked last time, so that all share a call
GLANCE: Final = 0.05  # seconds between two looks at whether a waiting attack was cancelled

Answer: TypeAlias = Callable[[Sequence[Any]], Sequence[Floats]]  # several requests, one call


@runtime_checkable
class Rowwise(Protocol):
    """A victim that reads texts on the asking thread and answers many requests in one pass."""

    def read(self, texts: Sequence[str]) -> Any:
        """Texts as the victim gets them."""
        ...

    def answer(self, requests: Sequence[Any]) -> list[Floats]:
        """Probabilities for each request."""
        ...

    def bind(self, space: SearchSpace) -> Any:
        """The same for states of a space."""
        ...


@dataclass(eq=False)
class Request:
    """Texts, or what a victim made of them, that wait for an answer."""

    rows: Any
    group: Any  # requests of one group are answered by one call
    answer: Answer
    done: Event = field(default_factory=Event)
    result: Floats | None = None
    error: Exception | None = None


class Worker:
    """A thread that answers waiting requests, as many in one call as fit."""

    def __init__(self) -> None:
        self.calls = 0  # of the victim
        self.served = 0  # requests
        self.waiting: deque[Request] = deque()
        self._news = Condition()
        self._last = 0  # how many were served last time
        self._closed = False
        self._thread = Thread(target=self._work, name="victim", daemon=True)
        self._thread.start()

    def ask(self, request: Request, cancelled: Callable[[], bool] = lambda: False) -> Floats:
        """Wait for the answer; a request that is cancelled while it waits is dropped."""
        with self._news:
            if self._closed:
                raise CoreError("The victim was closed; load it again.")
            self.waiting.append(request)
            self._news.notify_all()
        while not request.done.wait(GLANCE):
            with self._news:
                if cancelled() and request in self.waiting:
                    self.waiting.remove(request)
                    raise Cancelled
        if request.error is not None:
            raise request.error
        assert request.result is not None
        return request.result

    def close(self) -> None:
        """Answer what is waiting, then stop: a program must not end while its victim computes."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while requests := self._gather():
            self.served += len(requests)
            self._serve(requests)
            for request in requests:
                request.done.set()

    def _gather(self) -> list[Request]:
        """The next requests of one group in the order they came; none once the worker is closed."""
        with self._news:
            while True:
                self._news.wait_for(lambda: self.waiting or self._closed)
                end = monotonic() + PATIENCE
                while len(self.waiting) < self._last and not self._closed:
                    if not self._news.wait(end - monotonic()):
                        break
                requests = self._next()
                self._last = len(requests) + len(self.waiting)
                if requests or self._closed:  # else the only one was cancelled meanwhile
                    return requests

    def _next(self) -> list[Request]:
        result: list[Request] = []
        rows = 0
        for request in list(self.waiting):
            first = result[0] if result else request
            fits = rows + len(request.rows) <= MOST_ROWS
            if request is first or (fits and request.group == first.group):
                result.append(request)
                rows += len(request.rows)
                self.waiting.remove(request)
        return result

    def _serve(self, requests: Sequence[Request]) -> None:
        """One call for all; if it fails, one for each, so that a bad text hurts nobody else."""
        self.calls += 1
        try:
            answers = requests[0].answer([request.rows for request in requests])
            for request, answer in zip(requests, answers, strict=True):
                request.result = answer
        except Exception as error:
            if len(requests) == 1:
                requests[0].error = error
            else:
                for request in requests:
                    self._serve([request])


class _Here(local):
    cancelled: Callable[[], bool] = staticmethod(lambda: False)


_here = _Here()


@contextmanager
def giving_up(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Requests for states that this thread makes inside are dropped once it is cancelled."""
    before, _here.cancelled = _here.cancelled, cancelled
    try:
        yield
    finally:
        _here.cancelled = before


@dataclass(frozen=True, eq=False)
class Shared:
    """A victim behind a worker; it is asked like the victim itself, from any number of threads."""

    victim: Victim
    worker: Worker = field(default_factory=Worker)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels."""
        return self.victim.labels

    @property
    def hidden_token(self) -> str:
        """How a hidden word is written."""
        return str(getattr(self.victim, "hidden_token", "[UNK]"))

    @property
    def needs_premise(self) -> bool:
        """Whether it must be given a premise before it is asked."""
        return isinstance(self.victim, PairVictim) and self.victim.needs_premise

    def with_premise(self, premise: str) -> "Shared":
        """The same victim over hypotheses of a fixed premise, behind the same worker."""
        assert isinstance(self.victim, PairVictim)
        return Shared(self.victim.with_premise(premise), self.worker)

    def predict(self, texts: Sequence[str]) -> Floats:
        """One row of probabilities for each text."""
        return self.worker.ask(self._request(texts))

    def bind(self, space: SearchSpace) -> Callable[[Ints], Floats]:
        """States in, probabilities out."""
        make = self._of_rows(space) if isinstance(self.victim, Rowwise) else self._of_texts(space)
        return lambda states: self.worker.ask(make(states), _here.cancelled)

    def close(self) -> None:
        """Stop the worker."""
        self.worker.close()

    def _of_rows(self, space: SearchSpace) -> Callable[[Ints], Request]:
        assert isinstance(self.victim, Rowwise)
        read, answer = self.victim.bind(space).read, self.victim.answer
        return lambda states: Request(read(states), None, answer)

    def _of_texts(self, space: SearchSpace) -> Callable[[Ints], Request]:
        def make(states: Ints) -> Request:
            moves = Moves.of(states.tolist(), len(space.choices))
            return self._request(space.texts(moves, self.hidden_token))

        return make

    def _request(self, texts: Sequence[str]) -> Request:
        if isinstance(self.victim, Rowwise):
            return Request(self.victim.read(texts), None, self.victim.answer)
        return Request(list(texts), id(self.victim), self._predict_all)

    def _predict_all(self, requests: Sequence[list[str]]) -> list[Floats]:
        texts = [text for part in requests for text in part]
        found = self.victim.predict(texts)
        checked(found, len(texts), self.labels, "The victim")  # so that a bad one is asked alone
        ends = accumulate(map(len, requests), initial=0)
        return [found[start:end] for start, end in pairwise(ends)]
