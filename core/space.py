"""The search space of an attack: a column of choices for each word, a partition matroid.

``V`` is the set of all (position, substitute) pairs, ``B_i`` the substitutes of word ``i``; a
feasible set picks at most one substitute of each word (every ``d_i = 1``).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from random import Random
from sys import getsizeof
from typing import Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from core import text as words_and_gaps
from core.errors import InputError
from core.positions import options, positions
from core.substitutions.protocol import Substitution

State: TypeAlias = tuple[int, ...]
Ints: TypeAlias = NDArray[np.int32]
Exchange: TypeAlias = Literal["same", "any"]

HIDDEN = -1  # the word is hidden behind the victim's unknown token
NONE = -1  # no position
FIXED = "stays as it is"  # the note of a word that may not be swapped


@dataclass(frozen=True, eq=False)
class Moves(Sequence[State]):
    """Many states in a few arrays: each is a base state with one word set and, maybe, one restored.

    A sweep over a long text stores four numbers a move instead of a copy of the whole state.
    """

    bases: Ints  # (number of bases, number of words)
    base: Ints  # the row of ``bases`` a move starts from
    position: Ints  # the word that is set, or NONE for the base itself
    choice: Ints  # what it is set to
    restored: Ints  # a second word that goes back to the original, or NONE

    @classmethod
    def of(cls, states: Iterable[State], width: int) -> "Moves":
        """Whole states, each as its own base."""
        return cls.rows(np.array(list(states), dtype=np.int32).reshape(-1, width))

    @classmethod
    def rows(cls, bases: Ints) -> "Moves":
        """Whole states, one in a row."""
        none = np.full(len(bases), NONE, dtype=np.int32)
        return cls(bases, np.arange(len(bases), dtype=np.int32), none, none, none)

    @classmethod
    def at(
        cls, state: State, position: Ints, choice: Ints, restored: Ints | None = None
    ) -> "Moves":
        """One-word changes of a state."""
        size = len(position)
        none = np.full(size, NONE, dtype=np.int32)
        start = np.array([state], dtype=np.int32)
        zero = np.zeros(size, dtype=np.int32)
        return cls(start, zero, position, choice, none if restored is None else restored)

    @classmethod
    def join(cls, parts: Sequence["Moves"]) -> "Moves":
        """Several batches one after the other; parts of one sweep share their base row."""
        bases: list[Ints] = []
        base: list[Ints] = []
        for part in parts:
            if not bases or part.bases is not bases[-1]:
                bases.append(part.bases)
            base.append(part.base + np.int32(sum(map(len, bases[:-1]))))
        return cls(
            np.concatenate(bases),
            np.concatenate(base),
            np.concatenate([part.position for part in parts]),
            np.concatenate([part.choice for part in parts]),
            np.concatenate([part.restored for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.base)

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice | NDArray[np.intp]) -> "Moves": ...
    def __getitem__(self, index: int | slice | NDArray[np.intp]) -> "State | Moves":
        if isinstance(index, slice | np.ndarray):
            arrays = (self.base, self.position, self.choice, self.restored)
            return Moves(self.bases, *(array[index] for array in arrays))
        return next(iter(self[np.array([index])]))

    def __iter__(self) -> Iterator[State]:
        bases = self.bases.tolist()
        arrays = (self.base, self.position, self.choice, self.restored)
        for base, position, choice, restored in zip(*(a.tolist() for a in arrays), strict=True):
            state = bases[base].copy()
            if position != NONE:
                state[position] = choice
            if restored != NONE:
                state[restored] = 0
            yield tuple(state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moves) and np.array_equal(self.matrix, other.matrix)

    __hash__ = None  # type: ignore[assignment]

    @property
    def nbytes(self) -> int:
        arrays = (self.bases, self.base, self.position, self.choice, self.restored)
        return sum(array.nbytes for array in arrays)

    @property
    def matrix(self) -> Ints:
        """All states as rows."""
        rows = self.bases[self.base]
        put = np.flatnonzero(self.position != NONE)
        rows[put, self.position[put]] = self.choice[put]
        back = np.flatnonzero(self.restored != NONE)
        rows[back, self.restored[back]] = 0
        return rows

    @property
    def changed(self) -> NDArray[np.intp]:
        """How many words each state changes; a hidden word is not changed."""
        counts = np.count_nonzero(self.bases > 0, axis=1)[self.base]
        put = np.flatnonzero(self.position != NONE)
        before = self.bases[self.base[put], self.position[put]] > 0
        counts[put] += (self.choice[put] > 0).astype(int) - before
        back = np.flatnonzero(self.restored != NONE)
        counts[back] -= self.bases[self.base[back], self.restored[back]] > 0
        return np.asarray(counts)

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Which states hide a word, and so cannot be an answer."""
        own = (self.position != NONE) & (self.choice == HIDDEN)
        return np.asarray(own | (self.bases == HIDDEN).any(axis=1)[self.base])


@dataclass(frozen=True)
class SearchSpace:
    """All sentences an attack may write: ``choices[i][0]`` is the original word ``i``."""

    choices: tuple[tuple[str, ...], ...]
    gaps: tuple[str, ...]
    reasons: tuple[tuple[str, ...], ...] = ()  # why each choice is there; "" for the original
    notes: tuple[str, ...] = ()  # why a word has no substitutes, else ""

    def __post_init__(self) -> None:
        if not self.choices:
            raise InputError("A search space needs at least one word.")
        if len(self.gaps) != len(self.choices) + 1:
            raise InputError("A search space needs one gap more than it has words.")
        for number, column in enumerate(self.choices, start=1):
            if not column:
                raise InputError(f"Word {number} has no original; give it at least one choice.")
            if not all(map(str.strip, column)):
                raise InputError(f'A choice of word {number}, "{column[0]}", is empty.')
            if len(set(column)) < len(column):
                twice = next(word for word in column if column.count(word) > 1)
                raise InputError(f'The choice "{twice}" of word {number} is there twice.')
        if not self.reasons:
            blank = tuple(("",) * len(column) for column in self.choices)
            object.__setattr__(self, "reasons", blank)
            object.__setattr__(self, "notes", ("",) * len(self.choices))

    @classmethod
    def from_choices(cls, choices: Iterable[Iterable[str]]) -> "SearchSpace":
        """A space from a list of columns, its words joined by single spaces."""
        columns = tuple(tuple(column) for column in choices)
        return cls(columns, ("", *(" " for _ in columns[1:]), ""))

    @classmethod
    def from_text(cls, text: str, substitution: Substitution) -> "SearchSpace":
        """The space of a text under a substitution; substitutes take the word's capitalisation.

        Words that a substitute replaces together are one position.
        """
        words, gaps = words_and_gaps.split(words_and_gaps.check(text))
        columns = substitution(words)
        choices, reasons, notes, between = [], [], [], [gaps[0]]
        for part in positions(columns, gaps):
            chosen: dict[str, str] = {}
            for word, reason in options(words, columns, part, gaps):
                chosen.setdefault(word, reason)
            choices.append(tuple(chosen))
            reasons.append(tuple(chosen.values()))
            notes.append(columns[part.start].note if len(chosen) == 1 else "")
            between.append(gaps[part.stop])
        return cls(tuple(choices), tuple(between), tuple(reasons), tuple(notes))

    def without(self, positions: Collection[int]) -> "SearchSpace":
        """The same space in which these words have no substitutes."""
        if not positions:
            return self
        columns = zip(self.choices, self.reasons, self.notes, strict=True)
        left = [
            (words[:1], reasons[:1], FIXED) if at in positions else (words, reasons, note)
            for at, (words, reasons, note) in enumerate(columns)
        ]
        choices, reasons, notes = zip(*left, strict=True)
        return SearchSpace(choices, self.gaps, reasons, notes)

    @property
    def origin(self) -> State:
        """The state that changes nothing."""
        return (0,) * len(self.choices)

    @property
    def size(self) -> int:
        """The number of feasible sentences, exactly."""
        return prod(len(column) for column in self.choices)

    @cached_property
    def nbytes(self) -> int:
        """The memory of its texts and of what is worked out from them."""
        columns = (*self.choices, *self.reasons, self.gaps, self.notes)
        texts = {id(text): getsizeof(text) for column in columns for text in column}
        tables = (self.counts, *self.changes, self._zobrist)
        return sum(texts.values()) + sum(map(getsizeof, columns)) + sum(t.nbytes for t in tables)

    @cached_property
    def counts(self) -> Ints:
        """``|B_i|`` for each word."""
        return np.array([len(column) - 1 for column in self.choices], dtype=np.int32)

    @cached_property
    def changes(self) -> tuple[Ints, Ints]:
        """Positions and choices of all one-word changes: substitutes first, then the original."""
        positions = np.repeat(np.arange(len(self.counts), dtype=np.int32), self.counts + 1)
        choices = [choice for count in self.counts for choice in (*range(1, count + 1), 0)]
        return positions, np.array(choices, dtype=np.int32)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The word of the text at which each position starts, and the number of words."""
        widths = (len(words_and_gaps.split(column[0]).words) for column in self.choices)
        return tuple(accumulate(widths, initial=0))

    @property
    def elements(self) -> int:
        """``|V|``, the number of substitutes in all."""
        return int(self.counts.sum())

    def text(self, state: State, hidden: str = words_and_gaps.HIDDEN_TEXT) -> str:
        """Write the sentence of a state; the origin gives the input character for character."""
        return words_and_gaps.join(self._words(state, hidden), self.gaps)

    def texts(self, moves: Moves, hidden: str = words_and_gaps.HIDDEN_TEXT) -> list[str]:
        """The sentences of many states; a one-word change is cut into its base's text."""
        cuts: dict[int, tuple[list[str], list[str]]] = {}  # made only for bases with such changes
        result = []
        arrays = (moves.base, moves.position, moves.choice, moves.restored)
        rows = zip(*(array.tolist() for array in arrays), strict=True)
        for number, (base, position, choice, restored) in enumerate(rows):
            if position == NONE or restored != NONE:
                result.append(self.text(moves[number], hidden))
                continue
            if base not in cuts:
                cuts[base] = self._cuts(moves.bases[base].tolist(), hidden)
            before, after = cuts[base]
            word = self._word(position, choice, hidden)
            result.append(f"{before[position]}{word}{after[position]}")
        return result

    def rows(self) -> list[dict[str, str]]:
        """One plain row a substitute, with its reason, or a word's note, for tables."""
        return [
            {"word": column[0], "substitute": word, "reason": reason}
            for column, reasons, note in zip(self.choices, self.reasons, self.notes, strict=True)
            for word, reason in zip(column[1:] or ("",), reasons[1:] or (note,), strict=True)
        ]

    def allowed(self, share: float) -> int:
        """How many words may change where a share of them may; 58 % of 50 words are 29."""
        return int(share * len(self.choices) + 1e-9)  # 0.58 * 50 is 28.999999999999996

    def changed(self, state: State) -> tuple[int, ...]:
        """The positions of the changed words; a hidden word is not changed."""
        return tuple(index for index, choice in enumerate(state) if choice > 0)

    def kind(self, before: State, after: State) -> Literal["insert", "delete", "exchange"]:
        """Name the move from one state to another as Algorithm 1 does."""
        grown = len(self.changed(after)) - len(self.changed(before))
        return "insert" if grown > 0 else "delete" if grown < 0 else "exchange"

    def neighbours(self, state: State, exchange: Exchange = "same") -> Moves:
        """All one-word changes: position ascending, substitutes in order, the original last.

        With ``exchange="any"`` the paper's exchanges between two words follow: restore one changed
        word and substitute an unchanged one.
        """
        positions, choices = self.changes
        now = np.array(state, dtype=np.int32)
        other = choices != now[positions]
        same = Moves.at(state, positions[other], choices[other])
        if exchange == "same":
            return same
        insert = self.insertions(state)
        changed = np.array(self.changed(state), dtype=np.int32)
        size, times = len(insert), len(changed)
        return Moves(
            same.bases,
            np.zeros(len(same) + size * times, dtype=np.int32),
            np.concatenate([same.position, np.tile(insert.position, times)]),
            np.concatenate([same.choice, np.tile(insert.choice, times)]),
            np.concatenate([same.restored, np.repeat(changed, size)]),
        )

    def exchanges_between_words(self, state: State) -> int:
        """How many exchanges restore one changed word and substitute an unchanged one."""
        changed = self.changed(state)
        return len(changed) * (self.elements - int(self.counts[list(changed)].sum()))

    def insertions(self, state: State) -> Moves:
        """The substitutes of the words that are still original."""
        positions, choices = self.changes
        free = (np.array(state, dtype=np.int32)[positions] == 0) & (choices > 0)
        return Moves.at(state, positions[free], choices[free])

    def column(self, state: State, position: int) -> Moves:
        """Every substitute of one word, set in a state."""
        choices = np.arange(1, self.counts[position] + 1, dtype=np.int32)
        return Moves.at(state, np.full(len(choices), position, dtype=np.int32), choices)

    def hiding(self, state: State) -> Moves:
        """A state with each word hidden in turn."""
        positions = np.arange(len(state), dtype=np.int32)
        return Moves.at(state, positions, np.full(len(state), HIDDEN, dtype=np.int32))

    def complement(self, state: State) -> State | None:
        """``V \\ S``, or None where it would take two substitutes of one word."""
        rests = [
            [choice for choice in range(1, len(column)) if choice != taken]
            for column, taken in zip(self.choices, state, strict=True)
        ]
        if any(len(rest) > 1 for rest in rests):
            return None
        return tuple(rest[0] if rest else 0 for rest in rests)

    def random(self, rng: Random) -> State:
        """A feasible sentence drawn uniformly."""
        return tuple(int(rng.random() * len(column)) for column in self.choices)

    def keys(self, moves: Moves) -> NDArray[np.uint64]:
        """A 64-bit Zobrist key of each state, a few exclusive ors away from its base's key."""
        table = self._zobrist
        columns = np.arange(len(self.choices))
        bases = np.bitwise_xor.reduce(table[columns, moves.bases + 1], axis=1)
        keys: NDArray[np.uint64] = bases[moves.base]
        for position, choice in ((moves.position, moves.choice), (moves.restored, None)):
            at = np.flatnonzero(position != NONE)
            where = position[at]
            now = moves.bases[moves.base[at], where]
            then = np.zeros_like(now) if choice is None else choice[at]
            keys[at] ^= table[where, now + 1] ^ table[where, then + 1]
        return keys

    @cached_property
    def _zobrist(self) -> NDArray[np.uint64]:
        width = max((len(column) for column in self.choices), default=0) + 1
        draw = np.random.default_rng(0).integers
        return draw(0, 2**64, size=(len(self.choices), width), dtype=np.uint64)

    def _word(self, position: int, choice: int, hidden: str) -> str:
        return hidden if choice == HIDDEN else self.choices[position][choice]

    def _words(self, state: Iterable[int], hidden: str) -> tuple[str, ...]:
        return tuple(self._word(index, choice, hidden) for index, choice in enumerate(state))

    def _cuts(self, state: list[int], hidden: str) -> tuple[list[str], list[str]]:
        """The text before and after each word of a state."""
        words = self._words(state, hidden)
        whole = words_and_gaps.join(words, self.gaps)
        before, after, end = [], [], 0
        for word, gap in zip(words, self.gaps, strict=False):
            start = end + len(gap)
            end = start + len(word)
            before.append(whole[:start])
            after.append(whole[end:])
        return before, after
