"""HTTP requests that no browser of a visitor sends: each is refused, and nothing breaks."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, product, repeat
from secrets import token_hex
from socket import SHUT_WR

import pytest

from tests.toys import raw
from tests.toys.places import ROOT
from tests.toys.sandbox import CANARY, Sandbox, megabytes
from tests.toys.visitor import COOKIE, Answer, Visitor

UPLOADS = "/_stcore/upload_file"
MEGABYTE = 1024 * 1024
LIMIT = 20 * MEGABYTE  # of an upload

PLACES: tuple[str, ...]
PLACES = ("/", "/static/", "/static/js/", "/app/static/", "/component/x/", "/media/", "/shell/")
PLACES += ("/_stcore/bidi-components/x/", "/_stcore/health/", f"{UPLOADS}/x/")
STEPS: tuple[str, ...]
STEPS = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..\\", "..%252f", "....//", "..;/", "/")
STEPS += ("%c0%ae%c0%ae/", "..%00/", "./../")
TRACE = b'{"format": "no trace at all"}'


@pytest.mark.parametrize("place", PLACES)
def test_no_address_leads_to_files_of_the_server(server: Sandbox, place: str) -> None:
    secrets = {
        "etc/passwd": b"root:",
        f"{server.folder}/home/canary": CANARY.encode(),
        f"{server.data}/canary": CANARY.encode(),
        f"{ROOT}/app/main.py": b"st.navigation",
        f"{ROOT}/pyproject.toml": b"requires-python",
    }
    for step, (path, secret) in product(STEPS, secrets.items()):
        answer = raw.ask(server.address, "GET", f"{place}{12 * step}{path.lstrip('/')}")
        assert secret not in answer.body
        assert answer.status < 500


def put(visitor: Visitor, size: int, **headers: str) -> Answer:
    """Upload so many bytes to the session of a visitor."""
    mark = token_hex(8)
    first = (
        f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="trace.json"\r\n\r\n'
    )
    body = first.encode() + bytes(size) + f"\r\n--{mark}--\r\n".encode()
    fields = {
        "Content-Type": f"multipart/form-data; boundary={mark}",
        "X-Xsrftoken": visitor.token,
        "Cookie": f"{COOKIE}={visitor.token}",
        **headers,
    }
    return visitor.http("PUT", f"{UPLOADS}/{visitor.session}/{token_hex(16)}", body, fields)


def test_an_upload_needs_the_token_of_the_page(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("step")
        assert put(visitor, 10).status == 204
        other = Visitor(server.address)
        other.close()
        for header, cookie in (
            ("", f"{COOKIE}={visitor.token}"),
            (visitor.token, ""),
            ("", ""),
            (other.token, f"{COOKIE}={visitor.token}"),
            (visitor.token[:-12], f"{COOKIE}={visitor.token}"),
        ):
            tokens = {"X-Xsrftoken": header, "Cookie": cookie}
            assert put(visitor, 10, **tokens).status == 403
            file = f"{UPLOADS}/{visitor.session}/{token_hex(16)}"
            assert visitor.http("DELETE", file, headers=tokens).status == 403


def test_an_upload_needs_a_session(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("step")
        for session in ("none", token_hex(16), "../x", "%00", visitor.session.upper()):
            visitor.session = session
            assert 400 <= put(visitor, 10).status < 500


def test_an_upload_that_is_too_large_is_refused(server: Sandbox) -> None:
    with Visitor(server.address) as visitor:
        visitor.open("step")
        before = megabytes(server.process)
        assert put(visitor, LIMIT + MEGABYTE).status == 413
        assert megabytes(server.process) < before + 100
        assert put(visitor, 10).status == 204


@pytest.mark.parametrize("size", [str(1 << 40), "1000", ""])
def test_an_upload_without_an_end_is_ended(server: Sandbox, size: str) -> None:
    """It says that it is huge, or says that it is small, or does not say how large it is."""
    begin = b'--x\r\nContent-Disposition: form-data; name="file"; filename="t.json"\r\n\r\n'
    with Visitor(server.address) as visitor, raw.line(server.address) as connection:
        visitor.open("step")
        fields = {
            "Content_Type": "multipart/form-data; boundary=x",
            "X_Xsrftoken": visitor.token,
            "Cookie": f"{COOKIE}={visitor.token}",
            **({"Content_Length": size} if size else {"Transfer_Encoding": "chunked"}),
        }
        target = f"{UPLOADS}/{visitor.session}/{token_hex(16)}"
        taken = 0
        with suppress(OSError):
            connection.sendall(raw.head("PUT", target, **fields))
            for content in chain([begin], repeat(bytes(MEGABYTE), 300)):
                piece = content if size else b"%x\r\n%b\r\n" % (len(content), content)
                connection.sendall(piece)
                taken += len(content)
        assert taken < 3 * LIMIT
        assert put(visitor, 10).status == 204


def test_many_uploads_at_once_to_one_session_do_not_fill_the_memory(server: Sandbox) -> None:
    with Visitor(server.address) as visitor, ThreadPoolExecutor(16) as pool:
        visitor.open("step")
        before = megabytes(server.process)
        answers = [pool.submit(put, visitor, LIMIT - 1) for _ in range(16)]
        statuses = {answer.result().status for answer in answers}
        assert megabytes(server.process) < before + 200
        assert any(status >= 400 for status in statuses)
        assert 500 not in statuses
        visitor.rerun()
        assert visitor.crashes == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/_stcore/metrics/",
        "//_stcore/metrics",
        "/_stcore//metrics",
        "/_stcore/METRICS",
        "/_stcore/%6detrics",
        "/_stcore/x/../metrics",
        "/_stcore/metrics?families=active_sessions",
    ],
)
def test_metrics_are_closed(server: Sandbox, path: str, method: str) -> None:
    answer = raw.ask(server.address, method, path)
    assert b"# TYPE" not in answer.body
    assert b"# EOF" not in answer.body
    if path.partition("?")[0] == "/_stcore/metrics":
        assert answer.status >= 400


@pytest.mark.parametrize("path", ["interact", "openapi.json", "mcp"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_programs_have_no_interface(server: Sandbox, path: str, method: str) -> None:
    assert raw.ask(server.address, method, f"/_stcore/agent/{path}").status >= 400


ADDRESSES: tuple[str, ...]
ADDRESSES = ("/", "/step", "/rate?a=secret", "/no-such-page", "/_stcore/health", "/media/none")
ADDRESSES += ("/_stcore/host-config", "/static/none.js", "/favicon.png", f"{UPLOADS}/x/y")


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_answer_has_the_headers_that_protect_visitors(server: Sandbox, path: str) -> None:
    headers = raw.ask(server.address, "GET", path).headers
    policy = dict(
        part.strip().partition(" ")[::2]
        for part in headers.get("content-security-policy", "").split(";")
    )
    assert policy.get("frame-ancestors") == "'self'"
    assert policy.get("object-src") == "'none'"
    assert policy.get("base-uri") in ("'self'", "'none'")
    scripts = policy.get("script-src") or policy.get("default-src", "*")
    assert not {"'unsafe-inline'", "*", "http:", "https:", "data:"} & {*scripts.split()}
    assert headers.get("referrer-policy") in ("no-referrer", "same-origin")
    assert headers.get("x-content-type-options") == "nosniff"


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET  /\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + 100_000 * b"a" + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + 1_000_000 * b"a" + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + 10_000 * b"X: a\r\n" + b"\r\n",
        b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
        b"GET /step?" + 20_000 * b"text=a&" + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /%ff%fe%00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x00" * 10_000,
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_request_that_is_none_does_no_harm(server: Sandbox, request_line: bytes) -> None:
    with raw.line(server.address) as connection, suppress(OSError):
        connection.sendall(request_line)
        connection.shutdown(SHUT_WR)
        while connection.recv(1 << 16):
            pass
    with Visitor(server.address) as visitor:
        assert "stepper" in visitor.open("step").widgets
