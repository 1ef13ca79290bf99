"""Under which names the server answers: another site must not pass off its own name for ours.

A page elsewhere can let its name lead to this machine's address (DNS rebinding); its scripts could
then talk to the server as if they were ours. An address in numbers cannot be borrowed so.
"""

import os
import re
import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.shared.visitor import ADDRESS

_HOST: Final = re.compile(r"\[([0-9a-fA-F:.]+)\](?::\d+)?|([^:\[\]/@]*)(?::\d+)?")
UNKNOWN: Final = f"This server does not go by that name. Name its address in {ADDRESS}."


def own_names() -> frozenset[str]:
    """The names of this machine, and the one that SWAPSCOPE_ADDRESS gives it."""
    machine = socket.gethostname().lower()
    given = os.environ.get(ADDRESS, "").strip()
    outside = urlsplit(given if "://" in given else f"http://{given}").hostname or ""
    return frozenset({"localhost", machine, f"{machine}.local", outside} - {""})


def is_known(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this server, by one of its names or an address in numbers."""
    match = _HOST.fullmatch(host.strip())
    name = (match[1] or match[2] or "").lower() if match else ""
    try:
        ip_address(name)
    except ValueError:
        return name in names
    return True


class KnownNames:
    """Refuses requests to a name that is not the server's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.names = own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = scope["type"] == "lifespan" or is_known(
            Headers(scope=scope).get("host", ""), self.names
        )
        if known:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the request to open
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse(UNKNOWN, status_code=421)(scope, receive, send)
