"""Who is asking: a visitor's address and session, which limits and fair turns go by."""

import os
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Network, ip_address

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

THIS_MACHINE = "this machine"
ADDRESS = "SWAPSCOPE_ADDRESS"  # what others open, if whoever runs the server says it


@dataclass(frozen=True)
class Visitor:
    """One browser tab; many visitors may share an address."""

    address: str
    session: str


def current() -> Visitor:
    """The visitor whose page runs now."""
    context = get_script_run_ctx()
    address = st.context.ip_address
    return Visitor(
        network_of(address) if address else THIS_MACHINE, context.session_id if context else ""
    )


def network_of(address: str) -> str:
    """An address as limits count it: who has one of IPv6 has 2^64, which count as one."""
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Network((known, 64), strict=False))


def server_is_open() -> bool:
    """Whether others on the network can reach this server, or one before it that passes them on."""
    if os.environ.get(ADDRESS, "").strip():
        return True
    address = st.get_option("server.address")
    try:
        return address != "localhost" and not ip_address(address or "0.0.0.0").is_loopback
    except ValueError:
        return True  # a name of this machine that others may know too
