"""A training that was stopped goes on as if nothing had happened."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.errors import InputError
from core.generators import follow
from core.victims.recipes import Recipe
from core.victims.training.loop import Subject, learn

RECIPE = Recipe("sst2", "none", "a line", epochs=3, rate=0.05, checks=2, patience=9)
POINTS = [(x / 20, 3 * x / 20 + 1) for x in range(20)]


def line() -> nn.Module:
    torch.manual_seed(0)
    return nn.Linear(1, 1)


def subject(network: nn.Module) -> Subject[tuple[float, float]]:
    """Learn a line from one point after the other."""

    def loss(point: tuple[float, float]) -> Tensor:
        found: Tensor = network(torch.tensor([point[0]]))
        return (found - point[1]).square().sum()

    def look() -> tuple[float, str]:
        total = sum(loss(point).item() for point in POINTS)
        return total, f"{total:.3f}"

    def batches(rng: random.Random) -> list[tuple[float, float]]:
        return rng.sample(POINTS, len(POINTS))

    return Subject(len(POINTS), batches, loss, look)


def whole(recipe: Recipe = RECIPE, file: Path | None = None) -> dict[str, Any]:
    network = line()
    follow(learn(network, subject(network), recipe, file), lambda check: None)
    return {name: part.clone() for name, part in network.state_dict().items()}


@pytest.mark.parametrize("stop_at", [1, 2, 3, 5])
def test_a_stopped_training_ends_as_one_that_was_not(tmp_path: Path, stop_at: int) -> None:
    file, network = tmp_path / "line.progress", line()
    steps = learn(network, subject(network), RECIPE, file)
    for _ in range(stop_at):
        next(steps)
    steps.close()
    again, expected = whole(file=file), whole()
    assert all(torch.equal(again[name], expected[name]) for name in expected)


def test_a_finished_training_is_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "line.progress"
    expected, network, seen = whole(file=file), line(), list[str]()
    follow(learn(network, subject(network), RECIPE, file), lambda c: seen.append(c.message))
    assert not seen
    assert all(torch.equal(part, expected[n]) for n, part in network.state_dict().items())


def test_a_training_that_lost_patience_stays_stopped(tmp_path: Path) -> None:
    recipe, file, seen = replace(RECIPE, rate=0.0, patience=1), tmp_path / "line", list[str]()
    network = line()
    follow(learn(network, subject(network), recipe, file), lambda c: seen.append(c.message))
    assert len(seen) == 2  # the first look is the best, the second no better
    follow(learn(line(), subject(network), recipe, file), lambda c: seen.append(c.message))
    assert len(seen) == 2


def test_the_progress_of_another_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "line.progress"
    whole(file=file)
    other = nn.Sequential(nn.Linear(1, 2), nn.Linear(2, 1))
    with pytest.raises(InputError, match="of another training; remove it"):
        follow(learn(other, subject(other), RECIPE, file), lambda check: None)
