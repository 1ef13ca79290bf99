"""What a server answers, without a network."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

App = Callable[[Any, Any, Any], Awaitable[None]]


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
