"""Several visitors on one server, without browsers: what they see is their own, and right."""

from contextlib import ExitStack

from tests.tools.bench_visitors import TEXTS, at_once, library
from tests.toys.sandbox import Sandbox
from tests.toys.visitor import Visitor

LINK = {"text": "A dull and silly film with a good cast.", "reference": "negative"}


def swap(visitor: Visitor, turn: int) -> list[int]:
    """Take a substitute for the first word that is still the original; gives the new state."""
    shown = visitor.widget("lattice").data
    state = list(shown["state"])
    rich = (at for at, column in enumerate(shown["columns"]) if len(column["choices"]) > 1)
    state[next(at for at in rich if not state[at])] = 1
    visitor.send("lattice", "picked", {"turn": turn, "state": state})
    return state


def test_visitors_at_once_get_the_results_of_the_library(server: Sandbox) -> None:
    with ExitStack() as stack:
        visitors = [stack.enter_context(Visitor(server.address)) for _ in TEXTS[:3]]
        for text, visit in zip(TEXTS[:3], at_once(visitors, TEXTS[:3]), strict=True):
            assert visit.outcomes == library(text)


def test_a_lost_connection_comes_back_to_its_session(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        state = swap(visitor.open("", LINK), 1)
        session = visitor.session
        visitor.reconnect()
        assert visitor.session == session
        assert visitor.widget("lattice").data["state"] == state
        assert swap(visitor, 2) == visitor.widget("lattice").data["state"]


def test_nobody_sees_what_others_swap(server: Sandbox) -> None:
    with Visitor(server.address) as one, Visitor(server.address) as other:
        untouched = other.open("", LINK).widget("lattice").data["state"]
        swap(one.open("", LINK), 1)
        assert other.rerun().widget("lattice").data["state"] == untouched


def test_a_download_is_there_however_many_others_load_pages(server: Sandbox) -> None:
    with Visitor(server.address) as one, Visitor(server.address) as other:
        one.open("step", LINK)
        other.open("step", LINK)
        url = one.place_of_download("trace.json")
        other.rerun().rerun().rerun()
        assert one.http("GET", url).status == 200
