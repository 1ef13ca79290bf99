"""Statistics against scipy, statsmodels and values computed by hand."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from core.statistics import bootstrap, bootstrap_rates, holm, mcnemar, mean_sd, wilcoxon


def test_mcnemar_is_exact() -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        first, second = rng.random((2, 60)) < rng.random((2, 1))
        table = [[np.sum(a & b) for b in (second, ~second)] for a in (first, ~first)]
        wanted = reference_mcnemar(table, exact=True).pvalue
        assert mcnemar(first.tolist(), second.tolist()) == pytest.approx(wanted)
    assert mcnemar([True, False], [True, False]) == 1.0
    # five inputs where only the first succeeds: 2 * (1/2)^5
    assert mcnemar([True] * 5, [False] * 5) == pytest.approx(0.0625)


def test_wilcoxon_is_scipys() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.integers(1, 500, (2, 80)).astype(float)
    assert wilcoxon(first, second) == pytest.approx(stats.wilcoxon(first, second).pvalue)
    assert wilcoxon([1, 2], [1, 2]) == 1.0
    # three differences of one sign: 2 * (1/2)^3
    assert wilcoxon([5, 7, 9], [4, 5, 6]) == pytest.approx(0.25)


def test_holm_is_the_one_of_statsmodels() -> None:
    rng = np.random.default_rng(2)
    for size in (1, 2, 7, 30):
        p_values = rng.random(size) ** 3
        wanted = multipletests(p_values, method="holm")[1]
        assert holm(p_values.tolist()) == pytest.approx(wanted)
    assert holm([]) == []
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_the_bootstrap_agrees_with_scipys() -> None:
    data = np.random.default_rng(3).exponential(size=120)
    found = bootstrap(data, resamples=4_000)
    wanted = stats.bootstrap(
        (data,), np.mean, n_resamples=4_000, method="percentile", rng=np.random.default_rng(9)
    ).confidence_interval
    assert found.value == pytest.approx(data.mean())
    assert found.low == pytest.approx(wanted.low, abs=0.01)
    assert found.high == pytest.approx(wanted.high, abs=0.01)
    assert bootstrap(data, resamples=500) == bootstrap(data, resamples=500)
    assert np.isnan(bootstrap([]).value)
    same = bootstrap([0.5] * 9, resamples=100)
    assert (same.value, same.low, same.high) == (0.5, 0.5, 0.5)


def test_rates_are_resampled_with_all_runs_of_an_input() -> None:
    rng = np.random.default_rng(4)
    under = rng.integers(0, 2, (2, 6, 3)).astype(float)
    over = rng.random((2, 6, 3)) * under
    found = bootstrap_rates(over, under, resamples=200)
    draws = np.random.default_rng(0).integers(0, 6, (200, 6))
    for rate, each in enumerate(found):
        means = []
        for draw in draws:  # by hand: the mean over runs that have something to divide by
            sums = [(over[rate, draw, run].sum(), under[rate, draw, run].sum()) for run in range(3)]
            rates = [above / below for above, below in sums if below]
            means += [np.mean(rates)] if rates else []
        assert (each.low, each.high) == pytest.approx(np.quantile(means, [0.025, 0.975]))
    nothing = bootstrap_rates(np.zeros((1, 3, 1)), np.zeros((1, 3, 1)), resamples=50)
    assert np.isnan([nothing[0].value, nothing[0].low, nothing[0].high]).all()


def test_a_single_run_has_no_deviation() -> None:
    assert mean_sd([0.5]) == (0.5, None)
    mean, deviation = mean_sd([1.0, 3.0])
    assert mean == 2.0
    assert deviation == pytest.approx(2**0.5)
