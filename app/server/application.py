"""The pages as one ASGI application, with what stands between them and the network."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic

import streamlit as st
from starlette.middleware import Middleware
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager

from app.server.compression import CompressedFiles
from app.server.first_values import tell_first_values
from app.server.headers import SecurityHeaders
from app.server.limits import ServerLimits
from app.server.messages import Messages
from app.server.names import KnownNames
from app.server.shell import Shell
from app.server.values import drop_foreign_values

MAIN = Path(__file__).resolve().parents[1] / "main.py"
TIDYING = 20.0  # seconds between two times that files nobody needs any more are removed


def application(on_start: Callable[[], None] = lambda: None) -> st.App:
    """The application; ``on_start`` is called once it can be reached."""

    @asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[None]:
        keep_downloads(runtime.get_instance().media_file_mgr)
        on_start()
        yield

    drop_foreign_values()
    tell_first_values()
    layers = (SecurityHeaders, KnownNames, ServerLimits, Messages, CompressedFiles, Shell)
    return st.App(MAIN, lifespan=lifespan, middleware=[Middleware(layer) for layer in layers])


def keep_downloads(files: MediaFileManager) -> None:
    """Keep a file that was made for a click until the click's browser has fetched it.

    Streamlit removes it once two pages have been drawn anew, no matter whose: among thirty visitors
    that is before it was fetched.
    """
    remove, last = files.remove_orphaned_files, monotonic()

    def remove_now_and_then() -> None:
        nonlocal last
        if monotonic() - last >= TIDYING:
            last = monotonic()
            remove()

    files.remove_orphaned_files = remove_now_and_then  # type: ignore[method-assign]
