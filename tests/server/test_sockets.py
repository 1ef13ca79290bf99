"""Websockets as no browser opens them: each is refused, and the visitors notice nothing."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from socket import socket
from threading import Event

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.toys import raw
from tests.toys.sandbox import Sandbox, megabytes
from tests.toys.visitor import ClosedError, Visitor

FLOOD = 1_000
STRANGER = "127.0.0.9"  # another address of this machine


def works(server: Sandbox) -> None:
    """Somebody else gets the page."""
    with Visitor(server.address) as visitor:
        assert "stepper" in visitor.open("step").widgets


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://attacker.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost.attacker.example"},
        {"Origin": "http://attacker.example", "Host": "attacker.example"},  # a name that is moved
    ],
    ids=str,
)
def test_pages_of_others_get_no_websocket(server: Sandbox, headers: dict[str, str]) -> None:
    connection, status = raw.upgrade(server.address, **headers)
    connection.close()
    assert status == 403


FRAMES = {
    "text": raw.frame(raw.TEXT, b"hello"),
    "no message": raw.frame(raw.BINARY, b"\xff" * 100),
    "half a message": raw.frame(raw.BINARY, BackMsg(app_heartbeat=True).SerializeToString()[:1]),
    "wrong wire type": raw.frame(raw.BINARY, b"\x08\x96\x01\x08"),
    "unmasked": raw.frame(raw.BINARY, b"", mask=False),
    "unknown kind": raw.frame(5, b"x"),
    "reserved bits": bytes([0xF2, 0x80]) + bytes(4),
    "a ping that is too long": raw.frame(raw.PING, bytes(200)),
    "a continuation of nothing": raw.frame(0, b"x"),
    "an impossible size": raw.frame(raw.BINARY, b"x", size=(1 << 63) - 1),
    "a huge size": raw.frame(raw.BINARY, b"x", size=1 << 40),
    "a close with half a code": raw.frame(raw.CLOSE, b"\x03"),
    "a close with no text": raw.frame(raw.CLOSE, b"\x03\xe8\xff\xff"),
    "no frame at all": b"GET / HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_damaged_frame_ends_the_connection(server: Sandbox, name: str) -> None:
    connection, status = raw.upgrade(server.address)
    with closing(connection):
        assert status == 101
        connection.sendall(FRAMES[name])
        assert raw.ends(connection)
    works(server)


def test_a_large_message_ends_the_connection(server: Sandbox) -> None:
    """Also in many small pieces: what was taken before the end of a message is limited."""
    for pieces in (1, 64):
        connection, _ = raw.upgrade(server.address)
        before = megabytes(server.process)
        with closing(connection), suppress(OSError):
            for number in range(64):
                last = pieces == 1 or number == 63
                kind = raw.BINARY if pieces == 1 or number == 0 else 0
                connection.sendall(raw.frame(kind, bytes(1 << 20), final=last))
            raw.ends(connection)
        assert megabytes(server.process) < before + 100
    works(server)


def test_a_message_of_nothing_but_nesting_does_no_harm(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("")
        with suppress(ClosedError):  # no page sends such a thing
            visitor.set("lattice", 50_000 * "[" + 50_000 * "]")
        assert visitor.crashes == []
    works(server)


def flood(server: Sandbox, kind: str) -> Iterator[socket]:
    """Connections that stay open and say nothing more."""
    for _ in range(FLOOD):
        if kind == "websocket":
            connection, _ = raw.upgrade(server.address, STRANGER)
        else:
            connection = raw.line(server.address, STRANGER)
            if kind == "half a request":
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        yield connection


@pytest.mark.parametrize("kind", ["silent", "half a request", "websocket"])
def test_a_thousand_idle_connections_of_one_address_keep_nobody_out(
    server: Sandbox, kind: str
) -> None:
    works(server)
    before = megabytes(server.process)
    with ExitStack() as stack:
        for connection in flood(server, kind):
            stack.callback(connection.close)
        works(server)
        assert megabytes(server.process) < before + 150
    works(server)


def test_a_thousand_sessions_that_come_and_go_leave_nothing(server: Sandbox) -> None:
    works(server)
    before = megabytes(server.process)
    for number in range(FLOOD):
        with suppress(OSError):
            connection, _ = raw.upgrade(server.address, f"127.0.1.{number % 250}")
            connection.close()
    works(server)
    assert megabytes(server.process) < before + 150


def race(server: Sandbox) -> Visitor:
    """A visitor whose race takes some seconds."""
    link = {"text": "The film is long and dull, and the good cast is lost in it.", "seeds": 6}
    return Visitor(server.address).open("race", link, patience=0)


def told(visitor: Visitor) -> list[str]:
    """How the runs of a race ended."""
    visitor.until(
        lambda: "race.json" in visitor.widgets and not visitor.widget("race.json").proto.disabled
    )
    visitor.until(lambda: not visitor.running)
    return [run["status"] for run in json.loads(visitor.download("race.json"))["runs"]]


FORGED = {
    "clear_cache": BackMsg(clear_cache=True),
    "set_run_on_save": BackMsg(set_run_on_save=True),
    "stop_script": BackMsg(stop_script=True),
    "debug_disconnect_websocket": BackMsg(debug_disconnect_websocket=True),
    "debug_shutdown_runtime": BackMsg(debug_shutdown_runtime=True),
    "load_git_info": BackMsg(load_git_info=True),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_message_for_developers_disturbs_nobody(server: Sandbox, name: str) -> None:
    """A visitor's race goes on while another one sends what only developers' menus send."""
    with race(server) as visitor, Visitor(server.address, STRANGER) as attacker:
        attacker.open("step")
        over = Event()

        def attack() -> None:
            with suppress(ClosedError):  # the server may have had enough
                while not over.wait(0.1):
                    attacker.post(FORGED[name])
                    attacker.beat()

        with ThreadPoolExecutor(1) as pool:
            attacking = pool.submit(attack)
            try:
                assert told(visitor) == 13 * ["success"]
            finally:
                over.set()
            attacking.result()
        assert "git_info_changed" not in attacker.answers
        assert visitor.crashes == []
    works(server)


def test_no_message_makes_the_server_write_files_of_its_tools(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("step")
        for payload in ("install_skills", "dismiss_skills_nudge"):
            asked = BackMsg()
            asked.backend_operation_request.request_id = payload
            asked.backend_operation_request.session_id = visitor.session
            getattr(asked.backend_operation_request, payload).SetInParent()
            visitor.post(asked)
        visitor.rerun()  # nothing has happened, and the page goes on
        assert not {"install_skills", "dismiss_skills_nudge"} & visitor.answers.keys()
    assert not list((server.folder / "home").rglob("*skill*"))


def test_a_session_is_not_given_to_who_does_not_know_its_name(server: Sandbox) -> None:
    with Visitor(server.address) as visitor, Visitor(server.address, STRANGER) as attacker:
        visitor.open("step")
        for guess in (
            "",
            "x",
            visitor.session[:-1],
            visitor.session.upper(),
            "../" + visitor.session,
        ):
            attacker.session = guess.replace("/", "-")
            attacker.reconnect()
            assert attacker.session != visitor.session
        visitor.rerun()


def test_a_choice_that_every_browser_sends_may_be_missing(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("results").set("results.count", [])
        assert visitor.crashes == []
        assert "results.count" in visitor.widgets
