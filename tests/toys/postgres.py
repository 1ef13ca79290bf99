"""A real PostgreSQL for the tests, if its programs are on this machine."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def program(name: str) -> str | None:
    """A program of PostgreSQL, on the path or where Debian puts it."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(places[-1]) if places else None)


@contextmanager
def running() -> Iterator[str]:
    """Start a server in a folder of its own; yields its address without a database name."""
    folder = Path(tempfile.mkdtemp(prefix="swapscope-postgres-"))
    # PostgreSQL refuses to run as root; Debian's package brings a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def run(name: str, *arguments: str) -> None:
        subprocess.run(
            [program(name) or name, "-D", str(folder / "data"), *arguments],
            user=user,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    where = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
    settings = f"{where} -c fsync=off"  # the machine does not lose power during a test
    run("initdb", "-A", "trust", "-U", "swapscope", "--no-sync", "-E", "UTF8")
    run("pg_ctl", "-o", settings, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql://swapscope@127.0.0.1:{port}"
    finally:
        run("pg_ctl", "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)
