"""Results as they come in, and files to take them away."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from app.organise import charts as study_charts
from app.organise.running import beside, button
from app.shared.pickers import plain, raw_cells
from core.study import calibration, exports, monitoring, report
from core.study.calibration import QUESTION
from core.study.comparison import CORRECTED
from core.study.database import Database
from core.study.judgements import Judged
from core.study.monitoring import Overview
from core.study.results import StudyResults, by_disagreement

MOST_LINKS = 50


def show(study: Overview, items: Sequence[Judged], found: StudyResults) -> None:
    """The paper's table, agreement, comparisons, and where raters differ."""
    for note in found.notes:
        st.info(plain(note))
    st.dataframe(table_rows(found), hide_index=True, key="results.table")
    if study.wording.label_question == QUESTION.question:
        _offer_calibration(study, found)
    if any(row.ratings for row in found.rows):
        st.plotly_chart(
            study_charts.distribution(found.rows, study.wording.scale),
            width="stretch",
            key="results.distribution",
            config={"displaylogo": False},
        )
    st.subheader("Agreement", anchor=False)
    st.dataframe(agreement_rows(found), hide_index=True, key="results.agreement")
    pairs = {(one.first, one.second): one for one in found.comparisons}
    if pairs:
        st.subheader("Two methods on the same sources", anchor=False)
        pair = st.selectbox("Methods", pairs, format_func=" and ".join, key="results.pair")
        lines = report.compared(pairs[pair])
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in lines))
        st.caption(CORRECTED)
    st.subheader("Items on which raters differ most", anchor=False)
    differing = by_disagreement(items)
    page = st.context.url or ""
    links = {
        one.number: beside("step", _query(one.item.trace), page)
        for one in differing
        if one.item.trace
    }
    rows = [
        {
            "item": one.number,
            "attack": links.get(one.number),
            "method": one.item.group,
            "text": one.item.text,
            "true label": one.item.label,
            "labels": ", ".join(judgement.label for judgement in one.judgements),
            "scores": ", ".join(str(judgement.score) for judgement in one.judgements),
        }
        for one in differing
    ]
    opens = st.column_config.LinkColumn("attack", display_text="Step through")
    st.dataframe(
        rows,
        hide_index=True,
        column_config={"attack": opens if links else None},
        key="results.items",
    )
    # Links in the table itself are pixels: no key and no screen reader gets at them.
    listed = [f"[item {number}]({link})" for number, link in [*links.items()][:MOST_LINKS]]
    if listed:
        st.markdown("Their attacks in Step through: " + ", ".join(listed))
    else:
        st.caption("Items from saved attacks and batch runs lead from here to Step through.")


def _offer_calibration(study: Overview, found: StudyResults) -> None:
    """Let what raters say of the levels stand beside them on the pages."""

    def keep() -> None:
        calibration.save(calibration.calibration(study.name, found))

    known = calibration.load()
    if known and known.study == study.name:
        st.caption("\n\n".join(plain(known.sentence(level)) for level in known.rates))
    button("Use as the calibration of levels", "calibrate", keep, "It stands beside the levels.")


def _query(trace: str) -> str:
    """The query of an address, written anew: an imported study may have anything there."""
    return urlencode(parse_qsl(trace))


def table_rows(found: StudyResults) -> list[dict[str, Any]]:
    """The paper's table with intervals."""
    return [
        {
            "method": row.group,
            "items": row.items,
            "rated": row.rated,
            "valid %": report.shown(row.valid, 100, 1),
            "perceptibility": report.shown(row.score),
            "ties": row.ties,
        }
        for row in found.rows
    ]


def agreement_rows(found: StudyResults) -> list[dict[str, Any]]:
    """The coefficients of all items, then of each method."""
    parts = [("all", found.agreement), *((row.group, row.agreement) for row in found.rows)]
    return [
        {
            "method": group,
            "coefficient": one.name,
            "value": one.value and round(one.value, 3),
            "note": one.note,
        }
        for group, coefficients in parts
        for one in coefficients
    ]


def export(database: Database, study: Overview, found: StudyResults) -> None:
    """Files, a table and a paragraph."""
    raw = raw_cells("export")
    which = (database, study.id)
    files = {
        "All ratings, one per line (CSV)": ("long.csv", partial(exports.long_csv, *which, raw=raw)),
        "One line per item (CSV)": ("wide.csv", partial(exports.wide_csv, *which, raw=raw)),
        "The whole study, to import again (JSON)": (
            "study.json",
            partial(exports.study_json, *which),
        ),
    }
    for label, (name, make) in files.items():
        st.download_button(label, make, name, on_click="ignore", key=f"export.{name}")
    st.caption("A LaTeX table (booktabs)")
    st.code(report.latex_table(study, found), language="latex", wrap_lines=True)
    st.caption("A paragraph on methods")
    raters = monitoring.rater_progress(database, study.id)
    st.code(report.methods_paragraph(study, found, raters), language=None, wrap_lines=True)
