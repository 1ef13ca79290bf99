"""The eight teaching instances: small set functions whose searches are known to the last query."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from core import SearchSpace, State

Blocks = list[list[str]]


@dataclass(frozen=True)
class Case:
    """Blocks of substitutes and a value (in hundredths) for every feasible set."""

    name: str
    blocks: Blocks
    values: dict[State, float]
    hidden: tuple[float, ...] = ()  # the value with each word hidden

    @property
    def space(self) -> SearchSpace:
        return SearchSpace.from_choices(
            [f"w{index}", *block] for index, block in enumerate(self.blocks)
        )

    def f(self, state: State) -> float:
        return self.hidden[state.index(-1)] if -1 in state else self.values[state]

    def state(self, words: str) -> State:
        chosen = words.split()
        return tuple(
            next((j for j, word in enumerate(block, start=1) if word in chosen), 0)
            for block in self.blocks
        )

    def words(self, state: State) -> str:
        return " ".join(block[j - 1] for block, j in zip(self.blocks, state, strict=True) if j)


def tabled(
    name: str, blocks: Blocks, f: Callable[[str], float], hidden: tuple[float, ...] = ()
) -> Case:
    empty = Case(name, blocks, {})
    states = product(*(range(len(block) + 1) for block in blocks))
    return Case(name, blocks, {state: f(empty.words(state)) for state in states}, hidden)


def additive(
    base: float, singles: Mapping[str, float], pairs: Mapping[str, float]
) -> Callable[[str], float]:
    def f(words: str) -> float:
        chosen = words.split()
        total = base + sum(singles[word] for word in chosen)
        return total + sum(v for pair, v in pairs.items() if set(pair.split()) <= set(chosen))

    return f


def two_hills(words: str) -> float:
    chosen = words.split()
    high = sum(word in chosen for word in ("a2", "b2", "c2"))
    return 35 - 5 * high if "a1" in chosen else (0, 34, 67, 100)[high]


B123 = [["a1", "a2"], ["b1", "b2", "b3"], ["c1"]]
SINGLES = {"a1": 12, "a2": 8, "b1": 10, "b2": 5, "b3": 2, "c1": 6}
PAIRS = {"a2 b1": 15, "a1 b1": -3, "a1 c1": -3}

E1 = tabled("exchange matters", B123, additive(10, SINGLES, PAIRS))
E2 = tabled(
    "deletion matters",
    [["a"], ["b"], ["c"]],
    {"": 10, "a": 20, "b": 15, "c": 14, "a b": 25, "a c": 22, "b c": 40, "a b c": 30}.__getitem__,
)
E3 = tabled(
    "the complement wins",
    [["a1", "a2"], ["b1", "b2"]],
    {
        "": 10, "a1": 20, "a2": 5, "b1": 18, "b2": 5,
        "a1 b1": 30, "a1 b2": 12, "a2 b1": 12, "a2 b2": 50,
    }.__getitem__,
)  # fmt: skip
E4 = tabled(
    "ties",
    [["a1", "a2"], ["b1", "b2"]],
    {
        "": 10, "a1": 20, "a2": 15, "b1": 15, "b2": 20,
        "a1 b1": 21, "a1 b2": 20, "a2 b1": 30, "a2 b2": 26,
    }.__getitem__,
)  # fmt: skip
E5 = tabled(
    "four words",
    [["a1"], ["b1", "b2"], ["c1", "c2"], ["d1", "d2", "d3"]],
    additive(
        5,
        {"a1": 4, "b1": 9, "b2": 7, "c1": 6, "c2": 3, "d1": 8, "d2": 8, "d3": 1},
        {"b1 d1": -6, "b2 d2": 5, "b2 c2": 9, "a1 d2": -2, "c2 d2": 4, "c1 d1": 2},
    ),
)
E6 = tabled(
    "additive",
    [["a1", "a2"], ["b1", "b2"], ["c1", "c2"]],
    additive(10, {"a1": 10, "a2": 5, "b1": 8, "b2": 4, "c1": 6, "c2": 1}, {}),
)
E7 = tabled("stuck at 35 of 100", [[f"{x}{j}" for j in (1, 2, 3)] for x in "abc"], two_hills)
E8 = tabled("with a goal", B123, additive(25, SINGLES, PAIRS), hidden=(30, 45, 28))
E = {"E1": E1, "E2": E2, "E3": E3, "E4": E4, "E5": E5, "E6": E6, "E7": E7}
