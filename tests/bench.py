"""The benchmark: python -m tests.bench [FILE]; ratios within one run, since machines differ."""

import json
import platform
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from core import SEARCHES, Attack, SearchSpace, function_goal, text, untargeted
from core.objective import Floats
from core.space import Ints

WORDS, SUBSTITUTES, SWEEPS = 100, 40, 10
OUTPUT = Path(__file__).resolve().parents[1] / "assets" / "bench" / "engine.json"


class TableVictim:
    """A victim whose forward pass is a table look-up, so that all the rest is our own overhead."""

    labels = ("same", "other")

    def __init__(self, weights: dict[str, float]) -> None:
        self.weights = weights

    def bind(self, space: SearchSpace) -> Callable[[Ints], Floats]:
        """Look up the weight of every choice once."""
        table = np.array([[self.weights[word] for word in column] for column in space.choices])
        positions = np.arange(len(space.choices))
        return lambda states: self._rows(table[positions, states].sum(axis=1))

    def predict(self, texts: Sequence[str]) -> Floats:
        """Sum the weights of the words; no sum ever reaches the decision threshold."""
        return self._rows(np.array([sum(map(self.weights.__getitem__, t.split())) for t in texts]))

    def _rows(self, sums: Floats) -> Floats:
        other = 0.25 + 0.2 * np.tanh(sums)
        return np.stack([1.0 - other, other], axis=1)


class LstmVictim:
    """A real network with random weights, asked with plain texts: a BiLSTM as the paper attacks."""

    labels = ("same", "other")

    def __init__(self, vocabulary: Sequence[str]) -> None:
        torch.manual_seed(0)
        self.ids = {word: index + 1 for index, word in enumerate(vocabulary)}
        self.embed = torch.nn.Embedding(len(self.ids) + 1, 100)
        self.lstm = torch.nn.LSTM(100, 128, bidirectional=True, batch_first=True)
        self.top = torch.nn.Linear(256, 2)

    def predict(self, texts: Sequence[str]) -> Floats:
        """Tokenise, embed, run the BiLSTM, take the maximum over time."""
        rows = [[self.ids.get(token, 0) for token in text.tokens(one)] for one in texts]
        with torch.inference_mode():
            states, _ = self.lstm(self.embed(torch.tensor(rows)))
            return torch.softmax(self.top(states.amax(dim=1)), dim=1).double().numpy()


def make_space(words: int, substitutes: int) -> SearchSpace:
    """A space of made-up words."""
    letters = "abcdefghij"

    def name(position: int, choice: int) -> str:
        return "w" + "".join(letters[int(digit)] for digit in f"{position:03d}{choice:02d}")

    return SearchSpace.from_choices(
        [[name(position, choice) for choice in range(substitutes + 1)] for position in range(words)]
    )


def measure(name: str, attack: Attack) -> dict[str, Any]:
    """Run an attack and put its figures into a row."""
    result = attack.run()
    return {
        "run": name,
        "steps": len(result.steps),
        "requests": result.requests,
        "queries": result.queries,
        "seconds": round(result.seconds, 4),
        "overhead": round(result.seconds / result.forward_seconds, 3),
        "requests_per_second": round(result.requests / result.seconds),
    }


def searches() -> list[dict[str, Any]]:
    """LS, greedy, PSO and GA with a victim that costs next to nothing."""
    space = make_space(WORDS, SUBSTITUTES)
    words = [word for column in space.choices for word in column]
    weights = np.random.default_rng(0).normal(0.0, 0.01, size=len(words)).tolist()
    goal = untargeted(TableVictim(dict(zip(words, weights, strict=True))), space, "same")
    return [
        measure(f"{key}, {WORDS} x {SUBSTITUTES}, table", Attack(space, goal, SEARCHES[key]()))
        for key in ("ls", "greedy", "pso", "ga")
    ]


def network() -> dict[str, Any]:
    """LS with a real network on a sentence of usual length."""
    space = make_space(30, 20)
    victim = LstmVictim([word for column in space.choices for word in column])
    goal = untargeted(victim, space, int(victim.predict([space.text(space.origin)])[0].argmax()))
    victim.predict([space.text(space.origin)] * 256)  # warm up
    return measure("ls, 30 x 20, BiLSTM by text", Attack(space, goal, SEARCHES["ls"]()))


def memory() -> dict[str, Any]:
    """How much a trace of ten sweeps keeps."""
    space = make_space(WORDS, SUBSTITUTES)
    goal = function_goal(lambda state: float(sum(map(bool, state))))
    attack = Attack(space, goal, SEARCHES["ls"](), budget=None)
    steps = attack.steps()
    tracemalloc.start()
    kept = [next(steps) for _ in range(SWEEPS + 1)]
    size = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    return {"run": f"memory of {len(kept) - 1} sweeps", "megabytes": round(size, 2)}


def main(path: Path = OUTPUT) -> None:
    """Print the table and write it as JSON."""
    table = [*searches(), network(), memory()]
    for row in table:
        figures = "  ".join(f"{name} {value:,}" for name, value in row.items() if name != "run")
        print(f"{row['run']:<32}{figures}")
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
    }
    path.write_text(json.dumps({"about": about, "rows": table}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
