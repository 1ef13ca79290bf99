"""The app as a real server, and the Chromium of this machine."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from tests.toys.places import ROOT

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def launch_options() -> dict[str, Any]:
    """How to start Chromium: the machine's own if there is one, quiet on the network."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    options = {"args": ["--no-sandbox", "--disable-gpu", "--no-first-run", *quiet]}
    return {**options, **({"executable_path": found} if found else {})}


@contextmanager
def app(*, is_open: bool = False, log: Path | None = None, **environment: str) -> Iterator[str]:
    """Serve the app; yields its address."""
    with process(is_open=is_open, log=log, **environment) as (address, _):
        yield address


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def process(
    port: int = 0, /, *, is_open: bool = False, log: Path | None = None, **environment: str
) -> Iterator[tuple[str, int]]:
    """Serve the app, started as a user would; yields its address and process.

    Open to the network or not; what the terminal would show goes into ``log``.
    """
    port = port or free_port()
    options = ["--headless", "--port", str(port), *(["--open"] if is_open else [])]
    with (log or Path(os.devnull)).open("ab") as terminal:
        server = subprocess.Popen(
            [sys.executable, "-m", "app.server", *options],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=terminal,
            stderr=terminal,
        )
    address = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                urlopen(f"{address}/_stcore/health").close()
                break
            except URLError:
                time.sleep(0.2)
        yield address, server.pid
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:  # a busy machine, with a browser still connected
            server.kill()
            server.wait()
