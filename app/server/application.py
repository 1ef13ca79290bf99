"""The pages as one ASGI application, with what stands between them and the network."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from app.server.compression import CompressedFiles
from app.server.headers import SecurityHeaders
from app.server.limits import ServerLimits
from app.server.messages import Messages
from app.server.names import KnownNames
from app.server.shell import Shell

MAIN = Path(__file__).resolve().parents[1] / "main.py"


def application(on_start: Callable[[], None] = lambda: None) -> st.App:
    """The application; ``on_start`` is called once it can be reached."""

    @asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[None]:
        on_start()
        yield

    layers = (SecurityHeaders, KnownNames, ServerLimits, Messages, CompressedFiles, Shell)
    return st.App(MAIN, lifespan=lifespan, middleware=[Middleware(layer) for layer in layers])
