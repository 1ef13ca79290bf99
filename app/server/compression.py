"""Streamlit's scripts and styles, compressed once: it serves them as they are, 4.6 MB a page."""

import gzip
from functools import cache
from pathlib import Path
from typing import Final

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

PREFIX: Final = "/static/"
TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_KEEP: Final = "public, immutable, max-age=31536000"  # their names change with their content


def known_files() -> dict[str, Path]:
    """The files that are worth compressing, by the address a browser asks for."""
    folder = Path(get_static_dir()) / "static"
    return {
        PREFIX + path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in TYPES
    }


@cache  # as many as there are files: 25 MB become 7
def compressed(path: Path) -> bytes:
    """A file as a browser gets it; the work is done once per server."""
    return gzip.compress(path.read_bytes(), 9, mtime=0)


class CompressedFiles:
    """Serves known files compressed to browsers that can take them; passes on everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.files = known_files()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = self.files.get(scope["path"]) if scope["type"] == "http" else None
        accepted = Headers(scope=scope).get("accept-encoding", "") if path else ""
        if path is None or scope["method"] != "GET" or "gzip" not in accepted:
            await self.app(scope, receive, send)
            return
        content = await to_thread.run_sync(compressed, path)
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Cache-Control": _KEEP}
        await Response(content, media_type=TYPES[path.suffix], headers=headers)(
            scope, receive, send
        )
