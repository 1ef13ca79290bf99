"""Limits for sockets and uploads."""

import asyncio
import tomllib
from typing import Any

import pytest

from app.server.limits import Bucket, ConnectionLimits, ServerLimits
from core import untrusted
from core.untrusted import RUN, STUDY, TABLE, TRACE
from tests.toys.asgi import asked, pages, run_alone
from tests.toys.places import ROOT


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
