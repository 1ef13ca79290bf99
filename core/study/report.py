"""Results as text for a paper: a LaTeX table and a paragraph of methods with the real numbers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

from core.experiment.tables import latex_text
from core.narrate.words import count, listed
from core.statistics import CONFIDENCE, RESAMPLES
from core.study.agreement import Coefficient
from core.study.comparison import CORRECTED, MethodComparison
from core.study.design import Design
from core.study.items import ORIGINAL
from core.study.monitoring import Overview, RaterProgress
from core.study.results import Estimate, StudyResults


def latex_table(study: Overview, results: StudyResults) -> str:
    """The paper's table, with intervals and ties, for the booktabs package."""
    order = sorted(results.rows, key=lambda row: row.group != ORIGINAL)  # controls first
    lines = [
        f"{latex_text(row.group)} & {row.rated} & {shown(row.valid, 100, 1)} "
        f"& {shown(row.score)} & {row.ties} \\\\"
        for row in order
    ]
    if order and order[0].group == ORIGINAL and len(order) > 1:
        lines.insert(1, "\\midrule")
    simulated = " The ratings are simulated." if study.simulated else ""
    caption = (
        f"Human evaluation ({latex_text(study.name)}) by {count(results.raters, 'rater')}. "
        "Valid.\\ is the share of items whose majority label is the true one; a tie counts as not "
        "valid. Percep.\\ is the mean perceptibility from 0 to 4; "
        f"{100 * CONFIDENCE:.0f}\\% bootstrap intervals in brackets.{simulated}"
    )
    body = "\n".join(f"    {line}" for line in lines)
    return (
        "\\begin{table}[tbp]\n  \\centering\n"
        f"  \\caption{{{caption}}}\n"
        "  \\begin{tabular}{lrllr}\n    \\toprule\n"
        "    Method & Items & Valid.\\ (\\%) & Percep. & Ties \\\\\n    \\midrule\n"
        f"{body}\n    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n"
    )


def methods_paragraph(
    study: Overview, results: StudyResults, raters: Sequence[RaterProgress]
) -> str:
    """How the study was done, in sentences with its real numbers."""
    ratings = sum(row.ratings for row in results.rows)
    items = sum(row.rated for row in results.rows)
    names = listed([f"{row.rated} of {row.group}" for row in results.rows])
    labels = ", ".join(f'"{label}"' for label in study.labels)
    scale = ", ".join(f'{point} "{name}"' for point, name in enumerate(study.wording.scale))
    sentences = [
        "The ratings below are simulated, not given by people." if study.simulated else "",
        f"The adversarial examples attack {listed(results.victims)}." if results.victims else "",
        f"In all, {count(results.raters, 'rater')} gave {count(ratings, 'rating')} of "
        f"{count(items, 'item')} ({names}): {_per_item(ratings, items)} per item on average, "
        f"{study.design.per_item} by design.",
        f"For each text they chose a label ({labels}) and a perceptibility ({scale}).",
        _blind(study.design),
        *_raters(raters),
        "The label of an item is the majority of its raters; a tie counts as not valid. "
        "Perceptibility is the mean over items of the mean over raters.",
        f"Intervals are {CONFIDENCE:.0%} percentile bootstrap intervals over items "
        f"({RESAMPLES:,} resamples).",
        *_agreement(results.agreement),
        *_compared(results.comparisons),
        *results.notes,
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _per_item(ratings: int, items: int) -> str:
    return f"{ratings / items:.2f}".rstrip("0").rstrip(".") if items else "0"


def _blind(design: Design) -> str:
    variants = (
        "and nobody saw two variants of one source"
        if design.gap is None
        else f"with variants of one source at least {count(design.gap, 'place')} apart"
    )
    return (
        "They saw neither the method nor the true label. Each had a random order of their own "
        f"(seed {design.seed}), {variants}."
    )


def _raters(raters: Sequence[RaterProgress]) -> list[str]:
    """When and how carefully they answered, and who does not count."""
    counted = [rater for rater in raters if rater.done and not rater.excluded]
    reasons = [rater.excluded for rater in raters if rater.done and rater.excluded]
    found = []
    if times := [time for rater in counted for time in rater.answered_at]:
        first, last = (datetime.fromtimestamp(at(times), UTC) for at in (min, max))
        days = dict.fromkeys(f"{day.day} {day:%B %Y}" for day in (first, last))
        found.append(f"They answered {'on' if len(days) == 1 else 'from'} {' to '.join(days)}.")
    if seconds := [rater.seconds for rater in counted if rater.seconds is not None]:
        taken = count(round(median(seconds)), "second")
        found.append(f"The median time for an item was {taken}.")
    if checks := sum(rater.checks for rater in counted):
        right = sum(rater.checks_right for rater in counted)
        found.append(f"They answered {right} of {count(checks, 'attention check')} as expected.")
    if reasons:
        found.append(f"Left out: {count(len(reasons), 'rater')} ({'; '.join(reasons)}).")
    return found


def _agreement(coefficients: Sequence[Coefficient]) -> list[str]:
    """One sentence for all coefficients that share a note."""
    by_note: dict[str, list[str]] = {}
    for one in coefficients:
        if one.value is None:
            by_note.setdefault(one.note, []).append(one.name)
        else:
            by_note.setdefault(f"({one.note})", []).append(f"{one.name} is {one.value:.3f}")
    return [f"{listed(names)} {note}." for note, names in by_note.items()]


def _compared(comparisons: Sequence[MethodComparison]) -> list[str]:
    found = [sentence for one in comparisons if one.pairs for sentence in compared(one)]
    return [*found, CORRECTED] if found else []


def compared(found: MethodComparison) -> list[str]:
    if not found.pairs:
        return [found.note]
    lines = [
        f"On the {count(found.pairs, 'source')} with both {found.first} and {found.second}, only "
        f"{found.first} is valid on {found.only_first} and only {found.second} on "
        f"{found.only_second}: a difference of {100 * found.valid_difference:+.1f} points"
        f"{_p(found.valid_p, 'exact McNemar test')}.",
        f"Perceptibility differs by {found.score_difference:+.2f}"
        f"{_p(found.score_p, 'exact sign-flip test')}"
        + ("" if found.score_effect is None else f", Cohen's d {found.score_effect:.2f}")
        + ".",
    ]
    return [*lines, found.note] if found.note else lines


def _p(value: float | None, test: str) -> str:
    return "" if value is None else f" ({test}, two-sided p = {value:.4f})"


def shown(estimate: Estimate | None, scale: float = 1.0, digits: int = 2) -> str:
    """An estimate with its interval in brackets, or dashes."""
    if estimate is None:
        return "--"
    text = f"{scale * estimate.value:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} [{scale * estimate.low:.{digits}f}, {scale * estimate.high:.{digits}f}]"
