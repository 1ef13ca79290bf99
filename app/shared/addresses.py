"""The address of this server for others: on links, in the terminal, and as a code to scan."""

import io
import os
import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import segno
import streamlit as st

from app.shared import visitor
from core.errors import InputError

# Nobody has these addresses (RFC 5737, RFC 3849). To aim at them tells which address of this
# machine leads outside; nothing is sent.
_OUTSIDE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def network_address(port: int | None = None) -> str | None:
    """What others open, such as http://192.168.1.20:8501; None if this machine has no network.

    SWAPSCOPE_ADDRESS says it where only a person can know, as behind a proxy.
    """
    if given := os.environ.get(visitor.ADDRESS, "").strip():
        return _checked(given)
    bound = st.get_option("server.address") or ""
    host = bound if bound and not _is_any(bound) and not is_loopback(bound) else _leads_outside()
    if host is None:
        return None
    return f"http://{f'[{host}]' if ':' in host else host}:{port or st.get_option('server.port')}"


def for_others(page: str) -> str | None:
    """The address of an open page as others can open it; None if nobody else can."""
    try:
        parts = urlsplit(page)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    given = os.environ.get(visitor.ADDRESS, "").strip()
    if not given and host and not is_loopback(host):
        return page
    address = network_address(port) if visitor.server_is_open() else None
    if address is None:
        return None
    known = urlsplit(address)
    scheme = known.scheme if given else parts.scheme
    return urlunsplit((scheme, known.netloc, known.path + parts.path, "", ""))


def is_loopback(host: str) -> bool:
    """Whether a name or address stands for the own machine, so that it leads others nowhere."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def picture(address: str) -> str:
    """An address as a code to scan, as SVG: dark on light in a dark page too."""
    return segno.make(address, micro=False).svg_inline(scale=4, border=4, light="white")


def terminal_code(address: str) -> str:
    """An address as a code to scan, in letters for a terminal."""
    out = io.StringIO()
    segno.make(address, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def _checked(given: str) -> str:
    """The address of SWAPSCOPE_ADDRESS; a bare name is http."""
    address = given if "://" in given else f"http://{given}"
    try:
        parts = urlsplit(address)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or parts.query or parts.fragment:
        raise InputError(
            f'{visitor.ADDRESS} is "{given}", which is no address. '
            "Write it as https://study.example.org."
        )
    return address.rstrip("/")


def _is_any(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _leads_outside() -> str | None:
    """The address of this machine in its network."""
    for family, outside in _OUTSIDE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((outside, 9))
                host: str = probe.getsockname()[0]
        except OSError:  # no way there
            continue
        if not is_loopback(host) and not _is_any(host):
            return host
    return None
