"""What a browser may do with the pages, and which of Streamlit's addresses stay closed."""

import os
import re
from contextlib import suppress
from typing import Final

from h11 import LocalProtocolError
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import require

EMBEDDING: Final = "SWAPSCOPE_EMBED"  # which sites may show the pages in a frame
CLOSED: Final = ("/_stcore/metrics", "/_stcore/agent")
_SITE: Final = re.compile(r"https?://[\w.*-]+(:\d+)?|\*")

# Components are loaded from blob: addresses, the pages are styled by the program, and Plotly makes
# functions of its own for charts of many points. No script stands in a page itself.
_POLICY: Final = {
    "default-src": "'self'",
    "script-src": "'self' blob: 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
_ALWAYS: Final = {
    "Referrer-Policy": "no-referrer",  # an address may hold the token of a rater
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# The messages for developers never reach a visitor: the shell shows a line of its own.
_HOST_CONFIG: Final = {
    "allowedOrigins": [],
    "useExternalAuthToken": False,
    "enableCustomParentMessages": False,
    "enforceDownloadInNewTab": False,
    "metricsUrl": "",
    "blockErrorDialogs": True,
    "resourceCrossOriginMode": None,
}


def security_headers(embedding: str) -> dict[str, str]:
    """The headers of every answer; ``embedding`` lists the sites that may frame the pages."""
    sites = embedding.split()
    for site in sites:
        require(
            bool(_SITE.fullmatch(site)),
            f'{EMBEDDING} holds "{site}"; write sites as https://example.org, or * for all.',
        )
    policy = {**_POLICY, "frame-ancestors": " ".join(["'self'", *sites])}
    headers = {
        **_ALWAYS,
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
    }
    return headers if sites else {**headers, "X-Frame-Options": "SAMEORIGIN"}


class SecurityHeaders:
    """Puts the headers on every answer and closes addresses that visitors have no use for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = security_headers(os.environ.get(EMBEDDING, ""))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        with suppress(LocalProtocolError):  # who breaks the rules of HTTP may hear no answer
            await self._answer(scope["path"])(scope, receive, send_with_headers)

    def _answer(self, path: str) -> ASGIApp:
        if path == "/_stcore/host-config":
            return JSONResponse(_HOST_CONFIG, headers={"Cache-Control": "no-cache"})
        if any(path == closed or path.startswith(f"{closed}/") for closed in CLOSED):
            return PlainTextResponse("There is nothing here.", status_code=404)
        return self.app
