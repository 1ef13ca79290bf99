"""Metrics against values computed by hand."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.experiment.metrics import METRICS, Quality, ScenarioLine, lines, success_curve
from core.quality import METRICS as QUALITY
from tests.toys.records import LS, PSO, Letters, Surprise, results


def line(found: Sequence[ScenarioLine], search: str) -> dict[str, float]:
    (one,) = (each for each in found if each.search == search)
    return {name: value.mean for name, value in one.values.items()}


def test_rates_and_means_are_the_ones_by_hand() -> None:
    found = lines(results(*LS, *PSO))
    assert line(found, "ls") == pytest.approx(
        {
            "success": 2 / 4,  # 3 of 11 words is over the limit, 3 of 12 is not
            "queries": 25,
            "requests": 50,
            "queries_success": 20,
            "requests_success": 40,
            "queries_first": 10,
            "modification": (3 / 12 + 1 / 13) / 2,
            "area": (90 + 70) / 400,  # to the most queries of any search
        }
    )
    pso = next(each for each in found if each.search == "pso")
    assert (pso.attacked, pso.runs) == (4, 2)
    assert pso.values["success"].mean == 0.75
    assert pso.values["success"].sd == pytest.approx(np.std([1.0, 0.5], ddof=1))
    interval = pso.values["success"].interval
    assert interval is not None
    assert interval.value == 0.75
    assert interval.low == 0.5
    assert found[0].values["success"].sd is None


def test_intervals_are_the_ones_by_hand() -> None:
    """Of 256 resamples of four inputs, 5 have a mean below 15 queries and 15 one of 15 or less."""
    ls, pso = lines(results(*LS, *PSO))
    ends = {name: (v.interval.low, v.interval.high) for name, v in ls.values.items() if v.interval}
    assert ends == {
        "success": (0, 1),  # none or all of four in 1 of 16 resamples
        "queries": pytest.approx((15, 35)),
        "requests": pytest.approx((30, 70)),
        "queries_success": pytest.approx((10, 30)),  # one success without the other: 1 in 4
        "requests_success": pytest.approx((20, 60)),
        "queries_first": pytest.approx((5, 15)),
        "modification": pytest.approx((1 / 13, 3 / 12)),
        "area": pytest.approx((0, (2 * 0.9 + 2 * 0.7) / 4)),  # more in 5 of 256
    }
    for value in pso.values.values():
        assert value.interval is not None
        assert value.interval.value == pytest.approx(value.mean)  # runs with unequal successes too
        assert value.interval.low <= value.mean <= value.interval.high


def test_one_input_has_no_interval() -> None:
    (ls, _) = lines(results(*LS[1:]))  # three were attacked, one of them with success
    assert ls.values["success"].interval is not None
    assert ls.values["modification"].mean == pytest.approx(1 / 13)
    assert ls.values["modification"].interval is None


def test_with_a_budget_the_area_goes_up_to_it() -> None:
    found = lines(results(*LS, limits={"budget": 40}))
    assert line(found, "ls")["area"] == pytest.approx((30 + 10) / 160)
    assert np.isnan(line(found, "pso")["success"])  # nothing was attacked


def test_the_curve_rises_with_each_success() -> None:
    assert success_curve(LS, 40) == ([0, 10, 30, 40], [0.0, 0.25, 0.5, 0.5])
    assert success_curve(LS, 20) == ([0, 10, 20], [0.0, 0.25, 0.25])
    assert success_curve(LS[3:], 20) == ([0, 20], [0.0, 0.0])
    xs, ys = success_curve(LS, 40)
    steps = sum(y * (right - left) for y, left, right in zip(ys, xs, xs[1:], strict=False))
    found = line(lines(results(*LS, limits={"budget": 40})), "ls")
    assert steps / 40 == pytest.approx(found["area"])


class Same:
    def scores(self, originals: Sequence[str], texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array(
            [
                sum(a == b for a, b in zip(one.split(), other.split(), strict=True))
                for one, other in zip(originals, texts, strict=True)
            ],
            dtype=float,
        )


def test_quality_is_summed_and_averaged_over_the_successes() -> None:
    """``six`` has an x too: row 1 gets 3 of them, row 3 gets 1, in 12 + 13 words."""
    found = line(lines(results(*LS), Quality(Letters(), Surprise(), Same())), "ls")
    assert found["ipw"] == pytest.approx((3 + 1) / (12 + 13))
    assert found["perplexity"] == pytest.approx(8)
    assert found["similarity"] == pytest.approx((9 + 12) / 2)
    none = line(lines(results(*LS[3:]), Quality(Letters(), Surprise(), Same())), "ls")
    assert all(np.isnan(none[name]) for name in ("ipw", "perplexity", "similarity"))


def test_every_metric_says_what_it_is() -> None:
    for name, metric in METRICS.items():
        assert name == metric.name
        assert metric.better in ("lower", "higher")
        assert len(metric.definition) > 20
    found = lines(results(*LS), Quality(Letters(), Surprise(), Same()))
    assert list(found[0].values) == list(METRICS)


def test_the_default_models_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, made in (("grammar", Letters), ("perplexity", Surprise), ("similarity", Same)):
        monkeypatch.setitem(QUALITY, name, replace(QUALITY[name], make=made, missing=lambda: ""))
    quality = Quality.load()
    assert isinstance(quality.grammar, Letters)
    assert isinstance(quality.perplexity, Surprise)
    assert isinstance(quality.similarity, Same)
    assert quality.about["ipw"] == "Harper"
    assert "SmolLM2" in quality.about["perplexity"]
