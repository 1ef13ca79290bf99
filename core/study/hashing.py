"""The costly hash of a passphrase: few are computed at once, and addresses take turns."""

import hashlib
import hmac
import secrets
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Event, Lock
from typing import Final

AT_ONCE: Final = 2  # each takes 16 MB and some 50 ms of a core
COST: Final = 2**14


class HashingTurns:
    """Lets in a few at a time; a free place goes to the address that was served longest ago."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._lock = Lock()
        self._lines: OrderedDict[str, deque[Event]] = OrderedDict()  # who waits, by address

    @contextmanager
    def turn(self, address: str) -> Iterator[None]:
        """Wait for a place, and give it back at the end of the block."""
        self._enter(address)
        try:
            yield
        finally:
            self._leave()

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        with self._lock:
            return sum(map(len, self._lines.values()))

    def _enter(self, address: str) -> None:
        with self._lock:
            if self._free:  # then nobody waits
                self._free -= 1
                return
            called = Event()
            self._lines.setdefault(address, deque()).append(called)
        called.wait()

    def _leave(self) -> None:
        with self._lock:
            if not self._lines:
                self._free += 1
                return
            address, line = self._lines.popitem(last=False)
            line.popleft().set()
            if line:
                self._lines[address] = line  # now behind the other addresses


_turns: Final = HashingTurns(AT_ONCE)


def new_hash(passphrase: str) -> str:
    """What is stored of a passphrase: a salt of its own and the hash."""
    return _hash(passphrase, secrets.token_bytes(16))


@lru_cache(maxsize=1)
def hash_in_memory(passphrase: str) -> str:
    """The hash of a passphrase that is not stored; computed once."""
    return new_hash(passphrase)


def fits(passphrase: str, stored: str, address: str) -> bool:
    """Whether a passphrase has this hash; compared in constant time."""
    salt = bytes.fromhex(stored.partition("$")[0])
    with _turns.turn(address):
        return hmac.compare_digest(_hash(passphrase, salt), stored)


def _hash(passphrase: str, salt: bytes) -> str:
    content = passphrase.encode("utf-8", "replace")
    digest = hashlib.scrypt(content, salt=salt, n=COST, r=8, p=1)
    return f"{salt.hex()}${digest.hex()}"
