"""Numbers and sets in words."""

from core.space import SearchSpace, State

_NAMES = ("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion")


def large(number: int) -> str:
    """A large number in words: 1,234,567 is "about 1.2 million"."""
    digits = len(str(number)) - 1
    if digits < 4:
        return f"{number:,}"
    power = digits // 3
    if power < len(_NAMES):
        return f"about {number / 1000**power:.3g} {_NAMES[power]}"
    return f"about 10 to the power of {digits}"


def product(space: SearchSpace) -> str:
    """The number of feasible sentences as the paper counts them, and what it comes to."""
    factors = [len(column) for column in space.choices if len(column) > 1]
    shown = " · ".join(map(str, factors[:12])) + (" · …" if len(factors) > 12 else "")
    exact = f"{space.size:,}" if space.size < 10**15 else ""
    parts = [part for part in (shown if len(factors) > 1 else "", exact) if part]
    rounded = large(space.size)
    return " = ".join(parts + ([rounded] if rounded not in parts else []))


def chosen(space: SearchSpace, state: State) -> str:
    """The set S as the paper writes it, each word with its position before it."""
    elements = [f"{at + 1}_{space.choices[at][state[at]]}" for at in space.changed(state)]
    return "{" + ", ".join(elements) + "}" if elements else "∅"
