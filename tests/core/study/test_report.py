"""The table and the paragraph for a paper."""

from sqlalchemy import select, update

from core.study import monitoring, rating
from core.study.creating import StudyPlan, create
from core.study.database import Database
from core.study.design import Design
from core.study.items import Item
from core.study.judgements import judged_items
from core.study.rating import GivenAnswer
from core.study.report import latex_table, methods_paragraph, shown
from core.study.results import Estimate, results
from core.study.tables import Assignment, Rating
from tests.toys.small_study import small
from tests.toys.study import LABELS, plan, rate_all, start, tokens


def test_the_latex_table_and_the_paragraph_have_the_real_numbers(database: Database) -> None:
    study = small(database)
    about, table = monitoring.study(database, study), results(judged_items(database, study))
    latex = latex_table(about, table)
    assert latex.index("original input &") < latex.rindex(r"\midrule") < latex.index("ls &")
    assert r"\begin{tabular}" in latex
    assert "by 1 rater." in latex
    assert "a tie counts as not valid" in latex
    assert r"Percep. & Ties \\" in latex
    assert "simulated" not in latex
    told = methods_paragraph(about, table, monitoring.rater_progress(database, study))
    assert told.startswith("In all, 1 rater gave 4 ratings of 4 items (")
    assert "Each had a random order of their own (seed 1), and nobody saw two variants" in told
    assert "0 of 1 attention check as" in told
    assert "Left out: 1 rater (asked to leave)." in told
    assert "They answered on " in told
    assert told.count("cannot be computed") == 2  # all coefficients in one sentence, and a note
    empty = create(database, plan("50 % & more_{x}\\~^"))
    nothing = results(judged_items(database, empty))
    about = monitoring.study(database, empty)
    assert r"50 \% \& more\_\{x\}\textbackslash{}\textasciitilde{}\textasciicircum{}" in (
        latex_table(about, nothing)
    )
    assert "0 raters gave 0 ratings" in methods_paragraph(about, nothing, [])


def test_the_table_tells_of_ties_and_the_paragraph_of_tests_victims_and_days(
    sqlite: Database,
) -> None:
    items = tuple(
        Item(f"{method} {n}", "positive", f"s{n}", method, victim="bert")
        for method in ("ls", "pso")
        for n in range(6)
    )
    design = Design(2, 2, gap=1)
    study = create(sqlite, StudyPlan("Ties", LABELS, items, design=design))
    one, other = tokens(sqlite, study)
    rate_all(sqlite, one)
    start(sqlite, other)
    while task := rating.visit(sqlite, other).task:
        lost = task.text.startswith("pso")
        rating.save(sqlite, other, task, GivenAnswer(LABELS[not lost], 1 if lost else 3), 1.0)
    with sqlite.writing() as session:  # the first answer of the study
        first = select(Assignment.id).where(Assignment.position == 1).limit(1).scalar_subquery()
        session.execute(
            update(Rating).where(Rating.assignment_id == first).values(rated_at=1_700_000_000)
        )
    about, table = monitoring.study(sqlite, study), results(judged_items(sqlite, study))
    latex = latex_table(about, table)
    assert "pso & 6 & 0.0 [0.0, 0.0] & 2.00 [2.00, 2.00] & 6 \\\\\n" in latex
    assert "by 2 raters." in latex
    told = methods_paragraph(about, table, monitoring.rater_progress(sqlite, study))
    assert told.startswith("The adversarial examples attack bert. In all, 2 raters gave 24 ratings")
    assert "with variants of one source at least 1 place apart." in told
    assert "They answered from 14 November 2023 to " in told
    assert (
        "On the 6 sources with both ls and pso, only ls is valid on 6 and only pso on 0: a "
        "difference of +100.0 points (exact McNemar test, two-sided p = 0.0625)."
    ) in told
    assert "corrected by Holm's method" in told
    assert "Raters tie on 6 items" in told


def test_numbers_are_shown_with_their_interval() -> None:
    assert shown(None) == "--"
    assert shown(Estimate(0.5, None, None), 100, 1) == "50.0"
    assert shown(Estimate(2.0, 1.5, 2.25)) == "2.00 [1.50, 2.25]"
