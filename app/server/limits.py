"""How much one address, and all together, may open and upload; what is more is refused at once."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

UPLOADS: Final = "/_stcore/upload_file/"
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True)
class ConnectionLimits:
    """Numbers that a class of a hundred behind one address does not reach."""

    sockets: int = 600  # pages open at once
    sockets_of_address: int = 250
    new_sockets: float = 10.0  # of an address per second, once its first ones are used up
    upload: int = 21 * MEGABYTE  # one upload with its wrapping; Streamlit checks the file itself
    uploads_of_session: int = 60 * MEGABYTE  # kept at once
    uploads: int = 400 * MEGABYTE
    uploading_of_address: int = 8  # at the same time
    upload_seconds: float = 300.0


class Bucket:
    """Tokens that come back by and by; the addresses not seen for the longest are forgotten."""

    def __init__(
        self, most: int, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most, self.per_second, self.clock = most, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of this address, if it has one left."""
        now = self.clock()
        left, seen = self._left.pop(address, (float(self.most), now))
        left = min(self.most, left + (now - seen) * self.per_second)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > 10_000:
            self._left.popitem(last=False)
        return left >= 1


def kept_bytes() -> dict[str, int]:
    """How much Streamlit keeps of each session's uploads."""
    manager = runtime.get_instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(manager.file_storage.items())
    }


@dataclass
class ServerLimits:
    """Counts the open pages and the uploads of each address, and refuses what is too much."""

    app: ASGIApp
    limits: ConnectionLimits = ConnectionLimits()
    kept: Callable[[], dict[str, int]] = kept_bytes
    _open: Counter[str] = field(default_factory=Counter)  # sockets by address
    _uploading: Counter[str] = field(default_factory=Counter)  # uploads under way by address
    _coming: Counter[str] = field(default_factory=Counter)  # bytes under way by session

    def __post_init__(self) -> None:
        self._fresh = Bucket(self.limits.sockets_of_address, self.limits.new_sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http" and _is_upload(scope):
            await self._upload(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = _address(scope)
        full = (
            self._open.total() >= self.limits.sockets
            or self._open[address] >= self.limits.sockets_of_address
            or not self._fresh.take(address)
        )
        if full:
            await receive()  # the request to open
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            _put_back(self._open, address, 1)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        address, session = _address(scope), scope["path"].removeprefix(UPLOADS).partition("/")[0]
        declared = Headers(scope=scope).get("content-length", "")
        size = int(declared) if declared.isdecimal() and len(declared) < 12 else self.limits.upload
        if refusal := self._refusal(address, session, size):
            await PlainTextResponse(refusal, status_code=413)(scope, receive, send)
            return
        self._uploading[address] += 1
        self._coming[session] += size
        try:
            async with asyncio.timeout(self.limits.upload_seconds):
                await self.app(scope, receive, send)
        except TimeoutError:
            return  # the connection is closed; nothing was kept
        finally:
            _put_back(self._uploading, address, 1)
            _put_back(self._coming, session, size)

    def _refusal(self, address: str, session: str, size: int) -> str:
        """Why an upload is not taken, or nothing."""
        if size > self.limits.upload:
            return "The file is too large: 20 MB at most."
        if self._uploading[address] >= self.limits.uploading_of_address:
            return "Too many uploads at once: wait until the others are through."
        kept = self.kept()
        mine = kept.get(session, 0) + self._coming[session] + size
        if mine > self.limits.uploads_of_session:
            return "Too many files: remove some that were uploaded before, then try again."
        if sum(kept.values()) + self._coming.total() + size > self.limits.uploads:
            return "The server holds as many files as it can: try again in a few minutes."
        return ""


def _is_upload(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] == "PUT" and path.startswith(UPLOADS)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _put_back(counts: Counter[str], key: str, amount: int) -> None:
    """Take off a count, and forget who has none."""
    counts[key] -= amount
    if counts[key] <= 0:
        del counts[key]
