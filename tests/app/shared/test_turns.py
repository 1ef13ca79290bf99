"""Fair turns: who is served first, places, refusals, and what nobody waits for any more."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from math import inf
from random import Random

import pytest

from app.shared.turns import ABSENCE, Turn, TurnLimits, Turns, Watcher, waiting_text
from app.shared.visitor import Visitor, network_of
from core import InputError
from tests.toys.turns import PLENTY, Clock


class Load:
    """Work that only notes when its turn comes, and gives the turn back when told to."""

    def __init__(self, limits: TurnLimits, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.turns = Turns(limits, self.clock)
        self.served: list[str] = []  # in the order of their turns
        self.running: dict[str, list[Turn]] = {}

    def ask(self, visitor: Visitor, number: int = 1) -> list[Turn]:
        asked = []
        for _ in range(number):
            turn = Turn()
            turn.begin = partial(self._begin, visitor, turn)
            assert self.turns.join(turn, Watcher(visitor))
            self.turns.queue(turn)
            asked.append(turn)
        return asked

    def end(self, session: str) -> None:
        self.turns.give_back(self.running[session].pop(0))

    def end_all(self) -> None:
        """End whatever has begun first, until nothing is left."""
        while rest := [session for session, turns in self.running.items() if turns]:
            self.end(rest[0])

    def _begin(self, visitor: Visitor, turn: Turn) -> None:
        self.served.append(visitor.session)
        self.running.setdefault(visitor.session, []).append(turn)


def limits(**values: int) -> TurnLimits:
    return TurnLimits(**{**vars(PLENTY), **values})


ANN, BEN, CEM = (Visitor(f"10.0.0.{n}", name) for n, name in enumerate(("ann", "ben", "cem")))


def test_a_thousand_sessions_of_one_address_do_not_starve_another() -> None:
    load = Load(limits(server=4, address=3))
    for number in range(1_000):
        load.ask(Visitor("10.6.6.6", f"crowd {number}"))
    assert len(load.served) == 3  # a turn stays free for others
    load.ask(ANN, 3)
    assert load.served[3:] == ["ann"]
    for number, served in enumerate(("ann", "crowd 3", "crowd 4")):
        load.end(f"crowd {number}")
        assert load.served[-1] == served  # until both have two


def test_the_sessions_of_an_address_share_its_turns() -> None:
    load = Load(limits(server=3))
    class_of_three = [Visitor("10.0.0.9", name) for name in ("first", "second", "third")]
    for visitor in class_of_three:
        load.ask(visitor, 10)
    assert load.served == ["first"] * 3  # nobody else was there
    for _ in range(3):
        load.end("first")
    assert load.served[3:] == ["second", "third", "first"]
    load.end_all()
    assert Counter(load.served) == {"first": 10, "second": 10, "third": 10}


def test_of_equals_whoever_waits_longest_is_next() -> None:
    load = Load(limits(server=1))
    load.ask(ANN)
    for visitor in (CEM, BEN):
        load.ask(visitor)
    load.end("ann")
    assert load.served == ["ann", "cem"]


def test_with_one_turn_alone_visitors_and_addresses_go_round() -> None:
    load = Load(limits(server=1))
    load.ask(Visitor("10.6.6.6", "crowd"), 100)
    load.ask(Visitor("10.6.6.6", "also there"), 2)
    load.ask(ANN, 3)
    load.end_all()
    assert load.served[:8] == [
        *("crowd", "ann", "also there", "ann", "crowd", "ann", "also there", "crowd")
    ]


def test_a_visitor_and_an_address_have_a_limit_each() -> None:
    load = Load(limits(visitor=2, address=3))
    load.ask(ANN, 5)
    load.ask(Visitor(ANN.address, "her neighbour"), 5)
    load.ask(BEN, 5)
    assert Counter(load.served) == {"ann": 2, "her neighbour": 1, "ben": 2}


def test_everybody_who_waits_knows_the_place() -> None:
    load = Load(limits(server=1))
    (first,) = load.ask(ANN)
    places = [load.ask(visitor, 2) for visitor in (BEN, CEM)]
    assert [load.turns.before(turns[0]) for turns in places] == [0, 1]
    assert load.turns.before(places[1][1]) == 1  # of another visitor, not of her own
    (again,) = load.ask(ANN)
    assert load.turns.before(again) == 2
    load.turns.give_back(first)
    assert load.served == ["ann", "ben"]
    assert load.turns.before(places[1][0]) == 0
    assert load.turns.before(again) == 1
    assert waiting_text(0) == "Waiting for a turn: you are next"
    assert waiting_text(2) == "Waiting for a turn: 2 before you"


def test_the_places_are_the_order_in_which_visitors_are_served() -> None:
    """A crowd behind one address counts once a round, as it is served."""
    load = Load(limits(server=2))
    crowd = [Visitor("10.6.6.6", f"crowd {number}") for number in range(50)]
    for visitor in crowd:
        load.ask(visitor)
    (turn,) = load.ask(ANN)
    assert load.turns.before(turn) == 0
    (other,) = load.ask(BEN)
    assert load.turns.before(other) == 1
    assert load.turns.before(load.ask(crowd[0])[0]) > 1


def test_places_come_true() -> None:
    rng = Random(7)
    for _ in range(50):
        load = Load(limits(server=3))
        for number in range(3):
            load.ask(Visitor(f"10.0.0.{rng.randrange(5)}", f"before {number}"))
        visitors = [Visitor(f"10.0.0.{rng.randrange(3)}", f"{n}") for n in range(6)]
        asked = {visitor.session: load.ask(visitor)[0] for visitor in visitors}
        places = {session: load.turns.before(turn) for session, turn in asked.items()}
        assert sorted(places.values()) == list(range(6))
        load.turns.limits = PLENTY  # so that all are served, one after the other
        load.ask(Visitor("10.7.7.7", "last"))
        served = [places[session] for session in load.served[3:] if session != "last"]
        assert served == list(range(6))


def test_too_much_waiting_of_one_visitor_is_refused_in_a_sentence() -> None:
    load = Load(limits(server=1, waiting_of_visitor=2))
    load.ask(ANN, 3)
    with pytest.raises(InputError, match=r"You have 2 runs waiting already\. Wait until"):
        load.ask(ANN)
    load.ask(BEN)


def test_a_full_server_refuses_those_who_fill_it() -> None:
    load = Load(limits(server=1, waiting=10))
    for number in range(11):
        load.ask(Visitor("10.6.6.6", f"crowd {number}"))
    with pytest.raises(InputError, match="Too much is waiting on this server just now"):
        load.ask(Visitor("10.6.6.6", "one more"))
    load.ask(ANN, 5)  # her share, with two addresses there
    with pytest.raises(InputError, match="Too much is waiting"):
        load.ask(ANN)
    load.end("crowd 0")
    assert load.served[-1] == "ann"


def test_what_is_cancelled_while_it_waits_is_gone_at_once() -> None:
    load = Load(limits(server=1))
    load.ask(ANN)
    (ben,), (cem,) = load.ask(BEN), load.ask(CEM)
    load.turns.withdraw(ben)
    assert ben.state == "over"
    assert load.turns.before(cem) == 0
    load.end("ann")
    assert load.served == ["ann", "cem"]
    load.turns.withdraw(cem)  # it runs, so that its turn is not free yet
    load.ask(BEN)
    assert load.served == ["ann", "cem"]


def test_work_that_two_want_is_served_when_the_first_of_them_is() -> None:
    load = Load(limits(server=1, visitor=1))
    load.ask(ANN)
    (shared,) = load.ask(ANN)
    load.ask(CEM)
    assert load.turns.before(shared) == 1
    watcher = Watcher(BEN)
    assert load.turns.join(shared, watcher)
    assert load.turns.join(shared, watcher)  # a second time makes no difference
    assert load.turns.before(shared) == 0  # Ben has nothing yet, and this came before Cem's
    load.end("ann")
    assert shared.state == "taken"
    (third,) = load.ask(BEN)
    load.ask(Visitor(BEN.address, "his neighbour"))
    assert load.turns.before(third) == 2  # what is shared counts for him too


def test_work_goes_on_until_the_last_who_wants_it_leaves() -> None:
    turns, turn = Turns(limits(server=1)), Turn()
    ann, ben, cem = (Watcher(visitor) for visitor in (ANN, BEN, CEM))
    assert turns.join(turn, ann)
    turns.queue(turn)
    assert turns.join(turn, ben)
    turns.leave(turn, ann)
    assert (turn.state, turn.abandoned, turns.is_wanted(turn)) == ("taken", False, True)
    turns.leave(turn, ben)
    assert (turn.state, turn.abandoned, turns.is_wanted(turn)) == ("taken", True, False)
    assert not turns.join(turn, cem)
    turns.give_back(turn)
    assert turn.state == "over"


def test_what_has_ended_is_not_abandoned() -> None:
    turns, turn, watcher = Turns(PLENTY), Turn(), Watcher(ANN)
    turns.join(turn, watcher)
    turns.queue(turn)
    turns.give_back(turn)
    turns.leave(turn, watcher)
    assert not turn.abandoned
    assert turns.join(turn, watcher)


def test_what_nobody_looks_at_is_dropped_after_a_minute() -> None:
    clock = Clock()
    turns = Turns(limits(server=1), clock)
    running, waiting, other = Turn(), Turn(), Turn()
    page, own = Watcher(ANN, clock.now), Watcher(CEM, clock.now)
    for turn, watcher in ((running, page), (waiting, page), (other, own)):
        turns.join(turn, watcher)
        turns.queue(turn)
    clock.now += ABSENCE
    assert turns.is_wanted(running)
    own.looked = clock.now
    clock.now += 1.5
    assert not turns.is_wanted(running)  # so that its work stops
    assert turns.before(other) == 0
    assert (waiting.state, waiting.abandoned) == ("over", True)
    turns.give_back(running)
    assert other.state == "taken"


def test_experiments_go_on_while_nobody_looks() -> None:
    clock = Clock()
    turns, turn = Turns(PLENTY, clock, absence=inf), Turn()
    turns.join(turn, Watcher(ANN, clock.now))
    turns.queue(turn)
    clock.now += 1e9
    assert turns.is_wanted(turn)


def test_turns_are_given_from_any_thread() -> None:
    """Forty visitors of four addresses, eight turns: never more, all served, none twice."""
    turns = Turns(limits(server=8, address=6, visitor=3))
    lock, now, most, done = threading.Lock(), Counter[str](), Counter[str](), Counter[str]()
    over = threading.Event()

    def begin(turn: Turn, visitor: Visitor) -> None:
        with lock:
            for name in ("all", visitor.address, visitor.session):
                now[name] += 1
                most[name] = max(most[name], now[name])
        threading.Thread(target=work, args=(turn, visitor)).start()

    def work(turn: Turn, visitor: Visitor) -> None:
        with lock:
            for name in ("all", visitor.address, visitor.session):
                now[name] -= 1
            done[visitor.session] += 1
            if done.total() == 400:
                over.set()
        turns.give_back(turn)

    def visit(visitor: Visitor) -> None:
        for _ in range(10):
            turn = Turn()
            turn.begin = bound(begin, turn, visitor)
            turns.join(turn, Watcher(visitor))
            turns.queue(turn)
            turns.before(turn)

    visitors = [Visitor(f"10.0.0.{n % 4}", f"{n}") for n in range(40)]
    threads = [threading.Thread(target=visit, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert over.wait(60)
    assert most["all"] <= 8
    assert max(most[f"10.0.0.{n}"] for n in range(4)) <= 6
    assert max(most[visitor.session] for visitor in visitors) <= 3
    assert set(done.values()) == {10}


def bound(
    begin: Callable[[Turn, Visitor], None], turn: Turn, visitor: Visitor
) -> Callable[[], None]:
    return lambda: begin(turn, visitor)


def test_the_addresses_of_one_network_count_as_one() -> None:
    assert network_of("2001:db8:1:2::5") == network_of("2001:db8:1:2:ffff::1")
    assert network_of("2001:db8:1:2::5") != network_of("2001:db8:1:3::5")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("testclient") == "testclient"
