"""A small experiment that the tests share."""

from pathlib import Path
from typing import Any

from core.experiment.plan import Plan
from core.experiment.plan_file import make_plan

SMALL = {"method": "pso", "seeds": 2, "options": {"population": 4, "iterations": 2}}
CONTENT: dict[str, Any] = {
    "name": "small",
    "victims": ["toy"],
    "substitutions": ["toy"],
    "searches": ["ls", "greedy", SMALL],
    "goals": ["untargeted", "targeted"],
    "data": {"bundled": "sentiment"},
    "limits": {"rows": 12},
}
TOML = """
name = "small"
victims = ["toy"]
substitutions = ["toy"]
searches = [
    "ls",
    "greedy",
    { method = "pso", seeds = 2, options = { population = 4, iterations = 2 } },
]
goals = ["untargeted", "targeted"]
data = { bundled = "sentiment" }
limits = { rows = 12 }
"""


def plan(**changes: Any) -> Plan:
    return make_plan({**CONTENT, **changes})


def plan_file(folder: Path) -> Path:
    path = folder / "small.toml"
    path.write_text(TOML, encoding="utf-8")
    return path
