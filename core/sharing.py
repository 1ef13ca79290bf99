"""One victim for many attacks at once: a worker gathers their requests into shared batches.

Every attack waits for its request before it makes the next one, so that first come, first served
is fair: no attack is served twice while another waits. The worker calls the victim once every
active attack has a request waiting; an attack that ends says so, and is not waited for.

The victims of this project answer a text with the same bits whatever it is batched with, so that an
attack takes the same steps beside others as alone. A model from outside may round in another way
in a larger batch; its scores can then differ in their last digits.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from threading import Condition, Event, Thread, local
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from core.errors import CoreError
from core.objective import Cancelled, Floats
from core.space import Ints, Moves, SearchSpace
from core.tasks import task_of
from core.text import HIDDEN_TEXT
from core.victims.protocol import Victim, given

MOST_ROWS: Final = 1_024  # texts in one call of the victim, unless a single request has more
PATIENCE: Final = 0.02  # seconds to wait for slower attacks before the victim gets a partial batch
GLANCE: Final = 0.05  # seconds between two checks whether a waiting attack was cancelled

BatchAnswer: TypeAlias = Callable[[Sequence[Any]], Sequence[Floats]]  # several requests, one call


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
class Asker:
    """An attack's thread: it makes one request at a time, and its last worker expects the next."""

    cancelled: Callable[[], bool]
    worker: "Worker | None" = None

    def turn_to(self, worker: "Worker | None") -> None:
        """Send the next requests to this worker, or to none: the one before no longer waits."""
        before, self.worker = self.worker, worker
        if before and before is not worker:
            before.forget(self)


class _Here(local):
    asker: Asker | None = None


_here = _Here()


@contextmanager
def cancellable_requests(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Mark this thread as an attack; its waiting requests for states are dropped once cancelled."""
    before, _here.asker = _here.asker, (asker := Asker(cancelled))
    try:
        yield
    finally:
        _here.asker = before
        asker.turn_to(None)


@dataclass(eq=False)
class Request:
    """Texts, or what a victim made of them, that wait for an answer."""

    rows: Any
    group: Any  # requests of one group are answered by one call
    answer: BatchAnswer
    asker: Asker | None = field(default_factory=lambda: _here.asker)
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
        self._expected: set[Asker | None] = set()  # those with an answer, who may ask again
        self._closed = False
        self._thread = Thread(target=self._work, name="victim", daemon=True)
        self._thread.start()

    def ask(self, request: Request, droppable: bool = False) -> Floats:
        """Wait for the answer; a droppable request is given up when its attack is cancelled."""
        if asker := request.asker:
            asker.turn_to(self)
        with self._news:
            if self._closed:
                raise CoreError("The victim was closed; load it again.")
            self.waiting.append(request)
            self._heard_of(asker)
        while not request.done.wait(GLANCE):
            with self._news:
                if droppable and asker and asker.cancelled() and request in self.waiting:
                    self.waiting.remove(request)
                    raise Cancelled
        if request.error is not None:
            raise request.error
        assert request.result is not None
        return request.result

    def forget(self, asker: Asker) -> None:
        """Do not wait for an attack that has ended or asks another worker."""
        with self._news:
            self._heard_of(asker)

    def close(self) -> None:
        """Answer what is waiting, then stop: a program must not end while its victim computes."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join()

    def _heard_of(self, asker: Asker | None) -> None:
        self._expected.discard(asker)
        if not self._expected or len(self.waiting) == 1:
            self._news.notify()

    def _work(self) -> None:
        while requests := self._gather():
            self.served += len(requests)
            self._serve(requests)
            with self._news:
                self._expected.update(request.asker for request in requests if request.asker)
            for request in requests:
                request.done.set()

    def _gather(self) -> list[Request]:
        """The next requests of one group in the order they came; none once the worker is closed."""
        with self._news:
            while True:
                self._news.wait_for(lambda: self.waiting or self._closed)
                heard = 0
                while heard < len(self.waiting):
                    heard = len(self.waiting)
                    if self._news.wait_for(lambda: self._closed or not self._expected, PATIENCE):
                        break
                self._expected.clear()
                requests = self._next()
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
        """One call for all; if it fails, one for each, so that a bad text fails alone."""
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


@dataclass(frozen=True, eq=False)
class Shared:
    """A victim behind a worker; it is asked like the victim itself, from any number of threads."""

    victim: Victim
    worker: Worker = field(default_factory=Worker)

    @property
    def labels(self) -> tuple[str, ...]:
        return getattr(self.victim, "labels", ())

    @property
    def hidden_token(self) -> str:
        return str(getattr(self.victim, "hidden_token", HIDDEN_TEXT))

    @property
    def task_key(self) -> str:
        return task_of(self.victim).key

    @property
    def answers_ahead(self) -> bool:
        return bool(getattr(self.victim, "answers_ahead", False))

    def given(self, context: Mapping[str, str]) -> "Shared":
        """The same victim over texts that are read with this context, behind the same worker."""
        fixed = given(self.victim, context)
        return self if fixed is self.victim else Shared(fixed, self.worker)

    def predict(self, texts: Sequence[str]) -> Floats:
        """One output for each text."""
        return self.worker.ask(self._request(texts))

    def bind(self, space: SearchSpace) -> Callable[[Ints], Floats]:
        """States in, outputs out."""
        make = self._of_rows(space) if isinstance(self.victim, Rowwise) else self._of_texts(space)
        return lambda states: self.worker.ask(make(states), droppable=True)

    def close(self) -> None:
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
        task_of(self.victim).checked(found, len(texts))  # so that a bad one is asked alone
        ends = accumulate(map(len, requests), initial=0)
        return [found[start:end] for start, end in pairwise(ends)]
