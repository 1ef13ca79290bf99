"""Results as text for a paper: a LaTeX table and a paragraph of methods with the real numbers."""

from collections.abc import Sequence
from statistics import median

from core.experiment.tables import latex_text
from core.study.items import ORIGINAL
from core.study.monitoring import Overview, RaterProgress
from core.study.results import LEVEL, RESAMPLES, Estimate, Results


def latex_table(study: Overview, results: Results) -> str:
    """The paper's table, with intervals, for the booktabs package."""
    order = sorted(results.rows, key=lambda row: row.group != ORIGINAL)  # controls first
    lines = [
        f"{latex_text(row.group)} & {row.rated} & {shown(row.valid, 100, 1)} "
        f"& {shown(row.score)} \\\\"
        for row in order
    ]
    if order and order[0].group == ORIGINAL and len(order) > 1:
        lines.insert(1, "\\midrule")
    simulated = " The ratings are simulated." if study.simulated else ""
    caption = (
        f"Human evaluation ({latex_text(study.name)}). Valid.\\ is the share of items whose "
        "majority label is the true one; Percep.\\ is the mean perceptibility from 0 to 4; "
        f"{100 * LEVEL:.0f}\\% bootstrap intervals in brackets.{simulated}"
    )
    body = "\n".join(f"    {line}" for line in lines)
    return (
        "\\begin{table}[tbp]\n  \\centering\n"
        f"  \\caption{{{caption}}}\n"
        "  \\begin{tabular}{lrll}\n    \\toprule\n"
        "    Method & Items & Valid.\\ (\\%) & Percep. \\\\\n    \\midrule\n"
        f"{body}\n    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n"
    )


def methods_paragraph(study: Overview, results: Results, raters: Sequence[RaterProgress]) -> str:
    """How the study was done, in sentences with its real numbers."""
    counted = [rater for rater in raters if not rater.excluded and rater.done]
    excluded = [rater for rater in raters if rater.excluded and rater.done]
    checks = sum(rater.checks for rater in counted)
    right = sum(rater.checks_right for rater in counted)
    seconds = [rater.seconds for rater in counted if rater.seconds is not None]
    items = sum(row.rated for row in results.rows)
    ratings = sum(row.ratings for row in results.rows)
    names = ", ".join(f"{row.rated} of {row.group}" for row in results.rows)
    labels = ", ".join(f'"{label}"' for label in study.labels)
    scale = ", ".join(f'{point} "{name}"' for point, name in enumerate(study.wording.scale))
    sentences = [
        "The ratings below are simulated, not given by people." if study.simulated else "",
        f"{len(counted)} raters gave {ratings} ratings of {items} items ({names}), "
        f"{_per_item(ratings, items)} ratings per item on average, "
        f"{study.design.per_item} by design.",
        f"For each text they chose a label ({labels}) and a perceptibility ({scale}).",
        "Raters saw neither the method nor the true label, each had an own random order "
        f"(seed {study.design.seed}), and "
        + (
            "nobody saw two variants of one source."
            if study.design.gap is None
            else f"variants of one source were at least {study.design.gap} places apart."
        ),
        f"The median time was {median(seconds):.0f} seconds per item." if seconds else "",
        f"{right} of {checks} attention checks were answered as expected." if checks else "",
        f"{len(excluded)} raters were excluded ("
        + "; ".join(rater.excluded for rater in excluded)
        + ")."
        if excluded
        else "",
        "The label of an item is the majority of its raters; a tie has no majority and counts as "
        f"not valid ({sum(row.ties for row in results.rows)} ties). Perceptibility is the mean "
        "over items of the mean over raters.",
        f"Intervals are {LEVEL:.0%} percentile bootstrap intervals over items "
        f"({RESAMPLES:,} resamples).",
        *(
            f"{one.name}: {one.value:.3f} ({one.note})."
            if one.value is not None
            else f"{one.name}: {one.note}."
            for one in results.agreement
        ),
        *results.notes,
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _per_item(ratings: int, items: int) -> str:
    return f"{ratings / items:.2f}".rstrip("0").rstrip(".") if items else "0"


def shown(estimate: Estimate | None, scale: float = 1.0, digits: int = 2) -> str:
    """An estimate with its interval in brackets, or dashes."""
    if estimate is None:
        return "--"
    text = f"{scale * estimate.value:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} [{scale * estimate.low:.{digits}f}, {scale * estimate.high:.{digits}f}]"
