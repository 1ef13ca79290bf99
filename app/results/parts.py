"""The parts of the results page: how far an experiment is, its tables, figures and files."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import streamlit as st

from app.organise import draft
from app.organise.running import NEW
from app.results import certain, experiments
from app.results import views as views
from app.results.experiments import ExperimentRun
from app.shared import door, pickers
from app.shared.turns import waiting_text
from core.errors import require
from core.experiment.comparing import METHOD, compare
from core.experiment.data import MOST_LABELS
from core.experiment.exporting import export
from core.experiment.levels import level_lines, level_tables
from core.experiment.metrics import Scenario, lines
from core.experiment.paper import beside, beside_table
from core.experiment.results import Results
from core.experiment.robustness import robustness, robustness_table
from core.experiment.tables import definitions, detail_table, interval_table, noted, paper_tables
from core.experiment.work import spec_of_record
from core.study.attacks import from_run
from core.tasks import task_named

PLOT: Final = {"displayModeBar": False}
FILES: Final = {  # what a button says: the name of its file, and its style
    "Rows (CSV)": ("results.csv", "plain"),
    "Rows (Parquet)": ("results.parquet", "plain"),
    "Tables (LaTeX)": ("tables.tex", "plain"),
    "As TextAttack writes it (CSV)": ("textattack.csv", "textattack"),
}


def progress(run: ExperimentRun) -> None:
    """How far a run is, with a way to stop it."""
    if run.error:
        st.error(pickers.plain(run.error))
    if run.running:
        latest = run.last
        share = latest.done / latest.total if latest and latest.total else 0.0
        started = latest.sentence if latest else "Asking the victims about the originals …"
        st.progress(share, waiting_text(run.before) if run.waiting else started)
        if door.allowed():
            st.button("Cancel", key="results.cancel", on_click=_cancel, args=[run])


def state(results: Results, path: Path, *, busy: bool) -> None:
    """What became of the inputs; an experiment that was broken off can go on."""
    if not results.finished and not busy:
        st.info("Not finished: the searches have not all attacked the same inputs.")
        if experiments.is_own(path) and not door.allowed():
            st.caption("Resuming it needs the organiser's passphrase: enter it above.")
        elif experiments.is_own(path):
            st.button("Resume", key="resume", on_click=_resume, args=[results], type="primary")
    st.caption(pickers.plain(" ".join(results.report())))


def _cancel(run: ExperimentRun) -> None:
    if door.allowed():
        run.cancel()


def _resume(results: Results) -> None:
    if door.allowed():
        experiments.start(results.plan)


def filtered(results: Results) -> Results:
    """The results on inputs of some lengths and labels."""
    words = [each.words for each in results.inputs.values()]
    labels = sorted({each.reference_text for each in results.inputs.values()})
    low, high = (min(words), max(words)) if words else (0, 0)
    picked: list[str] = []
    cells = st.columns(2)
    if low < high:
        low, high = cells[0].slider(
            "Words of the text", low, high, (low, high), key=f"words.{results.plan.name}"
        )
    if len(labels) <= MOST_LABELS:
        name = task_named(results.plan.victims[0]).reference.title
        picked = cells[1].pills(
            name, labels, selection_mode="multi", default=labels, key="results.labels"
        )
    return views.chosen(results, views.Filter(low, high, tuple(picked or labels)))


def show(results: Results) -> None:
    """Tables, figures, attacks and files, a tab each."""
    if not results.attacks:
        st.info("No attack is done yet.")
        return
    tables, curves, attacks, tests, files = st.tabs(
        ["Tables", "Curves", "Attacks", "Differences", "Files and studies"]
    )
    with tables:
        _tables(results)
    with curves:
        scenario = _scenario(results, "curves")
        st.caption("Success within a number of queries; the area under a curve is in the table.")
        figure = certain.with_band(views.success_curves(results, scenario), results, scenario)
        st.plotly_chart(figure, key="results.curves", config=PLOT)
        st.caption("Queries for texts of each length, a dot for each input.")
        st.plotly_chart(views.by_length(results, scenario), key="results.length", config=PLOT)
    with attacks:
        _attacks(results)
    with tests:
        _differences(results)
    with files:
        _files(results)


def _scenario(results: Results, key: str) -> Scenario:
    known = views.scenarios(results)
    if len(known) == 1:
        return known[0]
    return st.selectbox(
        "Victim, substitutes, goal", known, format_func=", ".join, key=f"results.{key}.scenario"
    )


def _tables(results: Results) -> None:
    count = st.segmented_control(
        "Count", ["requests", "queries"], default="requests", required=True, key="results.count"
    )
    count = count or "requests"  # whoever speaks to the socket directly can choose none
    measured = lines(results)
    tables = [*level_tables(results), *paper_tables(measured, count)]
    tables += [detail_table(measured), interval_table(measured)]
    if by_level := level_lines(results):
        st.plotly_chart(views.level_curves(by_level), key="results.levels", config=PLOT)
    for table in tables:
        st.html(views.table_html(table))
    certain.show(results)
    st.caption(pickers.plain(results.plan.limits.rule))
    found = [each for line in measured if (each := beside(line, results.plan))]
    if found:
        with st.expander("Beside the paper's figures"):
            st.html(views.table_html(beside_table(found)))
            for each in found:
                what = f"{each.line.scenario.victim}, {each.line.search}"
                st.caption(pickers.plain(f"{what}: {'; '.join(each.differs)}."))
    reports = robustness(results)
    with st.expander("Robustness: which inputs are broken, and by which search"):
        for report in reports:
            victim, substitution, goal = report.scenario
            st.markdown(pickers.plain(f"{victim}, {substitution}, {goal}: {report.sentence}"))
        st.html(views.table_html(robustness_table(reports)))
    with st.expander("What the columns mean"):
        notes = map(pickers.plain, definitions(measured))
        st.markdown("\n".join(noted(list(notes), "markdown")))


def _attacks(results: Results) -> None:
    scenario = _scenario(results, "attacks")
    st.caption("A dot is an attack: a circle succeeded, a cross did not. Click one to see it.")
    figure, behind = views.every_attack(results, scenario)
    event = st.plotly_chart(
        figure, key="results.attacks", config=PLOT, on_select="rerun", selection_mode="points"
    )
    if attack := views.picked(event, behind):
        st.text(results.text(attack))
        st.link_button("Open in Step through", f"step?{spec_of_record(results, attack).address()}")
    reasons = views.failures(results, scenario)
    if len(reasons):
        st.caption("Why attacks did not succeed")
        st.dataframe(reasons, key="results.failures")
    shown = {"open": st.column_config.LinkColumn("open", display_text="Step through")}
    rows = views.attack_rows(results, scenario)
    st.dataframe(rows, hide_index=True, column_config=shown, key="results.rows")


def _differences(results: Results) -> None:
    found = compare(results)
    if not found:
        st.info("One search alone cannot be compared. Run an experiment with several.")
        return
    st.caption(METHOD)
    st.dataframe(
        [
            {
                "scenario": ", ".join(each.scenario),
                "what": each.what,
                "verdict": each.verdict,
                "inputs": each.inputs,
                "p": f"{each.p:.2g}",
                "corrected p": f"{each.corrected:.2g}",
            }
            for each in found
        ],
        hide_index=True,
        key="results.differences",
    )


def _files(results: Results) -> None:
    place = st.container(horizontal=True)
    raw = pickers.raw_cells("results")
    for label, (name, style) in FILES.items():
        file = partial(written, results, name, style, raw=raw and name.endswith(".csv"))
        place.download_button(label, file, name, key=f"results.{name}", on_click="ignore")
    st.markdown("**Have people judge these sentences.** The successes above, with their originals.")
    if not door.has_entered():
        st.caption("The page Organise asks for the organiser's passphrase first.")
    if st.button("Send to a new study", key="results.study"):
        taken = from_run(results)
        require(
            len(taken.labels) <= MOST_LABELS,
            f"Raters would have {len(taken.labels):,} answers to choose from: too many.",
        )
        draft.bring(taken)
        pickers.put(**{"organise.study": NEW})
        pickers.go_to("organise")


def written(results: Results, name: str, style: str, *, raw: bool = False) -> bytes:
    """A file of the results."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        export(results, path, style, raw=raw)
        return path.read_bytes()
