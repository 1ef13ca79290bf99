"""Requests written by hand, as no browser would send them."""

import os
import socket
from base64 import b64encode
from http.client import HTTPResponse
from struct import pack
from urllib.parse import urlsplit

from tests.toys.visitor import Answer

PATIENCE = 30.0
TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9  # kinds of websocket frames
STREAM = "/_stcore/stream"


def line(address: str, source: str = "127.0.0.1") -> socket.socket:
    """A connection on which nothing was said yet."""
    where = urlsplit(address)
    assert where.hostname
    assert where.port
    return socket.create_connection((where.hostname, where.port), PATIENCE, (source, 0))


def head(method: str, target: str, **headers: str) -> bytes:
    """The first part of a request; the target goes as it is, with every dot and sign."""
    fields = {"Host": "localhost", "Connection": "close", **headers}
    lines = [f"{method} {target} HTTP/1.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def answer_on(connection: socket.socket, method: str = "GET") -> Answer:
    """What the server says to a request."""
    answer = HTTPResponse(connection, method=method)
    answer.begin()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return Answer(answer.status, headers, b"" if answer.status == 101 else answer.read())


def ask(address: str, method: str, target: str, **headers: str) -> Answer:
    """One request, and its answer."""
    with line(address) as connection:
        connection.sendall(head(method, target, **headers))
        return answer_on(connection, method)


def upgrade(address: str, source: str = "127.0.0.1", **headers: str) -> tuple[socket.socket, int]:
    """Ask for a websocket; the connection, and the status of the answer (101 is a yes)."""
    connection = line(address, source)
    fields = {
        "Host": urlsplit(address).netloc,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": b64encode(os.urandom(16)).decode(),
        "Sec_WebSocket_Protocol": "streamlit",
        "Origin": address,
        **headers,
    }
    connection.sendall(head("GET", STREAM, **fields))
    return connection, answer_on(connection).status


def frame(
    kind: int, content: bytes = b"", *, mask: bool = True, final: bool = True, size: int = -1
) -> bytes:
    """A websocket frame; it may be unmasked, without an end, or lie about its size."""
    size = len(content) if size < 0 else size
    bit = 0x80 if mask else 0
    first = bytes([(0x80 if final else 0) | kind])
    if size < 126:
        length = bytes([bit | size])
    elif size < 1 << 16:
        length = bytes([bit | 126]) + pack(">H", size)
    else:
        length = bytes([bit | 127]) + pack(">Q", size)
    return first + length + (bytes(4) if mask else b"") + content  # a mask of zeros changes nothing


def ends(connection: socket.socket) -> bool:
    """Whether the server ends a websocket: it says so in a last frame, or hangs up."""
    try:
        while first := connection.recv(1):
            size = connection.recv(1)[0]
            if size > 125:
                size = int.from_bytes(connection.recv(2 if size == 126 else 8), "big")
            while size:
                size -= len(connection.recv(size))
            if first[0] & 0x0F == CLOSE:
                return True
    except TimeoutError:
        return False
    except (OSError, IndexError):
        pass
    return True
