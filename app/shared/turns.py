"""Fair turns: which heavy work runs now, which waits, and how many visitors are served before.

A piece of work waits for a turn and gives it back. A free turn goes to the address that has the
fewest, of equals to the one that was given none for longest; among its visitors in the same way to
one of them, and to what has waited longest of this one's work. Several visitors may want the same
work: it is served when the turn of one of them comes, and counts for each. Work that nobody has
looked at for a minute or so is not wanted any more.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from core.errors import require

if TYPE_CHECKING:
    from app.shared.visitor import Visitor

# Seconds without a look, after which nobody is thought to wait: a browser lets a page that is
# covered by another one ask once a minute, and one that sleeps not at all.
ABSENCE: Final = 75.0
LATER: Final = 1 << 62  # comes after every turn that was given
TIDYING: Final = 1.0  # seconds between two searches of the queue for what nobody waits for


@dataclass(frozen=True)
class TurnLimits:
    """How many turns there are at a time, and how much may wait for one."""

    server: int
    address: int  # fewer than the server has, so that another address finds a free one
    visitor: int
    waiting: int  # on the server
    waiting_of_visitor: int


@dataclass(eq=False)
class Watcher:
    """Somebody who waits for results: a page of a visitor, and when it was last looked at."""

    visitor: Visitor
    looked: float = inf


def _nothing() -> None:
    pass


@dataclass(eq=False)
class Turn:
    """The turn of one piece of work, from before it waits until after it has run."""

    begin: Callable[[], None] = _nothing  # called once, when the turn has come
    state: Literal["new", "waiting", "taken", "over"] = "new"
    abandoned: bool = False  # it was not over when nobody wanted it any more
    watchers: tuple[Watcher, ...] = ()
    arrival: int = 0  # how many came before

    @property
    def visitors(self) -> set[Visitor]:
        """All who want it."""
        return {watcher.visitor for watcher in self.watchers}


class Turns:
    """Gives turns, from any number of threads."""

    def __init__(
        self, limits: TurnLimits, clock: Callable[[], float] = monotonic, absence: float = ABSENCE
    ) -> None:
        self.limits, self.clock, self.absence = limits, clock, absence
        self._lock = Lock()
        self._arrivals = count(1)
        self._taken: set[Turn] = set()
        self._queue: dict[Turn, None] = {}  # all that wait, in the order they came
        self._waiting: dict[Visitor, dict[Turn, None]] = {}  # the same for each visitor
        self._given = count(1)
        self._last: dict[Visitor | str, int] = {}  # which turn visitors and addresses had last
        self._places: dict[Visitor, int] | None = None  # worked out when somebody asks
        self._tidied = clock()

    def join(self, turn: Turn, watcher: Watcher) -> bool:
        """Somebody wants this work too; False if it was abandoned just before."""
        with self._change():
            if turn.abandoned:
                return False
            if watcher not in turn.watchers:
                turn.watchers = (*turn.watchers, watcher)
            if turn.state == "waiting":
                self._waiting.setdefault(watcher.visitor, {})[turn] = None
            return True

    def leave(self, turn: Turn, watcher: Watcher) -> None:
        """Somebody does not want it any more; it is abandoned if nobody else does."""
        with self._change():
            turn.watchers = tuple(other for other in turn.watchers if other is not watcher)
            if watcher.visitor not in turn.visitors:
                self._forget(watcher.visitor, turn)
            if not turn.watchers:
                self._abandon(turn)

    def queue(self, turn: Turn) -> None:
        """Wait for a turn, or take it at once; refused where too much waits already."""
        with self._change():
            if turn.state != "new" or turn.abandoned:
                return
            self._check_room(turn)
            turn.state, turn.arrival = "waiting", next(self._arrivals)
            self._queue[turn] = None
            for visitor in turn.visitors:
                self._waiting.setdefault(visitor, {})[turn] = None

    def give_back(self, turn: Turn) -> None:
        """The work is over; whoever is next begins."""
        with self._change():
            self._taken.discard(turn)
            turn.state = "over"

    def withdraw(self, turn: Turn) -> None:
        """Wait no longer; a turn that has come already is for its work to give back."""
        with self._change():
            if turn.state != "taken":
                self._end_waiting(turn)
                turn.state = "over"

    def is_wanted(self, turn: Turn) -> bool:
        """Whether somebody has looked lately; otherwise the work is abandoned."""
        if self._is_looked_at(turn):
            return True
        with self._lock:
            if not self._is_looked_at(turn):  # nobody joined meanwhile
                self._abandon(turn)
        return not turn.abandoned

    def before(self, turn: Turn) -> int:
        """How many visitors are served before those who wait for this turn."""
        with self._lock:
            self._tidy()
            if self._places is None:
                self._places = self._work_out_places()
            places = self._places
            return min((places[visitor] for visitor in turn.visitors & places.keys()), default=0)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Change something, then give the turns that are free; their work begins."""
        with self._lock:
            yield
            self._tidy()
            begun = list(self._give())
            self._places = None
        for turn in begun:
            begin, turn.begin = turn.begin, _nothing  # holds the work no longer than needed
            begin()

    def _give(self) -> Iterator[Turn]:
        """Give free turns to those who are next."""
        while self._waiting and len(self._taken) < self.limits.server:
            of_address, of_visitor = self._loads()
            able = [
                visitor
                for visitor in self._waiting
                if of_address[visitor.address] < self.limits.address
                and of_visitor[visitor] < self.limits.visitor
            ]
            if not able:
                return
            turn = self._first(
                min(
                    able,
                    key=lambda v: (self._claim(v.address, of_address), self._rank(v, of_visitor)),
                )
            )
            self._end_waiting(turn)
            self._taken.add(turn)
            turn.state, number = "taken", next(self._given)
            for visitor in turn.visitors:
                self._last[visitor] = self._last[visitor.address] = number
            yield turn

    def _work_out_places(self) -> dict[Visitor, int]:
        """The order in which visitors are served, if everything took equally long."""
        of_address, of_visitor = self._loads()
        queues: defaultdict[str, deque[Visitor]] = defaultdict(deque)
        for visitor in sorted(self._waiting, key=lambda v: self._rank(v, of_visitor)):
            queues[visitor.address].append(visitor)
        next_ones = [
            (self._claim(address, of_address), self._rank(queue[0], of_visitor), address)
            for address, queue in queues.items()
        ]
        heapify(next_ones)
        places: dict[Visitor, int] = {}
        while next_ones:
            (load, _), _, address = heappop(next_ones)
            places[queues[address].popleft()] = len(places)
            if queue := queues[address]:
                claim = load + 1, LATER + len(places)
                heappush(next_ones, (claim, self._rank(queue[0], of_visitor), address))
        return places

    def _claim(self, address: str, loads: Counter[str]) -> tuple[int, int]:
        """The lowest is next: who has the fewest turns, or was given none for longest."""
        return loads[address], self._last.get(address, 0)

    def _rank(self, visitor: Visitor, loads: Counter[Visitor]) -> tuple[int, int, int]:
        """The same among the visitors of an address."""
        return loads[visitor], self._last.get(visitor, 0), self._first(visitor).arrival

    def _loads(self) -> tuple[Counter[str], Counter[Visitor]]:
        """The turns that each address and each visitor has."""
        visitors = [turn.visitors for turn in self._taken]
        addresses = [{visitor.address for visitor in each} for each in visitors]
        return (
            Counter(address for each in addresses for address in each),
            Counter(visitor for each in visitors for visitor in each),
        )

    def _first(self, visitor: Visitor) -> Turn:
        return next(iter(self._waiting[visitor]))

    def _check_room(self, turn: Turn) -> None:
        """A full server refuses only an address that has more than its share of the queue."""
        waiting = Counter({visitor: len(turns) for visitor, turns in self._waiting.items()})
        require(
            min(waiting[visitor] for visitor in turn.visitors) < self.limits.waiting_of_visitor,
            f"You have {self.limits.waiting_of_visitor:,} runs waiting already. Wait until some "
            "have ended, or cancel them.",
        )
        if len(self._queue) < self.limits.waiting:
            return
        addresses: Counter[str] = Counter()
        for visitor, number in waiting.items():
            addresses[visitor.address] += number
        own = {visitor.address for visitor in turn.visitors}
        share = self.limits.waiting / len(addresses.keys() | own)
        require(
            min(addresses[address] for address in own) < share,
            "Too much is waiting on this server just now. Try again in a few minutes.",
        )

    def _is_looked_at(self, turn: Turn) -> bool:
        since = self.clock() - self.absence
        return any(watcher.looked >= since for watcher in turn.watchers)

    def _tidy(self) -> None:
        """Drop what nobody waits for any more, now and then."""
        now = self.clock()
        if now - self._tidied < TIDYING:
            return
        self._tidied = now
        here = {*self._waiting, *(visitor for turn in self._taken for visitor in turn.visitors)}
        known = here | {visitor.address for visitor in here}
        self._last = {one: number for one, number in self._last.items() if one in known}
        for turn in [turn for turn in self._queue if not self._is_looked_at(turn)]:
            self._abandon(turn)
            self._places = None

    def _abandon(self, turn: Turn) -> None:
        turn.abandoned = turn.state != "over"
        if turn.state != "taken":
            self._end_waiting(turn)
            turn.state = "over"

    def _end_waiting(self, turn: Turn) -> None:
        self._queue.pop(turn, None)
        for visitor in turn.visitors:
            self._forget(visitor, turn)

    def _forget(self, visitor: Visitor, turn: Turn) -> None:
        if turns := self._waiting.get(visitor):
            turns.pop(turn, None)
            if not turns:
                del self._waiting[visitor]


def waiting_text(before: int) -> str:
    """What a page says while its work waits."""
    return f"Waiting for a turn: {f'{before:,} before you' if before else 'you are next'}"
