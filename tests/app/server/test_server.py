"""What stands between the pages and the network: headers, first picture, small files, limits."""

import asyncio
import gzip
import tomllib
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.server import shell
from app.server.compression import CompressedFiles, known_files
from app.server.headers import SecurityHeaders, security_headers
from app.server.limits import Bucket, ConnectionLimits, ServerLimits
from app.server.messages import ALLOWED, LIMITS, kind_of
from app.server.names import KnownNames, is_known
from core import CoreError, untrusted
from core.untrusted import RUN, STUDY, TABLE, TRACE
from tests.toys.places import ROOT

App = Callable[[Any, Any, Any], Awaitable[None]]
SOME_SCRIPT = next(path for path in known_files() if path.endswith(".js"))


async def pages(scope: Any, receive: Any, send: Any) -> None:
    """An application behind the layers, which answers everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"behind"})


def run_alone(work: Any) -> Any:
    """Run it in a thread of its own: the browser tests have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def asked(
    app: App, path: str, method: str = "GET", client: str = "192.0.2.1", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request over HTTP: the status, the headers and the content of the answer."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    names = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    where, _, query = path.partition("?")
    scope = {
        **{"type": "http", "method": method, "path": where, "headers": names, "root_path": ""},
        **{"query_string": query.encode(), "client": (client, 1), "extensions": {}},
    }
    run_alone(app(scope, receive, send))
    start = sent[0]
    got = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return start["status"], got, b"".join(part.get("body", b"") for part in sent[1:])


@pytest.mark.parametrize("path", ["/", "/_stcore/host-config", "/_stcore/metrics"])
def test_every_answer_has_the_headers(path: str) -> None:
    _, headers, _ = asked(SecurityHeaders(pages), path)
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in scripts


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent", "/_stcore/agent/mcp"])
def test_addresses_that_visitors_have_no_use_for_are_closed(path: str) -> None:
    status, _, content = asked(SecurityHeaders(pages), path)
    assert (status, content) == (404, b"There is nothing here.")
    assert asked(SecurityHeaders(pages), "/_stcore/health")[2] == b"behind"


def test_developers_messages_are_switched_off() -> None:
    assert b'"blockErrorDialogs":true' in asked(SecurityHeaders(pages), "/_stcore/host-config")[2]


def test_lecturers_may_embed_where_a_setting_says_so() -> None:
    headers = security_headers("https://moodle.example.org https://*.example.net:8443")
    assert (
        "frame-ancestors 'self' https://moodle.example.org https://*.example.net:8443"
        in (headers["Content-Security-Policy"])
    )
    assert "X-Frame-Options" not in headers
    with pytest.raises(CoreError, match="write sites as"):
        security_headers("example.org; script-src *")


def test_scripts_are_sent_small_and_whole() -> None:
    app = CompressedFiles(pages)
    status, headers, content = asked(app, SOME_SCRIPT, accept_encoding="gzip, br")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert gzip.decompress(content) == known_files()[SOME_SCRIPT].read_bytes()
    assert asked(app, SOME_SCRIPT)[2] == b"behind"  # a browser that cannot take it
    assert asked(app, "/static/../main.py", accept_encoding="gzip")[2] == b"behind"


@pytest.mark.parametrize("path", ["/", "/step", "/rate?a=s3cret", "/a-page-that-is-not-there"])
def test_a_page_shows_something_before_any_script_has_come(path: str) -> None:
    _, _, content = asked(shell.Shell(pages), path)
    page = content.decode()
    title = "Rating" if "a=" in path else "Swapscope"
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page
    assert "s3cret" not in page
    assert "<script>" not in page  # the policy forbids inline scripts
    assert "./static/js/index." in page


@pytest.mark.parametrize(
    "path", ["/_stcore/health", "/static/js/x.js", "/media/x", "/component/x", "/favicon.png"]
)
def test_streamlits_own_addresses_are_passed_on(path: str) -> None:
    assert asked(shell.Shell(pages), path)[2] == b"behind"


@pytest.mark.parametrize("path", ["/<script>x", "/a page.html", "/é", "/.."])
def test_any_other_name_is_a_page_without_inline_scripts(path: str) -> None:
    assert b"<title>Swapscope</title>" in asked(shell.Shell(pages), path)[2]


def test_the_files_of_the_shell_are_served_and_no_others() -> None:
    assert b"lost-line" in asked(shell.Shell(pages), "/shell/shell.js")[2]
    for other in ("/shell/../scripts/questions.js", "/shell/questions.js", "/scripts/questions.js"):
        assert asked(shell.Shell(pages), other)[2] == b"behind"


def test_tokens_of_a_bucket_come_back_by_and_by() -> None:
    now = [0.0]
    bucket = Bucket(2, 0.5, lambda: now[0])
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    assert bucket.take("b")  # another address has its own
    now[0] = 2.0
    assert [bucket.take("a") for _ in range(2)] == [True, False]


def sockets(limits: ConnectionLimits, clients: list[str]) -> list[str]:
    """What becomes of sockets that are opened one after the other and stay open."""

    async def stays_open(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    async def run() -> list[str]:
        server, answers, tasks = ServerLimits(stays_open, limits), list[str](), []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            answers.append(message["type"])

        for client in clients:
            scope = {"type": "websocket", "path": "/_stcore/stream", "client": (client, 1)}
            tasks.append(asyncio.create_task(server(scope, receive, send)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert not server._open  # what was open is put back
        return answers

    answers: list[str] = run_alone(run())
    return answers


def test_one_address_cannot_take_all_sockets() -> None:
    limits = ConnectionLimits(sockets=5, sockets_of_address=3)
    answers = sockets(limits, ["a", "a", "a", "a", "b", "b", "b"])
    taken, refused = "websocket.accept", "websocket.close"
    assert answers == [taken, taken, taken, refused, taken, taken, refused]


UPLOAD = "/_stcore/upload_file/mine/file"


def upload(server: ServerLimits, size: int, client: str = "a") -> str:
    status, _, content = asked(server, UPLOAD, "PUT", client, content_length=str(size))
    assert status == (200 if content == b"behind" else 413)
    return content.decode()


def test_uploads_are_refused_before_they_come() -> None:
    kept = {"other": 50}
    server = ServerLimits(
        pages, ConnectionLimits(upload=30, uploads_of_session=40, uploads=100), lambda: kept
    )
    assert upload(server, 30) == "behind"
    assert "too large" in upload(server, 31)
    kept["mine"] = 20
    assert "remove some" in upload(server, 30)
    kept["other"] = 90
    assert "as many files as it can" in upload(server, 10)


@pytest.mark.parametrize("kind", [TRACE, TABLE, STUDY, RUN])
def test_what_a_file_may_hold_can_be_uploaded(kind: untrusted.FileLimits) -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert kind.size <= settings["server"]["maxUploadSize"] * 2**20 < ConnectionLimits().upload


def test_uploads_under_way_count_and_are_put_back() -> None:
    answers: list[str] = []

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if not answers:  # while the first one is under way, another comes
            answers.append("")
            other = await asyncio.to_thread(upload, server, 30)
            answers.append(other)
        await pages(scope, receive, send)

    server = ServerLimits(slow, ConnectionLimits(upload=30, uploads_of_session=50), dict)
    assert upload(server, 30) == "behind"
    assert "remove some" in answers[1]
    assert not server._coming
    assert upload(server, 30) == "behind"


def test_an_upload_that_trickles_is_given_up() -> None:
    async def endless(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    server = ServerLimits(endless, ConnectionLimits(upload_seconds=0.01), dict)
    with pytest.raises(IndexError):  # no answer: the connection is closed
        upload(server, 1)
    assert not server._coming
    assert not server._uploading


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1", "[::1]:8501", "192.168.1.20:80"])
def test_addresses_in_numbers_and_own_names_are_known(host: str) -> None:
    assert is_known(host, frozenset({"localhost"}))


@pytest.mark.parametrize("host", ["attacker.example", "localhost.attacker.example", "", "a@::1"])
def test_a_borrowed_name_is_refused(host: str) -> None:
    status, _, content = asked(KnownNames(pages), "/", host=host)
    assert (status, b"SWAPSCOPE_ADDRESS" in content) == (421, True)


def test_the_name_that_the_setting_gives_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAPSCOPE_ADDRESS", "https://study.example.org/app")
    assert asked(KnownNames(pages), "/", host="study.example.org")[2] == b"behind"


def test_only_what_a_page_sends_is_passed_on() -> None:
    rerun = BackMsg()
    rerun.rerun_script.widget_states.widgets.add(id="w", json_value='{"picked": [1]}')
    assert kind_of(rerun.SerializeToString()) == "rerun_script"
    assert kind_of(BackMsg(clear_cache=True).SerializeToString()) not in ALLOWED
    deep = BackMsg()
    deep.rerun_script.widget_states.widgets.add(id="w", json_value=1_000 * "[" + 1_000 * "]")
    for bad in (None, b"\xff", (LIMITS.size + 1) * b"a", deep.SerializeToString()):
        with pytest.raises((ValueError, CoreError, DecodeError)):
            kind_of(bad)
