"""A set of 64-bit keys that numbers its members, fast for thousands at once."""

import numpy as np
from numpy.typing import NDArray


class KeyIndex:
    """Numbers keys in the order they are added; an open-addressing hash table over arrays.

    A Python dict would spend more time on a sweep of a long text than the rest of the ledger.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._keys = np.zeros(capacity, dtype=np.uint64)  # by number
        self._rows = np.full(2 * capacity, -1, dtype=np.intp)  # by slot: the key's number, or -1
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The number of each key, or -1."""
        found = np.full(len(keys), -1, dtype=np.intp)
        slots = self._home(keys)
        open_ = np.arange(len(keys))
        while len(open_):
            rows = self._rows[slots[open_]]
            hit = (rows >= 0) & (self._keys[rows] == keys[open_])
            found[open_[hit]] = rows[hit]
            open_ = open_[(rows >= 0) & ~hit]
            slots[open_] = self._next(slots[open_])
        return found

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Add new, distinct keys."""
        first, self._size = self._size, self._size + len(keys)
        if self._size > len(self._keys):
            size = max(2 * len(self._keys), 2 * self._size)
            old = self._keys[:first]
            self._keys = np.zeros(size, dtype=np.uint64)
            self._rows = np.full(1 << (2 * size - 1).bit_length(), -1, dtype=np.intp)
            self._put(old, 0)
        self._put(keys, first)

    def _put(self, keys: NDArray[np.uint64], first: int) -> None:
        self._keys[first : first + len(keys)] = keys
        slots = self._home(keys)
        open_ = np.arange(len(keys))
        while len(open_):
            free = open_[self._rows[slots[open_]] < 0]
            self._rows[slots[free]] = first + free  # of several that want one slot the last gets it
            open_ = open_[self._rows[slots[open_]] != first + open_]
            slots[open_] = self._next(slots[open_])

    def _home(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        return (keys & np.uint64(len(self._rows) - 1)).astype(np.intp)  # keys are random already

    def _next(self, slots: NDArray[np.intp]) -> NDArray[np.intp]:
        return (slots + 1) & (len(self._rows) - 1)
