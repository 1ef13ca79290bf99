"""A local service as victim: one that answers, and all the ways in which one may not."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from core.errors import InputError, ResourceMissingError
from core.victims import Victim
from core.victims.adapters import remote
from core.victims.adapters.remote import Endpoint, connect

LABELS = ("no", "yes")


class Service(BaseHTTPRequestHandler):
    """Says how sure it is of "yes" by the length of the text; the path chooses its mood."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_GET(self) -> None:
        self._count()
        self._send({"labels": LABELS} if self.path == "/good" else {"name": "a service"})

    def do_POST(self) -> None:
        tries = self._count()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        texts = json.loads(body)["texts"]
        self.server.batches.append(len(texts))
        self.server.headers = self.headers
        rows = [[1 - len(text) / 100, len(text) / 100] for text in texts]
        getattr(self, "mood_" + self.path[1:])(rows, tries)

    def mood_good(self, rows: list[list[float]], tries: int) -> None:
        self._send({"probabilities": rows})

    def mood_flaky(self, rows: list[list[float]], tries: int) -> None:
        if tries < 3:
            self._send({}, code=503)
        else:
            self.mood_good(rows, tries)

    def mood_busy(self, rows: list[list[float]], tries: int) -> None:
        if tries < 2:
            self._send({}, code=429, headers={"Retry-After": "1"})
        else:
            self.mood_good(rows, tries)

    def mood_down(self, rows: list[list[float]], tries: int) -> None:
        self._send({}, code=500)

    def mood_stall(self, rows: list[list[float]], tries: int) -> None:
        self.server.release.wait(10)
        self.close_connection = True

    def mood_trickle(self, rows: list[list[float]], tries: int) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.close_connection = True
        while not self.server.release.wait(0.05):
            try:
                self.wfile.write(b" ")
            except OSError:
                return

    def mood_cut(self, rows: list[list[float]], tries: int) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"5\r\n[1,")
        self.close_connection = True

    def mood_hang_up(self, rows: list[list[float]], tries: int) -> None:
        self.close_connection = True

    def mood_html(self, rows: list[list[float]], tries: int) -> None:
        self._raw(200, b"<html>Welcome!</html>")

    def mood_binary(self, rows: list[list[float]], tries: int) -> None:
        self._raw(200, bytes(range(128, 256)))

    def mood_deep(self, rows: list[list[float]], tries: int) -> None:
        self._raw(200, b"[" * 100_000)

    def mood_huge(self, rows: list[list[float]], tries: int) -> None:
        self._raw(200, b" " * 20_000)

    def mood_list(self, rows: list[list[float]], tries: int) -> None:
        self._send(rows)

    def mood_short(self, rows: list[list[float]], tries: int) -> None:
        self._send({"probabilities": rows[1:]})

    def mood_logits(self, rows: list[list[float]], tries: int) -> None:
        self._send({"probabilities": [[-3.2, 4.1]] * len(rows)})

    def mood_secret(self, rows: list[list[float]], tries: int) -> None:
        self._send({}, code=403)

    def mood_redirect(self, rows: list[list[float]], tries: int) -> None:
        self._send({}, code=307, headers={"Location": "/good"})

    def _count(self) -> int:
        self.server.tries[self.path] += 1
        return self.server.tries[self.path]

    def _send(self, answer: object, code: int = 200, headers: Any = None) -> None:
        self._raw(code, json.dumps(answer).encode(), headers)

    def _raw(self, code: int, content: bytes, headers: Any = None) -> None:
        self.send_response(code)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Service)
        self.tries: Counter[str] = Counter()
        self.batches: list[int] = []
        self.headers: Any = None
        self.release = threading.Event()

    def endpoint(self, mood: str, **options: Any) -> Endpoint:
        address = f"http://127.0.0.1:{self.server_port}/{mood}"
        return Endpoint(address, **{"backoff": 0.01, "timeout": 5} | options)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.release.set()
        server.shutdown()
        thread.join()


def test_a_service_is_a_victim(server: Server) -> None:
    victim = connect(server.endpoint("good"), batch=2)
    assert isinstance(victim, Victim)
    assert victim.labels == LABELS  # asked for
    found = victim.predict(["four", "seven!!", "", "ünï 😀"])
    np.testing.assert_allclose(found[:, 1], [0.04, 0.07, 0, 0.05])
    assert server.batches == [2, 2]
    assert victim.predict([]).shape == (0, 2)


def test_headers_are_sent(server: Server) -> None:
    endpoint = server.endpoint("good", headers={"Authorization": "Bearer abc"})
    connect(endpoint, labels=LABELS).predict(["a"])
    assert server.headers["Authorization"] == "Bearer abc"
    assert server.headers["Content-Type"] == "application/json"


def test_passing_failures_are_tried_again(server: Server) -> None:
    connect(server.endpoint("flaky"), labels=LABELS).predict(["a"])
    assert server.tries["/flaky"] == 3


def test_a_busy_service_is_given_the_time_it_asks_for(server: Server) -> None:
    start = time.monotonic()
    connect(server.endpoint("busy"), labels=LABELS).predict(["a"])
    assert time.monotonic() - start >= 1


def test_waits_grow(server: Server) -> None:
    start = time.monotonic()
    with pytest.raises(ResourceMissingError, match=r"after 4 tries \(HTTP 500\)"):
        connect(server.endpoint("down", backoff=0.05), labels=LABELS).predict(["a"])
    assert server.tries["/down"] == 4
    assert time.monotonic() - start >= 0.05 + 0.1 + 0.2


@pytest.mark.parametrize("mood", ["stall", "trickle"])
def test_a_stalling_service_is_given_up(server: Server, mood: str) -> None:
    start = time.monotonic()
    with pytest.raises(ResourceMissingError, match=r"after 2 tries \(no answer in 0.3 s\)"):
        connect(server.endpoint(mood, timeout=0.3, retries=1), labels=LABELS).predict(["a"])
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("mood", ["cut", "hang_up"])
def test_broken_answers_are_tried_again(server: Server, mood: str) -> None:
    with pytest.raises(ResourceMissingError, match="after 2 tries"):
        connect(server.endpoint(mood, retries=1), labels=LABELS).predict(["a"])
    assert server.tries["/" + mood] == 2


def test_nobody_there(server: Server) -> None:
    endpoint = Endpoint("http://127.0.0.1:9/classify", retries=0)
    with pytest.raises(ResourceMissingError, match="check that it runs"):
        connect(endpoint, labels=LABELS).predict(["a"])


@pytest.mark.parametrize(
    ("mood", "complaint"),
    [
        ("html", "must answer JSON; it answered b'<html>"),
        ("binary", "must answer JSON"),
        ("deep", "must answer JSON"),
        ("list", 'a JSON object with "probabilities"'),
        ("short", "must answer 2 rows of 2 numbers"),
        ("logits", "sum to 1; for text 1 it answered -3.2, 4.1"),
        ("secret", "HTTP 403"),
        ("redirect", "HTTP 307"),
    ],
)
def test_wrong_answers_are_one_sentence_and_not_tried_again(
    server: Server, mood: str, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        connect(server.endpoint(mood), labels=LABELS).predict(["a", "b"])
    assert "\n" not in str(caught.value)
    assert server.tries["/" + mood] == 1
    assert server.tries["/good"] == 0


def test_an_endless_answer_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "MAX_BYTES", 10_000)
    with pytest.raises(InputError, match="more than 10,000 bytes"):
        connect(server.endpoint("huge"), labels=LABELS).predict(["a"])


def test_labels_that_cannot_be_asked_for(server: Server) -> None:
    with pytest.raises(InputError, match='a JSON object with "labels"'):
        connect(server.endpoint("unnamed"))


def test_calls_keep_to_the_rate(server: Server) -> None:
    victim = connect(server.endpoint("good", rate=20), labels=LABELS, batch=1)
    start = time.monotonic()
    victim.predict(["a"] * 5)
    assert time.monotonic() - start >= 4 / 20


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/hosts",
        "ftp://host/x",
        "host/x",
        "http://",
        "",
        "http://host:port/",
        "http://[::1",
        "http://host/a b",
        "http://höst/",
    ],
)
def test_only_web_addresses(address: str) -> None:
    with pytest.raises(InputError, match="is not an address of a service"):
        Endpoint(address)


def test_a_token_is_not_shown_and_may_be_wrong(server: Server) -> None:
    endpoint = server.endpoint("good", headers={"Authorization": "Bearer a\nb"})
    assert "Bearer" not in repr(endpoint)
    with pytest.raises(InputError, match="cannot be asked"):
        connect(endpoint)


def test_senseless_settings_are_refused() -> None:
    with pytest.raises(InputError, match="time-out must be above 0"):
        Endpoint("http://host", timeout=0)
    with pytest.raises(InputError, match="at least one text"):
        connect(Endpoint("http://host"), labels=LABELS, batch=0)
