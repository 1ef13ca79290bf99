"""Start the server: python -m app.server, and with --open for others on the network."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from streamlit import config
from streamlit.web import bootstrap

from app.server.application import application
from app.shared.addresses import network_address, terminal_code
from core import CoreError
from core.study import access
from core.study.database import Database

ROOT = Path(__file__).resolve().parents[2]
OPEN = "SWAPSCOPE_OPEN"  # 1 opens the server to the network, as --open does
PORT = 8501


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C; a wrong setting is one sentence."""
    parser = argparse.ArgumentParser(prog="python -m app.server", description=__doc__)
    parser.add_argument("--port", type=int, default=PORT, help=f"{PORT} unless said otherwise")
    parser.add_argument("--open", action="store_true", help="let others on the network in")
    parser.add_argument("--headless", action="store_true", help="open no browser window")
    chosen = parser.parse_args(arguments)
    is_open = chosen.open or os.environ.get(OPEN, "") not in ("", "0")
    os.chdir(ROOT)  # where .streamlit/config.toml is
    settings = {
        "server.port": chosen.port,
        "server.address": "0.0.0.0" if is_open else "localhost",
        **({"server.headless": True} if chosen.headless or is_open else {}),
    }
    try:
        bootstrap.load_config_options(settings)
        application(_greeting(is_open)).run(config=settings)
    except CoreError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _greeting(is_open: bool) -> Callable[[], None]:
    """What the terminal says once the server can be reached."""

    def greet() -> None:
        port = config.get_option("server.port")
        print(f"\nSwapscope is open on this machine: http://localhost:{port}")
        if is_open:
            print(*_open_lines(port), sep="\n")
        print("Ctrl-C ends it.\n", flush=True)
        if not config.get_option("server.headless"):
            webbrowser.open(f"http://localhost:{port}")

    return greet


def _open_lines(port: int) -> list[str]:
    """The address for others, and how the organiser gets in."""
    lines = []
    if address := network_address(port):
        lines = [f"Others on this network open: {address}", terminal_code(address)]
    else:
        lines = ["No network was found: nobody else can reach this machine now."]
    database = Database()
    try:
        known = access.passphrase_is_set(database)
    finally:
        database.close()
    if known:
        lines.append("Organising studies and starting experiments needs your passphrase.")
    else:
        lines.append(
            f"There is no passphrase yet. Set-up code for the page Organise: {access.setup_code()}"
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())
